import { Cancelled, DatabaseUnavailable } from '../database-errors.ts'
import { type Transaction, TransactionRestart } from './transaction.ts'

type Work<Result> = (tx: Transaction) => Promise<Result>

/** How the writes of a group are run. */
export interface GroupedWrites {
  /** In a transaction of its own. */
  runSeparately<Result>(work: Work<Result>): Promise<Result>
  /** In a transaction that several share, which is not retried. */
  runShared<Result>(work: Work<Result>): Promise<Result>
  /** Whether the caller has cancelled. */
  isCancelled(): boolean
}

/** A write that waits for a batch. */
interface Waiting {
  readonly work: Work<unknown>
  readonly runner: GroupedWrites
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A member of a batch has to restart, which the shared transaction cannot do. */
class BatchMemberRestart extends Error {}

/** The writes of one kind of a tenant. */
interface WriteQueue {
  running: number
  /** The number of writes in running batches. */
  members: number
  waiting: Waiting[]
  isScheduled: boolean
  /** Until then its writes run separately, in milliseconds of the process clock. */
  separateUntil: number
}

/** Batches of one queue that run at once: while PostgreSQL processes one, the process prepares the other. */
const maxAtOnce = 2

/**
 * While a batch runs, the next one starts once it has this share of the running members: a smaller one would pay for a commit of its own
 * that it can share with writes still to come.
 */
const minShare = 0.75

/** The maximum size of a batch, so that its first write does not wait too long. */
const maxBatch = 24

/** If no batch runs and more than this many writes wait, half of them start, so that the other half can run beside them. */
const minSplit = 8

/** A batch that takes longer probably waits for a lock, and no longer delays the next one. */
const slowAfterMs = 50

/** After a failed member made a batch run again separately, how long writes of its kind stay separate. */
const separateMs = 500

/**
 * Group commit: puts concurrent small writes of one kind and tenant into one transaction, so that they share its begin, commit and flush,
 * and one statement can serve what all members need in the same tick. A member uses a transaction whose `whole` is the shared one.
 *
 * A member that fails before it has sent a statement of its own fails alone. If one fails later, or the commit fails, the batch is rolled
 * back and every member runs in a transaction of its own. Callers get their outcome after the commit.
 */
export class GroupCommit {
  readonly #queues = new Map<string, WriteQueue>()

  /** Runs a write in one transaction with concurrent writes of its kind and tenant. */
  join<Result>(tenantId: string, kind: string, runner: GroupedWrites, work: Work<Result>): Promise<Result> {
    const key = `${tenantId} ${kind}`
    const queue = this.#queues.get(key) ?? { running: 0, members: 0, waiting: [], isScheduled: false, separateUntil: 0 }
    if (performance.now() < queue.separateUntil) return runner.runSeparately(work)
    this.#queues.set(key, queue)
    return new Promise<Result>((resolve, reject) => {
      queue.waiting.push({ work, runner, resolve: resolve as Waiting['resolve'], reject })
      this.#schedule(key, queue)
    })
  }

  /** Schedules the next batch for after the current I/O events. */
  #schedule(key: string, queue: WriteQueue): void {
    if (queue.isScheduled || queue.running >= maxAtOnce) return
    if (queue.waiting.length < Math.min(maxBatch, minShare * queue.members)) return
    queue.isScheduled = true
    setImmediate(() => {
      queue.isScheduled = false
      this.#start(key, queue)
    })
  }

  #start(key: string, queue: WriteQueue): void {
    const half = Math.max(minSplit, Math.ceil(queue.waiting.length / 2))
    const members = queue.waiting.splice(0, queue.running === 0 ? Math.min(maxBatch, half) : maxBatch)
    queue.running += 1
    queue.members += members.length
    let isOver = false
    const release = () => {
      if (isOver) return
      isOver = true
      queue.running -= 1
      queue.members -= members.length
      if (queue.waiting.length > 0) this.#schedule(key, queue)
      else if (queue.running === 0 && performance.now() >= queue.separateUntil) this.#queues.delete(key)
    }
    const timer = setTimeout(release, slowAfterMs)
    void runBatch(queue, members).finally(() => {
      clearTimeout(timer)
      release()
    })
    if (queue.waiting.length > 0) this.#schedule(key, queue)
  }
}

/** Runs the writes that were not cancelled in one transaction, or separately where that fails. */
async function runBatch(queue: WriteQueue, all: readonly Waiting[]): Promise<void> {
  const members = all.filter(({ runner, reject }) => {
    const isCancelled = runner.isCancelled()
    if (isCancelled) reject(new Cancelled())
    return !isCancelled
  })
  const [first, ...others] = members
  if (first === undefined) return
  if (others.length === 0) return runSeparately(first)
  let results: readonly PromiseSettledResult<unknown>[]
  try {
    results = await first.runner.runShared((whole) => runMembers(whole, members))
  } catch (error) {
    // Whether it was committed may be unknown, and what the database rejects for all it rejects for each; but after a lock timeout
    // each member may need another lock.
    if (error instanceof DatabaseUnavailable && error.code !== lockNotAvailable) {
      for (const { reject } of members) reject(error)
      return
    }
    queue.separateUntil = performance.now() + separateMs
    await Promise.all(members.map(runSeparately))
    return
  }
  const later = members.filter(({ resolve, reject }, index) => {
    const result = results[index] as PromiseSettledResult<unknown>
    if (result.status === 'fulfilled') resolve(result.value)
    else if (!(result.reason instanceof TransactionRestart)) reject(result.reason)
    return result.status === 'rejected' && result.reason instanceof TransactionRestart
  })
  await Promise.all(later.map(runSeparately))
}

/** `lock_not_available` (SQLSTATE), a lock timeout. */
const lockNotAvailable = '55P03'

function runSeparately({ runner, work, resolve, reject }: Waiting): Promise<void> {
  return runner.runSeparately(work).then(resolve, reject)
}

/** Runs all members in one transaction and returns the outcome of each. Throws the error of a member that makes it roll back. */
async function runMembers(whole: Transaction, members: readonly Waiting[]): Promise<PromiseSettledResult<unknown>[]> {
  const touched = new Set<number>()
  const results = await Promise.allSettled(
    members.map(({ work }, index) => work(getMember(whole, () => void touched.add(index)))),
  )
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled' || !touched.has(index)) continue
    throw result.reason instanceof TransactionRestart ? new BatchMemberRestart() : result.reason
  }
  return results
}

/** The shared transaction for one member. `touch` is called before each statement that the member sends itself. */
function getMember(whole: Transaction, touch: () => void): Transaction {
  return {
    tenantId: whole.tenantId,
    whole,
    kept: whole.kept,
    touch,
    query: (statement) => {
      touch()
      return whole.query(statement)
    },
    send: (statement) => {
      touch()
      whole.send(statement)
    },
    sendExpression: (expression) => {
      touch()
      whole.sendExpression(expression)
    },
    atEnd: (last) => {
      touch()
      whole.atEnd(last)
    },
  }
}
