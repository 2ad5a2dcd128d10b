import { Cancelled, type Database, DatabaseUnavailable, sql } from '../../database/index.ts'
import { orderEvents } from './event-feed.ts'

/** How often is looked whether there is something for those who wait, in milliseconds. */
const lookEvery = 200

/** How many tenants' events are put in order at once. */
const orderedAtOnce = 8

/** How long one tenant's may take, in milliseconds: what is not done by then goes on at a later look. */
const orderedWithin = 5_000

interface Waiter {
  readonly after: number
  readonly wake: () => void
}

/**
 * Wakes those who wait for events: one look of the process for all of them, every fifth of a second while somebody waits. Whoever
 * waits costs no statement and holds no connection. It looks instead of being told, because a NOTIFY would make every commit of
 * the database wait for every other.
 */
export class EventWatch {
  readonly #database: Database
  readonly #report: (error: unknown) => void
  readonly #waiters = new Map<string, Set<Waiter>>()
  /** The tenants whose events are being put in order. */
  readonly #ordering = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  /** `report` is told of what fails although the database is there. */
  constructor(database: Database, report: (error: unknown) => void) {
    this.#database = database
    this.#report = report
  }

  /** How many wait. */
  get waiting(): number {
    return [...this.#waiters.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Resolves once the tenant has an event behind a position, or when the signal is aborted. */
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
    this.#timer = setTimeout(() => void this.#look(), lookEvery)
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
        const isFree = !this.#ordering.has(id) && this.#ordering.size < orderedAtOnce
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
      const signal = AbortSignal.timeout(orderedWithin)
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
