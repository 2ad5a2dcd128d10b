import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { chooseServerUser, giveTo, programEnvironment, runAs } from '../../database/embedded/server-user.ts'
import { type Connection, clientOptions } from '../../database/index.ts'
import { freePort } from '../runner/free-port.ts'

const run = promisify(execFile)

/** A Citus cluster that was started for tests: its coordinator, and how it is stopped. */
export interface CitusCluster {
  readonly connectionString: string
  stop(): Promise<void>
}

const host = '127.0.0.1'

/** What a node of a small cluster needs beyond the defaults: many small databases on it, one after the other. */
const settings: Readonly<Record<string, string | number>> = {
  shared_preload_libraries: 'citus',
  listen_addresses: host,
  unix_socket_directories: '',
  max_connections: 300,
  max_prepared_transactions: 300,
  max_worker_processes: 64,
  max_locks_per_transaction: 1024,
  shared_buffers: '128MB',
  wal_level: 'logical',
  timezone: 'UTC',
  jit: 'off',
  // Its data lives as long as a run of tests.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum_naptime: '1min',
  log_min_messages: 'fatal',
  'citus.shard_count': 4,
  'citus.local_hostname': host,
  'citus.enable_unsafe_triggers': 'on',
  'citus.show_shards_for_app_name_prefixes': 'matricula shards',
}

/**
 * Where the programs of a PostgreSQL with Citus are: those that `PG_CONFIG` tells of, else Debian's from version 15 on. Null
 * where there are none.
 */
export async function findCitus(): Promise<string | null> {
  const debian = '/usr/lib/postgresql'
  const versions = (await readdir(debian).catch(() => [])).filter((version) => Number(version) >= 15).sort()
  const candidates = [process.env.PG_CONFIG, ...versions.map((version) => join(debian, version, 'bin/pg_config'))]
  for (const program of candidates.filter((each) => each !== undefined && existsSync(each)) as string[]) {
    const { stdout } = await run(program, ['--bindir', '--pkglibdir'])
    const [programs, libraries] = stdout.trim().split('\n') as [string, string]
    if (existsSync(join(libraries, 'citus.so')) && existsSync(join(programs, 'initdb'))) return programs
  }
  return null
}

/** Starts a coordinator and two workers on free ports of loopback, in a folder that exists. */
export async function startCitusCluster(programs: string, folder: string): Promise<CitusCluster> {
  const user = await chooseServerUser(undefined, folder)
  const options = { ...runAs(user), cwd: '/', env: programEnvironment }
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    await Promise.all(stops.map((each) => each()))
  }
  const start = async (name: string): Promise<Connection & { port: number }> => {
    const data = join(folder, name)
    await mkdir(data)
    await chmod(data, 0o700)
    await giveTo(user, data)
    const args = ['-D', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
    await run(join(programs, 'initdb'), args, options)
    const port = await freePort()
    const given = Object.entries({ ...settings, port }).flatMap(([key, value]) => ['-c', `${key}=${value}`])
    const server = spawn(join(programs, 'postgres'), ['-D', data, ...given], {
      ...options,
      detached: true, // the terminal's signals reach the tests first
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    stops.push(async () => {
      if (server.exitCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
    })
    const connection = { host, port, user: 'postgres', database: 'postgres' }
    await untilItAnswers(connection, () => server.exitCode === null)
    return connection
  }
  try {
    const nodes = await Promise.all(['coordinator', 'worker-1', 'worker-2'].map(start))
    const [coordinator, ...workers] = nodes as [Connection & { port: number }, ...(Connection & { port: number })[]]
    await joinNodes(coordinator, workers)
    return { connectionString: `postgresql://postgres@${host}:${coordinator.port}/postgres`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Makes a cluster of a database that is on each of these servers. */
export async function joinNodes(coordinator: Connection, workers: readonly Connection[]): Promise<void> {
  for (const node of [coordinator, ...workers]) await onceAsOwner(node, 'create extension if not exists citus')
  const [self, ...others] = [coordinator, ...workers].map(getAddress) as [Address, ...Address[]]
  await onceAsOwner(coordinator, 'select citus_set_coordinator_host($1, $2)', [self.host, self.port])
  for (const { host, port } of others) await onceAsOwner(coordinator, 'select citus_add_node($1, $2)', [host, port])
}

/** The workers of the cluster whose coordinator is given. */
export async function loadWorkers(coordinator: Connection): Promise<Address[]> {
  return onceAsOwner<Address>(
    coordinator,
    `select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and noderole = 'primary' order by 1, 2`,
  )
}

interface Address {
  readonly host: string
  readonly port: number
}

function getAddress(connection: Connection): Address {
  if (!('connectionString' in connection)) return connection
  const { hostname, port } = new URL(connection.connectionString)
  return { host: hostname, port: Number(port === '' ? 5432 : port) }
}

/** Runs one statement on a connection of its own. */
export async function onceAsOwner<Row extends object>(
  connection: Connection,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(clientOptions(connection, 'owner'))
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

async function untilItAnswers(connection: Connection, lives: () => boolean): Promise<void> {
  for (;;) {
    const response = await onceAsOwner(connection, 'select').catch((error: Error) => error)
    if (!(response instanceof Error)) return
    if (!lives()) throw new Error(`a node of the cluster does not start: ${response.message}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
