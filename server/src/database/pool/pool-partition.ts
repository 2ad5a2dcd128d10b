import { Cancelled, DatabaseUnavailable } from '../database-errors.ts'
import { type Cancellation, isUnwanted, onCancel } from '../transaction/cancellation.ts'

/** Bounds of a pool partition: its slots, and its queue per tenant. */
export interface PartitionLimits {
  /** The partition's name as error texts and metrics show it, such as `writes`. */
  readonly name: string
  readonly places: number
  /** Maximum length of one tenant's queue. */
  readonly longestLine: number
  /** Maximum wait for a slot, in milliseconds. */
  readonly timeoutMs: number
}

/** The current use of a pool partition; `refused` counts rejected requests since the process started. */
export interface PartitionState {
  readonly name: string
  readonly places: number
  readonly held: number
  readonly waiting: number
  readonly refused: number
}

interface Waiting {
  enter(): void
  refuse(error: Error): void
}

/**
 * Bulkhead: a bounded number of slots, shared fairly between tenants. A tenant may take one more only while it holds fewer
 * than are free, so that long work of one tenant leaves slots to those that come later; a tenant that holds none gets any
 * free slot. Waiting requests queue per tenant, and the queues are served round-robin. A queue that is full or too slow
 * rejects requests of its own tenant only.
 */
export class PoolPartition {
  readonly #limits: PartitionLimits
  readonly #held = new Map<string, number>()
  /** The queues that are not empty, in round-robin order: the next to be served first. */
  readonly #lines = new Map<string, Set<Waiting>>()
  #free: number
  #waiting = 0
  #rejected = 0

  constructor(limits: PartitionLimits) {
    this.#limits = limits
    this.#free = limits.places
  }

  get state(): PartitionState {
    const { name, places: slots } = this.#limits
    return { name, places: slots, held: slots - this.#free, waiting: this.#waiting, refused: this.#rejected }
  }

  /**
   * Acquires a slot, at once or after queueing; the caller releases it by `leave`.
   *
   * @throws DatabaseUnavailable when the tenant's queue is full, or the wait exceeds `timeoutMs`
   * @throws Cancelled when the caller cancels before a slot is free
   */
  enter(tenantId: string, use: Cancellation = {}): undefined | Promise<void> {
    const line = this.#lines.get(tenantId)
    if (line === undefined && this.#mayTake(tenantId)) {
      this.#take(tenantId)
      return undefined
    }
    if (line !== undefined && line.size >= this.#limits.longestLine) {
      this.#rejected += 1
      throw this.#overloaded(`${line.size} wait already`)
    }
    if (isUnwanted(use)) throw new Cancelled()
    return this.#wait(tenantId, line ?? new Set(), use)
  }

  /** Releases a slot. */
  leave(tenantId: string): void {
    const held = this.#held.get(tenantId)
    if (held === undefined) throw new Error('a slot was released that was not held')
    if (held === 1) this.#held.delete(tenantId)
    else this.#held.set(tenantId, held - 1)
    this.#free += 1
    this.#letIn()
  }

  /** Rejects every waiting request with `error`. */
  clear(error: Error): void {
    for (const line of [...this.#lines.values()]) for (const waiting of [...line]) waiting.refuse(error)
  }

  #mayTake(tenantId: string): boolean {
    const held = this.#held.get(tenantId)
    return this.#free > (held ?? 0)
  }

  #take(tenantId: string): void {
    this.#held.set(tenantId, (this.#held.get(tenantId) ?? 0) + 1)
    this.#free -= 1
  }

  #wait(tenantId: string, line: Set<Waiting>, use: Cancellation): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaveLine = () => {
        clearTimeout(timer)
        stopListening()
        line.delete(waiting)
        if (line.size === 0) this.#lines.delete(tenantId)
        this.#waiting -= 1
      }
      const waiting: Waiting = {
        enter: () => {
          leaveLine()
          this.#take(tenantId)
          resolve()
        },
        refuse: (error) => {
          leaveLine()
          reject(error)
        },
      }
      const stopListening = onCancel(use, () => waiting.refuse(new Cancelled()))
      const timer = setTimeout(() => {
        this.#rejected += 1
        waiting.refuse(this.#overloaded('the wait was too long'))
      }, this.#limits.timeoutMs)
      line.add(waiting)
      if (line.size === 1) this.#lines.set(tenantId, line)
      this.#waiting += 1
    })
  }

  /** Serves the queues round-robin while slots are free. */
  #letIn(): void {
    for (let isSomebody = this.#waiting > 0; isSomebody; ) {
      isSomebody = false
      for (const [tenantId, line] of [...this.#lines]) {
        if (!this.#mayTake(tenantId)) continue
        const [first] = line
        // Back to the end of the round.
        this.#lines.delete(tenantId)
        if (line.size > 1) this.#lines.set(tenantId, line)
        ;(first as Waiting).enter()
        isSomebody = true
        if (this.#free === 0) return
      }
    }
  }

  #overloaded(reason: string): DatabaseUnavailable {
    const { name, places: slots } = this.#limits
    return new DatabaseUnavailable(
      `Too many concurrent requests of this tenant: in the pool partition ${name} ${reason}. Nothing was done. ` +
        `Send fewer at a time (${Math.ceil(slots / 2)} run concurrently), and repeat this one.`,
      2,
    )
  }
}
