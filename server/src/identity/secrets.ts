import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ApiKeyKind } from '@matricula/contract'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 43
const checksumLength = 6
const prefixes: Record<ApiKeyKind, string> = { client: 'mtc_', resource: 'mtr_' }
const form = new RegExp(`^mt[cr]_[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/**
 * A new secret: `mtc_` (Client API) or `mtr_` (Resource API), 43 random base62 characters (256 bits), and a CRC-32 in
 * 6 more, so that a damaged copy is detected without a query.
 */
export function newSecret(kind: ApiKeyKind): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  const head = prefixes[kind] + random
  return head + checksum(head)
}

/** The surface of a secret, or null when it is malformed or damaged. */
export function kindOfSecret(secret: string): ApiKeyKind | null {
  if (!form.test(secret)) return null
  const head = secret.slice(0, -checksumLength)
  if (checksum(head) !== secret.slice(-checksumLength)) return null
  return secret.startsWith(prefixes.client) ? 'client' : 'resource'
}

/** The stored hash of a secret. With 256 random bits, a plain SHA-256 cannot be reversed by guessing. */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function checksum(text: string): string {
  let value = crc32(text)
  let digits = ''
  for (let position = 0; position < checksumLength; position += 1) {
    digits = alphabet[value % alphabet.length] + digits
    value = Math.floor(value / alphabet.length)
  }
  return digits
}
