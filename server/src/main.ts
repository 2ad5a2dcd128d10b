import cluster from 'node:cluster'
import { ConfigError, readConfig } from './config.ts'
import { EmbeddedPostgresError, MigrationError } from './database/index.ts'
import { createLog } from './log.ts'
import { runWorker, startService } from './service.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/** The entry of the service: `npm start`. Ends with 0 when it was asked to stop, with 1 when it cannot run. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config)
  if (cluster.isWorker) return runWorker(config, log)
  const started = performance.now()
  const service = await startService(config, log)
  log.info({ address: service.address, milliseconds: Math.round(performance.now() - started) }, 'ready')
  stopOnSignal(log, () => service.stop())
}

main().catch((error: Error) => {
  const isForOperator =
    error instanceof ConfigError || error instanceof EmbeddedPostgresError || error instanceof MigrationError
  const code = (error as NodeJS.ErrnoException).code
  const reason =
    code === 'EADDRINUSE'
      ? 'Another program listens on this address. Set PORT to a free one.'
      : (error.stack ?? error.message)
  process.stderr.write(`matricula: ${isForOperator ? error.message : reason}\n`)
  process.exit(1)
})
