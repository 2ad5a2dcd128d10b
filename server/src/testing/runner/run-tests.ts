import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, realpath, rm, statfs, writeFile } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { StopRequested, stopRequest, unlessStopped, watchSignals } from '../../app/shutdown.ts'
import { onNode } from '../../database/citus/location.ts'
import { listProcesses } from '../../database/embedded/processes.ts'
import { type Connection, migrate, openDatabase } from '../../database/index.ts'
import { findCitus, joinNodes, loadWorkers, onceAsOwner, startCitusCluster } from '../cluster/citus-cluster.ts'
import {
  onDatabase,
  templateDatabase,
  testConnectionVariable,
  testWorkersVariable,
} from '../fixtures/database/test-database.ts'
import { shareProcesses } from './shared-processes.ts'
import { testFiles } from './test-files.ts'
import { chooseFiles, readChoice, slowParts } from './test-tiers.ts'

/**
 * Runs tests with node's own runner: `run-tests.js [--pure] [--slow [--part auto|1…25]] [part of a file name …]`. With
 * `--pure` only the tests that need no database; with `--slow` the second tier (`test-tiers.ts`); otherwise the first.
 * They run on an embedded database of
 * their own that is removed afterwards, or on the server at `TEST_DATABASE_URL`, whose user may create databases and
 * roles. With `--citus` on a cluster, see `runOnCitus`. Where it is asked to stop, nothing stays: no process, no folder.
 */
async function main(): Promise<number> {
  const args = process.argv.slice(2)
  const isPure = args.includes('--pure')
  const choice = readChoice(args, new Date())
  const isOnCitus = args.includes('--citus')
  const compiled = (await testFiles()).map((file) => file.compiled)
  const files = compiled.filter((file) => !isPure || file.endsWith('.unit.test.js'))
  const chosen = chooseFiles(files, choice)
  if (choice.part !== null) process.stdout.write(`part ${choice.part + 1} of ${slowParts} of the slow tests\n`)
  if (chosen.length === 0) {
    process.stderr.write('no test file has such a name\n')
    return 1
  }
  const folder = await realpath(await mkdtemp(join(await placeForTests(), 'matricula-test-')))
  await chmod(folder, 0o755) // as root the database runs as another user, who must be able to enter
  try {
    const programs = await shareProcesses(chosen, folder)
    if (isPure) return await runNode(programs, { TMPDIR: folder }, [tellFailures])
    return await (isOnCitus ? runOnCitus(programs, folder) : runOnDatabase(programs, folder))
  } finally {
    if (stopRequest.aborted) await endProcessesOf(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Where the tests have their database and folders: in memory where the system has much of it, because there a database of its
 * own for each file is made in a tenth of the time; else, and where `TMPDIR` names a place, where temporary files are.
 */
async function placeForTests(): Promise<string> {
  if (process.env.TMPDIR !== undefined) return tmpdir()
  try {
    const { bavail, bsize } = await statfs(inMemory)
    if (Math.min(bavail * bsize, freemem()) < memoryForTests) return tmpdir()
    const folder = await mkdtemp(join(inMemory, 'matricula-place-'))
    try {
      // What is installed there by a test must be allowed to run.
      const program = join(folder, 'program')
      await writeFile(program, '#!/bin/sh\n', { mode: 0o700 })
      await promisify(execFile)(program)
      return inMemory
    } finally {
      await rm(folder, { recursive: true })
    }
  } catch {
    return tmpdir()
  }
}

/** A file system in memory, where Linux has one. */
const inMemory = '/dev/shm'

/** What tests write at once is below a third of it, in bytes. */
const memoryForTests = 8 * 1024 ** 3

/** Runs tests on the cluster at `CITUS_URL`, or on one that is started for them. Where there is none they are skipped. */
async function runOnCitus(files: string[], folder: string): Promise<number> {
  const programs = process.env.CITUS_URL === undefined ? await findCitus() : null
  if (process.env.CITUS_URL === undefined && programs === null) {
    process.stdout.write(
      'The tests on Citus are skipped: no PostgreSQL with Citus is installed here. Name a cluster in CITUS_URL, or install ' +
        'Citus 13 for PostgreSQL 15 or newer (PG_CONFIG says for which).\n',
    )
    return 0
  }
  const cluster = programs === null ? null : await startCitusCluster(programs, folder)
  try {
    const connection = { connectionString: cluster?.connectionString ?? (process.env.CITUS_URL as string) }
    const workers = await loadWorkers(connection)
    await unlessStopped(makeTemplate(connection, workers))
    const environment = { TMPDIR: folder, [testConnectionVariable]: JSON.stringify(connection) }
    return await runNode(files, { ...environment, [testWorkersVariable]: JSON.stringify(workers) })
  } finally {
    await cluster?.stop()
  }
}

async function runOnDatabase(files: string[], folder: string): Promise<number> {
  const opened = await openDatabase({
    databaseUrl: process.env.TEST_DATABASE_URL ?? null,
    dataDir: join(folder, 'data'),
    purpose: 'service',
    log: { info: () => {}, warn: (message) => process.stderr.write(`${message}\n`) },
    signal: stopRequest,
  })
  try {
    if (process.env.TEST_DATABASE_URL === undefined) await keepNothing(opened.connection)
    await unlessStopped(makeTemplate(opened.connection))
    return await runNode(files, { TMPDIR: folder, [testConnectionVariable]: JSON.stringify(opened.connection) })
  } finally {
    await opened.close()
  }
}

/** Lets a server of the tests wait for no disk: what it has is removed with them, and tests of crashes have servers of their own. */
async function keepNothing(server: Connection): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    await onceAsOwner(server, `alter system set ${setting} = off`)
  }
  await onceAsOwner(server, `alter system set max_wal_size = '4GB'`)
  await onceAsOwner(server, 'select pg_reload_conf()')
}

/** Each test file copies this database, which is faster than migrating its own. */
async function makeTemplate(
  server: Connection,
  workers: readonly { host: string; port: number }[] = [],
): Promise<void> {
  const nodes = [server, ...workers.map((worker) => onNode(server, worker))]
  for (const node of nodes) {
    await onceAsOwner(node, `drop database if exists ${templateDatabase} with (force)`)
    await onceAsOwner(node, `create database ${templateDatabase}`)
  }
  const [template, ...others] = nodes.map((node) => onDatabase(node, templateDatabase)) as [Connection, ...Connection[]]
  if (others.length > 0) await joinNodes(template, others)
  await migrate(template)
  if (others.length === 0) return
  // A database is copied only while nobody uses it, and Citus has a process at work in each of its own.
  for (const node of nodes) {
    await onceAsOwner(node, `alter database ${templateDatabase} allow_connections false`)
    await onceAsOwner(node, 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
      templateDatabase,
    ])
  }
}

