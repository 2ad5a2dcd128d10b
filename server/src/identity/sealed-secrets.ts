import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const form = /^sealed:1:([0-9a-f]{8}):([\w-]{16}):([\w-]{22,})$/
const tagBytes = 16

/** A secret was encrypted with another key, or its stored form was altered. The message says what to do. */
export class SealError extends Error {}

/**
 * Encrypts secrets at rest that the service itself must use, such as those of a card gateway: AES-256-GCM (NIST SP
 * 800-38D) under a key derived from SECRET_KEY by HKDF-SHA-256 (RFC 5869). The stored form is `sealed:1:`, the key
 * id, the nonce, and the ciphertext with its tag. The purpose is bound as associated data, so that a value is valid
 * for nothing else.
 */
export class SecretSeal {
  /** Identifies the SECRET_KEY without revealing it. */
  readonly keyId: string
  readonly #key: Buffer

  constructor(secretKey: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secretKey, '', 'matricula secrets at rest 1', 32))
    this.keyId = createHash('sha256').update('key id').update(this.#key).digest('hex').slice(0, 8)
  }

  /** Encrypts a secret to its stored form, with a random nonce. */
  seal(secret: string, purpose: string): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagBytes })
    cipher.setAAD(Buffer.from(purpose))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `sealed:1:${this.keyId}:${nonce.toString('base64url')}:${sealed.toString('base64url')}`
  }

  /** Decrypts a secret of this purpose. Throws `SealError`. */
  open(stored: string, purpose: string): string {
    const [, keyId, nonce = '', sealed = ''] = form.exec(stored) ?? []
    if (keyId !== this.keyId) {
      throw new SealError(
        keyId === undefined
          ? 'A stored secret is damaged. Enter it anew.'
          : `A stored secret was encrypted under another SECRET_KEY (key id ${keyId}, now ${this.keyId}). Start the service with that SECRET_KEY again, or enter the secret anew.`,
      )
    }
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, Buffer.from(nonce, 'base64url'), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(purpose))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString('utf8')
    } catch {
      throw new SealError('A stored secret was altered, or belongs elsewhere. Enter it anew.')
    }
  }

  /** Whether a value was encrypted with this key. */
  isOwn(stored: string): boolean {
    return form.exec(stored)?.[1] === this.keyId
  }
}

/** Whether a text is the stored form of a secret. */
export function isSealed(text: string): boolean {
  return form.test(text)
}

/** The length of the plain secret in bytes. */
export function sealedLength(stored: string): number {
  const sealed = form.exec(stored)?.[3] ?? ''
  return Math.max(Math.floor((sealed.length * 3) / 4) - tagBytes, 0)
}
