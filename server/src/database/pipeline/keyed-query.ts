import pg from 'pg'
import { afterFailure, isLast } from '../database-errors.ts'
import type { Keyed, Statement } from '../sql/statement.ts'
import { preparedFor, type SessionContext } from '../transaction/session-context.ts'
import {
  type Asking,
  BoundedQuery,
  type BoundedQueryOptions,
  type Done,
  ResultTooLarge,
  type Wire,
} from './bounded-query.ts'

interface Reader<Row extends object> {
  readonly id: string
  readonly done: Done<Row>
}

/**
 * A query for a record by its id (`Keyed`), which takes in reads of the same kind by other ids: one statement then reads all of
 * them, because starting a statement costs the server several times as much as finding one more row. If the server rejects it, or all of them
 * are more than one reader may hold in memory, each learns that its query was not run (`isAfterFailure`), and sends it separately.
 */
export class KeyedQuery<Row extends object> extends BoundedQuery<Row> {
  readonly #session: SessionContext
  readonly #keyed: Keyed
  readonly #readers: Reader<Row>[]

  constructor(
    client: pg.ClientBase,
    session: SessionContext,
    statement: Statement,
    keyed: Keyed,
    options: BoundedQueryOptions,
    done: Done<Row>,
  ) {
    const readers = [{ id: keyed.id, done }]
    super(client, preparedFor(session, statement), options, (error, response) => {
      if (readers.length === 1) return done(error, response)
      const readerError = error !== undefined && isOfOne(error) ? afterFailure() : error
      const bytes = response.bytes / readers.length
      const found = new Map(response.rows.map((row) => [(row as { readonly id?: string }).id, row]))
      for (const { id, done: tell } of readers) {
        const row = found.get(id)
        tell(readerError, { rows: row === undefined ? [] : [row], command: response.command, bytes })
      }
    })
    this.#session = session
    this.#keyed = keyed
    this.#readers = readers
  }

  override takeIn({ tenantId, statement: { keyed }, done }: Asking<Row>): boolean {
    if (keyed?.ofMany !== this.#keyed.ofMany || tenantId !== this.#session.tenantId) return false
    this.#readers.push({ id: keyed.id, done })
    return true
  }

  override write(wire: Wire, preparing: Map<string, string>): void {
    if (this.#readers.length > 1) {
      const ids = new Set(this.#readers.map(({ id }) => id))
      this.ask(preparedFor(this.#session, this.#keyed.ofMany(this.#session.tenantId, [...ids])))
    }
    super.write(wire, preparing)
  }
}

/** Whether an error of what several asked for may be that of one of them, or of their number. */
function isOfOne(error: Error): boolean {
  return error instanceof ResultTooLarge || (error instanceof pg.DatabaseError && !isLast(error))
}
