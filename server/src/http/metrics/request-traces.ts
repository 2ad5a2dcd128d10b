import type { FastifyInstance } from 'fastify'
import { currentTracing, type OpenSpan } from '../../tracing/index.ts'
import { getOperation } from './request-metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request; null when tracing is off. */
    trace: OpenSpan | null
  }
}

/**
 * Exports each request as a span that continues the trace of the caller (W3C Trace Context). It has the operation and
 * the declared route, and no address nor any other value of the request.
 */
export function addRequestTraces(app: FastifyInstance): void {
  app.decorateRequest('trace', null)
  const tracing = currentTracing()
  if (tracing === null) return
  app.addHook('onRequest', (request, _reply, done) => {
    request.trace = tracing.begin(request.headers)
    request.trace.within(done)
  })
  // Body events belong to the connection, outside of the asynchronous context of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.trace === null) done()
    else request.trace.within(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const operation = getOperation(request)
    const failure = reply.statusCode >= 500 ? (request.problemCode ?? String(reply.statusCode)) : null
    const facts = {
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? 'unknown',
      'http.response.status_code': reply.statusCode,
      'matricula.operation': operation,
      ...(request.problemCode !== null && { 'matricula.refused_for': request.problemCode }),
      ...(request.caller != null && { 'matricula.tenant': request.caller.tenant.slug }),
    }
    request.trace?.end(`${request.method} ${operation}`, facts, failure)
    done()
  })
}
