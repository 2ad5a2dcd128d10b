import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** A request of a tenant. */
export interface RequestReference {
  readonly tenantId: string
  readonly requestId: string
}

const uuidBytes = 16
const signatureBytes = 16
const tokenPattern = /^[A-Za-z0-9_-]{64}$/

/**
 * The token of the public page of a request: tenant id, request id and 128 bits of their HMAC-SHA256 (RFC 2104,
 * truncated as its §5 permits), in base64url. It follows from the ids and the secret key alone and is not stored.
 */
export function buildRequestToken(secretKey: string, { tenantId, requestId }: RequestReference): string {
  const ids = Buffer.concat([toBytes(tenantId), toBytes(requestId)])
  return Buffer.concat([ids, signature(secretKey, ids)]).toString('base64url')
}

/** The request of a token; null when it was not made with this key. */
export function openRequestToken(secretKey: string, token: string): RequestReference | null {
  if (!tokenPattern.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const ids = bytes.subarray(0, 2 * uuidBytes)
  if (!timingSafeEqual(bytes.subarray(2 * uuidBytes), signature(secretKey, ids))) return null
  return { tenantId: toUuid(ids.subarray(0, uuidBytes)), requestId: toUuid(ids.subarray(uuidBytes)) }
}

/** The addresses of public pages. */
export class RequestLinks {
  readonly #secretKey: string
  readonly #publicUrl: string

  constructor({ secretKey, publicUrl }: { secretKey: string; publicUrl: string }) {
    this.#secretKey = secretKey
    this.#publicUrl = publicUrl
  }

  getAddress(request: RequestReference): string {
    return `${this.#publicUrl}/r/${buildRequestToken(this.#secretKey, request)}`
  }
}

/** The key is derived per purpose (HKDF, RFC 5869), so that no other signature by the secret key opens a page. */
function signature(secretKey: string, ids: Buffer): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'matricula', 'public page of a document request, 1', 32))
  return createHmac('sha256', key).update(ids).digest().subarray(0, signatureBytes)
}

function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
