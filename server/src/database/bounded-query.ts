import pg from 'pg'
import type { Sql } from './statement.ts'
import { preparedName } from './statement.ts'

/**
 * The most bytes of rows that one statement may bring into memory at once, unless its reader says otherwise. What may be
 * longer is read in batches (`readRows`).
 */
export const mostBytesHeld = 12 * 1024 * 1024

/** What a statement answers is more than its reader may hold in memory. Nothing of it was handed on. */
export class AnswerTooLarge extends Error {
  readonly mostBytes: number

  constructor(mostBytes: number) {
    super(`a statement answered more than ${mostBytes} bytes`)
    this.mostBytes = mostBytes
  }
}

/** A statement as `pg` takes it, under a name so that it is parsed once per connection. */
export function prepared(statement: Sql): pg.QueryConfig {
  const text = statement.text
  const name = preparedName(text)
  return name === undefined ? { text, values: statement.values } : { name, text, values: statement.values }
}

/** A row as it came over the wire, with its length in bytes. */
export interface RowMessage {
  readonly length: number
}

/** What `pg` calls on a query while its answer arrives; its types leave this out, although its own cursors are made of it. */
interface AnswerHandler {
  handleDataRow(message: RowMessage): void
  handleReadyForQuery(connection: unknown): void
}

const whole = pg.Query.prototype as unknown as AnswerHandler

type Done<Row extends object> = (error: Error | undefined, result: pg.QueryResult<Row>) => void

/**
 * A query whose rows are held in memory up to a number of bytes. Of one that answers more nothing is kept, and it fails with
 * `AnswerTooLarge`: at its end where others share the connection, which has to take the rest in, else at once.
 */
export class BoundedQuery<Row extends object> extends pg.Query<Row> {
  /** The bytes of the rows that have come. */
  bytes = 0
  readonly #mostBytes: number
  readonly #isShared: boolean
  #done: Done<Row> | null

  constructor(config: pg.QueryConfig, options: { mostBytes: number; isShared: boolean }, done: Done<Row>) {
    super(config, (error: Error | undefined, result: unknown) => this.#finish(error, result as pg.QueryResult<Row>))
    this.#mostBytes = options.mostBytes
    this.#isShared = options.isShared
    this.#done = done
  }

  handleDataRow(message: RowMessage): void {
    this.bytes += message.length
    if (this.bytes <= this.#mostBytes) {
      whole.handleDataRow.call(this, message)
      return
    }
    this.#forget()
    if (!this.#isShared) this.#finish(new AnswerTooLarge(this.#mostBytes))
  }

  handleReadyForQuery(connection: unknown): void {
    if (this.bytes <= this.#mostBytes) whole.handleReadyForQuery.call(this, connection)
    else this.#finish(new AnswerTooLarge(this.#mostBytes))
  }

  #forget(): void {
    const { _result } = this as unknown as { _result: { rows: Row[] } }
    _result.rows = []
  }

  #finish(error: Error | undefined, result?: pg.QueryResult<Row>): void {
    const done = this.#done
    this.#done = null
    done?.(error, result as pg.QueryResult<Row>)
  }
}
