import { type Client, Problem } from '@matricula/client'
import type { Ledger } from './ledger.ts'

/**
 * Brings a ledger in step with the payments of an institution. The event feed is what it believes: it has every event once and in order, and
 * a webhook only says that there is something new. What is booked follows from the payment as it is now, so it does not matter how
 * often, or how late, it is looked at.
 */
export class Bridge {
  readonly #client: Client
  readonly #ledger: Ledger
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(client: Client, ledger: Ledger) {
    this.#client = client
    this.#ledger = ledger
  }

  /** Books everything that has happened until now. Many who ask at once are served by one who looks after they asked. */
  catchUp(): Promise<void> {
    if (this.#running === null) {
      this.#running = this.#bookFeed().finally(() => {
        this.#running = null
      })
      return this.#running
    }
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null
        return this.catchUp()
      })
    return this.#next
  }

  async #bookFeed(): Promise<void> {
    const position = (await this.#ledger.position()) ?? (await this.#begin())
    const feed = this.#client.events.list({ after: position, types: ['payment.*'] })
    for await (const { entityId } of feed) {
      await this.#bookPayment(entityId)
      await this.#ledger.keepPosition(feed.position as string)
    }
    await this.#ledger.keepPosition(feed.position as string)
  }

  /** Before the first time: what was paid until now, and the position from before it was read. */
  async #begin(): Promise<string> {
    const position = await this.#client.events.latest()
    for await (const { id } of this.#client.payments.list({ status: 'paid' })) await this.#bookPayment(id)
    await this.#ledger.keepPosition(position)
    return position
  }

  async #bookPayment(id: string): Promise<void> {
    const payment = await this.#client.payments.get(id).catch((error) => {
      if (error instanceof Problem && error.code === 'resource_not_found') return null
      throw error
    })
    const { externalId = null, studentCode = '', description = 'Deleted' } = payment ?? {}
    const wanted = payment?.status === 'paid' ? { amount: String(payment.amount), currency: payment.currency } : null
    await this.#ledger.book({ paymentId: id, externalId, studentCode, description }, wanted)
  }
}
