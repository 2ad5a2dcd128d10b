import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation, once it is known whether there is one: a word of the code, never of the request. */
    doing: string | null
    /** The code of the refusal that answers it: one of the contract's tables. */
    refusedFor: string | null
  }
}

/** The operation of a request, as metrics and traces name it: one of those that are declared, or `other`. */
export function getOperation(request: FastifyRequest): string {
  return request.doing ?? request.routeOptions.config.operationId ?? 'other'
}

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time to answer a request, by operation and status.',
  labelNames: ['operation', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

const rejections = new Counter({
  name: 'matricula_refusals_total',
  help: 'Requests that were refused, by the code of their answer, on every surface.',
  labelNames: ['code'],
})

let inFlight = 0

new Gauge({
  name: 'http_requests_in_flight',
  help: 'Requests that are being answered; who follows the feed counts as one.',
  collect() {
    this.set(inFlight)
  },
})

const isAnswered = () => {
  inFlight -= 1
}

/** Counts requests by operation, status and refusal, and how long they took. Nothing of it comes from what was sent. */
export function observeRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight += 1
    reply.raw.on('close', isAnswered)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    durations.observe({ operation: getOperation(request), status: reply.statusCode }, reply.elapsedTime / 1000)
    if (request.refusedFor !== null) rejections.inc({ code: request.refusedFor })
    done()
  })
}

/** Lets metrics tell of the process itself: memory, the delay of its event loop, processor time. Once is enough. */
export function observeProcess(): void {
  if (register.getSingleMetric('process_cpu_seconds_total') === undefined) collectDefaultMetrics()
}
