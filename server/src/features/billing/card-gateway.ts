import { createHmac, timingSafeEqual } from 'node:crypto'
import { outgoingTrace, traced } from '../../tracing/index.ts'

/** What opens the account of an institution at the card gateway. */
export interface GatewayAccount {
  readonly key: string
  readonly secret: string
}

/** An order at the gateway, which a card pays. */
export interface GatewayOrder {
  readonly id: string
  /** In the smallest unit of the currency, such as cents. */
  readonly amount: number
  readonly currency: string
}

/** A payment of an order by which the gateway took the money. */
export interface CapturedPayment {
  readonly id: string
  readonly orderId: string
  /** In the smallest unit of the currency, such as cents. */
  readonly amount: number
  readonly currency: string
  readonly madeAt: Date
}

/** The gateway did not do what it was asked: it refused the account or the order, or it did not answer. */
export class GatewayError extends Error {
  /** Whether it answered and said no; else it may be asked again. */
  readonly isRefused: boolean

  constructor({ isRefused }: { readonly isRefused: boolean }) {
    super(isRefused ? 'the card gateway refused the order' : 'the card gateway does not answer')
    this.isRefused = isRefused
  }
}

const timeoutMs = 10_000

/** The card gateway, by the part of Razorpay's API that upstream uses. Nothing is asked of it without an account. */
export class CardGateway {
  readonly #url: string

  /** The address of its API, without a path. */
  constructor(url: string) {
    this.#url = url
  }

  /** Makes an order. Throws `GatewayError`. */
  async createOrder(account: GatewayAccount, order: Omit<GatewayOrder, 'id'>): Promise<GatewayOrder> {
    const made = (await this.#ask(account, '/v1/orders', order)) as Partial<GatewayOrder> | null
    if (typeof made?.id !== 'string' || made.id === '' || made.id.length > 140)
      throw new GatewayError({ isRefused: false })
    return { id: made.id, amount: order.amount, currency: order.currency }
  }

  /** The payments by which the money of an order was taken. Throws `GatewayError`. */
  async capturedPayments(account: GatewayAccount, orderId: string): Promise<CapturedPayment[]> {
    const response = (await this.#ask(account, `/v1/orders/${encodeURIComponent(orderId)}/payments`)) as {
      readonly items?: unknown
    } | null
    if (!Array.isArray(response?.items)) throw new GatewayError({ isRefused: false })
    const payments = response.items.map(capturedPayment)
    return payments.filter((payment) => payment !== null && payment.orderId === orderId) as CapturedPayment[]
  }

  #ask(account: GatewayAccount, path: string, body?: object): Promise<unknown> {
    return traced('card gateway', 'client', {}, () => this.#call(account, path, body))
  }

  async #call({ key, secret }: GatewayAccount, path: string, body?: object): Promise<unknown> {
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
      throw new GatewayError({ isRefused: false })
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw new GatewayError({ isRefused: response.status < 500 && response.status !== 429 })
    }
    return response.json().catch(() => null)
  }
}

/** What the gateway says of a payment, where it says that it captured the money of an order; else null. */
export function capturedPayment(said: unknown): CapturedPayment | null {
  if (typeof said !== 'object' || said === null) return null
  const { id, order_id: orderId, amount, currency, status, created_at: seconds } = said as Record<string, unknown>
  const isText = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,140}$/.test(value)
  if (status !== 'captured') return null
  if (!isText(id) || !isText(orderId) || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0) return null
  // It counts whole seconds, and a stamp at midnight would mean a bare day.
  const moment = typeof seconds === 'number' && seconds > 0 && seconds < 1e11 ? seconds * 1000 + 1 : Date.now()
  return { id, orderId, amount, currency, madeAt: new Date(Math.min(Math.floor(moment), Date.now())) }
}

/**
 * Whether the gateway signed that a payment pays an order: HMAC-SHA256 (RFC 2104) of the two ids with `|` between them, by
 * the secret of the account, in hexadecimal.
 */
export function isGatewaySignature(
  { secret }: Pick<GatewayAccount, 'secret'>,
  { orderId, paymentId, signature }: { orderId: string; paymentId: string; signature: string },
): boolean {
  return isSigned(secret, `${orderId}|${paymentId}`, signature)
}

/** Whether the gateway signed a call of the webhook: HMAC-SHA256 of the bytes of its body by the webhook's own secret. */
export function isWebhookSignature(secret: string, body: Uint8Array, signature: string): boolean {
  return isSigned(secret, body, signature)
}

function isSigned(secret: string, text: string | Uint8Array, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(text).digest()
  const sent = /^[0-9a-f]{64}$/i.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(0)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
