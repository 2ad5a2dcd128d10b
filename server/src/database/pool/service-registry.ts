import pg from 'pg'
import { type Connection, clientOptions } from './connection.ts'

/** What a database takes in connections, and what services that are there may take of it. */
export interface Capacity {
  /** How many it takes from whoever is no superuser. */
  readonly most: number
  readonly services: readonly PresentService[]
  /** How many it has just now. */
  readonly open: number
}

/** A service that runs, as its session in the database tells. */
export interface PresentService {
  /** The newest migration that it knows. */
  readonly knows: string
  /** How many connections it may take. */
  readonly connections: number
}

/** The database has too few connections left. The message says what to do. */
export class TooFewConnections extends Error {}

/** Left to commands, backups and whoever looks after the database. */
export const connectionsForOthers = 8

const title = 'matricula presence'

/** Reads how many connections the database takes, and what is taken. */
export async function readCapacity(client: pg.ClientBase): Promise<Capacity> {
  const { rows: limits } = await client.query<{ most: number; open: number }>(`
    select least(current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
                   - coalesce(current_setting('reserved_connections', true), '0')::integer,
                 (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
                 (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user)) as most,
           (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as open`)
  const { services } = await presentServices(client)
  return { most: limits[0]?.most ?? 0, open: limits[0]?.open ?? 0, services }
}

/** What sessions of processes are called that tell nothing of themselves. */
const untold = 'matricula'

/** Reads which services run on a database, and whether there are some of a version that does not tell. */
export async function presentServices(
  client: pg.ClientBase,
): Promise<{ services: PresentService[]; isUntold: boolean }> {
  const { rows } = await client.query<{ told: string }>(
    'select application_name as told from pg_stat_activity where datname = current_database() and starts_with(application_name, $1)',
    [untold],
  )
  const services = rows.flatMap(({ told: reported }) => {
    const [, knows, connections] = /^matricula presence (\d+) of (\d+)$/.exec(reported) ?? []
    return knows === undefined ? [] : [{ knows, connections: Number(connections) }]
  })
  return { services, isUntold: rows.some(({ told: reported }) => reported === untold) }
}

interface ServiceRegistryOptions {
  /** The number of the newest migration that the service knows, such as 0043. */
  readonly knows: string
  /** How many connections it may take, or null: as many as suit the database. It gets fewer where no more are left. */
  readonly wanted: number | null
  /** What suits, of all that the database takes for services. */
  readonly suits: (max: number) => number
  /** With fewer it cannot work. */
  readonly least: number
  /** The ids of the keys by which the service reads stored files. */
  readonly filesKeys?: readonly string[]
}

/** The advisory lock that the session of each service holds, shared, for a key by which it reads stored files. */
const lockOfFilesKey = (parameter: string) => `hashtextextended('matricula.files_key ' || ${parameter}, 0)`

/** How many of the services that run do not have a key by which stored files are read. */
export async function countWithoutFilesKey(client: pg.ClientBase, keyId: string): Promise<number> {
  const { services } = await presentServices(client)
  const { rows } = await client.query<{ having: number }>(
    `select count(*)::integer as having from pg_locks
      where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32 | objid::bigint) = ${lockOfFilesKey('$1')}`,
    [keyId],
  )
  return Math.max(0, services.length - (rows[0]?.having ?? 0))
}

async function holdFilesKeys(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  for (const id of ids) await client.query(`select pg_advisory_lock_shared(${lockOfFilesKey('$1')})`, [id])
}

const anotherTimeoutMs = 500

/**
 * A session that shows in the database that a service runs, which migrations it knows, and how many connections all its processes may
 * take together. Services count on that: each takes no more than the others leave. When the service ends, however it does, the session
 * ends with it.
 */
export class ServiceRegistry {
  /** How many connections the service may take. */
  readonly connections: number
  readonly #connection: Connection
  readonly #name: string
  readonly #filesKeys: readonly string[]
  #client: pg.Client
  #again: NodeJS.Timeout | undefined
  #isClosed = false

  private constructor(
    connection: Connection,
    client: pg.Client,
    {
      name,
      connections,
      filesKeys,
    }: Pick<ServiceRegistry, 'connections'> & { name: string; filesKeys: readonly string[] },
  ) {
    this.#connection = connection
    this.#filesKeys = filesKeys
    this.#client = client
    this.#name = name
    this.connections = connections
    this.#stay()
  }

  /** @throws TooFewConnections where others leave less than the service needs. */
  static async begin(connection: Connection, options: ServiceRegistryOptions): Promise<ServiceRegistry> {
    const { filesKeys = [] } = options
    const client = aClient(connection, title)
    await client.connect()
    try {
      // One after the other, so that two that begin at once do not take the same.
      await client.query(`select pg_advisory_lock(hashtextextended('matricula.presence', 0))`)
      const connections = getShare(await readCapacity(client), options)
      const name = `${title} ${options.knows} of ${connections}`
      await holdFilesKeys(client, filesKeys)
      await client.query(`select set_config('application_name', $1, false)`, [name])
      await client.query(`select pg_advisory_unlock(hashtextextended('matricula.presence', 0))`)
      return new ServiceRegistry(connection, client, { name, connections, filesKeys })
    } catch (error) {
      await client.end()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#again)
    await this.#client.end().catch(() => {})
  }

  /** Opens the session again when it breaks, as when the database was restarted. */
  #stay(): void {
    this.#client.once('end', () => this.#openSoon())
  }

  #openSoon(): void {
    if (this.#isClosed) return
    const open = async () => {
      const client = aClient(this.#connection, this.#name)
      try {
        await client.connect()
        await holdFilesKeys(client, this.#filesKeys)
      } catch {
        client.end().catch(() => {})
        return this.#openSoon()
      }
      this.#client = client
      if (this.#isClosed) await client.end()
      else this.#stay()
    }
    this.#again = setTimeout(open, anotherTimeoutMs).unref()
  }
}

/** How many connections a service takes beside others. Throws `TooFewConnections`. */
export function getShare(
  { most: max, services }: Capacity,
  { wanted, suits, least: min }: Omit<ServiceRegistryOptions, 'knows' | 'filesKeys'>,
): number {
  const all = max - connectionsForOthers
  const taken = services.reduce((sum, { connections }) => sum + connections, 0)
  const share = Math.min(wanted ?? suits(all), all - taken)
  if (share >= min) return share
  const reason =
    wanted !== null && wanted < min
      ? `DATABASE_CONNECTIONS is ${wanted}`
      : `The database takes ${max} connections, of which ${connectionsForOthers} are kept for commands, and ` +
        `${services.length} other services may take ${taken}`
  throw new TooFewConnections(
    `${reason}. This service needs at least ${min} with its processes. Raise max_connections of the database, ` +
      'set a lower DATABASE_CONNECTIONS for the other services, or fewer WORKERS.',
  )
}

function aClient(connection: Connection, name: string): pg.Client {
  const client = new pg.Client(clientOptions(connection, 'owner', name))
  client.on('error', () => {}) // it ends with it
  return client
}
