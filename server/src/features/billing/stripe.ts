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
import { isHmac } from './razorpay.ts'

/** Stripe: an order is a PaymentIntent, which the payer's browser confirms by its client secret. */
export class Stripe implements CardProcessor {
  readonly #url: string

  /** The base address of its API. */
  constructor(url: string) {
    this.#url = url
  }

  async createOrder(
    account: GatewayAccount,
    { amount, currency }: Pick<GatewayOrder, 'amount' | 'currency'>,
  ): Promise<GatewayOrder> {
    const asked = new URLSearchParams({
      amount: String(amount * factorOf(currency)),
      currency: currency.toLowerCase(),
      'automatic_payment_methods[enabled]': 'true',
    })
    const made = (await this.#call(account, '/v1/payment_intents', asked)) as Record<string, unknown> | null
    const { id, client_secret: clientSecret } = made ?? {}
    if (!isIntent(id) || typeof clientSecret !== 'string') throw new GatewayError({ isRejected: false })
    return { id, amount, currency, clientSecret }
  }

  async listCapturedPayments(account: GatewayAccount, orderId: string): Promise<CapturedPayment[]> {
    const intent = await this.#call(account, `/v1/payment_intents/${encodeURIComponent(orderId)}`)
    if (intent === null) throw new GatewayError({ isRejected: false })
    const captured = parseIntent(intent)
    return captured?.orderId === orderId ? [captured] : []
  }

  #call({ secret }: GatewayAccount, path: string, form?: URLSearchParams): Promise<unknown> {
    const authorization = `Bearer ${secret}`
    if (form === undefined) return callProcessor(this.#url + path, { headers: { authorization } })
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
    return callProcessor(this.#url + path, { headers, body: form.toString() })
  }
}

const isIntent = (value: unknown): value is string => isProcessorId(value) && isStripeOrder(value)

/** Whether an order was made at Stripe. */
export function isStripeOrder(orderId: string): boolean {
  return orderId.startsWith('pi_')
}

/** Stripe counts some currencies without minor units in hundredths. */
function factorOf(currency: string): number {
  return currency === 'ISK' || currency === 'UGX' ? 100 : 1
}

/** What an event of Stripe reports. */
export type StripeReport =
  | { readonly kind: 'captured'; readonly captured: CapturedPayment }
  /** The whole of a captured payment went back. */
  | { readonly kind: 'refunded'; readonly paymentId: string; readonly orderId: string }

/** What a signed event reports; null for what is of no concern. */
export function parseStripeEvent(event: object): StripeReport | null {
  const { type, data } = event as { type?: unknown; data?: { object?: unknown } }
  const object = typeof data?.object === 'object' && data.object !== null ? data.object : {}
  if (type === 'payment_intent.succeeded') {
    const captured = parseIntent(object)
    return captured === null ? null : { kind: 'captured', captured }
  }
  if (type !== 'charge.refunded') return null
  const { id, refunded, payment_intent: orderId } = object as Record<string, unknown>
  return refunded === true && isProcessorId(id) && isIntent(orderId)
    ? { kind: 'refunded', paymentId: id, orderId }
    : null
}

/** Parses a PaymentIntent; null unless its money was captured. */
function parseIntent(intent: unknown): CapturedPayment | null {
  if (typeof intent !== 'object' || intent === null) return null
  const {
    id,
    status,
    amount_received: received,
    currency: unit,
    latest_charge: charge,
    created,
  } = intent as Record<string, unknown>
  if (status !== 'succeeded' || !isIntent(id) || typeof unit !== 'string' || !/^[a-z]{3}$/.test(unit)) return null
  const currency = unit.toUpperCase()
  if (typeof received !== 'number' || !Number.isSafeInteger(received) || received <= 0) return null
  const amount = received / factorOf(currency)
  if (!Number.isInteger(amount)) return null
  return { id: isProcessorId(charge) ? charge : id, orderId: id, amount, currency, madeAt: momentOf(created) }
}

/** How far the clock of a signature may be off, in seconds: as Stripe's own library has it. */
const toleranceSeconds = 300

/**
 * Whether a webhook call is signed by Stripe, just now: `t` and HMAC-SHA256 of `t`, a dot and the body in one of the `v1`,
 * by the secret of the webhook.
 */
export function isStripeSignature(secret: string, body: Uint8Array, header: string, now = Date.now()): boolean {
  const pairs = header.split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined])
  const time = pairs.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(now / 1000 - Number(time)) > toleranceSeconds) return false
  const signed = Buffer.concat([Buffer.from(`${time}.`), body])
  return pairs.slice(0, 20).some(([name, value]) => name === 'v1' && isHmac(secret, signed, value ?? ''))
}
