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
