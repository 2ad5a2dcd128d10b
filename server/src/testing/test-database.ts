import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Connection, clientOptions } from '../database/index.ts'

/** How the runner tells the test files where the database server is. */
export const testConnectionVariable = 'MATRICULA_TEST_CONNECTION'
export const templateDatabase = 'matricula_template'

/** A database of one test file. */
export interface TestDatabase {
  readonly connection: Connection
  /** Runs SQL as the owner, whom row-level security does not bind: to look at what the service wrote. */
  inspect<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  drop(): Promise<void>
}

/** Another database on the same server. */
export function onDatabase(server: Connection, name: string): Connection {
  if (!('connectionString' in server)) return { ...server, database: name }
  const address = new URL(server.connectionString)
  address.pathname = `/${name}`
  return { connectionString: address.href }
}

/** Copies the migrated template. Throws when the tests were not started by `npm test`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const found = process.env[testConnectionVariable]
  if (found === undefined) throw new Error('run the tests with npm test: they need the database that it starts')
  const server = JSON.parse(found) as Connection
  const name = `test_${randomBytes(8).toString('hex')}`
  await once(server, `create database ${name} template ${templateDatabase}`)
  const connection = onDatabase(server, name)
  const inspector = new pg.Pool({ ...clientOptions(connection, 'owner'), max: 2 })
  inspector.on('error', () => {})
  return {
    connection,
    inspect: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await inspector.query<Row>(text, values)).rows,
    drop: async () => {
      await inspector.end()
      await once(server, `drop database ${name} with (force)`)
    },
  }
}

async function once(connection: Connection, text: string): Promise<void> {
  const client = new pg.Client(clientOptions(connection, 'owner'))
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
