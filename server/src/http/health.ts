import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { register } from 'prom-client'
import { type Database, missingMigrations, sql } from '../database/index.ts'
import { isPrivateAddress } from '../values/index.ts'
import { metricsText } from './metrics/process-metrics.ts'
import { observeProcess, observeRequests } from './metrics/request-metrics.ts'

interface HealthOptions {
  readonly database: Database
  /** Throws when files cannot be stored. */
  readonly checkStorage: () => Promise<void>
  readonly metricsToken: string | null
  readonly log: { warn(facts: object, message: string): void; info(message: string): void }
  /** Aborted when the service is about to stop, and should be given no more requests. */
  readonly leaving?: AbortSignal | undefined
}

/**
 * `GET /healthz`: the process lives. `GET /readyz`: database and storage answer, every migration is there, and the service is not
 * about to stop, else 503. `GET /metrics`: Prometheus text, for whoever has
 * `METRICS_TOKEN`; where that is not set, for loopback and private addresses.
 */
export function addHealthRoutes(app: FastifyInstance, options: HealthOptions): void {
  const { database, metricsToken, leaving } = options
  const isUsable = storageWatch(options)
  app.get('/healthz', { config: { operationId: 'healthz' } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { config: { operationId: 'readyz' } }, async (_request, reply) => {
    if (leaving?.aborted) return reply.code(503).send({ status: 'stopping', checks: {} })
    const checks = { ...(await readiness(database)), storage: await isUsable() }
    const isReady = Object.values(checks).every((check) => check === 'ok')
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable', checks })
  })
  observeProcess()
  observeRequests(app)
  app.get('/metrics', { config: { operationId: 'metrics' } }, async (request, reply) => {
    if (metricsToken === null && !isPrivateAddress(request.ip)) {
      return reply.code(403).type('text/plain; charset=utf-8').send(metricsClosed)
    }
    if (metricsToken !== null && !isToken(request.headers.authorization, metricsToken)) {
      return reply.code(401).header('www-authenticate', 'Bearer').send()
    }
    return reply.type(register.contentType).send(await metricsText())
  })
}

const metricsClosed =
  'The metrics are for loopback and private addresses alone, as METRICS_TOKEN is not set. Set it, and send it as Bearer token.\n'

/** Tells whether files can be stored; the log says why not, once for each reason, and when they can again. */
function storageWatch({ checkStorage, log }: HealthOptions): () => Promise<'ok' | 'unusable'> {
  let reported: string | null = null
  return async () => {
    try {
      await checkStorage()
      if (reported !== null) log.info('the storage can be used again')
      reported = null
      return 'ok'
    } catch (error) {
      const { name, message, cause } = error as Error
      const { code } = ((cause ?? error) as { code?: string } | undefined) ?? {}
      const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
      if (reported !== reason) log.warn({ error: name, code, reason }, 'the storage cannot be used')
      reported = reason
      return 'unusable'
    }
  }
}

/** Whether the database answers and is current. */
async function readiness(database: Database): Promise<{ database: string; migrations: string }> {
  try {
    const missing = await missingMigrations((text) => database.readGlobal<{ name: string }>(sql([text])))
    return { database: 'ok', migrations: missing.length === 0 ? 'ok' : `missing: ${missing.join(', ')}` }
  } catch {
    return { database: 'unreachable', migrations: 'unknown' }
  }
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(/^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '')
  const expected = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