/** Makes node's runner tell of little but failures, as the quick checks do. */
const tellFailures = `--test-reporter=${new URL('failures-reporter.js', import.meta.url).href}`

/** Makes it tell of each test as it runs, and of failures once more at the end, as it does by itself on a terminal. */
const everythingAndFailures = [
  ...['--test-reporter=tap', '--test-reporter-destination=stdout'],
  ...[tellFailures, '--test-reporter-destination=stderr'],
]

/** Gives every property that is tested the same values, or those that `npm run properties` asks for. */
const seedOfProperties = new URL('property-seed.js', import.meta.url).href

/** How long one process of tests may take, in milliseconds: longer than any does on a slow machine. */
const processTimeoutMs = (process.argv.includes('--slow') ? 60 : 20) * 60_000

/** How long what was interrupted may take to end by itself, in milliseconds. */
const endTimeoutMs = 15_000

/** Runs node's runner as a process group, so that what its tests started can be told of an interruption too. */
async function runNode(
  files: string[],
  environment: Record<string, string>,
  reporters = process.stdout.isTTY ? [] : everythingAndFailures,
): Promise<number> {
  stopRequest.throwIfAborted()
  const flags = [
    '--enable-source-maps',
    '--import',
    seedOfProperties,
    '--test',
    '--test-concurrency=4',
    `--test-timeout=${processTimeoutMs}`,
    ...reporters,
  ]
  const child = spawn(process.execPath, [...flags, ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    detached: true,
  })
  const group = -(child.pid as number)
  stopRequest.addEventListener('abort', () => signalTo(group, 'SIGTERM'))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (stopRequest.aborted) await endOf([group])
  return code ?? 1
}

/** Ends what works below a folder: servers of databases and browsers, which are in groups of their own. */
async function endProcessesOf(folder: string): Promise<void> {
  const processes = (await listProcesses()).filter(
    ({ pid, command }) => pid !== process.pid && command.includes(folder),
  )
  const pids = processes.map(({ pid }) => pid)
  for (const pid of pids) signalTo(pid, 'SIGINT')
  await endOf(pids)
}

/** Waits until processes or groups have ended, and ends them where they take too long. */
async function endOf(pids: number[]): Promise<void> {
  const deadline = Date.now() + endTimeoutMs
  while (pids.some((pid) => signalTo(pid, 0)) && Date.now() < deadline) await pause(20)
  for (const pid of pids) signalTo(pid, 'SIGKILL')
}

/** Sends a signal; false when nobody is there any more. */
function signalTo(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

watchSignals()
try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof StopRequested)) throw error
}
if (stopRequest.aborted) process.exit(130)
