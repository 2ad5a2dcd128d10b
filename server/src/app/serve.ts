import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Logger } from 'pino'
import { inSources } from '../errors/index.ts'
import { type Config, readConfig } from './config.ts'
import { databaseObstacle, isForOperator } from './database-obstacles.ts'
import { createLog } from './logging/log.ts'
import type { RunningService } from './service.ts'
import { abortRequest, StopRequested, stopRequest } from './shutdown.ts'

/** The service: `npm start`. Ends with 0 when it was asked to stop, with 1 when it cannot run. */
export async function main(): Promise<void> {
  try {
    const config = readConfig(process.env)
    const log = await createLog(config)
    if (cluster.isWorker) return await (await loadService()).runWorker(config, log)
    const started = performance.now()
    await serveUntilStopped(config, log, ({ address }) => {
      log.info({ address, milliseconds: Math.round(performance.now() - started) }, 'ready')
    })
  } catch (error) {
    const reason = getReason(error as Error)
    // The first process says it, once for all workers.
    if (cluster.isWorker && process.connected) return void process.send?.({ failure: reason }, () => process.exit(1))
    process.stderr.write(`matricula: ${reason}\n`)
    process.exit(1)
  }
}

/** The whole program, for which nobody waits whose settings are wrong. */
const loadService = () => import('./service.ts')

function getReason(error: Error): string {
  if (isForOperator(error)) return error.message
  const obstacle = databaseObstacle(error)
  if (obstacle !== null) return obstacle
  return error.stack === undefined ? error.message : inSources(error.stack)
}

/**
 * Runs the service until the process is asked to stop, also during the start, then exits: 0 after a graceful
 * shutdown, else 1. Throws what prevents the start.
 */
export async function serveUntilStopped(
  config: Config,
  log: Logger,
  whenReady: (service: RunningService) => void,
): Promise<never> {
  try {
    const { startService } = await loadService()
    const service = await startService(config, log, { stop: stopRequest, cut: abortRequest })
    if (!stopRequest.aborted) {
      whenReady(service)
      await once(stopRequest, 'abort')
    }
    log.info('stopping: requests in flight are finished first')
    await service.stop().catch((error: Error) => {
      log.error({ error: error.name, reason: error.message }, 'could not stop cleanly')
      process.exit(1)
    })
  } catch (error) {
    if (!(error instanceof StopRequested)) throw error
    log.info('stopped before it was ready')
  }
  process.exit(abortRequest.aborted ? 1 : 0)
}
