import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../errors/index.ts'
import type { FileStore } from '../../../storage/index.ts'
import { fileKey } from '../../../storage/index.ts'
import type { TenantAddresses } from '../../../tenancy/index.ts'
import { newId } from '../../../values/index.ts'
import { type ConsoleBuild, type ConsoleFile, type Encoding, encodingFor } from './console-build.ts'

export interface ConsolePlatform {
  readonly addresses: TenantAddresses
  /** Null where the console was not built. */
  readonly build: ConsoleBuild | null
  /** Signs the addresses of files: of the service itself, or of an object storage. */
  readonly store: Pick<FileStore, 'signDownload'>
  readonly publicUrl: string
}

const assetHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  // An asset opened as a document runs no script.
  'content-security-policy': "default-src 'none'; sandbox",
  vary: 'accept-encoding',
} as const

/**
 * The PDF reader is sandboxed with an opaque origin wherever it is opened, and its own policy allows its script only.
 */
const readerHeaders = {
  ...assetHeaders,
  'content-security-policy': "sandbox allow-scripts; frame-ancestors 'self'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const

/**
 * Headers of the page of the console: what it may load, run and call, and the origins of files. No text becomes
 * script (Trusted Types).
 */
export function consoleHeaders(fileOrigins: readonly string[]): Readonly<Record<string, string>> {
  const files = fileOrigins.map((origin) => ` ${origin}`).join('')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: data:${files}`,
    `connect-src 'self'${files}`,
    `frame-src 'self' blob:${files}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
    vary: 'accept-encoding',
  }
}

/**
 * Serves the staff console: its assets at one address for all tenants, with hashes in their names, and its page at
 * every other address below `console/` of a tenant. The page has no data; it loads them with a session.
 */
export function addConsolePages(app: FastifyInstance, platform: ConsolePlatform): void {
  const { build, addresses } = platform
  const origins = new FileOrigins(platform)
  const config = { config: { operationId: 'console' } }
  app.get('/console/assets/*', config, async (request, reply) => {
    const name = (request.params as { '*': string })['*']
    const file = build?.assets.get(name)
    if (file === undefined) throw noFile()
    return send(request, reply.headers(name.endsWith('.html') ? readerHeaders : assetHeaders), file)
  })
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const { slug } = request.params as { slug?: string }
    const tenant = slug === undefined ? await addresses.byHost(request.hostname) : await addresses.bySlug(slug)
    if (tenant === null) {
      reply.callNotFound()
      return reply
    }
    const headers = consoleHeaders(await origins.all())
    if (build === null) {
      return reply.code(503).headers(headers).type('text/plain; charset=utf-8').send(notBuilt)
    }
    const root = slug === undefined ? '/console' : `/t/${slug}/console`
    const [path = ''] = request.url.split('?')
    const files = build.findFiles(path.slice(root.length), String(request.headers['accept-language'] ?? ''))
    return send(request, reply.headers(headers).header('link', preloadLinks(root, files)), build.page)
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

/** Has the boot request and the screen's own files loaded with the page's (RFC 8288; HTML, "preload"): a round trip less for each. */
function preloadLinks(root: string, files: readonly string[]): string {
  const boot = `<${root}/v1/boot>; rel=preload; as=fetch; crossorigin=anonymous`
  return [boot, ...files.map((file) => `</console/${file}>; rel=modulepreload`)].join(', ')
}

const notBuilt =
  'The console was not built with this service. Run `npm run build` in its folder, or install a release, and start it again.\n'

function send(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const encoding = encodingFor(file, String(request.headers['accept-encoding'] ?? ''))
  const bytes = getBytes(file, encoding)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(file.mediaType).send(bytes)
}

/** Throws `route_not_found` for a file that a newer build replaced while the service runs. */
function getBytes({ bytes }: ConsoleFile, encoding: Encoding): Buffer {
  try {
    return (bytes[encoding] ?? bytes.identity)()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw noFile()
    throw error
  }
}

const noFile = () => new Problem('route_not_found', 'There is no such file.')

/** The origins of file addresses, found by signing one, whatever the storage. */
export class FileOrigins {
  readonly #platform: Pick<ConsolePlatform, 'store' | 'publicUrl'>
  #known: readonly string[] | null = null

  constructor(platform: Pick<ConsolePlatform, 'store' | 'publicUrl'>) {
    this.#platform = platform
  }

  /**
   * Where the storage cannot sign, such as without credentials, only the origin of the service; tried again the next
   * time.
   */
  async all(): Promise<readonly string[]> {
    if (this.#known !== null) return this.#known
    const { store, publicUrl } = this.#platform
    const own = new URL(publicUrl).origin
    const grant = {
      key: fileKey(newId(), newId()),
      fileName: 'file',
      mimeType: 'image/png',
      disposition: 'inline',
    } as const
    try {
      const signed = await store.signDownload({ ...grant, expiresAt: new Date(Date.now() + 60_000) })
      this.#known = [...new Set([own, new URL(signed).origin])]
      return this.#known
    } catch {
      return [own]
    }
  }
}
