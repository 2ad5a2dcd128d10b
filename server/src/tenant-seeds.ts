import {
  asOwner,
  type Connection,
  identifier,
  type MigrationLog,
  type MigrationReport,
  migrate,
  noTenant,
  sql,
  type Transaction,
} from './database/index.ts'
import { seedPipeline } from './features/admissions/index.ts'
import { seedAssessmentGroups } from './features/assessment/index.ts'
import { seedOrganisation } from './features/organisation/index.ts'
import { seedDocumentTypes } from './features/requirements/index.ts'
import { seedSettings } from './features/settings/index.ts'
import { seedRoles } from './platform/users/index.ts'

/** Something that a tenant starts with, and the table that is empty while it has nothing of the kind. */
interface Seed {
  readonly table: string
  readonly seed: (tx: Transaction) => void
}

const seeds: readonly Seed[] = [
  { table: 'roles', seed: seedRoles },
  { table: 'pipeline_statuses', seed: seedPipeline },
  { table: 'document_types', seed: seedDocumentTypes },
  { table: 'companies', seed: seedOrganisation },
  { table: 'assessment_groups', seed: seedAssessmentGroups },
]

/** Gives a new tenant what it starts with: also settings of its own, where older ones keep the defaults. */
export function seedTenant(tx: Transaction): void {
  for (const { seed } of seeds) seed(tx)
  seedSettings(tx)
}

/**
 * Brings the database to this version: its schema, and the tenants of an older version, which get what a new one starts
 * with where they have nothing of the kind. What an institution has changed or removed of it stays so.
 */
export function bringUpToDate(
  connection: Connection,
  options: { log?: MigrationLog; isByHand?: boolean } = {},
): Promise<MigrationReport> {
  return migrate(connection, { ...options, supplement: () => seedTenants(connection) })
}

async function seedTenants(connection: Connection): Promise<void> {
  const lacking = await asOwner(connection, noTenant, (tx) =>
    Promise.all(seeds.map((seed) => tenantsWithout(tx, seed))),
  )
  for (const { seed, tenants } of lacking) {
    for (const { id } of tenants) await asOwner(connection, id, async (tx) => seed(tx))
  }
}

async function tenantsWithout(tx: Transaction, { table, seed }: Seed) {
  const tenants = await tx.query<{ id: string }>(sql`
    select id from tenants except select distinct tenant_id from ${identifier(table)}`)
  return { seed, tenants }
}
