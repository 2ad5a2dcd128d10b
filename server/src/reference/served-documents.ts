import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matches } from '../changes/index.ts'
import { whileUsed } from '../concurrency/index.ts'

/** What the pages may load: their style, icon and script, from here; and they send nothing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every document that needs no token. */
export const documentHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
} as const

export const htmlType = 'text/html; charset=utf-8'

/** Something that the search of the pages finds. */
export interface SearchEntry {
  readonly title: string
  /** What it is, such as `Guide` or `POST /v1/students`. */
  readonly kind: string
  readonly address: string
}

type Encoding = 'br' | 'gzip' | 'identity'

interface Made {
  /** Its bytes in each encoding. Hardly anybody asks for those as they are, which are several times as many. */
  readonly bytes: Readonly<Record<Encoding, () => Buffer>>
  readonly hash: string
}

/** Makes a document with what its search entries point to. */
export type MakeDocument = () => string | Buffer | Promise<string | Buffer>

/**
 * Documents that need no token. Each is made when it is first asked for, so that it costs the start nothing, compressed once by
 * Brotli and gzip, and has a strong ETag for each of its encodings (RFC 9110 §8.8.3.3).
 */
export class ServedDocuments {
  readonly #app: FastifyInstance
  readonly #entries: (() => readonly SearchEntry[])[] = []

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  /** Answers an address with a document; `entries` are what the search finds on it. */
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

  /** Everything that the search finds. */
  entries(): SearchEntry[] {
    return this.#entries.flatMap((entries) => entries())
  }
}

async function encode(make: MakeDocument): Promise<Made> {
  const identity = Buffer.from(await make())
  // One below the best takes a twelfth of its time and 8 % more bytes.
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
