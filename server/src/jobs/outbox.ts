import { type Database, identifier, type Sql, sql } from '../database/index.ts'
import type { HasTime } from './jobs.ts'

/** Something that was claimed to be sent. */
export type Claimed<Item> = Item & {
  readonly id: string
  /** How often it was tried, this time included. */
  readonly attempts: number
  /** Whether it is given up when this time fails as well. */
  readonly isLast: boolean
}

/** How a try to send ended. A failure names its cause in a few words without personal data. */
export type Outcome =
  | { readonly sent: true }
  | { readonly sent: false; readonly failure: string; readonly isFinal: boolean }

/** What an outbox keeps, and how patient it is. */
interface OutboxSettings {
  /** A tenant's table with the columns attempts, next_attempt_at, sent_at, failed_at and last_error. */
  readonly table: string
  /** What a claim returns of a row, beside its id. */
  readonly columns: Sql
  /** The seconds to wait after each try; after one more it is given up. */
  readonly waits: readonly number[]
}

/**
 * Rows that are put out in the transaction of what they tell of, and sent to somebody else afterwards, each until it arrives
 * or is given up. A row may be sent twice when the process ends between its sending and the note of it, never not at all.
 */
export class Outbox<Item extends object> {
  readonly #settings: OutboxSettings

  constructor(settings: OutboxSettings) {
    this.#settings = settings
  }

  /**
   * Sends what is due of a tenant, the longest due first, at most so many and while there is time, until `send` says that
   * whoever takes it is not there. Several processes may do so at once: a row is claimed by one of them.
   */
  async drain(
    database: Database,
    tenantId: string,
    { most: max, hasTime = () => true }: { readonly most: number; readonly hasTime?: HasTime | undefined },
    send: (item: Claimed<Item>) => Promise<Outcome & { readonly isThere: boolean }>,
  ): Promise<void> {
    for (let sent = 0; sent < max && hasTime(); sent += 1) {
      const item = await this.#claimNext(database, tenantId)
      if (item === null) return
      const outcome = await send(item)
      await this.#note(database, tenantId, item, outcome)
      if (!outcome.isThere) return
    }
  }

  /** The row that is due for longest, with its next try set, in case this one is never heard of again. */
  async #claimNext(database: Database, tenantId: string): Promise<Claimed<Item> | null> {
    const { table, columns, waits } = this.#settings
    const [item] = await database.transaction(tenantId, (tx) =>
      tx.query<Claimed<Item>>(sql`
        with due as (
          select id as due_id, current_stamp()
                 + make_interval(secs => (${[...waits]}::float8[])[least(attempts + 1, ${waits.length}::int)]) as next_at
            from ${identifier(table)}
           where tenant_id = ${tenantId} and sent_at is null and failed_at is null and next_attempt_at <= now()
           order by next_attempt_at, id limit 1 for update skip locked
        )
        update ${identifier(table)}
           set attempts = attempts + 1, next_attempt_at = due.next_at
          from due
         where tenant_id = ${tenantId} and id = due.due_id
        returning id, ${columns}, attempts, attempts > ${waits.length}::int as "isLast"`),
    )
    return item ?? null
  }

  async #note(database: Database, tenantId: string, { id, isLast }: Claimed<Item>, outcome: Outcome): Promise<void> {
    const isGivenUp = !outcome.sent && (outcome.isFinal || isLast)
    await database.transaction(tenantId, (tx) =>
      tx.query(sql`
        update ${identifier(this.#settings.table)}
           set sent_at = ${outcome.sent ? sql`current_stamp()` : sql`null`},
               failed_at = ${isGivenUp ? sql`current_stamp()` : sql`null`},
               last_error = ${outcome.sent ? null : outcome.failure}
         where tenant_id = ${tx.tenantId} and id = ${id}`),
    )
  }
}
