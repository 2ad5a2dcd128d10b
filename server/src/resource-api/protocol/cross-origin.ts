import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The response headers that a page of another origin may read beside the CORS-safelisted ones (Fetch standard). */
const readableHeaders = 'Request-Id, Retry-After, RateLimit, RateLimit-Policy, Content-Disposition'

const secondsOfPreflight = 86_400

/**
 * Lets pages of these origins call the Resource and Method API from a browser (CORS, Fetch standard), with credentials:
 * its records, its methods and its files. Without allowed origins no CORS header is sent. HTML pages, such as the
 * log-in, and the Client API stay closed.
 */
export function allowOrigins(scope: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  scope.addHook('onRequest', (request, reply, done) => {
    if (isForPrograms(request.url)) respondToOrigin(request, reply, allowed)
    done()
  })
}

function isForPrograms(url: string): boolean {
  const path = (url.split('?')[0] as string).replace(/^\/t\/[^/]*(?=\/|$)/, '')
  return path === '' || /^\/(api(\/|$)|files\/|private\/files\/|$)/.test(path)
}

function respondToOrigin({ headers, method }: FastifyRequest, reply: FastifyReply, allowed: ReadonlySet<string>): void {
  // Also for other origins, so that no cache serves their response to an allowed one.
  reply.header('vary', 'Origin')
  const { origin } = headers
  if (origin === undefined || !allowed.has(origin)) return
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' })
  const wanted = headers['access-control-request-method']
  if (method !== 'OPTIONS' || wanted === undefined) {
    reply.header('access-control-expose-headers', readableHeaders)
    return
  }
  reply.headers({ 'access-control-allow-methods': wanted, 'access-control-max-age': String(secondsOfPreflight) })
  const wantedHeaders = headers['access-control-request-headers']
  if (wantedHeaders !== undefined) reply.header('access-control-allow-headers', wantedHeaders)
}
