import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors/index.ts'
import { pageHeaders } from '../../http/pages/public/index.ts'
import { giveCsrfToken } from '../../identity/users/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import type { PageCall, PageResponse, TenantPages } from '../../resource-api/index.ts'
import { loadBrand } from '../settings/index.ts'
import type { PageValues } from './page-template.ts'
import type { BuiltFile, PortalBuild } from './portal-build.ts'

/** The paths of the portal below an institution: the current one and the previous one. */
const portalPaths: readonly string[] = ['edu-portal', 'student-portal']

/** The path of the build's files, as upstream builds it; the same for all institutions. */
const assets = '/assets/education/frontend/'

/**
 * The portal of every institution. Visitors without a session are redirected to the log-in and back, and stale user
 * cookies are cleared. Below its address a name with an extension is a file of the build or 404; every other path is
 * the page, which has its own router.
 */
export function portalPages(build: PortalBuild): TenantPages {
  return {
    paths: portalPaths.flatMap((name) => [`/${name}`, `/${name}/*`]),
    personalHome: (address) => (address === 'host' || build.usesInstitutionPath ? `/${portalPaths[0]}` : null),
    at: ([name = '', ...below]) => {
      if (!portalPaths.includes(name)) return null
      const path = below.join('/')
      return async (call) => {
        requireReading(call.request)
        return isFileName(path) ? fileResponse(build, path, call.request) : pageResponse(build, call)
      }
    },
  }
}

function requireReading({ method }: FastifyRequest): void {
  if (method === 'GET' || method === 'HEAD') return
  throw new RecordError('MethodNotAllowed', 'The portal takes GET alone.', { headers: { allow: 'GET, HEAD' } })
}

/** Serves the build's files on any host; they contain no data. */
export function addPortalFiles(app: FastifyInstance, build: PortalBuild): void {
  app.get(`${assets}*`, { config: { operationId: 'portalFile' } }, (request, reply) => {
    const { '*': path } = request.params as { '*': string }
    const response = fileResponse(build, path, request)
    return send(reply.headers(response.headers ?? {}), response)
  })
}

function send(reply: FastifyReply, { status = 200, ...response }: PageResponse): FastifyReply {
  return reply.code(status).send('bytes' in response ? response.bytes : '')
}

/** Whether a path below the portal is a file name, and not a page of the portal. */
function isFileName(path: string): boolean {
  return path.split('/').some((segment) => segment.startsWith('.')) || /\.[A-Za-z0-9]{1,12}$/.test(path)
}

/** A file of the build by its exact path. Throws `route_not_found`. */
function fileResponse(build: PortalBuild, path: string, { headers }: FastifyRequest): PageResponse {
  const file = build.files.get(path)
  if (file === undefined) throw new Problem('route_not_found', 'There is no such file.')
  const given = {
    'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    'content-type': file.mediaType,
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    // A file opened directly, such as an SVG, runs no scripts.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    etag: file.etag,
    vary: 'accept-encoding',
  }
  if (headers['if-none-match'] === file.etag) return { status: 304, headers: given, bytes: Buffer.alloc(0) }
  const { bytes, encoding } = encoded(file, headers['accept-encoding'] ?? '')
  return { headers: { ...given, ...(encoding !== null && { 'content-encoding': encoding }) }, bytes }
}

function encoded({ bytes, gzipped }: BuiltFile, accepted: string | string[]) {
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(accepted))
  return gzipped !== null && takesGzip ? { bytes: gzipped, encoding: 'gzip' } : { bytes, encoding: null }
}

async function pageResponse(build: PortalBuild, call: PageCall): Promise<PageResponse> {
  const { session, tenant } = call.identification
  if (session === null || tenant === null) {
    const back = encodeURIComponent(call.request.url)
    return {
      session: 'guest',
      goTo: `${call.root}/login?redirect-to=${back}`,
      headers: { 'cache-control': 'no-store' },
    }
  }
  // The page gets the CSRF token, so its writes must send it from now on.
  if (!session.needsCsrfToken) await call.database.transaction(tenant.id, async (tx) => giveCsrfToken(tx, session))
  const { abbreviation, logo } = await loadBrand(call.database, tenant.id)
  const icon = build.files.has('favicon.png') ? `${assets}favicon.png` : 'data:,'
  const boot = {
    csrf_token: session.csrfToken,
    site_name: call.request.hostname,
    default_route: `${call.root}/${portalPaths[0]}`,
    tenant_path: call.root,
    time_zone: tenant.timeZone,
  }
  const values: PageValues = {
    ...boot,
    boot,
    title: tenant.name,
    abbr: abbreviation || tenant.name,
    logo: logo || icon,
    frappe: { session: { csrf_token: session.csrfToken, user: session.name }, boot },
  }
  const nonce = randomBytes(16).toString('base64')
  return { html: build.page(values, nonce), headers: buildHeaders(nonce) }
}

/** The origins of the card gateway's checkout, which the portal opens. */
const gateway = 'https://checkout.razorpay.com https://api.razorpay.com'

/**
 * Headers of the page: those of the service's pages, but with the build's scripts (CSP level 3), images from the web,
 * inline styles of components, and the gateway's checkout.
 */
function buildHeaders(nonce: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    // With 'strict-dynamic' scripts loaded by one with the nonce may run; the rest is for browsers without it.
    `script-src 'nonce-${nonce}' 'strict-dynamic' 'self' https://checkout.razorpay.com`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self' data:",
    "manifest-src 'self'",
    "connect-src 'self' https://lumberjack.razorpay.com https://api.razorpay.com",
    `frame-src ${gateway}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'self'",
    "object-src 'none'",
  ]
  return {
    ...pageHeaders,
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy':
      'camera=(self), microphone=(), geolocation=(), payment=(self "https://api.razorpay.com"), usb=()',
  }
}
