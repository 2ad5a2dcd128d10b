import cluster, { type Worker } from 'node:cluster'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { startBackups } from '../backup/index.ts'
import {
  type Connection,
  type ConnectionsOptions,
  Database,
  getMaxConnections,
  getMinConnections,
  getNumber,
  getShares,
  type MigrationReport,
  type OpenedDatabase,
  openDatabase,
  type ProcessShare,
  type ServerReport,
  ServiceRegistry,
} from '../database/index.ts'
import type { VaultFiles } from '../features/documents/index.ts'
import { type PortalBuild, PortalBuildError, readPortalBuild } from '../features/portal/index.ts'
import { deliverySender, startDeliveries } from '../features/webhooks/index.ts'
import {
  countReport,
  observeDatabase,
  observeDisk,
  observeProcess,
  receiveMetrics,
  serveMetrics,
} from '../http/index.ts'
import { SecretSeal } from '../identity/index.ts'
import { startJobs } from '../jobs/index.ts'
import { Mailer } from '../mail/index.ts'
import { encryptStoredSecrets, foreignSecrets } from '../record-engine/index.ts'
import type { FileStore } from '../storage/index.ts'
import {
  claimFiles,
  describeOwnership,
  openFileStore,
  parseFilesKeys,
  parseScannerUrl,
  VirusScanner,
} from '../storage/index.ts'
import { listTenants, watchZones } from '../tenancy/index.ts'
import { traceWith } from '../tracing/index.ts'
import { createApp, jobsOver, observeDeployment } from './composition.ts'
import { type Config, ConfigError } from './config.ts'
import { loadBackupOwner, loadInstallation } from './installation.ts'
import { recordFilesKeys } from './keys/files-key-registry.ts'
import { type KeyedConfig, withSecretKey } from './keys/keyed-config.ts'
import { anotherSecretKey, isOwnSecretKey } from './keys/secret-key-fingerprint.ts'
import { listen, requireFreeAddress } from './listen.ts'
import { bringUpToDate } from './prepare-database.ts'
import { recordRegistry } from './record-definitions.ts'
import { putDown, unlessStopped } from './shutdown.ts'

/** A service that runs. */
export interface RunningService {
  /** Where it listens. */
  readonly address: string
  /**
   * Graceful shutdown: completes requests in flight, then stops everything that was started. Throws the first
   * failure, after the rest.
   */
  stop(): Promise<void>
}

/** Control signals of a running service. */
export interface StopSignals {
  /** Aborted on shutdown; during the start, it then disposes of what it began. */
  readonly stop: AbortSignal
  /** Aborted when requests in flight should be cut off. */
  readonly cut: AbortSignal
}

/** Shutdown timeout of requests in flight, in milliseconds: less than the kill timeout of supervisors. */
const requestsTimeoutMs = 25_000

/**
 * Starts the service: the database, its migrations, the jobs, and the configured number of worker processes. Resolves
 * when it listens.
 */
export async function startService(config: Config, log: Logger, { stop, cut }: StopSignals): Promise<RunningService> {
  await requireFreeAddress(config)
  const endTracing = await startTracing(config, log)
  const portal = await openPortal(config, log)
  const onReport = (report: ServerReport) => {
    countReport(report)
    log.warn(report, 'the embedded PostgreSQL reports')
  }
  const opened = await openDatabase({ ...config, purpose: 'service', log, signal: stop, onReport })
  const begun: (() => unknown)[] = [endTracing, () => opened.close()]
  try {
    // What is still at work on the database when it should stop loses it, and is undone.
    const report = await unlessStopped(bringUpToDate(opened.connection, { log }), stop)
    if (report.applied.length > 0) log.info({ migrations: report.applied }, 'database migrated')
    await recordFilesKeys(opened.connection, config)
    const registry = await unlessStopped(enter(opened, report, config, log), stop)
    begun.push(() => registry.close())
    const shares = getShares(registry.connections, config.workers)
    const database = new Database(opened.connection, getConnections(shares.first, log))
    begun.push(() => database.close())
    begun.push(
      await unlessStopped(
        watchZones(database, (message, facts) => log.warn(facts, message)),
        stop,
      ),
    )
    const keyed = await withSecretKey(config)
    if (!(await unlessStopped(isOwnSecretKey(opened.connection, keyed.secretKey), stop))) log.error(anotherSecretKey)
    await unlessStopped(sealSecretsOf(database, keyed, log), stop)
    const files = await unlessStopped(openFiles(keyed, opened.connection, log), stop)
    begun.push(() => files.store.close())
    const mailer = config.mail === null ? null : new Mailer(config.mail)
    begun.push(() => mailer?.close())
    void tellOwnership(files.store, opened.connection, log)
    observeDisk(config.dataDir)
    if (config.workers > 1) observeFirstProcess(database)
    begun.push(startJobs(database, jobsOver(files, mailer, keyed, log), log))
    begun.push(startDeliveries(database, deliverySender(keyed), log))
    if (config.backups !== null) {
      begun.push(startBackups(database, config.backups, () => loadBackupOwner(opened.connection), log))
    }
    const answering =
      config.workers === 1
        ? await serveHere({ ...keyed, portal }, database, files, log, cut)
        : await serveInWorkers(config, { connection: opened.connection, share: shares.worker }, log, { stop, cut })
    begun.push(() => answering.stop())
    if ((await unlessStopped(listTenants(database), stop)).length === 0) log.info(firstStep)
    return { address: answering.address, stop: () => putDown(begun) }
  } catch (error) {
    await putDown(begun)
    throw error
  }
}

