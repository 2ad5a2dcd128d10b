import { type Database, sql } from '../../database/index.ts'
import { orderEvents } from './event-feed.ts'

/** How often is looked whether there is something for those who wait, in milliseconds. */
const lookEvery = 200

/** How many tenants' events are put in order at once. */
const orderedAtOnce = 4

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
  readonly #waiters = new Map<string, Set<Waiter>>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor(database: Database) {
    this.#database = database
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
      const states = await this.#database.readGlobal<{ id: string; last: number; isBehind: boolean }>(sql`
        select tenant_id as id, last_position as last, is_behind as "isBehind"
          from event_feed_states(${[...this.#waiters.keys()]}::uuid[])`)
      for (const { id, last } of states) this.#wake(id, last)
      const behind = states.filter(({ isBehind }) => isBehind)
      const takeTurns = async () => {
        for (let state = behind.pop(); state !== undefined; state = behind.pop()) {
          const { id } = state
          // Whoever waits asks again; what could not be ordered now is ordered at the next look.
          await orderEvents(this.#database, id).then(
            (last) => this.#wake(id, last),
            () => {},
          )
        }
      }
      await Promise.all(Array.from({ length: orderedAtOnce }, takeTurns))
    } catch {
      // The database is not there: those who wait are told nothing until it is, or until their time is over.
    } finally {
      this.#isLooking = false
      if (this.#waiters.size > 0) this.#lookSoon()
    }
  }

  #wake(tenantId: string, last: number): void {
    for (const waiter of [...(this.#waiters.get(tenantId) ?? [])]) if (waiter.after < last) waiter.wake()
  }
}
