import type pg from 'pg'
import { asDatabaseError } from '../database-errors.ts'
import { prepared } from '../pipeline/bounded-query.ts'
import { sql } from '../sql/statement.ts'

/**
 * Locks of which each is held by one process of the deployment at most, all of this process's over one connection. When that
 * breaks they are free for others, although what is done under them goes on here.
 */
export class ExclusiveLocks {
  readonly #open: () => Promise<pg.Client>
  readonly #held = new Set<string>()
  #client: Promise<pg.Client> | undefined

  constructor(open: () => Promise<pg.Client>) {
    this.#open = open
  }

  /** Runs `work` under the lock. Returns false, without running it, when somebody has it. */
  async hold(name: string, work: () => Promise<void>): Promise<boolean> {
    // The server would give one connection the same lock twice.
    if (this.#held.has(name)) return false
    this.#held.add(name)
    try {
      const client = await this.#connect()
      const take = sql`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as held`
      const { rows } = await client.query<{ held: boolean }>(prepared(take))
      if (rows[0]?.held !== true) return false
      try {
        await work()
      } finally {
        const release = sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`
        await client.query(prepared(release)).catch(() => client.end().catch(() => {}))
      }
      return true
    } catch (error) {
      throw asDatabaseError(error)
    } finally {
      this.#held.delete(name)
    }
  }

  async close(): Promise<void> {
    await (await this.#client?.catch(() => undefined))?.end()
  }

  #connect(): Promise<pg.Client> {
    const forget = () => {
      this.#client = undefined
    }
    this.#client ??= this.#open().then(
      (client) => client.once('end', forget),
      (error) => {
        forget()
        throw error
      },
    )
    return this.#client
  }
}
