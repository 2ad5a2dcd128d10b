import { randomUUID } from 'node:crypto'
import { type IncomingMessage, METHODS } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { type Problem, validationProblem } from '../errors/index.ts'
import { newId } from '../values/index.ts'
import { endIdleConnections } from './lifecycle/connection-closing.ts'
import { addRequestTimeouts, defaultRequestTimeouts, type RequestTimeouts } from './lifecycle/request-timeouts.ts'
import { addRequestTraces } from './metrics/request-traces.ts'
import { addBodyParser } from './operations/body-parser.ts'
import type { Mounting } from './operations/mounting.ts'
import { mountOperations, type Platform, unknownAddress } from './operations/operation-routes.ts'
import { asProblem, problemForm, problemMediaType, sendError, sendProblem } from './operations/problem-response.ts'

export interface HttpOptions {
  /** The public address of the service. */
  readonly publicUrl: string
  readonly log: FastifyBaseLogger
  /** Trusted proxies, whose X-Forwarded-For is used: addresses or networks, comma-separated. */
  readonly trustedProxies: string | null
  readonly timeouts?: RequestTimeouts
  /** Graceful shutdown: once aborted, responses ask clients to open another connection. */
  readonly leaving?: AbortSignal
  /** Sends a page for an unknown address to a browser; returns whether it did. */
  readonly showUnknown?: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/** Default headers of every response: not cached, and no sniffing of the media type. */
const closedHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/**
 * Builds the HTTP server with its operations: every response has a Request-Id, every error is a problem document, and
 * one line per request is logged without its address, query, headers or body.
 */
export function createHttpServer(
  mountings: readonly Mounting[],
  platform: Platform,
  options: HttpOptions,
): FastifyInstance {
  const form = problemForm(options.publicUrl)
  const { timeouts: timeout = defaultRequestTimeouts, showUnknown = () => false } = options
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    // Each line names its request itself.
    childLoggerFactory: (log) => log,
    // Random, not time-ordered: nothing sorts by it, and a time-ordered id costs more than the rest of the start of a
    // request.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    return503OnClosing: false,
    trustProxy: options.trustedProxies ?? false,
    bodyLimit: 1024 * 1024,
    // The contract has its own validators; those of the framework are not loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Longer than the longest percent-encoded externalId: too long is a validation error, not an unknown address.
    routerOptions: { maxParamLength: 16 * 1024 },
    rewriteUrl: ({ url = '/' }) => (url.startsWith('/v1/') ? url : withReadablePath(url)),
    frameworkErrors: (error, request, reply) => {
      reply.headers(closedHeaders).header('request-id', request.id)
      sendProblem(request, reply, asProblem(error), form)
    },
    clientErrorHandler: respondToParserError,
    http: {
      headersTimeout: timeout.head,
      connectionsCheckingInterval: timeout.headInterval,
      // The hook below rejects it with a problem document.
      requireHostHeader: false,
    },
  })
  addRequestTraces(app)
  endIdleConnections(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(closedHeaders).header('request-id', request.id)
    // The next connection reaches a process that is not shutting down (RFC 9112 §9.6).
    if (options.leaving?.aborted) reply.header('connection', 'close')
    // Before the body is read: an unknown address precedes every error of a body.
    if (!hasOneHost(request.raw)) return sendProblem(request, reply, hostProblem(), form)
    done(request.is404 ? unknownAddress() : undefined)
  })
  addRequestTimeouts(app, timeout)
  app.addHook('onResponse', (request, reply, done) => {
    options.log.info(
      {
        requestId: request.id,
        operation: request.operationName ?? request.routeOptions.config.operationId,
        method: request.method,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        tenant: request.caller?.tenant.slug,
        trace: request.trace?.traceId,
        apiKey: request.caller?.actor.type === 'api_key' ? request.caller.actor.id : undefined,
      },
      'request',
    )
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    if (request.is404 && showUnknown(request, reply)) return reply
    return sendError(error, request, reply, form)
  })
  app.setNotFoundHandler((request, reply) =>
    showUnknown(request, reply) ? reply : sendProblem(request, reply, unknownAddress(), form),
  )
  for (const method of METHODS) {
    // Every method that can be parsed gets 404 or 405 in our form.
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  }
  addBodyParser(app)
  app.decorateRequest('caller', null)
  app.decorateRequest('idempotencyKey', null)
  app.decorateRequest('slot', null)
  app.decorateRequest('operationName', null)
  app.decorateRequest('problemCode', null)
  for (const mounting of mountings) mountOperations(app, mounting, platform)
  return app
}

/**
 * Escapes every percent sign of the path that begins no valid UTF-8 encoding (RFC 3986 §2.1), so that the address
 * reaches its surface, which responds in its own form.
 */
function withReadablePath(url: string): string {
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  // No encoding spans a slash: the path is readable where each segment is.
  if (!path.includes('%') || isReadable(path)) return url
  const segments = path.split('/').map((segment) => (isReadable(segment) ? segment : segment.replaceAll('%', '%25')))
  return segments.join('/') + url.slice(path.length)
}

function isReadable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function noCompiler(): never {
  throw new TypeError('A route has no schema of the framework: declare its operation in the contract.')
}

/** A request must name one host: an intermediary might use another of several (RFC 9112 §3.2). */
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

const parserErrors: Readonly<Record<string, readonly [status: number, title: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The address and the headers may have 16 KiB together.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The address and the headers did not arrive in time.'],
}

/**
 * Responds to what cannot be parsed as HTTP, or whose head is too long or too slow: a problem without a type of ours,
 * as it belongs to no operation (RFC 9457 §4.2.1).
 */
function respondToParserError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) return
  const [status, title, detail] = parserErrors[error.code ?? ''] ?? [
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
      `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
