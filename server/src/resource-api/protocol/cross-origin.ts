import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What a page of another origin may read of an answer beside what every page may (Fetch standard, "CORS-safelisted"). */
const readableHeaders = 'Request-Id, Retry-After, RateLimit, RateLimit-Policy, Content-Disposition'

const secondsOfPreflight = 86_400

/**
 * Lets pages of these origins call the Resource and Method API from a browser (CORS, Fetch standard), with credentials: its
 * records, its methods and its files. Without any origin no answer says a word of it. Pages for people, such as that of the
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
  // Also where the origin is not one of them, so that no cache gives its answer to one that is.
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
