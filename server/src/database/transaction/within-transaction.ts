import { AsyncLocalStorage } from 'node:async_hooks'

const inside = new AsyncLocalStorage<true>()

/** Runs what must not take a second connection, see `requireOutsideTransaction`. */
export function markTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  return inside.run(true, work)
}

/** Runs what goes on beside a transaction and is not awaited in it. */
export function outsideTransaction<Result>(work: () => Result): Result {
  return inside.exit(work)
}

/**
 * Throws when it is called out of a transaction: as many transactions as there are connections, of which each waits for another
 * connection, would wait for ever.
 */
export function requireOutsideTransaction(): void {
  if (inside.getStore() === true) throw new Error('a transaction must not take a second connection')
}
