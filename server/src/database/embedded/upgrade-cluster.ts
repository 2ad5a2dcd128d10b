import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Binaries, installedBinaries, prepareBinaries } from './binaries.ts'
import { ensureCluster, getMajor, retainedClusters, superuser, upgradeFolder } from './cluster.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { EmbeddedPostgresError, explainFileError } from './embedded-postgres-error.ts'
import { findLocation } from './find-location.ts'
import type { Place } from './location.ts'
import type { Log } from './operator-log.ts'
import { ServerUse } from './server-use.ts'
import { synchronize } from './unfinished.ts'

/** How the cluster of a data folder stands to the PostgreSQL of this release, by major versions. */
export interface ClusterState {
  readonly place: Place
  /** What made it; null: there is none. */
  readonly made: string | null
  /** What this release brings. */
  readonly brought: string
  /** Older ones that an upgrade left beside it. */
  readonly kept: readonly string[]
  /** Whether an upgrade ended between taking the old one away and putting the new one in its place. */
  readonly isBetween: boolean
}

/** In the folder of a new cluster, once everything is in it. */
const wholeMark = 'whole'

/** Looks at the cluster of a data folder, and starts nothing. Throws `EmbeddedPostgresError`. */
export async function clusterState(dataDir: string, log: Log): Promise<ClusterState> {
  const location = await findLocation(resolve(dataDir), log)
  const made = await readFile(join(location.cluster, 'PG_VERSION'), 'utf8').catch(() => null)
  return {
    place: location,
    made: made?.trim() ?? null,
    brought: getMajor(installedBinaries()),
    kept: await retainedClusters(location),
    isBetween: made === null && existsSync(join(location.folder, upgradeFolder, wholeMark)),
  }
}

/** What moves everything from a server of the old version to one of the new. */
export type Move = (
  from: EmbeddedPostgres['connection'],
  to: EmbeddedPostgres['connection'],
  folder: string,
) => Promise<void>

/**
 * Makes a new cluster beside the old one, lets `move` fill it, and puts it in the place of the old one, which stays beside it under
 * another name. Until the very end the old one is in its place, unchanged, and no service can run on it; what is interrupted begins anew.
 *
 * @throws EmbeddedPostgresError when one of the servers cannot run, and what `move` throws
 */
export async function upgradeCluster(
  { place: location, made }: ClusterState,
  old: Binaries,
  log: Log,
  move: Move,
): Promise<void> {
  const folder = join(location.folder, upgradeFolder)
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o711)
    const before = await startEmbeddedPostgres({ dataDir: location.dataDir, purpose: 'service', log, installed: old })
    try {
      const fresh: Place = { ...location, folder, cluster: join(folder, 'data'), rootOwned: false }
      const after = await startAt(fresh, log)
      try {
        await move(before.connection, after.connection, folder)
      } finally {
        await after.stop()
      }
      await writeFile(join(folder, wholeMark), '', { flush: true })
    } finally {
      await before.stop()
    }
    await rename(location.cluster, `${location.cluster}-${made}`)
    await finishUpgrade(location)
  } catch (error) {
    throw explainFileError(error)
  }
}

/** Puts a new cluster that is whole in its place. */
export async function finishUpgrade(location: Place): Promise<void> {
  const folder = join(location.folder, upgradeFolder)
  await rename(join(folder, 'data'), location.cluster)
  await synchronize(location.folder)
  await rm(folder, { recursive: true, force: true })
}

/** Removes the old clusters that upgrades left. */
export async function removeRetainedClusters({ place: location, kept: stored }: ClusterState): Promise<void> {
  for (const name of stored) await rm(join(location.folder, name), { recursive: true, force: true })
}

async function startAt(location: Place, log: Log): Promise<Pick<EmbeddedPostgres, 'connection' | 'stop'>> {
  const binaries = await prepareBinaries(installedBinaries(), location.folder, location.user)
  await ensureCluster(location, binaries)
  const database = 'matricula'
  const usage = { place: location, binaries, purpose: 'command', database, log } as const
  const { use, address } = await ServerUse.begin(usage, new AbortController().signal)
  return { connection: { ...address, user: superuser, database }, stop: () => use.end() }
}

/** The PostgreSQL of another major version that a folder has: an unpacked package, or the copy that an earlier release made. */
export async function binariesIn(folder: string, major: string): Promise<Binaries | null> {
  const packageFile = join(folder, 'package.json')
  if (existsSync(packageFile)) {
    const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string }
    return version.startsWith(`${major}.`) ? { version, folder: join(folder, 'native') } : null
  }
  const names = await readdir(folder).catch(() => [])
  const copy = names.find((name) => name.startsWith(`binaries-${major}.`) && !name.includes('.unfinished-'))
  return copy === undefined ? null : { version: copy.slice('binaries-'.length), folder: join(folder, copy) }
}

/** Refuses what is no data folder whose database this release could upgrade. */
export function requireOlder({ made, brought, place: location }: ClusterState): string {
  if (made !== null && Number(made) < Number(brought)) return made
  throw new EmbeddedPostgresError(
    made === null
      ? `There is no database in ${location.cluster}.`
      : `The database in ${location.cluster} was made by PostgreSQL ${made}, which is newer than this release's ${brought}. Use a newer release.`,
  )
}
