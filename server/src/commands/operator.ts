import { type Config, readConfig } from '../app/config.ts'
import { loadInstallation } from '../app/installation.ts'
import { recordFilesKeys } from '../app/keys/files-key-registry.ts'
import { withSecretKey } from '../app/keys/keyed-config.ts'
import { bringUpToDate } from '../app/prepare-database.ts'
import { putDownBeforeEnd, stopRequest, unlessStopped } from '../app/shutdown.ts'
import type { ChangeContext } from '../changes/index.ts'
import { recordAccess } from '../changes/index.ts'
import {
  asOwner,
  type Connection,
  Database,
  hasEmbeddedDatabase,
  noTenant,
  type OpenedDatabase,
  openDatabase,
  type Transaction,
} from '../database/index.ts'
import { CommandError } from '../errors/index.ts'
import { openFileStore } from '../storage/index.ts'
import { findTenant, type TenantRecord } from '../tenancy/index.ts'
import { runningCommand } from './running-command.ts'

/** What a command works with: the database of the configuration, brought to this version. */
export interface Operator {
  readonly config: Config
  readonly connection: Connection
  /** The tenants' data under the service's role. */
  readonly database: Database
  /** Runs as the owner of the tables, who sees every tenant. */
  asOwner<Result>(
    tenantId: string,
    work: (tx: Transaction) => Promise<Result>,
    course?: Parameters<typeof asOwner>[3],
  ): Promise<Result>
  /** The tenant with a slug, whose audit then names the command. Throws `CommandError`. */
  requireTenant(slug: string): Promise<TenantRecord>
  /** The same without an entry in its audit, for a command that shows the audit. */
  findTenant(slug: string): Promise<TenantRecord>
  /** Writes into the audit of a tenant that this command was run on it. */
  noteCommand(tenant: TenantRecord): Promise<void>
}

/**
 * Opens the database for a command, beside a service that runs or by itself, brings it up to date, and closes it
 * afterwards. Throws `CommandError` `not_found` where there is none in the usual folder, unless the command may begin one.
 */
export async function withOperator<Result>(
  work: (operator: Operator) => Promise<Result>,
  { mayBegin = false }: { mayBegin?: boolean } = {},
): Promise<Result> {
  const config = readConfig(process.env)
  tellNewDatabase(config, mayBegin)
  return withOpened(config, warnOnly, async (opened) => {
    const database = new Database(opened.connection, { connections: 5, readers: 1 })
    const noteCommand = (tenant: TenantRecord) =>
      database.transaction(tenant.id, async (tx) => {
        const access = { action: 'command.run', entityType: 'command', entityId: null, facts: runningCommand() }
        recordAccess(tx, operatorContext(tenant), access)
      })
    try {
      await bringUpToDate(opened.connection, { isCommand: true })
      await recordFilesKeys(opened.connection, config)
      return await work({
        config,
        connection: opened.connection,
        database,
        asOwner: (tenantId, change, course) => asOwner(opened.connection, tenantId, change, course),
        requireTenant: async (slug) => {
          const tenant = await requireTenant(opened.connection, slug)
          await noteCommand(tenant)
          return tenant
        },
        findTenant: (slug) => requireTenant(opened.connection, slug),
        noteCommand,
      })
    } finally {
      await database.close()
    }
  })
}

/**
 * Says where a new database begins. A command that needs records is most likely run in another folder than the service where nobody
 * has named one.
 */
function tellNewDatabase({ databaseUrl, dataDir }: Config, mayBegin: boolean): void {
  if (databaseUrl !== null || hasEmbeddedDatabase(dataDir)) return
  if (!mayBegin && !process.env.DATA_DIR) {
    throw new CommandError(
      'not_found',
      `There is no database in ${dataDir}. Run the command where the service runs, or set DATA_DIR to its data folder ` +
        'or DATABASE_URL to its database. A new one begins with matricula tenant create.',
    )
  }
  warnOnly.warn(`A new, empty database begins in ${dataDir}.`)
}

/** Tells the operator what is amiss, and nothing else. */
export const warnOnly = { info: () => {}, warn: (message: string) => void process.stderr.write(`${message}\n`) }

/** Opens the stored files for a command, which removes and changes them only where they are the installation's own. */
export async function openFiles({ config, connection }: Pick<Operator, 'config' | 'connection'>) {
  return openFileStore(await withSecretKey(config), {
    loadInstallation: () => loadInstallation(connection),
    warn: warnOnly.warn,
  })
}

/**
 * Opens the database for a command as it is, and closes it afterwards, or as soon as the process is asked to stop:
 * then it throws `StopRequested`, and what `work` has not committed is undone.
 */
export function withOpened<Result>(
  config: Config,
  log: typeof warnOnly,
  work: (opened: OpenedDatabase) => Promise<Result>,
): Promise<Result> {
  const open = async () => {
    const opened = await openDatabase({ ...config, purpose: 'command', log, signal: stopRequest })
    try {
      return await unlessStopped(work(opened))
    } finally {
      await opened.close()
    }
  }
  return putDownBeforeEnd(open())
}

/** Changes that an operator makes on the command line, as the audit names them. */
export function operatorContext(tenant: TenantRecord): ChangeContext {
  return { tenant, actor: { type: 'operator', id: null, name: 'command line' }, requestId: null, address: null }
}

async function requireTenant(connection: Connection, slug: string): Promise<TenantRecord> {
  const tenant = await asOwner(connection, noTenant, (tx) => findTenant(tx, slug))
  if (tenant === null)
    throw new CommandError('not_found', `There is no tenant ${slug}. matricula tenant list shows them.`)
  return tenant
}
