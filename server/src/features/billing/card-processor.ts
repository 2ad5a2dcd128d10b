import { outgoingTrace, traced } from '../../tracing/index.ts'

/** The processors of card payments that an institution may have an account at. */
export type ProcessorName = 'razorpay' | 'stripe'

/** The credentials of an institution's account at a processor. */
export interface GatewayAccount {
  readonly processor: ProcessorName
  /** What the payer's browser names the account by. */
  readonly key: string
  readonly secret: string
}

/** An order at the processor, to be paid by card. */
export interface GatewayOrder {
  readonly id: string
  /** In the smallest unit of the currency, such as cents. */
  readonly amount: number
  readonly currency: string
  /** What the payer's browser needs to pay it, where the processor has such. */
  readonly clientSecret?: string
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

/** What a processor of card payments does, with an account there. */
export interface CardProcessor {
  /** Creates an order. Throws `GatewayError`. */
  createOrder(account: GatewayAccount, order: Pick<GatewayOrder, 'amount' | 'currency'>): Promise<GatewayOrder>
  /** The captured payments of an order. Throws `GatewayError`. */
  listCapturedPayments(account: GatewayAccount, orderId: string): Promise<CapturedPayment[]>
}

const timeoutMs = 10_000

/** A call to the API of a processor: its answer as JSON, null for what is none. Throws `GatewayError`. */
export function callProcessor(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body?: string },
): Promise<unknown> {
  return traced('card gateway', 'client', {}, async () => {
    let response: Response
    try {
      response = await fetch(url, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'error',
        headers: { ...headers, ...outgoingTrace() },
        ...(body !== undefined && { body }),
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
  })
}

/** Whether something is an id that a processor gave. */
export function isProcessorId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,140}$/.test(value)
}

/** The moment of whole seconds; now for what is none, or in the future. */
export function momentOf(seconds: unknown): Date {
  // One millisecond more, because a timestamp at midnight would mean a date.
  const moment = typeof seconds === 'number' && seconds > 0 && seconds < 1e11 ? seconds * 1000 + 1 : Date.now()
  return new Date(Math.min(Math.floor(moment), Date.now()))
}
