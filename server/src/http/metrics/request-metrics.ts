import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'

declare module 'fastify' {
  interface FastifyRequest {
    /** The name of the operation once it is known: from the code, never from the request. */
    operationName: string | null
    /** The error code of the response, from the contract. */
    problemCode: string | null
  }
}

/** The operation of a request for metrics and traces: a declared one, or `other`. */
export function getOperation(request: FastifyRequest): string {
  return request.operationName ?? request.routeOptions.config.operationId ?? 'other'
}

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Duration of a request, by operation and status.',
  labelNames: ['operation', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

const rejections = new Counter({
  name: 'matricula_refusals_total',
  help: 'Requests that were rejected, by error code, on every surface.',
  labelNames: ['code'],
})

let inFlight = 0

new Gauge({
  name: 'http_requests_in_flight',
  help: 'Requests in progress; a follower of the feed counts as one.',
  collect() {
    this.set(inFlight)
  },
})

const onClose = () => {
  inFlight -= 1
}

/** Counts requests and their durations by operation, status and error code. No label has a value from a request. */
export function observeRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight += 1
    reply.raw.on('close', onClose)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    durations.observe({ operation: getOperation(request), status: reply.statusCode }, reply.elapsedTime / 1000)
    if (request.problemCode !== null) rejections.inc({ code: request.problemCode })
    done()
  })
}

/** Exports the metrics of the process once: memory, event-loop delay, CPU time. */
export function observeProcess(): void {
  if (register.getSingleMetric('process_cpu_seconds_total') === undefined) collectDefaultMetrics()
}
