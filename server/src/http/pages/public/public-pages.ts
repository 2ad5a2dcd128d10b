import { gzipSync } from 'node:zlib'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CountBook } from '../../../concurrency/index.ts'
import { Problem } from '../../../errors/index.ts'
import { discardBody } from '../../../storage/index.ts'
import { errorFacts, isForOperator } from '../../operations/error-facts.ts'
import { problemBody, problemMediaType } from '../../operations/problem-response.ts'
import { pageHeaders } from './page-headers.ts'
import { asPageProblem, ClosedLink, problemPage, problemText } from './page-problem.ts'
import { type PageLimits, PageThrottle } from './page-throttle.ts'
import { requireSameOrigin } from './same-origin.ts'
import { Visit } from './visit.ts'

/** The response of a public page. */
export type PageResponse =
  | { readonly kind: 'page'; readonly html: string }
  /**
   * The form was accepted: the browser is redirected to a path from the root (RFC 9110 §15.4.4), and a script
   * receives that path.
   */
  | { readonly kind: 'done'; readonly goTo: string }
  /** The form was rejected: the page shows the messages, and a script receives them in a problem document. */
  | { readonly kind: 'refused'; readonly problem: Problem; readonly message: string; readonly html: string }

/** A public page, or the target of its forms. */
export interface PublicPage {
  /** The name in logs and metrics; the path itself, which is a secret, is in neither. */
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The path parameter with the secret of a personal link; null where the page is public to everybody. */
  readonly secret: string | null
  /**
   * Throws a Problem: `resource_not_found` for a link that never existed, `ClosedLink` for an expired or revoked one.
   */
  readonly answer: (visit: Visit) => Promise<PageResponse>
}

interface PublicPageOptions {
  readonly publicUrl: string
  /** The folder of the style sheet and scripts, from the root. */
  readonly assets: string
  readonly log: FastifyBaseLogger
  readonly limits?: PageLimits
  /** Shared counters of all processes; each process counts by itself without it. */
  readonly counts?: CountBook
}

const maxBytesOfNothing = 64 * 1024

/**
 * Mounts pages for people without an account, with strict headers and rate limits of their own. Forms are read as
 * streams, and a problem is a page in the language of the reader, or a problem document for the script of the page.
 */
export function addPublicPages(app: FastifyInstance, pages: readonly PublicPage[], options: PublicPageOptions): void {
  const { publicUrl, assets, log, limits, counts = null } = options
  const throttle = new PageThrottle(counts, limits)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytesOfNothing }, (_request, _bytes, done) =>
      done(null),
    )
    // Pages read forms as streams.
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers(pageHeaders)
    })
    scope.setErrorHandler((error, request, reply) => {
      const problem = asPageProblem(error, request)
      if (problem.status >= 500 && isForOperator(error))
        log.error({ requestId: request.id, error: errorFacts(error) }, 'request failed')
      return sendProblem(new Visit(request, assets), problem, request, reply, publicUrl)
    })
    for (const { id, method, path, secret, answer: response } of pages) {
      const findLink = (request: FastifyRequest) =>
        secret === null ? null : ((request.params as Record<string, string>)[secret] as string)
      scope.route({
        method,
        url: path,
        config: { operationId: id },
        onRequest: async (request) => {
          const seconds = throttle.take(request.ip, findLink(request))
          if (seconds > 0) throw throttledProblem(seconds)
          if (method === 'POST') requireSameOrigin(request, publicUrl)
        },
        handler: async (request, reply) => {
          const link = findLink(request)
          const visit = new Visit(request, assets)
          try {
            const answered = await response(visit)
            if (link !== null) throttle.recordFound(link)
            return send(visit, answered, request, reply, publicUrl)
          } catch (error) {
            const isUnknown = error instanceof Problem && error.status === 404
            if (link !== null && isUnknown) throttle.recordUnknown(request.ip, link)
            throw error
          }
        },
      })
    }
    for (const path of new Set(pages.map((page) => `/${page.path.split('/')[1]}/*`))) {
      scope.get(path, { config: { operationId: 'unknownPage' } }, async (request) => {
        const seconds = throttle.take(request.ip, null)
        if (seconds > 0) throw throttledProblem(seconds)
        throw new Problem('route_not_found', 'There is no such page.')
      })
    }
  })
}

function throttledProblem(seconds: number): Problem {
  const detail = `Too many requests. Wait ${seconds} s.`
  return new Problem('rate_limit_exceeded', detail, {}, { 'retry-after': String(seconds) })
}

function send(
  visit: Visit,
  response: PageResponse,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): FastifyReply {
  discardRest(request)
  switch (response.kind) {
    case 'page':
      return sendPage(reply, 200, response.html)
    case 'done': {
      const { root } = visit.place('')
      if (visit.isScript) return reply.code(200).send({ goTo: `${root}${response.goTo}` })
      return reply.code(303).header('location', `${root}${response.goTo}`).send()
    }
    case 'refused': {
      const { problem, message, html } = response
      request.problemCode = problem.code
      reply.headers(problem.headers)
      if (visit.isScript) return sendText(visit, problem, message, reply, publicUrl)
      return sendPage(reply, problem.status, html)
    }
  }
}

function sendProblem(
  visit: Visit,
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): FastifyReply {
  discardRest(request)
  request.problemCode = problem.code
  const path = (request.url.split('?')[0] as string).slice(1)
  const { locale = null, language = null } = problem instanceof ClosedLink ? problem : {}
  const context = visit.place(path, '', locale, language)
  reply.headers(problem.headers)
  if (visit.isScript) return sendText(visit, problem, problemText(context.locale, problem), reply, publicUrl)
  return sendPage(reply, problem.status, problemPage(context, problem))
}

/**
 * Sends a page, compressed with gzip where accepted (RFC 9110 §12.5.3): long lists reach a slow phone in a few
 * kilobytes.
 */
export function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  reply.code(status).type('text/html; charset=utf-8').header('vary', 'accept-encoding')
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(reply.request.headers['accept-encoding'] ?? ''))
    return reply.send(html)
  return reply.header('content-encoding', 'gzip').send(gzipSync(html))
}

/** A problem document whose detail is in the language of the reader (RFC 9457 §3.1.4). */
function sendText(
  visit: Visit,
  problem: Problem,
  messages: string,
  reply: FastifyReply,
  publicUrl: string,
): FastifyReply {
  const localized = new Problem(problem.code, messages, { ...problem.extra })
  return reply
    .code(problem.status)
    .header('content-language', visit.place('').locale)
    .type(problemMediaType)
    .send(problemBody(localized, visit.requestId, publicUrl))
}

/** Reads and discards the rest of a form, so that its sender reads the response. */
function discardRest({ raw }: FastifyRequest): void {
  if (raw.readableEnded || raw.method !== 'POST') return
  raw.unpipe()
  discardBody(raw)
}
