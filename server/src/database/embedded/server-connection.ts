import { realpath } from 'node:fs/promises'
import pg from 'pg'
import { superuser } from './cluster.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Place } from './location.ts'
import { isPostmasterOf, readPostmasterFile } from './postmaster.ts'
import { findProcess } from './processes.ts'
import { socketPort } from './socket-folder.ts'

/** Where a server listens, as `pg` takes it: the folder of its socket and the number in the socket's name. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** `pg`'s client, with the two methods that its published types leave out: whether it keeps the process running. */
export type Client = pg.Client & { ref(): void; unref(): void }

/** A connection as the superuser to the database `postgres`. */
export interface Connected {
  readonly state: 'connected'
  readonly client: Client
  readonly address: Address
  /** The server's main process. */
  readonly pid: number
}

/**
 * What a failed call tells: nobody listens; the server says that it starts, recovers, stops or has no room; or it says
 * nothing.
 */
export type CommandError = 'absent' | 'starting' | 'silent'

/** What a call to the server of a cluster came to. */
export type Answer = Connected | { readonly state: CommandError }

/** How long a server that accepts a connection may take to answer on it, in milliseconds. */
const answerTimeoutMs = 60_000

const startingCodes = new Set([
  '57P03', // cannot_connect_now: starts, recovers or stops
  '53300', // too_many_connections
  'EAGAIN', // too many are waiting to be let in
  'ECONNRESET',
  'EPIPE',
])
const absentCodes = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR'])

/**
 * Connects to the server of this cluster, if one runs: at its usual address, or at the one it wrote into its own files.
 *
 * @throws EmbeddedPostgresError when a server of another cluster listens at the usual address.
 */
export async function callServer(location: Place, socketFolder: string, application: string): Promise<Answer> {
  const usual = await callAddress({ host: socketFolder, port: socketPort }, application)
  if (usual.state !== 'connected') {
    const written = await readPostmasterFile(location.cluster)
    if (usual.state !== 'absent' || !written?.socketFolder || written.socketFolder === socketFolder) return usual
    const other = await callAddress({ host: written.socketFolder, port: written.port }, application)
    if (other.state !== 'connected' || (await serves(other, location.cluster)) === true) return other
    await other.client.end()
    return { state: 'absent' }
  }
  const served = await serves(usual, location.cluster)
  if (served === true) return usual
  await usual.client.end().catch(() => undefined)
  if (served === undefined) return { state: 'starting' }
  throw new EmbeddedPostgresError(
    `The server at ${socketFolder} serves ${served} instead of ${location.cluster}. Stop it, or use another DATA_DIR.`,
  )
}

async function callAddress(address: Address, application: string): Promise<Answer> {
  const client = new pg.Client({
    ...address,
    user: superuser,
    // Not the service's own database, which a restore may have to drop.
    database: 'postgres',
    application_name: application,
    // Without these the caller's PG… variables count.
    password: '',
    ssl: false,
    options: '-c statement_timeout=0',
    connectionTimeoutMillis: 5000,
    query_timeout: answerTimeoutMs,
  }) as Client
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: string }>(
      `select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::text as pid`,
    )
    return { state: 'connected', client, address, pid: Number(rows[0]?.pid) }
  } catch (error) {
    // Not awaited: a server that does not answer does not take leave either.
    void client.end().catch(() => undefined)
    return { state: stateFromError(error) }
  }
}

/** What a failed connection or query tells about the server; errors that tell nothing about that are thrown again. */
export function stateFromError(error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof EmbeddedPostgresError) throw error
  if (code !== undefined && absentCodes.has(code)) return 'absent'
  if (code !== undefined && startingCodes.has(code)) return 'starting'
  // A server that ends while it answers: by its own word, or mid-word. 58P01: its folder is being taken away.
  if (code?.startsWith('57P') || code === '58P01') return 'starting'
  if (code === undefined && /terminated|not queryable|closed/i.test(message)) return 'starting'
  if (code === undefined && /timeout/i.test(message)) return 'silent'
  throw error
}

/** True when the server has this cluster; the path that it has instead; undefined when it ended meanwhile. */
async function serves({ client, pid }: Connected, cluster: string): Promise<true | string | undefined> {
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    const named = rows[0]?.data_directory ?? ''
    if ((await realpath(named).catch(() => named)) === cluster) return true
    // A folder that was moved while the server runs: the server still names the old path.
    const found = await findProcess(pid)
    return found?.folder === cluster && isPostmasterOf(found, cluster) ? true : named
  } catch {
    return undefined
  }
}