/** What somebody who has just begun does next. */
const firstStep =
  'there is no institution yet; make one: npx matricula tenant create --slug hillside --name "Hillside College"'

/**
 * Sends spans to the collector of the configuration from then on; returns how to end it. Without one nothing of it is
 * loaded.
 */
async function startTracing({ traces }: Config, log: Logger): Promise<() => Promise<void>> {
  if (traces === null) return async () => {}
  const { startOpenTelemetry } = await import('../tracing/open-telemetry/index.ts')
  const onFailure = () =>
    log.warn('traces cannot be sent: the collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take them')
  const tracing = await startOpenTelemetry({ ...traces, version, onFailure })
  traceWith(tracing)
  return () => tracing.stop()
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Lets the metrics tell of a process that answers no requests itself. */
function observeFirstProcess(database: Database): void {
  observeProcess()
  observeDatabase(database)
  observeDeployment(database)
}

/** Registers the service and its connection budget in the database. */
async function enter(
  { connection, isEmbedded }: OpenedDatabase,
  { current }: MigrationReport,
  { workers, databaseConnections, filesKey }: Config,
  log: Logger,
): Promise<ServiceRegistry> {
  const registry = await ServiceRegistry.begin(connection, {
    knows: getNumber(current),
    wanted: databaseConnections,
    // A second service may come to a database that is not this one's own, unless this one needs more than half of it.
    suits: (all) =>
      Math.min(
        getMaxConnections(workers),
        isEmbedded ? all : Math.max(getMinConnections(workers), Math.floor(all / 2)),
      ),
    least: getMinConnections(workers),
    filesKeys: parseFilesKeys(filesKey).map(({ id }) => id),
  })
  log.info({ connections: registry.connections }, 'connections to the database that this service may take')
  return registry
}

/** How many connections a process may take, and what it says of them. */
function getConnections(share: ProcessShare, log: Logger): ConnectionsOptions {
  return {
    ...share,
    onHang: (hangs) => {
      if (hangs) log.error('the database hangs: what waits for it is answered with 503')
      else log.info('the database answers again')
    },
  }
}

/** Encrypts secrets that an earlier version kept as they are, and says which ones need another SECRET_KEY. */
async function sealSecretsOf(database: Database, { secretKey }: KeyedConfig, log: Logger): Promise<void> {
  for (const report of await encryptStoredSecrets(database, recordRegistry, new SecretSeal(secretKey))) {
    if (report.sealed > 0) log.info(report, 'stored secrets are encrypted now')
    if (report.foreign > 0) log.error(report, foreignSecrets)
  }
}

async function serveHere(
  config: KeyedConfig & { readonly portal: PortalBuild | null },
  database: Database,
  files: VaultFiles,
  log: Logger,
  cut: AbortSignal,
): Promise<RunningService> {
  const leaving = new AbortController()
  const app = createApp({ ...config, leaving: leaving.signal }, database, files, log)
  const address = await listen(app, config)
  const cutOff = () => app.server.closeAllConnections()
  const stop = async () => {
    leaving.abort()
    await pause(config.drainSeconds * 1000, undefined, { signal: cut }).catch(() => {})
    if (cut.aborted) cutOff()
    cut.addEventListener('abort', cutOff)
    const late = setTimeout(() => {
      log.warn(`requests that took more than ${requestsTimeoutMs / 1000} s to finish are cut off`)
      cutOff()
    }, requestsTimeoutMs)
    await app.close()
    clearTimeout(late)
  }
  return { address, stop }
}

/** The portal that the configuration names, or null. Throws `ConfigError` for a folder that is none. */
async function openPortal({ studentPortalDir: folder }: Config, log: Logger): Promise<PortalBuild | null> {
  if (folder === null) return null
  try {
    const build = await readPortalBuild(folder)
    for (const path of build.skipped) log.warn({ path }, 'a link leads out of the portal’s folder and is not served')
    return build
  } catch (error) {
    if (error instanceof PortalBuildError) throw new ConfigError(`STUDENT_PORTAL_DIR ${error.message}`)
    throw error
  }
}

async function openFiles(config: KeyedConfig, connection: Connection, log: Logger): Promise<VaultFiles> {
  const store = await openFileStore(config, {
    loadInstallation: () => loadInstallation(connection),
    warn: (message) => log.error(message),
  })
  const scanner = config.scannerUrl === null ? null : new VirusScanner(parseScannerUrl(config.scannerUrl))
  return { store, scanner }
}

/** Takes files that are nobody's, and says when they are another installation's. The service starts meanwhile. */
async function tellOwnership(store: FileStore, connection: Connection, log: Logger): Promise<void> {
  try {
    const obstacle = describeOwnership(await claimFiles(store, await loadInstallation(connection)))
    if (obstacle !== null) log.error(obstacle)
  } catch (error) {
    // Readiness tells of storages and databases that cannot be used; who removes a file looks again.
    log.debug({ reason: (error as Error).message }, 'whose the stored files are is not known yet')
  }
}

const workerDatabase = 'MATRICULA_WORKER_DATABASE'

/** What a worker is told of the database. */
interface WorkerDatabase {
  readonly connection: Connection
  readonly share: ProcessShare
}

/** Forks the workers; one that exits by itself is replaced. */
async function serveInWorkers(
  config: Config,
  database: WorkerDatabase,
  log: Logger,
  { stop, cut }: StopSignals,
): Promise<RunningService> {
  let isStopping = false
  let isUp = false
  const endAll = async (end: (worker: Worker) => void) => {
    isStopping = true
    // One that has ended stays among them until its channel is closed, and tells of its end no more.
    const workers = Object.values(cluster.workers ?? {}).flatMap((worker) =>
      worker === undefined || worker.isDead() ? [] : worker,
    )
    await Promise.all(
      workers.map((worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve))
        end(worker)
        return ended
      }),
    )
  }
  const kill = (worker: Worker) => worker.process.kill('SIGKILL')
  const listening = new Set<Worker>()
  /** Lets those that listen finish what they have: with the first of them the service is there for whoever knocks. */
  const finish = async () => {
    cut.addEventListener('abort', () => void endAll(kill))
    await endAll((worker) => (listening.has(worker) ? worker.send('stop', () => {}) : kill(worker)))
  }
  cluster.setupPrimary({ exec: new URL('../main.js', import.meta.url).pathname, args: [] })
  serveMetrics()
  const fork = () =>
    new Promise<string>((resolve, reject) => {
      const worker = cluster.fork({ [workerDatabase]: JSON.stringify(database) })
      let failure: string | undefined
      worker.on('message', (message: { readonly failure?: string } | null) => {
        failure = message?.failure ?? failure
      })
      worker.once('exit', (code, signal) => {
        const hadListened = listening.delete(worker)
        reject(new ConfigError(failure ?? `A worker ended before it listened (${signal ?? code}).`))
        if (isStopping || (!isUp && !hadListened)) return
        log.error({ worker: worker.id, code, signal, reason: failure }, 'a worker ended and is replaced')
        setTimeout(() => isStopping || fork().catch(() => {}), 500)
      })
      worker.once('listening', ({ address, port }) => {
        listening.add(worker)
        log.info({ worker: worker.id, process: worker.process.pid }, 'a worker listens')
        resolve(`http://${address}:${port}`)
      })
    })
  try {
    const addresses = await unlessStopped(Promise.all(Array.from({ length: config.workers }, fork)), stop)
    isUp = true
    return { address: addresses[0] as string, stop: finish }
  } catch (error) {
    await (stop.aborted ? finish() : endAll(kill))
    throw error
  }
}

/** Runs in a worker process: serves requests until the primary process stops it or exits. */
export async function runWorker(config: Config, log: Logger): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    process.on('message', (message) => message === 'stop' && resolve())
    process.on('disconnect', resolve)
  })
  const { connection, share } = JSON.parse(process.env[workerDatabase] as string) as WorkerDatabase
  const endTracing = await startTracing(config, log)
  const database = new Database(connection, getConnections(share, log))
  const endZones = await watchZones(database, () => {})
  const keyed = await withSecretKey(config)
  const files = await openFiles(keyed, connection, log)
  const portal = await openPortal(config, log)
  const answering = await serveHere({ ...keyed, portal }, database, files, log, new AbortController().signal)
  receiveMetrics()
  await stopped
  await putDown([endTracing, endZones, () => database.close(), () => files.store.close(), () => answering.stop()])
  process.exit(0)
}
