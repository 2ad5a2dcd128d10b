import type { components } from './generated/openapi.ts'

/** What a webhook tells. Its id is that of the event, the same in each attempt and in the feed. */
export type WebhookMessage = components['schemas']['WebhookBody'] & { readonly id: string }

/** A request that is not to be believed. Answer it with 400 and do nothing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

type AnyHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface WebhookOptions {
  /** How old a request may be, in seconds, and how far ahead; 300 unless told otherwise. */
  readonly tolerance?: number
}

/**
 * The message of a webhook, once its signature (Standard Webhooks 1.0.0) was found to be made with the secret over this very body.
 *
 * @param rawBody the body as it came, before anything parsed it.
 * @param secret `whsec_…`; several while a secret is being replaced.
 * @throws WebhookRefused where it is not signed with the secret, or is too old.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: AnyHeaders,
  secret: string | readonly string[],
  { tolerance = 300 }: WebhookOptions = {},
): Promise<WebhookMessage> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  const age = Date.now() / 1000 - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN)
  if (!(Math.abs(age) <= tolerance)) {
    throw new WebhookRefused(
      `The webhook-timestamp is more than ${tolerance} s away. Check that the clock of this machine is right.`,
    )
  }
  const body = typeof rawBody === 'string' ? encode(rawBody) : rawBody
  const signed = joined(encode(`${id}.${timestamp}.`), body)
  for (const one of [secret].flat()) {
    const key = await crypto.subtle.importKey('raw', keyOf(one), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures) {
      const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : null
      // It compares in constant time.
      if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return messageOf(id, body)
    }
  }
  throw new WebhookRefused('No signature of webhook-signature is made with this secret over this body.')
}

function messageOf(id: string, body: Uint8Array): WebhookMessage {
  return { id, ...JSON.parse(new TextDecoder().decode(body)) }
}

function headerOf(headers: AnyHeaders, name: string): string {
  const plain = headers as Readonly<Record<string, string | readonly string[] | undefined>>
  const given = headers instanceof Headers ? headers.get(name) : (plain[name] ?? plain[nameInCapitals(name)])
  const value = typeof given === 'string' ? given : (given?.join(' ') ?? '')
  if (value === '') throw new WebhookRefused(`The header ${name} is missing.`)
  return value
}

/** `webhook-id` → `Webhook-Id`. */
function nameInCapitals(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.replace(/^whsec_/, ''))
  if (key === null || key.length === 0)
    throw new TypeError('This is no secret of a webhook: they begin with whsec_ and go on in base64.')
  return key
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(one.length + other.length)
  bytes.set(one)
  bytes.set(other, one.length)
  return bytes
}
