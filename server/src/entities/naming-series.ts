import { passNumber, takeNumbers } from '../concurrency/index.ts'
import { type Database, outsideTransaction, type Sql, sql, type Transaction } from '../database/index.ts'
import { todayIn } from '../tenancy/index.ts'

/** The names of a series begin so: the prefix and the year in the tenant's time zone, such as `EDU-STU-2026-`. */
function getHead(prefix: string, timeZone: string): string {
  return `${prefix}-${todayIn(timeZone).split('-')[0]}-`
}

function getName(head: string, number: number): string {
  return head + String(number).padStart(5, '0')
}

/** Takes numbers of a series, and returns the last of them as `current`. */
function takeStatement(tenantId: string, head: string, count: number): Sql {
  return sql`
    insert into naming_series (tenant_id, prefix, current) values (${tenantId}, ${head}, ${count})
    on conflict (tenant_id, prefix) do update set current = naming_series.current + excluded.current
    returning current`
}

/**
 * The next name of a series, such as `EDU-STU-2026-00001`: with a number of at least five digits. Its row stays
 * locked until the transaction ends, so call it as late as possible, and take what many make at once from
 * `SeriesNames`.
 */
export async function nextInSeries(tx: Transaction, prefix: string, timeZone: string): Promise<string> {
  const [name] = await nextManyInSeries(tx, prefix, timeZone, 1)
  return name as string
}

/** The next names of a series, as `nextInSeries` gives one. */
export function nextManyInSeries(tx: Transaction, prefix: string, timeZone: string, count: number): Promise<string[]> {
  return nextNames(tx, getHead(prefix, timeZone), count)
}

/** The next names of a series, by what stands before their numbers; its row stays locked until the transaction ends. */
export async function nextNames(tx: Transaction, head: string, count: number): Promise<string[]> {
  return (await takeNumbers(tx, head, count)).map((number) => getName(head, number))
}

interface Waiting {
  readonly count: number
  readonly give: (names: string[]) => void
  readonly fail: (error: unknown) => void
}

/**
 * Batches the allocation of series names before the transactions that use them, so that nobody waits for the commit
 * of another: one statement at a time per series, for all waiting callers. A name is used once; names of records that
 * are not created are lost, so a series may have gaps.
 */
export class SeriesNames {
  readonly #database: Database
  readonly #isBeside: boolean
  /** The waiting callers, by tenant and series; present while a statement runs. */
  readonly #lines = new Map<string, Waiting[]>()

  /** @param isBeside Whether names are taken beside a transaction that goes on: then from a pool partition that none uses. */
  constructor(database: Database, { isBeside = false } = {}) {
    // What one who hangs up has asked for is also for those who stay. It may have to wait for a transaction that has
    // the series, so it waits where such transactions do.
    this.#database = database.for({ partition: isBeside ? 'notes' : 'writes', signal: null })
    this.#isBeside = isBeside
  }

  /** So many names. Throws `DatabaseUnavailable`. */
  take(tenantId: string, prefix: string, timeZone: string, count = 1): Promise<string[]> {
    const head = getHead(prefix, timeZone)
    const key = `${tenantId} ${head}`
    return new Promise((give, fail) => {
      const line = this.#lines.get(key)
      if (line !== undefined) {
        line.push({ count, give, fail })
        return
      }
      const first = [{ count, give, fail }]
      this.#lines.set(key, first)
      const serve = () => this.#serve(key, tenantId, head, first)
      void (this.#isBeside ? outsideTransaction(serve) : serve())
    })
  }

  async #serve(key: string, tenantId: string, head: string, line: Waiting[]): Promise<void> {
    while (line.length > 0) {
      const served = line.splice(0)
      const count = served.reduce((sum, waiting) => sum + waiting.count, 0)
      try {
        // Not waited for until it is on the disk: whatever uses the numbers is written behind it, and so not without
        // it.
        const [row] = await this.#database.readSlowly<{ current: number }>(
          tenantId,
          sql`with taken as (${takeStatement(tenantId, head, count)})
              select current, set_config('synchronous_commit', 'off', true) as is_waited_for from taken`,
        )
        let number = (row?.current as number) - count
        for (const waiting of served) {
          waiting.give(
            Array.from({ length: waiting.count }, () => {
              number += 1
              return getName(head, number)
            }),
          )
        }
      } catch (error) {
        for (const waiting of served) waiting.fail(error)
      }
    }
    this.#lines.delete(key)
  }
}

/** Advances a series past a name that somebody chose. */
export function passInSeries(tx: Transaction, prefix: string, name: string): Promise<void> {
  return passManyInSeries(tx, prefix, [name])
}

/** Advances a series past names that somebody chose, by one statement for each year that they name. */
export async function passManyInSeries(tx: Transaction, prefix: string, names: readonly string[]): Promise<void> {
  const numbers = new Map<string, number>()
  for (const name of names) {
    const parts = /^(.*)-(\d{4}-)(\d{5,9})$/.exec(name)
    if (parts === null || parts[1] !== prefix) continue
    const head = `${prefix}-${parts[2]}`
    numbers.set(head, Math.max(numbers.get(head) ?? 0, Number(parts[3])))
  }
  for (const [head, number] of [...numbers].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await passNumber(tx, head, number)
  }
}
