import { type Database, noTenant, type Sql } from '../database/index.ts'

/** For how long what was read stands for what is, in milliseconds. */
const freshMilliseconds = 3_000

/** How long somebody waits for a new reading before the last one has to do. */
const timeoutMs = 40

/** After this time a reading is cancelled. */
const maxMilliseconds = 2_000

/** What was read longer ago is told no more. */
const cacheMs = 60_000

/**
 * One statement about the whole deployment that those who watch it ask for again and again: read at most every three seconds, whoever asks,
 * cancelled when it takes more than two, and waited for no longer than a moment. So nobody who watches a database that hangs hangs with it, and
 * watching costs the same however many watch.
 */
export class CachedReading<Row extends object> {
  readonly #database: Database
  readonly #statement: Sql
  #rows: readonly Row[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  constructor(database: Database, statement: Sql) {
    this.#database = database
    this.#statement = statement
  }

  /** What was last read; empty where nothing was, or not for a minute. */
  async rows(): Promise<readonly Row[]> {
    if (performance.now() - this.#readAt >= freshMilliseconds) {
      this.#reading ??= this.#read()
      await this.#within(this.#reading)
    }
    return performance.now() - this.#readAt < cacheMs ? this.#rows : []
  }

  async #read(): Promise<void> {
    try {
      const use = { room: 'notes', signal: AbortSignal.timeout(maxMilliseconds) } as const
      this.#rows = await this.#database.for(use).readSlowly<Row>(noTenant, this.#statement)
      this.#readAt = performance.now()
    } catch {
      // A database that is away is told by others.
    } finally {
      this.#reading = undefined
    }
  }

  #within(reading: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      void reading.then(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
