import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterFile } from '../../testing/runner/file-end.ts'

/** A PaymentIntent as Stripe answers it. */
export interface Intent {
  readonly id: string
  readonly object: 'payment_intent'
  readonly amount: number
  readonly amount_received: number
  readonly currency: string
  readonly status: string
  readonly latest_charge: string | null
  readonly client_secret: string
  readonly created: number
}

/** A double of Stripe's API: makes PaymentIntents, and knows which were paid. */
export class StripeDouble {
  /** The received calls. */
  readonly calls: { path: string; authorization: string | undefined; form: Record<string, string> }[] = []
  readonly #intents = new Map<string, Intent>()
  readonly #server = createServer(async (request, response) => {
    const found = await this.#respond(request)
    response.writeHead(found === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? { error: { type: 'invalid_request_error' } }))
  })

  /** Listens until the calling test file ends. */
  static async start(): Promise<StripeDouble> {
    const double = new StripeDouble()
    await new Promise<void>((resolve) => double.#server.listen(0, '127.0.0.1', resolve))
    afterFile(() => double.#server.close())
    return double
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Captures the money of an intent, by default all of it, without a report. */
  capture(id: string, facts: Partial<Intent> = {}): Intent {
    const intent = this.#intents.get(id) as Intent
    const paid = { ...intent, status: 'succeeded', amount_received: intent.amount, latest_charge: `ch_${id}`, ...facts }
    this.#intents.set(id, paid)
    return paid
  }

  async #respond(request: IncomingMessage): Promise<Intent | null> {
    const path = request.url ?? ''
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    this.calls.push({ path, authorization: request.headers.authorization, form })
    if (request.method === 'GET') return this.#intents.get(path.replace('/v1/payment_intents/', '')) ?? null
    if (path !== '/v1/payment_intents') return null
    const id = `pi_${this.#intents.size + 1}`
    const intent: Intent = {
      ...{ id, object: 'payment_intent', amount: Number(form.amount), amount_received: 0, latest_charge: null },
      ...{ currency: form.currency ?? '', status: 'requires_payment_method', client_secret: `${id}_secret_x` },
      created: Math.floor(Date.now() / 1000),
    }
    this.#intents.set(id, intent)
    return intent
  }
}

/**
 * A webhook call as Stripe signs it: the scheme of its libraries (`Webhook.generateTestHeaderString`), HMAC-SHA256 of the
 * time, a dot and the payload.
 */
export function stripeEvent(
  type: string,
  object: object,
  secret: string,
  { id = `evt_${Math.random().toString(36).slice(2)}`, at = Math.floor(Date.now() / 1000) } = {},
): RequestInit {
  const body = JSON.stringify({ id, object: 'event', type, data: { object } })
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature},v0=00` },
  }
}
