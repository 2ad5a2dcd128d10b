import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { type Connection, clientOptions, openDatabase } from '../../../server/dist/database/index.js'

/** Where a service has its data, and the database that it was given, or null: its own. */
export interface BenchTarget {
  readonly dataDir: string
  readonly databaseUrl: string | null
}

/** Opens the database of a service beside it, until it is closed. */
export function openBenchDatabase({ dataDir, databaseUrl }: BenchTarget) {
  return openDatabase({ databaseUrl, dataDir, purpose: 'command', log: { info: () => {}, warn: () => {} } })
}

/** Works on the database of a service as its owner, past row-level security, over a connection that is closed afterwards. */
export async function asOwner<Result>(
  target: BenchTarget,
  work: (owner: pg.Client, connection: Connection) => Promise<Result>,
): Promise<Result> {
  const opened = await openBenchDatabase(target)
  try {
    const owner = new pg.Client(clientOptions(opened.connection, 'owner', 'matricula bench'))
    await owner.connect()
    try {
      return await work(owner, opened.connection)
    } finally {
      await owner.end()
    }
  } finally {
    await opened.close()
  }
}

/** Which PostgreSQL a service works on, as a report names it, such as `PostgreSQL 15.18 (of DATABASE_URL)`. */
export function describeDatabase(target: BenchTarget): Promise<string> {
  return asOwner(target, async (owner) => {
    const { rows } = await owner.query<{ version: string }>(`select current_setting('server_version') as version`)
    const [version] = (rows[0]?.version ?? '').split(' ')
    return `PostgreSQL ${version} (${target.databaseUrl === null ? 'embedded' : 'of DATABASE_URL'})`
  })
}

/**
 * The process that has started all others of a database server: the parent of the one that serves a session.
 *
 * @throws Error where the server is on another machine, whose processor time cannot be read
 */
export function loadPostmasterPid(target: BenchTarget): Promise<number> {
  return asOwner(target, async (owner) => {
    const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')
    const status = await readFile(`/proc/${rows[0]?.pid}/status`, 'utf8').catch(() => '')
    const [, parent] = /^Name:\s+postgres$[\s\S]*^PPid:\s+(\d+)$/m.exec(status) ?? []
    if (parent === undefined)
      throw new Error('DATABASE_URL must name a PostgreSQL of this machine: its processes are not here')
    return Number(parent)
  })
}
