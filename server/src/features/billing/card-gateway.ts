import type { CapturedPayment, CardProcessor, GatewayAccount, GatewayOrder, ProcessorName } from './card-processor.ts'
import { Razorpay } from './razorpay.ts'
import { Stripe } from './stripe.ts'

/** The processors of card payments; each is asked for institutions with an account there. Makes no call without one. */
export class CardGateway {
  readonly #processors: Readonly<Record<ProcessorName, CardProcessor>>

  /** @param url Where their APIs are, for tests and stand-ins; null: at the processors themselves. */
  constructor(url: string | null) {
    this.#processors = {
      razorpay: new Razorpay(url ?? 'https://api.razorpay.com'),
      stripe: new Stripe(url ?? 'https://api.stripe.com'),
    }
  }

  /** Creates an order. Throws `GatewayError`. */
  createOrder(account: GatewayAccount, order: Pick<GatewayOrder, 'amount' | 'currency'>): Promise<GatewayOrder> {
    return this.#processors[account.processor].createOrder(account, order)
  }

  /** The captured payments of an order. Throws `GatewayError`. */
  listCapturedPayments(account: GatewayAccount, orderId: string): Promise<CapturedPayment[]> {
    return this.#processors[account.processor].listCapturedPayments(account, orderId)
  }
}
