import { Cancelled, type Database, DatabaseUnavailable, sql } from '../../database/index.ts'
import { orderEvents } from './event-feed.ts'

/** The polling interval while readers wait, in milliseconds. */
const pollMs = 200

/** The maximum number of tenants whose events are ordered at once. */
const maxConcurrentTenants = 8

/** The time limit per tenant, in milliseconds; the rest continues at a later poll. */
const orderTimeoutMs = 5_000

interface Waiter {
  readonly after: number
  readonly wake: () => void
}

/**
 * Wakes readers that wait for events by one poll per process, five times a second while there are any. A waiting reader
 * costs no statement and no connection. Polling is used because NOTIFY would serialise every commit of the database.
 */
export class EventWatch {
  readonly #database: Database
  readonly #report: (error: unknown) => void
  readonly #waiters = new Map<string, Set<Waiter>>()
  /** The tenants whose events are being ordered. */
  readonly #ordering = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  /** `report` is told of what fails although the database is there. */
  constructor(database: Database, report: (error: unknown) => void) {
    this.#database = database
    this.#report = report
  }

  /** The number of waiting readers. */
  get waiting(): number {
    return [...this.#waiters.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Resolves once the tenant has an event after a position, or when the signal is aborted. */
  eventAfter(tenantId: string, after: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const waiters = this.#waiters.get(tenantId) ?? new Set()
      this.#waiters.set(tenantId, waiters)
      const wake = () => {
        signal.removeEventListener('abort', wake)
        waiters.delete(waiter)
        if (waiters.size === 0 && this.#waiters.get(tenantId) === waiters) this.#waiters.delete(tenantId)
        if (this.#waiters.size === 0) clearTimeout(this.#timer)
        resolve()
      }
      const waiter = { after, wake }
      waiters.add(waiter)
      signal.addEventListener('abort', wake)
      this.#lookSoon()
    })
  }

  #lookSoon(): void {
    if (this.#isLooking) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#look(), pollMs)
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    try {
      const states = await this.#database.readAtEach<{ id: string; last: number; isBehind: boolean }>(
        [...this.#waiters.keys()],
        (tenants) => sql`
          select tenant_id as id, last_position as last, is_behind as "isBehind"
            from event_feed_states(${tenants}::uuid[])`,
      )
      for (const { id, last, isBehind } of states) {
        this.#wake(id, last)
        const isFree = !this.#ordering.has(id) && this.#ordering.size < maxConcurrentTenants
        if (isBehind && isFree) void this.#order(id)
      }
    } catch (error) {
      this.#recordFailure(error)
    } finally {
      this.#isLooking = false
      if (this.#waiters.size > 0) this.#lookSoon()
    }
  }

  /** Puts a tenant's events in order beside the look, so that a tenant whose database work waits keeps nobody else from theirs. */
  async #order(tenantId: string): Promise<void> {
    this.#ordering.add(tenantId)
    try {
      const signal = AbortSignal.timeout(orderTimeoutMs)
      this.#wake(tenantId, await orderEvents(this.#database.for({ signal }), tenantId))
    } catch (error) {
      this.#recordFailure(error)
    } finally {
      this.#ordering.delete(tenantId)
    }
  }

  /** Whoever waits is told nothing until it succeeds again, or until their time is over. */
  #recordFailure(error: unknown): void {
    if (!(error instanceof DatabaseUnavailable || error instanceof Cancelled)) this.#report(error)
  }

  #wake(tenantId: string, last: number): void {
    for (const waiter of [...(this.#waiters.get(tenantId) ?? [])]) if (waiter.after < last) waiter.wake()
  }
}
