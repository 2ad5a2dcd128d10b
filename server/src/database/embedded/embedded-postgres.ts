import { resolve } from 'node:path'
import { type Binaries, installedBinaries, prepareBinaries } from './binaries.ts'
import { ensureCluster, superuser } from './cluster.ts'
import { explainFileError } from './embedded-postgres-error.ts'
import { findLocation } from './find-location.ts'
import type { Purpose } from './locks.ts'
import type { Log } from './operator-log.ts'
import type { ServerReport } from './server-reports.ts'
import { ServerUse } from './server-use.ts'
import { removeLeftovers } from './unfinished.ts'

export { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** A PostgreSQL server of our own that this process uses. */
export interface EmbeddedPostgres {
  /** Where `pg` reaches the service's database, as the superuser and without a password; `host` is a socket's folder. */
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly database: string
  }
  /**
   * Resolves once this process has let go of the server; the last one to do so stops it and waits for its end. The
   * caller's own connections should be closed before. May be called again.
   */
  stop(): Promise<void>
}

const database = 'matricula'

/**
 * Makes the server under `dataDir` usable for this process: adopts the one that runs, or starts one, on a new cluster
 * when there is none. Until `stop`, a server that ends is started again; its address stays the same.
 *
 * @param options.purpose a `service` is alone of its kind on a data folder; a `command` may run beside one
 * @param options.signal ends the start: what was begun is put down, and the signal's reason thrown
 * @throws EmbeddedPostgresError when this machine or user cannot run it, or a second service asks; says what to do
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  purpose: Purpose
  log: Log
  onReport?: ((report: ServerReport) => void) | undefined
  signal?: AbortSignal
  /** The PostgreSQL to run, where it is not that of this release. */
  installed?: Binaries
}): Promise<EmbeddedPostgres> {
  const { dataDir, purpose, log, onReport, signal = new AbortController().signal } = options
  try {
    const installed = options.installed ?? installedBinaries()
    const location = await findLocation(resolve(dataDir), log)
    await removeLeftovers(location.folder, (message) => log.warn(message))
    signal.throwIfAborted()
    const binaries = await prepareBinaries(installed, location.folder, location.user)
    signal.throwIfAborted()
    await ensureCluster(location, binaries)
    const { use, address } = await ServerUse.begin(
      { place: location, binaries, purpose, database, log, onReport },
      signal,
    )
    return { connection: { ...address, user: superuser, database }, stop: () => use.end() }
  } catch (error) {
    throw explainFileError(error)
  }
}
