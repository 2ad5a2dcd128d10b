import { hash } from 'node:crypto'
import { type Database, noTenant, sql } from '../database/index.ts'
import type { BookedCount, CountBook } from './shared-counts.ts'

interface Entry {
  amount: number
  readonly told: ((count: BookedCount) => void)[]
  readonly failed: (() => void)[]
}

/** What is to be added is gathered for so long, in milliseconds: a process writes no more often than that, whatever comes in. */
const gatherMilliseconds = 200
/** So many keys are written by one statement; what is more waits for the next one. */
const maxKeysAtOnce = 500
const maxWaiting = 20_000
const forgetEveryMilliseconds = 60_000

/** The counts of all processes of a deployment, in the database, each for a minute from when it was first added to. */
export class RequestCounts implements CountBook {
  readonly #database: Database
  readonly #entries = new Map<string, Entry>()
  #isWriting = false
  #forgotAt = Number.NEGATIVE_INFINITY

  constructor(database: Database) {
    this.#database = database.for({ partition: 'notes' })
  }

  add(key: string, amount: number, reported: (count: BookedCount) => void, failed: () => void): void {
    const name = hash('sha256', key, 'base64')
    const entry = this.#entries.get(name) ?? { amount: 0, told: [], failed: [] }
    if (this.#entries.size >= maxWaiting && entry.amount === 0) {
      failed()
      return
    }
    entry.amount += amount
    entry.told.push(reported)
    entry.failed.push(failed)
    this.#entries.set(name, entry)
    this.#writeSoon()
  }

  #writeSoon(): void {
    if (this.#isWriting || this.#entries.size === 0) return
    this.#isWriting = true
    const write = async () => {
      await this.#write()
      this.#isWriting = false
      this.#writeSoon()
    }
    setTimeout(write, gatherMilliseconds).unref()
  }

  async #write(): Promise<void> {
    const entries = [...this.#entries].slice(0, maxKeysAtOnce)
    for (const [name] of entries) this.#entries.delete(name)
    try {
      const counts = await this.#addAll(entries)
      for (const [name, { told: reported, failed }] of entries) {
        const count = counts.get(name)
        if (count === undefined) for (const fail of failed) fail()
        else for (const tell of reported) tell(count)
      }
    } catch {
      // Each process goes on by itself, and tells the rest when it counts on.
      for (const [, { failed }] of entries) for (const fail of failed) fail()
    }
  }

  /** Adds in the order of the keys, so that two processes never wait for each other. */
  async #addAll(entries: readonly (readonly [string, Entry])[]): Promise<Map<string, BookedCount>> {
    const keys = entries.map(([name]) => name)
    const amounts = entries.map(([, { amount }]) => amount)
    const isDue = performance.now() - this.#forgotAt > forgetEveryMilliseconds
    const rows = await this.#database.transaction(noTenant, async (tx) => {
      const added = await tx.query<{ key: string; count: number; milliseconds: number }>(sql`
        insert into request_counts as c (key, count, ends_at)
        select decode(key, 'base64') as key, amount, clock_timestamp() + interval '60 s'
          from unnest(${keys}::text[], ${amounts}::integer[]) as added (key, amount) order by key
        on conflict on constraint request_counts_pkey do update set
          count = case when c.ends_at <= clock_timestamp() then excluded.count
                       else least(c.count::bigint + excluded.count, 2000000000)::integer end,
          ends_at = case when c.ends_at <= clock_timestamp() then excluded.ends_at else c.ends_at end
        returning encode(key, 'base64') as key, count,
                  extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as milliseconds`)
      // Behind it and passing over what others hold, so that whoever holds a key here waits for none.
      if (isDue) {
        tx.send(sql`
          delete from request_counts
           where key in (select key from request_counts where ends_at < clock_timestamp() - interval '60 s'
                          limit 10000 for update skip locked)`)
      }
      return added
    })
    if (isDue) this.#forgotAt = performance.now()
    return new Map(rows.map(({ key, count, milliseconds }) => [key, { count, milliseconds }]))
  }
}
