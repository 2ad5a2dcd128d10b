import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matches } from '../changes/index.ts'
import { whileUsed } from '../concurrency/index.ts'

/** Content Security Policy of the pages: style, icon and script of this service, and no requests. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every public document. */
export const documentHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
} as const

export const htmlType = 'text/html; charset=utf-8'

/** An entry of the search index. */
export interface SearchEntry {
  readonly title: string
  /** Its kind, such as `Guide` or `POST /v1/students`. */
  readonly kind: string
  readonly address: string
}

type Encoding = 'br' | 'gzip' | 'identity'

interface Made {
  /**
   * Its bytes in each encoding; identity is created on demand, since it is rarely requested and several times as large.
   */
  readonly bytes: Readonly<Record<Encoding, () => Buffer>>
  readonly hash: string
}

/** Builds a document with its search entries. */
export type MakeDocument = () => string | Buffer | Promise<string | Buffer>

/**
 * The public documents. Each is built lazily on first request, compressed once by Brotli and gzip, and has a strong
 * ETag per encoding (RFC 9110 §8.8.3.3).
 */
export class ServedDocuments {
  readonly #app: FastifyInstance
  readonly #entries: (() => readonly SearchEntry[])[] = []

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  /** Serves a document at a path; `entries` are its search entries. */
  serve(address: string, mediaType: string, make: MakeDocument, entries?: () => readonly SearchEntry[]): void {
    if (entries !== undefined) this.#entries.push(entries)
    let made: Promise<Made> | undefined
    this.#app.get(address, async (request: FastifyRequest, reply: FastifyReply) => {
      made ??= encode(make)
      const { bytes, hash } = await made.catch((error: unknown) => {
        made = undefined
        throw error
      })
      const encoding = encodingFor(request.headers['accept-encoding'] ?? '')
      const entityTag = encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`
      reply.headers(documentHeaders).header('etag', entityTag)
      const condition = request.headers['if-none-match']
      if (condition !== undefined && matches(condition.replace(/W\//g, ''), entityTag)) return reply.code(304).send()
      if (encoding !== 'identity') reply.header('content-encoding', encoding)
      return reply.type(mediaType).send(bytes[encoding]())
    })
  }

  /** All search entries. */
  entries(): SearchEntry[] {
    return this.#entries.flatMap((entries) => entries())
  }
}

async function encode(make: MakeDocument): Promise<Made> {
  const identity = Buffer.from(await make())
  // One level below the maximum takes a twelfth of the time and 8 % more bytes.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity, { params }), promisify(gzip)(identity)])
  const bytes = { br: () => br, gzip: () => zipped, identity: whileUsed(() => gunzipSync(zipped)) }
  return { bytes, hash: createHash('sha256').update(identity).digest('base64url') }
}

/** The best encoding that a client takes (RFC 9110 §12.5.3): Brotli, else gzip, else none. */
function encodingFor(accepted: string): Encoding {
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part
        .toLowerCase()
        .split(';')
        .map((each) => each.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number(weight)]
    }),
  )
  const getWeight = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  const [best = 'identity'] = (['br', 'gzip'] as const)
    .filter((name) => getWeight(name) > 0)
    .sort((one, other) => getWeight(other) - getWeight(one))
  return best
}
