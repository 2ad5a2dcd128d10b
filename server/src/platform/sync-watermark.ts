import { type Database, sql } from '../database/index.ts'

/** An older watermark is a safe one, so it may be shared for a moment. */
const shareMilliseconds = 200

/**
 * The stamp to send as `updatedSince` next time: every change that a reader cannot see yet will be stamped at or after
 * it, because a change is stamped after its transaction began, and the oldest open transaction bounds it.
 */
export class SyncWatermark {
  readonly #database: Database
  #stamp: Promise<string> | undefined
  #takenAt = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** Take it before the page is read. */
  current(): Promise<string> {
    const now = performance.now()
    if (this.#stamp === undefined || now - this.#takenAt > shareMilliseconds) {
      this.#takenAt = now
      this.#stamp = this.#read()
      this.#stamp.catch(() => {
        this.#stamp = undefined
      })
    }
    return this.#stamp
  }

  async #read(): Promise<string> {
    const [row] = await this.#database.readGlobal<{ stamp: string }>(
      sql`select date_trunc('milliseconds', sync_watermark()) as stamp`,
    )
    return row?.stamp as string
  }
}
