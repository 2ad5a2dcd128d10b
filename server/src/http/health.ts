import cluster from 'node:cluster'
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Histogram, register } from 'prom-client'
import { type Database, missingMigrations, sql } from '../database/index.ts'

interface HealthOptions {
  readonly database: Database
  /** Throws when files cannot be stored. */
  readonly checkStorage: () => Promise<void>
  readonly metricsToken: string | null
  /** Aborted when the service is about to stop, and should be given no more requests. */
  readonly leaving?: AbortSignal | undefined
}

/**
 * `GET /healthz`: the process lives. `GET /readyz`: database and storage answer, every migration is there, and the service is not
 * about to stop, else 503. `GET /metrics`: Prometheus text, guarded by `METRICS_TOKEN` where it is set.
 */
export function addHealthRoutes(app: FastifyInstance, options: HealthOptions): void {
  const { database, checkStorage, metricsToken, leaving } = options
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (leaving?.aborted) return reply.code(503).send({ status: 'stopping', checks: {} })
    const checks = { ...(await readiness(database)), storage: await isUsable(checkStorage) }
    const isReady = Object.values(checks).every((check) => check === 'ok')
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable', checks })
  })
  observeRequests(app)
  app.get('/metrics', async (request, reply) => {
    if (metricsToken !== null && !isToken(request.headers.authorization, metricsToken)) {
      return reply.code(401).header('www-authenticate', 'Bearer').send()
    }
    // With several processes each has its own numbers; the first process puts them together.
    const text = cluster.isWorker ? await metricsOfAllProcesses() : await register.metrics()
    return reply.type(register.contentType).send(text)
  })
}

async function isUsable(check: () => Promise<void>): Promise<string> {
  return check().then(
    () => 'ok',
    () => 'unusable',
  )
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

function observeRequests(app: FastifyInstance): void {
  if (register.getSingleMetric('http_request_duration_seconds') === undefined) collectDefaultMetrics()
  const durations =
    (register.getSingleMetric('http_request_duration_seconds') as Histogram | undefined) ??
    new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer a request, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    })
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operationId ?? 'other'
    durations.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

const answers = new Map<number, (text: string) => void>()
let asked = 0

/** Messages between the processes of one service, over which the metrics of all are asked for. */
interface MetricsMessage {
  readonly matriculaMetrics: number
  readonly text?: string
}

function metricsOfAllProcesses(): Promise<string> {
  asked += 1
  const question = asked
  return new Promise((resolve) => {
    answers.set(question, resolve)
    process.send?.({ matriculaMetrics: question })
  })
}

/** In a worker: gives its own numbers to the first process, and takes its answers. */
export function receiveMetrics(): void {
  new AggregatorRegistry() // listens to the first process from then on
  process.on('message', (message: MetricsMessage) => {
    if (message.text === undefined) return
    answers.get(message.matriculaMetrics)?.(message.text)
    answers.delete(message.matriculaMetrics)
  })
}

/** In the first process: answers the workers' questions with the metrics of all of them. */
export function serveMetrics(): void {
  const aggregator = new AggregatorRegistry()
  cluster.on('message', async (worker, message: MetricsMessage) => {
    if (message.matriculaMetrics === undefined) return
    const text = await aggregator.clusterMetrics().catch(() => '')
    worker.send({ ...message, text })
  })
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(/^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '')
  const expected = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
