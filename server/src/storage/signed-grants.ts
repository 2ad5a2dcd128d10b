import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { DownloadGrant, UploadGrant } from './file-grants.ts'

interface Grants {
  readonly upload: UploadGrant
  readonly download: DownloadGrant
}

type Purpose = keyof Grants

const form = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/

/**
 * Turns grants into tokens that fit into a path, and back. A token is the grant as JSON and its HMAC-SHA256 (RFC
 * 2104), each in base64url; each purpose has a key of its own, derived from the service's secret key by HKDF (RFC
 * 5869), so that neither stands in for the other or for anything else that the secret key signs.
 */
export class SignedGrants {
  readonly #keys: Readonly<Record<Purpose, Buffer>>

  constructor(secretKey: string) {
    const derive = (purpose: Purpose) =>
      Buffer.from(hkdfSync('sha256', secretKey, 'matricula', `signed file address, ${purpose}, 1`, 32))
    this.#keys = { upload: derive('upload'), download: derive('download') }
  }

  seal<Name extends Purpose>(purpose: Name, grant: Grants[Name]): string {
    const payload = Buffer.from(JSON.stringify({ ...grant, expiresAt: grant.expiresAt.getTime() })).toString(
      'base64url',
    )
    return `${payload}.${this.#signature(purpose, payload)}`
  }

  /** The grant of a token, also when it has expired; null when the token is not one of ours for this purpose. */
  open<Name extends Purpose>(purpose: Name, token: string): Grants[Name] | null {
    if (!form.test(token)) return null
    const [payload, signature] = token.split('.') as [string, string]
    // The texts are compared, not the bytes that they stand for, so that a token has one spelling only.
    const expected = this.#signature(purpose, payload)
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return null
    const grant = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { expiresAt: number }
    return { ...grant, expiresAt: new Date(grant.expiresAt) } as unknown as Grants[Name]
  }

  #signature(purpose: Purpose, payload: string): string {
    return createHmac('sha256', this.#keys[purpose]).update(payload).digest('base64url')
  }
}
