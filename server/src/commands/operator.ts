import { type Config, readConfig } from '../config.ts'
import { asOwner, type Connection, Database, noTenant, openDatabase, type Transaction } from '../database/index.ts'
import type { ChangeContext } from '../platform/request-context.ts'
import { findTenant, type TenantRecord } from '../platform/tenants.ts'
import { bringUpToDate } from '../tenant-seeds.ts'
import { CommandError } from './outcome.ts'

/** What a command works with: the database of the configuration, brought to this version. */
export interface Operator {
  readonly config: Config
  readonly connection: Connection
  /** The tenants' data under the service's role. */
  readonly database: Database
  /** Runs as the owner of the tables, who sees every tenant. */
  asOwner<Result>(tenantId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** The tenant with a slug. Throws `CommandError`. */
  requireTenant(slug: string): Promise<TenantRecord>
}

/** Opens the database for a command, beside a service that runs or by itself, and closes it afterwards. */
export async function withOperator<Result>(work: (operator: Operator) => Promise<Result>): Promise<Result> {
  const config = readConfig(process.env)
  const log = { info: () => {}, warn: (message: string) => process.stderr.write(`${message}\n`) }
  const opened = await openDatabase({ ...config, purpose: 'command', log })
  const database = new Database(opened.connection, { connections: 5, readers: 1 })
  try {
    await bringUpToDate(opened.connection)
    return await work({
      config,
      connection: opened.connection,
      database,
      asOwner: (tenantId, change) => asOwner(opened.connection, tenantId, change),
      requireTenant: (slug) => requireTenant(opened.connection, slug),
    })
  } finally {
    await database.close()
    await opened.close()
  }
}

/** Changes that an operator makes on the command line, as the audit names them. */
export function operatorContext(tenant: TenantRecord): ChangeContext {
  return { tenant, actor: { type: 'operator', id: null, name: 'command line' }, requestId: null, address: null }
}

async function requireTenant(connection: Connection, slug: string): Promise<TenantRecord> {
  const tenant = await asOwner(connection, noTenant, (tx) => findTenant(tx, slug))
  if (tenant === null) throw new CommandError(`There is no tenant ${slug}. matricula tenant list shows them.`)
  return tenant
}
