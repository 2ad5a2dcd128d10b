import { Cancelled, DatabaseUnavailable } from '../database-errors.ts'
import { type Cancellation, isUnwanted, onCancel } from '../transaction/cancellation.ts'

/** How many may be in a room, and how many may wait before its door. */
export interface PartitionLimits {
  /** What the room is for, as the one who is refused reads it, such as `writes`. */
  readonly name: string
  readonly places: number
  /** How many of one tenant may wait. */
  readonly longestLine: number
  /** How long one may wait. */
  readonly timeoutMs: number
}

/** What a room is doing just now, and how many it has refused since it was opened. */
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
 * A bounded number of places, shared fairly between tenants. A tenant may take one more only while it holds fewer than are
 * free, so that what one tenant holds for long, however much it asks for, leaves places to those who come later; whoever holds
 * none is let in as long as there is any place. Who has to wait stands in a line of its tenant, and the lines take turns. A line
 * that is full or too slow refuses its own tenant only.
 */
export class PoolPartition {
  readonly #limits: PartitionLimits
  readonly #held = new Map<string, number>()
  /** The lines that somebody stands in, the one whose turn is next at first. */
  readonly #lines = new Map<string, Set<Waiting>>()
  #free: number
  #waiting = 0
  #rejected = 0

  constructor(limits: PartitionLimits) {
    this.#limits = limits
    this.#free = limits.places
  }

  get state(): PartitionState {
    const { name, places: locations } = this.#limits
    return { name, places: locations, held: locations - this.#free, waiting: this.#waiting, refused: this.#rejected }
  }

  /**
   * Takes a place, at once or when its turn has come; whoever has one gives it back by `leave`.
   *
   * @throws DatabaseUnavailable when the tenant's line is full, or the wait was too long
   * @throws WorkUnwanted when nobody wants it any more before its turn has come
   */
  enter(tenantId: string, use: Cancellation = {}): undefined | Promise<void> {
    const line = this.#lines.get(tenantId)
    if (line === undefined && this.#mayTake(tenantId)) {
      this.#take(tenantId)
      return undefined
    }
    if (line !== undefined && line.size >= this.#limits.longestLine) {
      this.#rejected += 1
      throw this.#refusal(`${line.size} wait already`)
    }
    if (isUnwanted(use)) throw new Cancelled()
    return this.#wait(tenantId, line ?? new Set(), use)
  }

  /** Gives a place back. */
  leave(tenantId: string): void {
    const held = this.#held.get(tenantId)
    if (held === undefined) throw new Error('a place was given back that nobody held')
    if (held === 1) this.#held.delete(tenantId)
    else this.#held.set(tenantId, held - 1)
    this.#free += 1
    this.#letIn()
  }

  /** Refuses everybody who waits. */
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
        waiting.refuse(this.#refusal('the wait was too long'))
      }, this.#limits.timeoutMs)
      line.add(waiting)
      if (line.size === 1) this.#lines.set(tenantId, line)
      this.#waiting += 1
    })
  }

  /** Lets in whoever may enter now: of each line one, then of each the next. */
  #letIn(): void {
    for (let isSomebody = this.#waiting > 0; isSomebody; ) {
      isSomebody = false
      for (const [tenantId, line] of [...this.#lines]) {
        if (!this.#mayTake(tenantId)) continue
        const [first] = line
        // Its turn comes again when every other line had one.
        this.#lines.delete(tenantId)
        if (line.size > 1) this.#lines.set(tenantId, line)
        ;(first as Waiting).enter()
        isSomebody = true
        if (this.#free === 0) return
      }
    }
  }

  #refusal(reason: string): DatabaseUnavailable {
    const { name, places: locations } = this.#limits
    return new DatabaseUnavailable(
      `Too many requests of this institution at once: of its ${name} ${reason}. Nothing was done. Send fewer at a time (${Math.ceil(locations / 2)} run together), and repeat this one.`,
      2,
    )
  }
}
