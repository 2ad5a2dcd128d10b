import { type PossibleDuplicate, peopleOperations, type Static } from '@matricula/contract'
import { type Database, sql } from '../../database/index.ts'
import { readOne } from '../../entities/index.ts'
import { Problem } from '../../errors/index.ts'
import { implement, type Route, requireUse } from '../../http/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import { isOwnedElsewhere, ownedElsewhere } from '../../tenancy/index.ts'
import { applications } from './application-store.ts'
import { personLinks, splitPerson } from './split-person.ts'

/** Operations to find and separate duplicate people. */
export const peopleRoutes: Route[] = implement(peopleOperations, {
  listPossibleDuplicates: async (database, { context, query }) => {
    await readOne(database, context.tenant.id, applications, query.applicationId)
    return findPossibleDuplicates(database, context.tenant.id, query.applicationId)
  },
  readPersonLinks: async (database, { context, params }) => ({
    record: await database.transaction(context.tenant.id, (tx) => personLinks(tx, params.id)),
    entityTag: null,
  }),
  splitPerson: async (tx, { context, params, body }) => {
    requireUse(context.caller, 'admissions:write')
    requireOwnDomain(context.tenant)
    return { record: await splitPerson(tx, context, params.id, body), entityTag: null }
  },
})

/**
 * Throws `system_of_record_elsewhere` when another system owns applications; the operation itself declares students.
 */
function requireOwnDomain(tenant: Pick<Tenant, 'systemOfRecord'>): void {
  if (!isOwnedElsewhere(tenant, 'enrollment')) return
  throw new Problem('system_of_record_elsewhere', ownedElsewhere('enrollment', null), {
    domain: 'enrollment',
    systemOfRecord: tenant.systemOfRecord.enrollment,
  })
}

/** The maximum number of possible duplicates of one contact. */
const maxDuplicates = 20

function findPossibleDuplicates(
  database: Database,
  tenantId: string,
  applicationId: string,
): Promise<Static<typeof PossibleDuplicate>[]> {
  return database.readSlowly(
    tenantId,
    sql`
    select l.id as "linkId", o.id as "contactId", o.code as guardian, o.display_name as "displayName", o.email, o.phone,
           coalesce(o.email = c.email collate any_case, false) as "hasSameEmail",
           coalesce(o.phone_digits = c.phone_digits, false) as "hasSamePhone"
      from application_contacts l
      join contacts c on c.tenant_id = ${tenantId} and c.id = l.contact_id
     cross join lateral (
       select f.* from (
         select p.* from contacts p where p.tenant_id = ${tenantId} and p.email = c.email collate any_case
         union
         select p.* from contacts p where p.tenant_id = ${tenantId} and p.phone_digits = c.phone_digits) f
        where f.id <> c.id order by f.created_at, f.id limit ${maxDuplicates}) o
     where l.tenant_id = ${tenantId} and l.application_id = ${applicationId}
     order by l.created_at, l.id, o.created_at, o.id`,
  )
}
