import { TenantContention } from '../../database/index.ts'

/** Maximum concurrent requests of a tenant while other tenants have requests too. */
const maxContended = 3

/** And while no other tenant has: more would only queue in the process and in the pool partitions. */
const uncontended = 24

/** And for requests with more than `manyRecords` records, which cost as much to parse and write as several others. */
const uncontendedWithMany = 12
const manyRecords = 40

/** And for group commit, whose requests cost little while they wait for their batch: two full batches. */
const uncontendedBatched = 48

/** After this time a request is assumed to wait for I/O and no longer counts. */
const slotTimeoutMs = 250

/** Maximum queue per tenant; requests beyond it pass and are rejected further on, such as by the pool partitions. */
const maxWaiting = 500

/** What is known of a request before it starts. */
export interface WorkKind {
  /** Whether it is a member of a group commit, see `GroupCommit`. */
  readonly usesGroupCommit?: boolean
  /** Maximum number of records in its response. */
  readonly records?: number | undefined
}

/** A request that runs or waits to run. */
export interface Slot {
  readonly share: Share
  /** Maximum concurrent requests of its tenant, itself included, for it to start without contention. */
  readonly maxRunning: number
  /** Start, in milliseconds of `performance.now()`. */
  startedAt: number
  readonly start: () => void
}

/** The running and waiting requests of one tenant. */
interface Share {
  readonly tenantId: string
  /** Whether other tenants have requests too. */
  isContended: boolean
  /** Running requests that still count, in order of their start. */
  readonly running: Slot[]
  readonly waiting: Slot[]
  /** Set while requests wait: releases slots of requests that run for long. */
  timer: NodeJS.Timeout | undefined
}

/**
 * Fair scheduling: shares the single thread of a process between tenants. While several tenants have requests, only a
 * few of each run at once, so that none queues behind dozens of another tenant. Without contention a tenant gets as
 * many slots as keep the database busy.
 */
export class TenantShares {
  readonly #shares = new Map<string, Share>()
  readonly #contention = new TenantContention()

  /** A slot, at once or as soon as the tenant has one free. The caller runs its work with `during`. */
  enter(tenantId: string, kind: WorkKind = {}): Slot | Promise<Slot> {
    const share = this.#getShare(tenantId)
    share.isContended = this.#contention.meets(tenantId)
    const max = maxUncontended(kind)
    // First in, first out: a request that needs more slots would otherwise starve.
    const isFree = share.waiting.length === 0 && hasFreeSlot(max, share)
    if (!isFree && share.waiting.length < maxWaiting) return enqueue(share, max)
    const slot = { share, maxRunning: max, startedAt: performance.now(), start: () => {} }
    if (isFree) share.running.push(slot)
    return slot
  }

  /** Whether a tenant has at most one request running or waiting. */
  isAlone(tenantId: string): boolean {
    const { running = [], waiting = [] } = this.#shares.get(tenantId) ?? {}
    return running.length + waiting.length <= 1
  }

  /** Runs work in a slot and releases the slot afterwards. */
  during<Result>(slot: Slot, work: () => Promise<Result>): Promise<Result> {
    let working: Promise<Result>
    try {
      working = work()
    } catch (error) {
      working = Promise.reject(error)
    }
    const end = () => this.#end(slot)
    working.then(end, end)
    return working
  }

  /** Runs `work` when the tenant has a slot free. */
  run<Result>(tenantId: string, work: () => Promise<Result>, kind?: WorkKind): Promise<Result> {
    const entering = this.enter(tenantId, kind)
    if (entering instanceof Promise) return entering.then((slot) => this.during(slot, work))
    return this.during(entering, work)
  }

  #getShare(tenantId: string): Share {
    const known = this.#shares.get(tenantId)
    if (known !== undefined) return known
    const share: Share = { tenantId, isContended: false, running: [], waiting: [], timer: undefined }
    this.#shares.set(tenantId, share)
    return share
  }

  #end(slot: Slot): void {
    const { share } = slot
    release(share, slot)
    if (share.running.length === 0 && this.#shares.get(share.tenantId) === share) this.#shares.delete(share.tenantId)
  }
}

function maxUncontended({ usesGroupCommit = false, records = 1 }: WorkKind): number {
  if (usesGroupCommit) return uncontendedBatched
  return records > manyRecords ? uncontendedWithMany : uncontended
}

function hasFreeSlot(max: number, { isContended, running }: Share): boolean {
  return running.length < (isContended ? maxContended : max)
}

function enqueue(share: Share, max: number): Promise<Slot> {
  return new Promise((resolve) => {
    const slot: Slot = { share, maxRunning: max, startedAt: 0, start: () => resolve(slot) }
    share.waiting.push(slot)
    scheduleCheck(share)
  })
}

/** Releases a slot and starts the requests that may start now. */
function release(share: Share, slot: Slot): void {
  const { running, waiting } = share
  const position = running.indexOf(slot)
  if (position >= 0) running.splice(position, 1)
  for (let [next] = waiting; next !== undefined && hasFreeSlot(next.maxRunning, share); [next] = waiting) {
    waiting.shift()
    next.startedAt = performance.now()
    running.push(next)
    next.start()
  }
}

function scheduleCheck(share: Share): void {
  const [first] = share.running
  if (share.timer !== undefined || first === undefined) return
  share.timer = setTimeout(
    () => {
      share.timer = undefined
      const latest = performance.now() - slotTimeoutMs
      for (const slot of share.running.filter(({ startedAt }) => startedAt <= latest)) release(share, slot)
      if (share.waiting.length > 0) scheduleCheck(share)
    },
    Math.max(1, first.startedAt + slotTimeoutMs - performance.now()),
  )
}
