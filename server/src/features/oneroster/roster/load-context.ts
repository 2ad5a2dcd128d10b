import { type Database, type Sql, sql, type Transaction } from '../../../database/index.ts'
import { type Tenant, todayIn } from '../../../tenancy/index.ts'
import type { RosterContext, RosterKind } from './roster-context.ts'
import { rememberGivenOut } from './roster-settings.ts'

/** What is known of an institution wherever its records are shown. */
export type RosterTenant = Pick<Tenant, 'id' | 'name' | 'slug' | 'timeZone'>

interface Facts {
  readonly identifier: string | null
  readonly has_schools: boolean
  readonly has_own_ids: boolean
  readonly uses_external_ids: boolean
  readonly has_metadata: boolean
  readonly has_bundle_members: boolean
  readonly given_out: readonly RosterKind[] | null
}

/**
 * What the objects of an institution depend on, for a reader of certain kinds of sourcedIds: it is remembered first that
 * they are given out, so that they stay.
 */
export async function loadContext(
  database: Database,
  tenant: RosterTenant,
  request: Pick<RosterContext, 'version' | 'rosterUrl' | 'gradebookUrl'>,
  kinds: readonly RosterKind[],
): Promise<RosterContext> {
  const read = <Row extends object>(statement: Sql) => database.read<Row>(tenant.id, statement)
  const context = await readContext(read, tenant, request)
  if (kinds.every((kind) => context.givenOut.includes(kind))) return context
  await rememberGivenOut(database, tenant.id, kinds)
  return readContext(read, tenant, request)
}

/** The same within a transaction, for whoever only looks up what sourcedIds stand for. */
export function loadContextIn(tx: Transaction, tenant: RosterTenant): Promise<RosterContext> {
  const request = { version: '1.2', rosterUrl: '', gradebookUrl: '' } as const
  return readContext(<Row extends object>(statement: Sql) => tx.query<Row>(statement), tenant, request)
}

async function readContext(
  read: <Row extends object>(statement: Sql) => Promise<Row[]>,
  tenant: RosterTenant,
  request: Pick<RosterContext, 'version' | 'rosterUrl' | 'gradebookUrl'>,
): Promise<RosterContext> {
  const [facts] = await read<Facts>(
    sql`
      select (select coalesce(nullif(c.abbr, ''), c.name) from companies c where c.tenant_id = ${tenant.id}
               order by c.name <> ${tenant.name}, c.created_at, c.id limit 1) as identifier,
             exists (select from departments d where d.tenant_id = ${tenant.id} and d.is_school = 1) as has_schools,
             exists (select from roster_ids i where i.tenant_id = ${tenant.id}) as has_own_ids,
             exists (select from roster_settings s
                      where s.tenant_id = ${tenant.id} and s.sourced_ids = 'externalId') as uses_external_ids,
             exists (select from roster_ids i where i.tenant_id = ${tenant.id} and i.metadata is not null) as has_metadata,
             exists (select from roster_ids i where i.tenant_id = ${tenant.id} and i.members is not null) as has_bundle_members,
             (select s.given_out from roster_settings s where s.tenant_id = ${tenant.id}) as given_out`,
  )
  return {
    ...request,
    tenantId: tenant.id,
    today: todayIn(tenant.timeZone),
    identifier: facts?.identifier ?? tenant.slug,
    hasSchools: facts?.has_schools ?? false,
    hasOwnIds: facts?.has_own_ids ?? false,
    usesExternalIds: facts?.uses_external_ids ?? false,
    hasMetadata: facts?.has_metadata ?? false,
    hasBundleMembers: facts?.has_bundle_members ?? false,
    givenOut: facts?.given_out ?? [],
  }
}
