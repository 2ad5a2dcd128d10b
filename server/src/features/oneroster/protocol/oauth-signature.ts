import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The parameters of a header `Authorization: OAuth …` (RFC 5849 §3.5.1). */
export type OAuthParameters = ReadonlyMap<string, string>

/** Maximum difference between the clock of a client and ours, in seconds. */
export const maxClockSkew = 300

/** Reads the header; null where it is another scheme or has no parameter. */
export function parseOAuthHeader(header: string | undefined): OAuthParameters | null {
  const list = /^OAuth\s+(.+)$/is.exec(header ?? '')?.[1]
  if (list === undefined) return null
  const pairs = [...list.matchAll(/(?<![\w.~-])([\w.~-]+)\s*=\s*"([^"]*)"/g)]
  return new Map(pairs.map(([, name = '', value = '']) => [name, decode(value)]))
}

/** What a signature is made over. */
export interface SignedRequest {
  readonly method: string
  /** The addresses that the client may have signed, without their query: a proxy may end TLS. */
  readonly addresses: readonly string[]
  readonly query: string
}

const algorithms: ReadonlyMap<string, string> = new Map([
  ['HMAC-SHA1', 'sha1'],
  ['HMAC-SHA256', 'sha256'],
])

/** Whether a signature method is one of ours. */
export const isKnownMethod = (method: string | undefined) => algorithms.has(method ?? '')

/** Whether a request is signed with a secret (RFC 5849 §3.4.2). */
export function isSignedWith(secret: string, parameters: OAuthParameters, request: SignedRequest): boolean {
  const algorithm = algorithms.get(parameters.get('oauth_signature_method') ?? '')
  if (algorithm === undefined) return false
  const given = Buffer.from(parameters.get('oauth_signature') ?? '', 'base64')
  const key = `${encode(secret)}&`
  return getBaseStrings(parameters, request).some((base) => {
    const expected = createHmac(algorithm, key).update(base).digest()
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
}

/** The texts that may have been signed: clients differ in what a plus sign of the query stands for. */
function getBaseStrings(parameters: OAuthParameters, { method, addresses, query }: SignedRequest): string[] {
  const own = [...parameters].filter(([name]) => name !== 'oauth_signature' && name !== 'realm')
  const readings = query.includes('+') ? [query.replaceAll('+', ' '), query] : [query]
  return readings.flatMap((reading) => {
    const pairs = [...own, ...parseQuery(reading)].map(([name, value]) => [encode(name), encode(value)] as const)
    const normalized = pairs
      .sort(([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue))
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    return addresses.map((address) => [method.toUpperCase(), encode(address), encode(normalized)].join('&'))
  })
}

function parseQuery(query: string): (readonly [string, string])[] {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      return equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))]
    })
}

/** Whether a timestamp is close enough to our clock. */
export function isCurrent(timestamp: string | undefined, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp ?? '') && Math.abs(Number(timestamp) - now / 1000) <= maxClockSkew
}

/** What identifies a request of a consumer: nonce and timestamp, as a hash. */
export function hashNonce(parameters: OAuthParameters): Buffer {
  return createHash('sha256')
    .update(`${parameters.get('oauth_timestamp')} ${parameters.get('oauth_nonce')}`)
    .digest()
}

/** Percent-encoding by RFC 5849 §3.6. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
