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
} from '../database/index.ts'
import { type SeededTable, seededTables } from './seeded-tables.ts'

/**
 * Brings the database to this version: its schema, and the tenants of an older version, which get what a new one starts
 * with where they have nothing of the kind. What an institution has changed or removed of it stays so.
 */
export function bringUpToDate(
  connection: Connection,
  options: { log?: MigrationLog; isByHand?: boolean; isCommand?: boolean } = {},
): Promise<MigrationReport> {
  return migrate(connection, { ...options, supplement: () => seedTenants(connection) })
}

async function seedTenants(connection: Connection): Promise<void> {
  const lacking = await asOwner(connection, noTenant, (tx) =>
    Promise.all(seededTables.map(async (table) => ({ table, tenants: await tenantsWithout(tx, table) }))),
  )
  if (lacking.every(({ tenants }) => tenants.length === 0)) return
  // It loads half of the program, which hardly a command has to wait for.
  const { seeds } = await import('./tenant-seeds.ts')
  for (const { table, tenants } of lacking) {
    for (const { id } of tenants) await asOwner(connection, id, async (tx) => seeds[table](tx))
  }
}

function tenantsWithout(tx: Transaction, table: SeededTable): Promise<{ id: string }[]> {
  return tx.query(sql`select id from tenants except select distinct tenant_id from ${identifier(table)}`)
}
