import { perTransaction, sql, type Transaction } from '../database/index.ts'
import { together } from './batch-loader.ts'
import { lockCounter } from './locks.ts'

/**
 * The counters that a transaction has taken numbers of. Their rows stay locked until it ends, so it counts on by itself and stores what
 * it has counted once: a row that is changed a thousand times in one transaction keeps a thousand versions, and each change reads them.
 */
interface Counters {
  readonly last: Map<string, number>
  /** Those whose last number is not stored yet. */
  readonly changed: Set<string>
  /** The last of what is done with each counter, one after the other. */
  readonly queues: Map<string, Promise<unknown>>
}

const countersOf = perTransaction((tx): Counters => {
  const counters: Counters = { last: new Map(), changed: new Set(), queues: new Map() }
  tx.atEnd(() => {
    for (const prefix of counters.changed) {
      tx.send(sql`
        update naming_series set current = ${counters.last.get(prefix)}
         where tenant_id = ${tx.tenantId} and prefix = ${prefix}`)
    }
  })
  return counters
})

function enqueue<Result>(counters: Counters, prefix: string, work: () => Promise<Result>): Promise<Result> {
  const result = (counters.queues.get(prefix) ?? Promise.resolve()).then(work)
  counters.queues.set(
    prefix,
    result.catch(() => undefined),
  )
  return result
}

function set({ last, changed }: Counters, prefix: string, number: number): void {
  last.set(prefix, number)
  changed.add(prefix)
}

/**
 * The next numbers of a counter, from 1; nobody else takes any of it until the transaction ends. Throws `TransactionRestart` where the
 * counter is not free and comes before what is locked.
 */
export function takeNumbers(tx: Transaction, prefix: string, count: number): Promise<number[]> {
  return together(tx, `numbers of ${prefix}`, count, async (counts, whole) => {
    const all = counts.reduce((sum, each) => sum + each, 0)
    let number = await advance(whole, prefix, all)
    return counts.map((each) => Array.from({ length: each }, () => ++number))
  })
}

/** Advances a counter, and gives the number that it had. */
function advance(tx: Transaction, prefix: string, count: number): Promise<number> {
  const counters = countersOf(tx)
  return enqueue(counters, prefix, async () => {
    const last = counters.last.get(prefix)
    if (last !== undefined) {
      set(counters, prefix, last + count)
      return last
    }
    await lockCounter(tx, prefix)
    const [row] = await tx.query<{ current: number }>(sql`
      insert into naming_series (tenant_id, prefix, current) values (${tx.tenantId}, ${prefix}, ${count})
      on conflict (tenant_id, prefix) do update set current = naming_series.current + excluded.current
      returning current`)
    const current = row?.current as number
    counters.last.set(prefix, current)
    return current - count
  })
}

/** Advances a counter past a number that somebody chose. Throws as `takeNumbers`. */
export function passNumber(tx: Transaction, prefix: string, number: number): Promise<void> {
  const counters = countersOf(tx)
  return enqueue(counters, prefix, async () => {
    const last = counters.last.get(prefix)
    if (last !== undefined) {
      if (number > last) set(counters, prefix, number)
      return
    }
    await lockCounter(tx, prefix)
    tx.send(sql`
      insert into naming_series (tenant_id, prefix, current) values (${tx.tenantId}, ${prefix}, ${number})
      on conflict (tenant_id, prefix)
      do update set current = greatest(naming_series.current, excluded.current)`)
  })
}

/** Gives a number back to its counter where it is the last that was taken. Throws as `takeNumbers`. */
export function giveBackNumber(tx: Transaction, prefix: string, number: number): Promise<void> {
  const counters = countersOf(tx)
  return enqueue(counters, prefix, async () => {
    const last = counters.last.get(prefix)
    if (last !== undefined) {
      if (number === last) set(counters, prefix, number - 1)
      return
    }
    await lockCounter(tx, prefix)
    tx.send(sql`
      update naming_series set current = current - 1
       where tenant_id = ${tx.tenantId} and prefix = ${prefix} and current = ${number}`)
  })
}

/** Remembers what is counted, and gives a function that forgets everything since, as undoing a part does. */
export function rememberCounters(tx: Transaction): () => void {
  const { last, changed } = countersOf(tx)
  const [lastBefore, changedBefore] = [[...last], [...changed]]
  return () => {
    last.clear()
    for (const [prefix, number] of lastBefore) last.set(prefix, number)
    changed.clear()
    for (const prefix of changedBefore) changed.add(prefix)
  }
}
