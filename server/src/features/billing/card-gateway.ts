import { createHmac, timingSafeEqual } from 'node:crypto'
import { outgoingTrace, traced } from '../../tracing/index.ts'

/** The credentials of an institution's account at the card gateway. */
export interface GatewayAccount {
  readonly key: string
  readonly secret: string
}

/** An order at the gateway, to be paid by card. */
export interface GatewayOrder {
  readonly id: string
  /** In the smallest unit of the currency, such as cents. */
  readonly amount: number
  readonly currency: string
}

/** A captured payment of an order. */
export interface CapturedPayment {
  readonly id: string
  readonly orderId: string
  /** In the smallest unit of the currency, such as cents. */
  readonly amount: number
  readonly currency: string
  readonly madeAt: Date
}

/** A call to the gateway failed: it rejected account or order, or did not respond. */
export class GatewayError extends Error {
  /** Whether the gateway rejected the call; else it may be retried. */
  readonly isRejected: boolean

  constructor({ isRejected }: { readonly isRejected: boolean }) {
    super(isRejected ? 'the card gateway refused the order' : 'the card gateway does not answer')
    this.isRejected = isRejected
  }
}

const timeoutMs = 10_000

/**
 * The client of the card gateway, for the part of Razorpay's API that upstream uses. Makes no call without an account.
 */
export class CardGateway {
  readonly #url: string

  /** The base address of its API. */
  constructor(url: string) {
    this.#url = url
  }

  /** Creates an order. Throws `GatewayError`. */
  async createOrder(account: GatewayAccount, order: Omit<GatewayOrder, 'id'>): Promise<GatewayOrder> {
    const made = (await this.#call(account, '/v1/orders', order)) as Partial<GatewayOrder> | null
    if (typeof made?.id !== 'string' || made.id === '' || made.id.length > 140)
      throw new GatewayError({ isRejected: false })
    return { id: made.id, amount: order.amount, currency: order.currency }
  }

  /** The captured payments of an order. Throws `GatewayError`. */
  async listCapturedPayments(account: GatewayAccount, orderId: string): Promise<CapturedPayment[]> {
    const response = (await this.#call(account, `/v1/orders/${encodeURIComponent(orderId)}/payments`)) as {
      readonly items?: unknown
    } | null
    if (!Array.isArray(response?.items)) throw new GatewayError({ isRejected: false })
    const payments = response.items.map(parseCapturedPayment)
    return payments.filter((payment) => payment !== null && payment.orderId === orderId) as CapturedPayment[]
  }

  #call(account: GatewayAccount, path: string, body?: object): Promise<unknown> {
    return traced('card gateway', 'client', {}, () => this.#send(account, path, body))
  }

  async #send({ key, secret }: GatewayAccount, path: string, body?: object): Promise<unknown> {
    let response: Response
    try {
      response = await fetch(this.#url + path, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'error',
        headers: {
          authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
          ...outgoingTrace(),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch {
      throw new GatewayError({ isRejected: false })
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw new GatewayError({ isRejected: response.status < 500 && response.status !== 429 })
    }
    return response.json().catch(() => null)
  }
}

/** Parses a payment of the gateway; null unless it is a captured payment of an order. */
export function parseCapturedPayment(payment: unknown): CapturedPayment | null {
  if (typeof payment !== 'object' || payment === null) return null
  const { id, order_id: orderId, amount, currency, status, created_at: seconds } = payment as Record<string, unknown>
  const isText = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,140}$/.test(value)
  if (status !== 'captured') return null
  if (!isText(id) || !isText(orderId) || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0) return null
  // The gateway counts whole seconds; one millisecond more, because a timestamp at midnight would mean a date.
  const moment = typeof seconds === 'number' && seconds > 0 && seconds < 1e11 ? seconds * 1000 + 1 : Date.now()
  return { id, orderId, amount, currency, madeAt: new Date(Math.min(Math.floor(moment), Date.now())) }
}

/**
 * Whether a payment of an order is signed by the gateway: HMAC-SHA256 (RFC 2104) of both ids joined by `|`, by the
 * account's secret, in hexadecimal.
 */
export function isGatewaySignature(
  { secret }: Pick<GatewayAccount, 'secret'>,
  { orderId, paymentId, signature }: { orderId: string; paymentId: string; signature: string },
): boolean {
  return isSigned(secret, `${orderId}|${paymentId}`, signature)
}

/** Whether a webhook call is signed by the gateway: HMAC-SHA256 of its body by the webhook's own secret. */
export function isWebhookSignature(secret: string, body: Uint8Array, signature: string): boolean {
  return isSigned(secret, body, signature)
}

function isSigned(secret: string, text: string | Uint8Array, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(text).digest()
  const sent = /^[0-9a-f]{64}$/i.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(0)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
