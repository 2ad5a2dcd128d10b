import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterFile } from '../../testing/runner/file-end.ts'

/** A payment as the gateway returns it. */
export interface GatewayPayment {
  readonly id: string
  readonly order_id: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly created_at: number
}

/** A stub of the card gateway: creates orders, knows their payments, and signs as the real one does. */
export class StandInGateway {
  /** The received calls. */
  readonly calls: { path: string; authorization: string | undefined; order: Record<string, unknown> | null }[] = []
  /** The status of its next responses. */
  responseStatus = 200
  readonly #orders = new Map<string, { amount: number; currency: string }>()
  readonly #payments: GatewayPayment[] = []
  readonly #server = createServer(async (request, response) => {
    const answer = await this.#respond(request)
    response.writeHead(this.responseStatus, { 'content-type': 'application/json' })
    response.end(JSON.stringify(this.responseStatus === 200 ? answer : { error: {} }))
  })

  /** Listens until the calling test file ends. */
  static async start(): Promise<StandInGateway> {
    const gateway = new StandInGateway()
    await new Promise<void>((resolve) => gateway.#server.listen(0, '127.0.0.1', resolve))
    afterFile(() => gateway.#server.close())
    return gateway
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Captures the money of an order, by default all of it, without a report. */
  capture(orderId: string, facts: Partial<GatewayPayment> = {}): GatewayPayment {
    const order = this.#orders.get(orderId) ?? { amount: 100, currency: 'USD' }
    const payment = {
      id: `pay_${this.#payments.length + 1}`,
      order_id: orderId,
      ...order,
      status: 'captured',
      created_at: Math.floor(Date.now() / 1000),
      ...facts,
    }
    this.#payments.push(payment)
    return payment
  }

  async #respond(request: IncomingMessage): Promise<object> {
    const path = request.url ?? ''
    const order = request.method === 'POST' ? ((await json(request)) as { amount: number; currency: string }) : null
    this.calls.push({ path, authorization: request.headers.authorization, order: order as never })
    if (order === null) {
      const [, orderId] = /^\/v1\/orders\/([\w-]+)\/payments$/.exec(path) ?? []
      return { entity: 'collection', items: this.#payments.filter((payment) => payment.order_id === orderId) }
    }
    const id = `order_${this.#orders.size + 1}`
    if (this.responseStatus === 200) this.#orders.set(id, { amount: order.amount, currency: order.currency })
    return { id, ...order }
  }
}

/** What the gateway's checkout returns to the payer's browser. */
export const signed = (orderId: string, paymentId: string, secret: string) => ({
  razorpay_order_id: orderId,
  razorpay_payment_id: paymentId,
  razorpay_signature: createHmac('sha256', secret).update(`${orderId}|${paymentId}`).digest('hex'),
})

/** A webhook call for a payment, signed by a secret. */
export function gatewayEvent(
  payment: object,
  secret: string,
  { event = 'payment.captured', id = '' } = {},
): RequestInit {
  const body = JSON.stringify({ entity: 'event', event, payload: { payment: { entity: payment } } })
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-razorpay-signature': createHmac('sha256', secret).update(body).digest('hex'),
      ...(id !== '' && { 'x-razorpay-event-id': id }),
    },
  }
}
