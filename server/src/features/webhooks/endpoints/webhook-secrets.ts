import { createHmac, randomBytes } from 'node:crypto'
import type { SecretSeal } from '../../../identity/index.ts'

const prefix = 'whsec_'

/** A new secret: 32 random bytes, in the form of Standard Webhooks 1.0.0. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

/** The encryption purpose of an endpoint's secret: the ciphertext can be decrypted for this endpoint only. */
export function sealPurpose(tenantId: string, webhookId: string): string {
  return `webhook ${tenantId} ${webhookId}`
}

/** Decrypts the secret of an endpoint. Throws `SealError`. */
export function openSecret(seal: SecretSeal, tenantId: string, webhookId: string, sealed: string): string {
  return seal.open(sealed, sealPurpose(tenantId, webhookId))
}

/** The signed content: id, time of sending, and body. */
export interface SignedContent {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: Buffer
}

/** The header `webhook-signature` of Standard Webhooks 1.0.0: one `v1` (HMAC-SHA256, base64) for each secret. */
export function signatureHeader(secrets: readonly string[], { id, timestamp, body }: SignedContent): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
    })
    .join(' ')
}
