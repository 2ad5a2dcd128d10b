import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Ask, isCluster, loadLocation } from '../citus/location.ts'
import { asDatabaseError, isRetryable } from '../database-errors.ts'
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import type { ServerReport } from '../embedded/server-reports.ts'
import { prepared } from '../pipeline/bounded-query.ts'
import { runTransaction, type Transaction, type TransactionContext } from '../transaction/transaction.ts'
import { type Connection, clientOptions, noTenant } from './connection.ts'

/** A database that can be connected to, and what to call when it is no longer needed. */
export interface OpenedDatabase {
  readonly connection: Connection
  readonly isEmbedded: boolean
  close(): Promise<void>
}

interface OpenOptions {
  readonly databaseUrl: string | null
  readonly dataDir: string
  readonly purpose: 'service' | 'command'
  readonly log: { info(message: string): void; warn(message: string): void }
  /** Hears what the embedded database says of itself. */
  readonly onReport?: (report: ServerReport) => void
  /** While the embedded one is started: ends that. */
  readonly signal?: AbortSignal
}

/**
 * The database of the configuration: the one at `databaseUrl`, else the embedded one, started when it is not running. Throws
 * the signal's reason when it is aborted before that, and leaves nothing running that it started.
 */
export async function openDatabase({ databaseUrl, ...options }: OpenOptions): Promise<OpenedDatabase> {
  if (databaseUrl !== null) {
    return { connection: { connectionString: withVerifiedTls(databaseUrl) }, isEmbedded: false, close: async () => {} }
  }
  const embedded = await startEmbeddedPostgres(options)
  return { connection: embedded.connection, isEmbedded: true, close: () => embedded.stop() }
}

/**
 * The address with what the driver does for `sslmode=prefer`, `require` and `verify-ca`: TLS, with the certificate and the name
 * verified, which is more than these modes of libpq ask for. Said so it warns of nothing at every start and command.
 */
function withVerifiedTls(databaseUrl: string): string {
  if (databaseUrl.includes('uselibpqcompat')) return databaseUrl
  return databaseUrl.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

const maxAttempts = 4

/**
 * Runs `work` in one transaction as the owner of the tables, whom row-level security does not bind: for the commands of an
 * operator, who creates tenants and looks across them. The service never does. `work` may run again when the transaction lost against
 * another one.
 */
export async function asOwner<Result>(
  connection: Connection,
  tenantId: string,
  work: (tx: Transaction) => Promise<Result>,
  course: Pick<TransactionContext, 'isOfOneMoment'> = {},
): Promise<Result> {
  let client: pg.Client | undefined
  try {
    client = await connectAsOwner(connection)
    const ask = asking(client)
    if (tenantId !== noTenant && (await isCluster(ask))) {
      const location = await loadLocation(ask, connection, tenantId)
      await client.end()
      client = await connectAsOwner(location)
    }
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runTransaction({ client, ...course }, tenantId, work)
      } catch (error) {
        if (attempt === maxAttempts || !isRetryable(error)) throw error
      }
      await pause(Math.random() * 10 * attempt)
    }
  } catch (error) {
    throw asDatabaseError(error)
  } finally {
    await client?.end() // a transaction that did not come to its commit is rolled back
  }
}

/** The server that has the rows of a tenant: one of the nodes where the database is a cluster. */
export async function loadServer(connection: Connection, tenantId: string): Promise<Connection> {
  const client = await connectAsOwner(connection)
  try {
    const ask = asking(client)
    return (await isCluster(ask)) ? await loadLocation(ask, connection, tenantId) : connection
  } finally {
    await client.end()
  }
}

async function connectAsOwner(connection: Connection): Promise<pg.Client> {
  const options = { ...clientOptions(connection, 'owner', 'matricula operator'), pipeline: true } as pg.ClientConfig
  const client = new pg.Client(options)
  client.on('error', () => {}) // the statement that is under way fails with it
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

function asking(client: pg.Client): Ask {
  return async (statement) => (await client.query(prepared(statement))).rows
}
