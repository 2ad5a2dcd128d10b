// What the tests of the embedded database share: processes that use it, folders, and their end.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterFile } from '../../testing/runner/file-end.ts'
import type { EmbeddedPostgres } from './embedded-postgres.ts'
import type { Purpose } from './locks.ts'
import { endOrphans, findPostmaster } from './postmaster.ts'
import { isAlive, listProcesses } from './processes.ts'
import { clusterName } from './settings.ts'

type Connection = EmbeddedPostgres['connection']

/** What the fixture prints: the connection, or the error. */
export interface FixtureLine {
  connection: Connection
  milliseconds: number
  messages: string[]
  error?: string
  /** Whether the error is one that is meant for the operator. */
  expected?: boolean
}

/** Short, since the path of a socket may not be long, and open to every user. */
const temporary = join(tmpdir(), 'pg-')

const fixture = fileURLToPath(new URL(`embedded-postgres.fixture${import.meta.url.slice(-3)}`, import.meta.url))

const cleanups = new WeakMap<TestContext, (() => Promise<unknown>)[]>()

/** Does something after a test, the last one asked for first: processes end before their folders go. */
export function afterwards(t: TestContext, cleanup: () => Promise<unknown>): void {
  const known = cleanups.get(t)
  if (known !== undefined) {
    known.push(cleanup)
    return
  }
  const mine = [cleanup]
  cleanups.set(t, mine)
  t.after(async () => {
    for (const one of mine.reverse()) await one()
  })
}

/** A folder that every user can enter; it goes after the test, with the servers in it and the places it points to. */
export async function makeFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(temporary))
  await chmod(folder, 0o755)
  afterwards(t, () => removeFolder(folder))
  return folder
}

let shared: Promise<string> | undefined

/** A data folder that tests use one after the other, since making a database takes long; no server runs on it. */
export async function sharedDataDir(t: TestContext): Promise<string> {
  if (shared === undefined) {
    shared = mkdtemp(temporary).then((made) => realpath(made))
    afterFile(async () => {
      const folder = await shared
      shared = undefined
      if (folder !== undefined) await removeFolder(folder)
    })
  }
  const folder = await shared
  await chmod(folder, 0o755)
  afterwards(t, () => endServer(join(folder, 'data')))
  return join(folder, 'data')
}

async function removeFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await endServer(join(folder, name))
  await rm(folder, { recursive: true, maxRetries: 5 })
}

/** Ends, without asking, the server on a data folder, and removes what it keeps outside. */
async function endServer(dataDir: string): Promise<void> {
  const location = await loadLocation(dataDir)
  const cluster = join(location, 'data')
  const server = await findPostmaster(cluster).catch(() => undefined)
  if (server !== undefined) {
    process.kill(server.pid, 'SIGKILL')
    await eventually(() => !isAlive(server.pid))
  }
  await endOrphans(cluster)
  if (!location.startsWith(dataDir)) await rm(location, { recursive: true, force: true, maxRetries: 5 })
}

/** The folder beside whose files the cluster of a data folder lives. */
export async function loadLocation(dataDir: string): Promise<string> {
  const inside = join(dataDir, 'postgres')
  return (await readFile(join(inside, 'location'), 'utf8').catch(() => inside)).trim()
}

export async function loadCluster(dataDir: string): Promise<string> {
  return join(await loadLocation(dataDir), 'data')
}

/** Runs the fixture; `options` are those of `spawn`. It is killed after the test if it still runs. */
export function launch(t: TestContext, dataDir: string, purpose: Purpose, options: object = {}): ChildProcess {
  const child = spawn(process.execPath, [fixture, dataDir, purpose], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  })
  afterwards(t, async () => {
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGKILL')
  })
  return child
}

/** Whether the user that `options` of `spawn` name can read what is needed to run the fixture. */
export async function canRunFixture(options: object): Promise<boolean> {
  const arguments_ = [
    '-e',
    `fs.accessSync(${JSON.stringify(fixture)}); import(${JSON.stringify(import.meta.resolve('pg'))})`,
  ]
  const child = spawn(process.execPath, arguments_, { stdio: 'ignore', ...options })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0))
  })
}

export async function firstLine(child: ChildProcess): Promise<FixtureLine> {
  assert.ok(child.stdout)
  const lines = createInterface(child.stdout)
  const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(40_000) })) as [string]
  return JSON.parse(line) as FixtureLine
}

/** Runs the fixture and waits until it uses the database; `server` is the id of the server's main process. */
export async function start(t: TestContext, dataDir: string, purpose: Purpose, options: object = {}) {
  const child = launch(t, dataDir, purpose, options)
  const line = await firstLine(child)
  assert.equal(line.error, undefined)
  const { pid = 0 } = (await findPostmaster(await loadCluster(dataDir))) ?? {}
  return { child, ...line, server: pid }
}

/** Sends a signal and waits for the end; the exit code, or null when the signal ended it. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal)
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(40_000) })) as [number | null]
  return code
}

/** The first value of the first row that a statement answers with, on a connection of its own. */
export async function query(connection: Connection, sql: string): Promise<unknown> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/** Waits until a condition holds; a statement that fails counts as one that does not hold yet. */
export async function eventually(condition: () => unknown): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await Promise.resolve(condition()).catch(() => false))) {
    assert.ok(Date.now() < deadline, `in time: ${condition}`)
    await pause(10)
  }
}

/** The commands of all processes of a server on this data folder. */
export async function loadProcesses(dataDir: string): Promise<string[]> {
  const cluster = await loadCluster(dataDir)
  const commands = (await listProcesses()).map(({ command }) => command)
  return commands.filter((one) => one.includes(cluster) || one.includes(clusterName(cluster)))
}
