import type { Boot, Preferences } from '@matricula/contract'
import { type Domain, publicLocales, type Scope, type Static, usualPreferences } from '@matricula/contract'
import type { RecordType } from '@matricula/contract/record-types'
import type { Database } from '../../database/index.ts'
import { sql } from '../../database/index.ts'
import type { OperationRequest } from '../../http/index.ts'
import { mayUse } from '../../http/index.ts'
import {
  getCaller,
  getReading,
  getRights,
  mayDo,
  type RecordRegistry,
  seesOnlySome,
} from '../../record-engine/index.ts'
import { domainOwners } from '../../tenancy/index.ts'

/** The initial data of the console, as the service evaluates rights. */
export async function readBoot(
  database: Database,
  { context }: Pick<OperationRequest, 'context'>,
  registry: RecordRegistry,
): Promise<Static<typeof Boot>> {
  const { tenant } = context
  const caller = getCaller(context)
  const { person, scopes } = context.caller
  if (person === undefined) throw new Error('nobody is logged in at this door')
  const [facts, owners] = await Promise.all([
    readFacts(database, tenant.id, person.userId),
    domainOwners(database, tenant),
  ])
  const preferences = { ...usualPreferences, ...facts.preferences }
  const sees = (scope: Scope) => mayUse(context.caller, scope)
  const domain = (name: Domain) => ({ value: tenant.systemOfRecord[name], owner: owners[name] })
  return {
    user: {
      id: person.userId,
      name: person.name,
      fullName: person.fullName,
      image: person.image,
      roles: [...person.roles],
      language: preferences.language ?? facts.language ?? tenant.language,
      timeZone: facts.time_zone ?? tenant.timeZone,
    },
    tenant: {
      id: tenant.id,
      slug: tenant.slug,
      name: tenant.name,
      currency: tenant.currency,
      timeZone: tenant.timeZone,
      language: tenant.language,
      languages: [...publicLocales],
      enabledModules: [...tenant.enabledModules],
    },
    rights: registry.declared().flatMap((definition) => {
      const { type, isWrittenByService, computed } = definition
      const isReadOnly = isWrittenByService || computed !== null
      const rights = getRights(caller, type).filter((right) => right === 'read' || !isReadOnly)
      if (rights.length === 0) return []
      return [{ type: type.name, rights, ownOnly: seesOnlySome(registry, caller, definition) }]
    }),
    customFieldTypes: getReading(database, registry, caller)
      .registry.declared()
      .filter(({ type }) => mayDo(caller, type, 'read') && hasCustomFields(type))
      .map(({ type }) => type.name),
    scopes: [...scopes].sort(),
    systemOfRecord: { students: domain('students'), enrollment: domain('enrollment'), payments: domain('payments') },
    academicYear: facts.year,
    academicTerm: facts.term,
    badges: {
      documentsToReview: sees('vault:read') ? facts.documents : null,
      openApplications: sees('admissions:read') ? facts.applications : null,
      openRequests: sees('vault:read') ? facts.requests : null,
    },
    preferences,
    session: { idleMinutes: person.idleMinutes, warningSeconds: 120 },
  }
}

function hasCustomFields({ fields }: RecordType): boolean {
  return Object.values(fields).some(({ customId }) => customId !== undefined)
}

interface Facts {
  preferences: Partial<Static<typeof Preferences>> | null
  language: string | null
  time_zone: string | null
  year: string | null
  term: string | null
  documents: number
  applications: number
  requests: number
}

async function readFacts(database: Database, tenantId: string, userId: string): Promise<Facts> {
  const [facts] = await database.read<Facts>(
    tenantId,
    sql`
      with counts as (
        select entity_type, status, sum(count)::bigint as count from record_counts
         where tenant_id = ${tenantId}
           and entity_type in ('vault_document', 'admission_application', 'vault_request')
         group by entity_type, status)
      select nullif(u.language, '') as language, nullif(u.time_zone, '') as time_zone,
             p.preferences,
             nullif(s.current_academic_year, '') as year, nullif(s.current_academic_term, '') as term,
             coalesce((select sum(c.count) from counts c
                        where c.entity_type = 'vault_document' and c.status in ('uploaded', 'in_review')), 0)::bigint as documents,
             coalesce((select sum(c.count) from counts c
                         join pipeline_statuses p
                           on p.tenant_id = ${tenantId} and p.key = c.status and p.category = 'open'
                        where c.entity_type = 'admission_application'), 0)::bigint as applications,
             coalesce((select sum(c.count) from counts c
                        where c.entity_type = 'vault_request'
                          and c.status in ('open', 'partially_completed')), 0)::bigint as requests
        from users u left join education_settings s on s.tenant_id = u.tenant_id
             left join user_preferences p on p.tenant_id = u.tenant_id and p.user_id = u.id
       where u.tenant_id = ${tenantId} and u.id = ${userId}`,
  )
  if (facts === undefined) throw new Error('the user of a session is gone')
  return facts
}
