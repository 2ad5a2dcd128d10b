import { randomUUID } from 'node:crypto'
import { type IncomingMessage, METHODS } from 'node:http'
import type { Socket } from 'node:net'
import type { Operation } from '@matricula/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { newId } from '../platform/ids.ts'
import { Problem, validationProblem } from '../platform/problem.ts'
import { addBodyParser } from './body-parser.ts'
import { errorFacts, isForOperator } from './error-facts.ts'
import type { Route } from './implement.ts'
import { mountOperations, type Platform } from './operation-routes.ts'
import { addPatience, type Patience, usualPatience } from './patience.ts'
import { asProblem, problemMediaType, sendProblem } from './problem-answer.ts'

export interface HttpOptions {
  readonly log: FastifyBaseLogger
  /** Proxies in front whose X-Forwarded-For is believed: addresses or networks, comma-separated. */
  readonly trustedProxies: string | null
  readonly patience?: Patience
}

/**
 * The HTTP surface with its operations: every answer carries a Request-Id, every refusal is a problem document, and one
 * line per request is logged without its address, query, headers or body.
 */
export function createHttpServer(routes: readonly Route[], platform: Platform, options: HttpOptions): FastifyInstance {
  const { publicUrl } = platform
  const { patience = usualPatience } = options
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    // Nothing is ordered by it, and one that grows with time costs more than the rest of a request's start.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    return503OnClosing: false,
    trustProxy: options.trustedProxies ?? false,
    bodyLimit: 1024 * 1024,
    // The longest externalId, percent-encoded, and beyond: too long is told as a fault, not as an unknown address.
    routerOptions: { maxParamLength: 16 * 1024 },
    rewriteUrl: ({ url = '/' }) => (url.startsWith('/v1/') ? url : withReadablePath(url)),
    frameworkErrors: (error, request, reply) => {
      reply.header('request-id', request.id)
      sendProblem(request, reply, asProblem(error), publicUrl)
    },
    clientErrorHandler: answerUnreadable,
    http: {
      headersTimeout: patience.head,
      connectionsCheckingInterval: patience.headInterval,
      // Refused as every request that breaks a rule is.
      requireHostHeader: false,
    },
  })
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    // A connection that becomes idle only now would otherwise keep the process until its keep-alive ends.
    const closing = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(closing))
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id)
    // Said before the body is read, because an unknown address comes before everything that a body can break.
    if (!hasOneHost(request.raw)) return sendProblem(request, reply, hostProblem(), publicUrl)
    if (request.is404) return done(notFoundProblem(request.url, routes))
    if (!isStopping) return done()
    reply.header('connection', 'close')
    done(
      new Problem('service_unavailable', 'This process is stopping. Repeat the request.', {}, { 'retry-after': '1' }),
    )
  })
  addPatience(app, patience)
  app.addHook('onResponse', (request, reply, done) => {
    options.log.info(
      {
        requestId: request.id,
        operation: request.routeOptions.config.operationId,
        method: request.method,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        tenant: request.credentials?.tenant.slug,
        apiKey: request.credentials?.apiKeyId,
      },
      'request',
    )
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    const problem = asProblem(error)
    if (problem.status >= 500 && isForOperator(error))
      options.log.error({ requestId: request.id, error: errorFacts(error) }, 'request failed')
    return sendProblem(request, reply, problem, publicUrl)
  })
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, notFoundProblem(request.url, routes), publicUrl),
  )
  for (const method of METHODS) {
    // Every method that can be parsed is answered with 404 or 405, none with the framework's own text.
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  }
  addBodyParser(app)
  mountOperations(app, routes, platform)
  return app
}

/**
 * An address in whose path every percent sign that begins no encoding of UTF-8 (RFC 3986 §2.1) stands for itself, so that it
 * reaches the surface that it is an address of, which answers in its own form.
 */
function withReadablePath(url: string): string {
  const [path = '', ...query] = url.split('?')
  if (!path.includes('%')) return url
  return [path.split('/').map(readable).join('/'), ...query].join('?')
}

function readable(segment: string): string {
  try {
    decodeURIComponent(segment)
    return segment
  } catch {
    return segment.replaceAll('%', '%25')
  }
}

/** A request names one host: two might mean another service to whoever stands in between (RFC 9112 §3.2). */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

function hostProblem(): Problem {
  return validationProblem([
    { in: 'header', name: 'Host', code: 'inconsistent', detail: 'must be sent exactly once (RFC 9112 §3.2)' },
  ])
}

const unreadable: Readonly<Record<string, readonly [status: number, title: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The address and the headers may have 16 KiB together.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The address and the headers did not arrive in time.'],
}

/**
 * Answers what cannot be read as HTTP at all, or whose head is too long or too slow, so that it belongs to no operation: a
 * problem without a type of ours (RFC 9457 §4.2.1).
 */
function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) return
  const [status, title, detail] = unreadable[error.code ?? ''] ?? [
    400,
    'Bad Request',
    'This is not a request of HTTP/1.1.',
  ]
  const requestId = newId()
  const body = JSON.stringify({
    type: 'about:blank',
    title,
    status,
    detail,
    instance: `urn:uuid:${requestId}`,
    requestId,
  })
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nRequest-Id: ${requestId}\r\nContent-Type: ${problemMediaType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function notFoundProblem(url: string, routes: readonly Route[]): Problem {
  const allowed = methodsOf(url, routes)
  if (allowed.length === 0)
    return new Problem('route_not_found', 'No operation has this path. The reference is at /docs.')
  const allow = allowed.join(', ')
  return new Problem('method_not_allowed', `This address takes ${allow}.`, {}, { allow })
}

function methodsOf(url: string, routes: readonly { operation: Operation }[]): string[] {
  const segments = (url.split('?')[0] as string).split('/')
  const methods = new Set<string>()
  for (const { operation } of routes) {
    if (!isPathOf(operation, segments)) continue
    methods.add(operation.method)
    if (operation.method === 'GET') methods.add('HEAD')
  }
  return [...methods].sort()
}

function isPathOf({ path }: Operation, segments: readonly string[]): boolean {
  const declared = `/v1${path}`.split('/')
  if (declared.length !== segments.length) return false
  return declared.every((part, index) => part === segments[index] || (part.startsWith('{') && segments[index] !== ''))
}
