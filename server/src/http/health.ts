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
  /** Graceful shutdown: aborted when the service should get no more requests. */
  readonly leaving?: AbortSignal | undefined
}

/**
 * Health probes. `GET /healthz`: the process is alive. `GET /readyz`: the database and the storage respond, every
 * migration is applied, and no shutdown has begun, else 503. `GET /metrics`: Prometheus text, for callers with
 * `METRICS_TOKEN`; where that is not set, for loopback and private addresses.
 */
export function addHealthRoutes(app: FastifyInstance, options: HealthOptions): void {
  const { database, metricsToken, leaving } = options
  const checkedStorage = buildStorageCheck(options)
  app.get('/healthz', { config: { operationId: 'healthz' } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { config: { operationId: 'readyz' } }, async (_request, reply) => {
    if (leaving?.aborted) return reply.code(503).send({ status: 'stopping', checks: {} })
    const checks = { ...(await readiness(database)), storage: await checkedStorage() }
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
  'Without METRICS_TOKEN, metrics are served to loopback and private addresses only. Set METRICS_TOKEN and send it as a Bearer token.\n'

/** Builds a check of the storage. It logs each new reason of a failure once, and the recovery. */
function buildStorageCheck({ checkStorage, log }: HealthOptions): () => Promise<'ok' | 'unusable'> {
  let loggedReason: string | null = null
  return async () => {
    try {
      await checkStorage()
      if (loggedReason !== null) log.info('the storage can be used again')
      loggedReason = null
      return 'ok'
    } catch (error) {
      const { name, message, cause } = error as Error
      const { code } = ((cause ?? error) as { code?: string } | undefined) ?? {}
      const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
      if (loggedReason !== reason) log.warn({ error: name, code, reason }, 'the storage cannot be used')
      loggedReason = reason
      return 'unusable'
    }
  }
}

/** The state of the database and of its migrations. */
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
