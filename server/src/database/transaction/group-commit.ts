import { Cancelled, DatabaseUnavailable } from '../database-errors.ts'
import { type Transaction, TransactionRestart } from './transaction.ts'

type Work<Result> = (tx: Transaction) => Promise<Result>

/** How writes of a tenant are done. */
export interface GroupedWrites {
  /** In a transaction of its own. */
  alone<Result>(work: Work<Result>): Promise<Result>
  /** In one that several share, which is not tried again. */
  together<Result>(work: Work<Result>): Promise<Result>
  /** Whether nobody waits for it any more. */
  isUnwanted(): boolean
}

/** A write that waits for those that it goes with. */
interface Waiting {
  readonly work: Work<unknown>
  readonly doing: GroupedWrites
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A part wants to begin again, which the whole cannot do for it. */
class BatchMemberRestart extends Error {}

/** The writes of one kind of a tenant. */
interface Line {
  running: number
  /** How many writes are in those that go on. */
  parts: number
  waiting: Waiting[]
  isCalled: boolean
  /** Until then its writes do not meet, in milliseconds of the process. */
  apartUntil: number
}

/** So many transactions of a line go on at once: while PostgreSQL does what one of them asks for, the process prepares the other. */
const maxAtOnce = 2

/**
 * Beside one that goes on the next begins with this share of as many: fewer would pay alone for a beginning and a commit that they can
 * share with those who come meanwhile.
 */
const minShare = 0.75

/** So many writes go in one transaction, so that the first does not wait for too many. */
const maxTogether = 24

/** Where none goes on, half of more than so many begin, so that those of the other half go on beside them. */
const fewTogether = 8

/** A transaction that takes longer waits for somebody, and does not keep the next from beginning, in milliseconds. */
const timeout = 50

/** After one was refused for which the others had to be done anew, writes of its kind go alone for so long, in milliseconds. */
const timeApart = 500

/**
 * Puts small writes of one kind that a tenant asks for at once into one transaction: its beginning, its commit and its flush are paid
 * once, and what its parts ask for in the same turn one statement can do for all of them. A part uses a transaction whose `whole` is the
 * one that is shared.
 *
 * A part that fails before it has sent anything by itself leaves nothing behind, and fails alone. Where another one fails, the whole is
 * undone and each part is done by itself, in a transaction of its own, as if they had never met; so they do as well where the commit is
 * refused. Who learns of an outcome learns of it after the commit.
 */
export class GroupCommit {
  readonly #lines = new Map<string, Line>()

  /** Does a write together with others of its kind that the tenant asks for at the same time. */
  join<Result>(tenantId: string, kind: string, doing: GroupedWrites, work: Work<Result>): Promise<Result> {
    const location = `${tenantId} ${kind}`
    const line = this.#lines.get(location) ?? { running: 0, parts: 0, waiting: [], isCalled: false, apartUntil: 0 }
    if (performance.now() < line.apartUntil) return doing.alone(work)
    this.#lines.set(location, line)
    return new Promise<Result>((resolve, reject) => {
      line.waiting.push({ work, doing, resolve: resolve as Waiting['resolve'], reject })
      this.#call(location, line)
    })
  }

  /** Lets those begin who wait, once everything that has come in is read. */
  #call(location: string, line: Line): void {
    if (line.isCalled || line.running >= maxAtOnce) return
    if (line.waiting.length < Math.min(maxTogether, minShare * line.parts)) return
    line.isCalled = true
    setImmediate(() => {
      line.isCalled = false
      this.#begin(location, line)
    })
  }

  #begin(location: string, line: Line): void {
    const half = Math.max(fewTogether, Math.ceil(line.waiting.length / 2))
    const parts = line.waiting.splice(0, line.running === 0 ? Math.min(maxTogether, half) : maxTogether)
    line.running += 1
    line.parts += parts.length
    let isOver = false
    const makeWay = () => {
      if (isOver) return
      isOver = true
      line.running -= 1
      line.parts -= parts.length
      if (line.waiting.length > 0) this.#call(location, line)
      else if (line.running === 0 && performance.now() >= line.apartUntil) this.#lines.delete(location)
    }
    const timer = setTimeout(makeWay, timeout)
    void meet(line, parts).finally(() => {
      clearTimeout(timer)
      makeWay()
    })
    if (line.waiting.length > 0) this.#call(location, line)
  }
}

async function meet(line: Line, all: readonly Waiting[]): Promise<void> {
  const parts = all.filter(({ doing, reject }) => {
    const isUnwanted = doing.isUnwanted()
    if (isUnwanted) reject(new Cancelled())
    return !isUnwanted
  })
  const [first, ...others] = parts
  if (first === undefined) return
  if (others.length === 0) return doAlone(first)
  let results: readonly PromiseSettledResult<unknown>[]
  try {
    results = await first.doing.together((whole) => inOne(whole, parts))
  } catch (error) {
    // Whether it was committed may be unknown, and what the database refuses to all it refuses to each; but of who waits too long
    // for somebody each may wait for another one.
    if (error instanceof DatabaseUnavailable && error.code !== waitedTooLong) {
      for (const { reject } of parts) reject(error)
      return
    }
    line.apartUntil = performance.now() + timeApart
    await Promise.all(parts.map(doAlone))
    return
  }
  const later = parts.filter(({ resolve, reject }, index) => {
    const result = results[index] as PromiseSettledResult<unknown>
    if (result.status === 'fulfilled') resolve(result.value)
    else if (!(result.reason instanceof TransactionRestart)) reject(result.reason)
    return result.status === 'rejected' && result.reason instanceof TransactionRestart
  })
  await Promise.all(later.map(doAlone))
}

/** What a wait for a lock fails with that took too long (SQLSTATE). */
const waitedTooLong = '55P03'

function doAlone({ doing, work, resolve, reject }: Waiting): Promise<void> {
  return doing.alone(work).then(resolve, reject)
}

/** Does all parts in one transaction, and tells what came of each. Throws what a part has failed of for which it has to be undone. */
async function inOne(whole: Transaction, parts: readonly Waiting[]): Promise<PromiseSettledResult<unknown>[]> {
  const touched = new Set<number>()
  const results = await Promise.allSettled(
    parts.map(({ work }, index) => work(getPart(whole, () => void touched.add(index)))),
  )
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled' || !touched.has(index)) continue
    throw result.reason instanceof TransactionRestart ? new BatchMemberRestart() : result.reason
  }
  return results
}

/** The transaction as one of its parts uses it. `touch` is called before whatever the part sends by itself. */
function getPart(whole: Transaction, touch: () => void): Transaction {
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
