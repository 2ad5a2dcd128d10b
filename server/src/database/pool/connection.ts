import type pg from 'pg'
import { valueTypes } from '../sql/value-types.ts'

/** Where the database is: an address or the parts of one. */
export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string }

/** Whether it is the database that the service starts itself, on this machine. */
export function isEmbedded(connection: Connection): boolean {
  return !('connectionString' in connection)
}

/** The role under which the service reads and writes. It owns nothing and row-level security binds it. */
export const serviceRole = 'matricula_service'

/** The id of no tenant, for looks across all of them. */
export const noTenant = '00000000-0000-0000-0000-000000000000'

const sessionSettings = {
  role: serviceRole,
  timezone: 'UTC',
  datestyle: 'ISO',
  // Where indexes are preferred, a table that has none is given a cost for which PostgreSQL before 18 would compile the statement.
  jit: 'off',
  statement_timeout: '60s',
  idle_in_transaction_session_timeout: '60s',
}

/** The options of a `pg` client for the service's role, or for the owner of the tables where migrations run. */
export function clientOptions(
  connection: Connection,
  as: 'service' | 'owner',
  name = 'matricula pool',
): pg.ClientConfig {
  const settings = as === 'service' ? sessionSettings : { timezone: 'UTC', datestyle: 'ISO', jit: 'off' }
  return {
    ...connection,
    application_name: name,
    options: Object.entries(settings)
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
    types: valueTypes,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  }
}
