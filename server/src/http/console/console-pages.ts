import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../platform/problem.ts'
import type { TenantAddresses } from '../../platform/tenant-address.ts'
import { type ConsoleBuild, type ConsoleFile, encodingFor } from './console-build.ts'

export interface ConsolePlatform {
  readonly addresses: TenantAddresses
  /** Null where it was not built. */
  readonly build: ConsoleBuild | null
}

const assetHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  // What is opened by itself runs nothing.
  'content-security-policy': "default-src 'none'; sandbox",
  vary: 'accept-encoding',
} as const

/** What the console's page may load, run and call. No text becomes script, not even by its own doing (Trusted Types). */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  vary: 'accept-encoding',
} as const

/**
 * Serves the staff console: its files at one address for all institutions, whose names have their hashes, and its page at every
 * other address below `console/` of an institution. The page says nothing of anybody; what it shows it asks for with a session.
 */
export function addConsolePages(app: FastifyInstance, platform: ConsolePlatform): void {
  const { build, addresses } = platform
  const config = { config: { operationId: 'console' } }
  app.get('/console/assets/*', config, (request, reply) => {
    const file = build?.assets.get((request.params as { '*': string })['*'])
    if (file === undefined) throw new Problem('route_not_found', 'There is no such file.')
    return send(request, reply.headers(assetHeaders), file)
  })
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const { slug } = request.params as { slug?: string }
    const tenant = slug === undefined ? await addresses.byHost(request.hostname) : await addresses.bySlug(slug)
    if (tenant === null) {
      reply.callNotFound()
      return reply
    }
    if (build === null) {
      return reply.code(503).headers(headers).type('text/plain; charset=utf-8').send(notBuilt)
    }
    return send(request, reply.headers(headers), build.page)
  }
  for (const root of ['/console', '/t/:slug/console']) {
    app.get(root, config, (request, reply) => {
      const [path = '', query] = request.url.split('?')
      return reply.redirect(`${path}/${query === undefined ? '' : `?${query}`}`, 308)
    })
    app.get(`${root}/`, config, page)
    app.get(`${root}/*`, config, page)
  }
}

const notBuilt =
  'The console was not built with this service. Run `npm run build` in its folder, or install a release, and start it again.\n'

function send(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const encoding = encodingFor(file, String(request.headers['accept-encoding'] ?? ''))
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(file.mediaType).send(file.bytes[encoding])
}
