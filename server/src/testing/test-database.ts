import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrateCluster, prepareForCluster } from '../database/cluster/distribute.ts'
import { leadingTable, onNode } from '../database/cluster/place.ts'
import { hideShards, letShardsBeShown, shardSchema } from '../database/cluster/shard-views.ts'
import { type Connection, clientOptions, serverOf } from '../database/index.ts'
import { joinNodes, onceAsOwner } from './citus-cluster.ts'

/** How the runner tells the test files where the database server is. */
export const testConnectionVariable = 'MATRICULA_TEST_CONNECTION'
/** How it tells them of the workers, where the database is a Citus cluster. */
export const testWorkersVariable = 'MATRICULA_TEST_WORKERS'
export const templateDatabase = 'matricula_template'

/** A database of one test file. */
export interface TestDatabase {
  readonly connection: Connection
  /** The workers, where it is on a Citus cluster. */
  readonly workers: readonly Connection[]
  /** Runs SQL as the owner, whom row-level security does not bind: to look at what the service wrote. */
  inspect<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** Runs a statement as the owner where the rows of a tenant are: whatever writes events does, whose order each server knows alone. */
  inspectAt<Row extends object>(tenantId: string, text: string, values?: unknown[]): Promise<Row[]>
  /** Runs SQL as the owner at each server: where sessions and their locks are looked at. */
  inspectEach<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** Writes rows of a tenant as they stand, without triggers and whether or not what they link to is there. */
  load(tenantId: string, text: string, values?: unknown[]): Promise<void>
  /** Runs the SQL of a migration, as `migrate` does. */
  runMigration(text: string): Promise<void>
  drop(): Promise<void>
}

/** Another database on the same server. */
export function onDatabase(server: Connection, name: string): Connection {
  if (!('connectionString' in server)) return { ...server, database: name }
  const address = new URL(server.connectionString)
  address.pathname = `/${name}`
  return { connectionString: address.href }
}

/** What an UPDATE sets that moves a time back, depending on no time zone: else a cluster does not send it to its workers. */
export const movedBack = (column: string, by: string) =>
  `${column} = (${column} at time zone 'UTC' - interval '${by}') at time zone 'UTC'`

/** The same database for another user. */
export function asUser(connection: Connection, user: string, password: string): Connection {
  if (!('connectionString' in connection)) return { ...connection, user }
  const address = new URL(connection.connectionString)
  address.username = user
  address.password = password
  return { connectionString: address.href }
}

/** The address of a database, as `DATABASE_URL` names it. */
export function urlOf(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString
  const { host, port, user, database } = connection
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

/** Copies the migrated template, or makes a database without anything. Throws when the tests were not started by `npm test`. */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const found = process.env[testConnectionVariable]
  if (found === undefined) throw new Error('run the tests with npm test: they need the database that it starts')
  const server = JSON.parse(found) as Connection
  const name = `test_${randomBytes(8).toString('hex')}`
  // What a worker has, and how the nodes know each other, is in the template of each.
  const nodes = [server, ...workersOfTests(server)]
  // Its files are copied as they are, which takes half the time of writing each page of them to the log.
  const copy = isEmpty
    ? `create database ${name}`
    : `create database ${name} template ${templateDatabase} strategy file_copy`
  await Promise.all(nodes.map((node) => onceAsOwner(node, copy)))
  const connection = onDatabase(server, name)
  if (isEmpty && nodes.length > 1) {
    const others = nodes.slice(1).map((node) => onDatabase(node, name))
    await joinNodes(connection, others)
  }
  const inspector = new pg.Pool({ ...clientOptions(connection, 'owner'), max: 2 })
  inspector.on('error', () => {})
  return {
    connection,
    workers: nodes.slice(1).map((node) => onDatabase(node, name)),
    inspect: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await inspector.query<Row>(text, values)).rows,
    runMigration: async (text) => {
      const client = new pg.Client(clientOptions(connection, 'owner'))
      await client.connect()
      try {
        if (nodes.length > 1) {
          await prepareForCluster(client)
          await hideShards(client)
        }
        await client.query('begin')
        await (nodes.length > 1 ? migrateCluster(client, text) : client.query(text))
        await client.query('commit')
        if (nodes.length > 1) await letShardsBeShown(client)
      } finally {
        await client.end()
      }
    },
    inspectEach: async <Row extends object>(text: string, values: unknown[] = []) => {
      const others = nodes.slice(1).map((node) => onceAsOwner<Row>(onDatabase(node, name), text, values))
      const rows = await Promise.all([inspector.query<Row>(text, values).then((answer) => answer.rows), ...others])
      return rows.flat()
    },
    load: async (tenantId, text, values = []) => {
      const pool =
        nodes.length === 1 ? inspector : new pg.Pool(clientOptions(await serverOf(connection, tenantId), 'owner'))
      const client = await pool.connect()
      try {
        await client.query('begin; set local session_replication_role = replica')
        if (nodes.length > 1) await goToShards(client, tenantId)
        await client.query(text, values)
        await client.query('commit')
        client.release()
      } catch (error) {
        client.release(true)
        throw error
      } finally {
        if (pool !== inspector) await pool.end()
      }
    },
    inspectAt: async (tenantId, text, values) => onceAsOwner(await serverOf(connection, tenantId), text, values),
    drop: async () => {
      await inspector.end()
      await Promise.all(nodes.map((node) => onceAsOwner(node, `drop database ${name} with (force)`)))
    },
  }
}

/** Has a session write to the shards of a tenant themselves. */
async function goToShards(client: pg.PoolClient, tenantId: string): Promise<void> {
  const { rows } = await client.query('select get_shard_id_for_distribution_column($1, $2::text) as leading', [
    leadingTable,
    tenantId,
  ])
  const { leading } = rows[0]
  await client.query('select show_shards($1)', [leading])
  await client.query(
    `set citus.enable_manual_changes_to_shards = on; set search_path = ${shardSchema(leading)}, public`,
  )
}

/** Why a test is skipped whose subject a cluster does not have or does in another way; false on one PostgreSQL. */
export const notOnCluster = (why: string): string | false =>
  process.env[testWorkersVariable] !== undefined && `on a cluster ${why}`

/** The workers of the cluster that the tests run on; none where it is a PostgreSQL. */
function workersOfTests(server: Connection): Connection[] {
  const addresses = JSON.parse(process.env[testWorkersVariable] ?? '[]') as { host: string; port: number }[]
  return addresses.map((address) => onNode(server, address))
}
