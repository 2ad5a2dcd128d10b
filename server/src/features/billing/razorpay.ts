import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type CapturedPayment,
  type CardProcessor,
  callProcessor,
  type GatewayAccount,
  GatewayError,
  type GatewayOrder,
  isProcessorId,
  momentOf,
} from './card-processor.ts'

/** Razorpay: the part of its API that upstream uses. */
export class Razorpay implements CardProcessor {
  readonly #url: string

  /** The base address of its API. */
  constructor(url: string) {
    this.#url = url
  }

  async createOrder(account: GatewayAccount, order: Pick<GatewayOrder, 'amount' | 'currency'>): Promise<GatewayOrder> {
    const made = (await this.#call(account, '/v1/orders', order)) as Partial<GatewayOrder> | null
    if (typeof made?.id !== 'string' || made.id === '' || made.id.length > 140)
      throw new GatewayError({ isRejected: false })
    return { id: made.id, amount: order.amount, currency: order.currency }
  }

  async listCapturedPayments(account: GatewayAccount, orderId: string): Promise<CapturedPayment[]> {
    const response = (await this.#call(account, `/v1/orders/${encodeURIComponent(orderId)}/payments`)) as {
      readonly items?: unknown
    } | null
    if (!Array.isArray(response?.items)) throw new GatewayError({ isRejected: false })
    const payments = response.items.map(parseCapturedPayment)
    return payments.filter((payment) => payment !== null && payment.orderId === orderId) as CapturedPayment[]
  }

  #call({ key, secret }: GatewayAccount, path: string, body?: object): Promise<unknown> {
    const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
    if (body === undefined) return callProcessor(this.#url + path, { headers: { authorization } })
    const headers = { authorization, 'content-type': 'application/json' }
    return callProcessor(this.#url + path, { headers, body: JSON.stringify(body) })
  }
}

/** Parses a payment of Razorpay; null unless it is a captured payment of an order. */
export function parseCapturedPayment(payment: unknown): CapturedPayment | null {
  if (typeof payment !== 'object' || payment === null) return null
  const { id, order_id: orderId, amount, currency, status, created_at: seconds } = payment as Record<string, unknown>
  if (status !== 'captured') return null
  if (!isProcessorId(id) || !isProcessorId(orderId)) return null
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0) return null
  return { id, orderId, amount, currency, madeAt: momentOf(seconds) }
}

/**
 * Whether a payment of an order is signed by Razorpay: HMAC-SHA256 (RFC 2104) of both ids joined by `|`, by the
 * account's secret, in hexadecimal.
 */
export function isGatewaySignature(
  { secret }: Pick<GatewayAccount, 'secret'>,
  { orderId, paymentId, signature }: { orderId: string; paymentId: string; signature: string },
): boolean {
  return isHmac(secret, `${orderId}|${paymentId}`, signature)
}

/** Whether a webhook call is signed by Razorpay: HMAC-SHA256 of its body by the webhook's own secret. */
export function isWebhookSignature(secret: string, body: Uint8Array, signature: string): boolean {
  return isHmac(secret, body, signature)
}

/** Whether a text in hexadecimal is the HMAC-SHA256 (RFC 2104) of another one. */
export function isHmac(secret: string, text: string | Uint8Array, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(text).digest()
  const sent = /^[0-9a-f]{64}$/i.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(0)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
