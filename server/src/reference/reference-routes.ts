import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { buildOpenApi, type ProblemCode, problems } from '@matricula/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matches } from '../platform/request-context.ts'
import { partsOf } from './openapi-parts.ts'
import { problemIndexPage, problemPage, unknownProblemPage } from './problem-pages.ts'
import { referencePage } from './reference-page.ts'

/** What the pages may load: their style and icon, from here. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headersOfAll = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
} as const

const htmlType = 'text/html; charset=utf-8'
const assets = new URL('../../assets/', import.meta.url)

/**
 * The documents that need no token: the OpenAPI document at `/v1/openapi.json`, its reference at `/docs`, and a page for
 * each problem code at `/problems/{code}`. Each is made when it is first asked for, so that it costs the start nothing, and
 * has a strong ETag for `If-None-Match`.
 */
export function addReferenceRoutes(app: FastifyInstance, { publicUrl }: { publicUrl: string }): void {
  serveReference(app, '/v1/openapi.json', 'application/json; charset=utf-8', () =>
    JSON.stringify(buildOpenApi({ publicUrl })),
  )
  serveReference(app, '/docs', htmlType, () => referencePage(partsOf(buildOpenApi({ publicUrl }))))
  serveReference(app, '/docs/style.css', 'text/css; charset=utf-8', () => readFileSync(new URL('style.css', assets)))
  serveReference(app, '/docs/icon.svg', 'image/svg+xml', () => readFileSync(new URL('icon.svg', assets)))
  serveReference(app, '/problems', htmlType, () => problemIndexPage())
  for (const code of Object.keys(problems) as ProblemCode[]) {
    serveReference(app, `/problems/${code}`, htmlType, () => problemPage(code, publicUrl))
  }
  for (const path of ['/docs', '/problems']) app.get(`${path}/`, (_request, reply) => reply.redirect(`..${path}`, 308))
  const unknown = unknownProblemPage()
  app.get('/problems/:code', (_request, reply) => reply.code(404).headers(headersOfAll).type(htmlType).send(unknown))
}

/** Answers a path with a document that is made when it is first asked for, and has a strong ETag. */
export function serveReference(
  app: FastifyInstance,
  path: string,
  mediaType: string,
  make: () => string | Buffer,
): void {
  let made: { bytes: Buffer; entityTag: string } | undefined
  const content = () => {
    const bytes = Buffer.from(make())
    return { bytes, entityTag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
  }
  app.get(path, (request: FastifyRequest, reply: FastifyReply) => {
    made ??= content()
    const { bytes, entityTag } = made
    reply.headers(headersOfAll).header('etag', entityTag)
    const condition = request.headers['if-none-match']
    if (condition !== undefined && matches(condition.replace(/W\//g, ''), entityTag)) return reply.code(304).send()
    return reply.type(mediaType).send(bytes)
  })
}
