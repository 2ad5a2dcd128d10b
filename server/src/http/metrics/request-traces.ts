import type { FastifyInstance } from 'fastify'
import { currentTracing, type OpenSpan } from '../../tracing/index.ts'
import { getOperation } from './request-metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request, where traces are kept. */
    trace: OpenSpan | null
  }
}

/**
 * Tells of each request as a span, which goes on from the caller's trace (W3C Trace Context). It names the operation and the route as it
 * was declared, and neither an address nor anything else that was sent.
 */
export function addRequestTraces(app: FastifyInstance): void {
  app.decorateRequest('trace', null)
  const tracing = currentTracing()
  if (tracing === null) return
  app.addHook('onRequest', (request, _reply, done) => {
    request.trace = tracing.begin(request.headers)
    request.trace.within(done)
  })
  // The body comes in events of the connection, which belong to no request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.trace === null) done()
    else request.trace.within(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const operation = getOperation(request)
    const failure = reply.statusCode >= 500 ? (request.refusedFor ?? String(reply.statusCode)) : null
    const facts = {
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? 'unknown',
      'http.response.status_code': reply.statusCode,
      'matricula.operation': operation,
      ...(request.refusedFor !== null && { 'matricula.refused_for': request.refusedFor }),
      ...(request.caller != null && { 'matricula.tenant': request.caller.tenant.slug }),
    }
    request.trace?.end(`${request.method} ${operation}`, facts, failure)
    done()
  })
}
