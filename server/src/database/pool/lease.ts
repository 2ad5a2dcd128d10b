import type pg from 'pg'
import { asDatabaseError, Cancelled } from '../database-errors.ts'
import { type Cancellation, isUnwanted, onCancel } from '../transaction/cancellation.ts'
import type { SessionContext } from '../transaction/session-context.ts'
import { cutOff, requestCancel } from './driver.ts'
import type { FailureCounts } from './failure-counts.ts'
import type { Rests } from './tenant-contention.ts'

/** How often a server is asked again to cancel what it has not ended yet. */
const cancelEveryMilliseconds = 500

/**
 * A connection that somebody has for itself until `giveBack`. When nobody wants what is done on it any more, its statement is
 * cancelled and it is not used again, because a cancellation that comes late would hit whoever had it next.
 */
export class Lease {
  readonly client: pg.PoolClient
  /** The schema that shows the tenant's shards, see `SessionContext`. */
  readonly shards: SessionContext['shards']
  readonly #counts: FailureCounts
  readonly #leave: () => void
  /** Rests between two statements of work that takes long, where it is due. */
  readonly rest: () => Promise<void> | undefined
  #isBroken = false
  #isUnwanted: boolean
  #isBack = false
  #cancelling: NodeJS.Timeout | undefined
  readonly #stopListening: () => void

  constructor(
    client: pg.PoolClient,
    cancellation: Cancellation,
    counts: FailureCounts,
    {
      leave,
      rests,
      shards,
    }: { readonly leave: () => void; readonly rests: Rests | null; readonly shards: SessionContext['shards'] },
  ) {
    this.client = client
    this.shards = shards
    this.rest = () => rests?.take()
    this.#counts = counts
    this.#leave = leave
    this.#isUnwanted = isUnwanted(cancellation)
    this.#stopListening = this.#isUnwanted ? () => {} : onCancel(cancellation, this.#cancel)
  }

  /** Throws `Cancelled` once nobody waits for the outcome. */
  requireWanted(): void {
    if (this.#isUnwanted) throw new Cancelled()
  }

  /** From here on nothing is cancelled: what is sent now is wanted whoever is gone. Throws `Cancelled`. */
  protect(): void {
    this.requireWanted()
    this.#stopListening()
  }

  /** Ends what the connection is doing, and the connection, without waiting for either. */
  breakOff(): void {
    if (this.#isBroken) return
    this.#isBroken = true
    // A statement that computes would not notice before it has something to say.
    requestCancel(this.client)
    cutOff(this.client, new Error('Connection terminated'))
  }

  /** What is to be told of an error of the work, which is counted. */
  explain(error: unknown): unknown {
    return this.#counts.count(this.#isUnwanted ? new Cancelled() : asDatabaseError(error))
  }

  /** Gives it back, once. */
  giveBack(): void {
    if (this.#isBack) return
    this.#isBack = true
    clearInterval(this.#cancelling)
    this.#stopListening()
    this.client.release(this.#isBroken || this.#isUnwanted)
    this.#leave()
  }

  readonly #cancel = () => {
    this.#isUnwanted = true
    requestCancel(this.client)
    // The server may have been between two statements that were both on their way.
    this.#cancelling = setInterval(() => requestCancel(this.client), cancelEveryMilliseconds).unref()
  }
}
