import { createHmac, timingSafeEqual } from 'node:crypto'

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

/** The gateway did not make an order: it refused the account or the order, or it did not answer. */
export class GatewayError extends Error {
  /** Whether it answered and said no; else it may be asked again. */
  readonly isRefused: boolean

  constructor(isRefused: boolean) {
    super(isRefused ? 'the card gateway refused the order' : 'the card gateway does not answer')
    this.isRefused = isRefused
  }
}

const patienceMilliseconds = 10_000

/** The card gateway, by the part of Razorpay's API that upstream uses. Nothing is asked of it without an account. */
export class CardGateway {
  readonly #url: string

  /** The address of its API, without a path. */
  constructor(url: string) {
    this.#url = url
  }

  /** Makes an order. Throws `GatewayError`. */
  async createOrder({ key, secret }: GatewayAccount, order: Omit<GatewayOrder, 'id'>): Promise<GatewayOrder> {
    let answer: Response
    try {
      answer = await fetch(`${this.#url}/v1/orders`, {
        method: 'POST',
        redirect: 'error',
        headers: {
          authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(order),
        signal: AbortSignal.timeout(patienceMilliseconds),
      })
    } catch {
      throw new GatewayError(false)
    }
    if (!answer.ok) {
      await answer.body?.cancel()
      throw new GatewayError(answer.status < 500 && answer.status !== 429)
    }
    const made = (await answer.json().catch(() => null)) as Partial<GatewayOrder> | null
    if (typeof made?.id !== 'string' || made.id === '' || made.id.length > 140) throw new GatewayError(false)
    return { id: made.id, amount: order.amount, currency: order.currency }
  }
}

/**
 * Whether the gateway signed that a payment pays an order: HMAC-SHA256 (RFC 2104) of the two ids with `|` between them, by
 * the secret of the account, in hexadecimal.
 */
export function isGatewaySignature(
  { secret }: Pick<GatewayAccount, 'secret'>,
  { orderId, paymentId, signature }: { orderId: string; paymentId: string; signature: string },
): boolean {
  const expected = createHmac('sha256', secret).update(`${orderId}|${paymentId}`).digest()
  const sent = /^[0-9a-f]{64}$/i.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(0)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
