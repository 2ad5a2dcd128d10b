import type { Socket } from 'node:net'
import pg from 'pg'
import { prepared, queryOn, type RowMessage } from './bounded-query.ts'
import { socketOf } from './driver.ts'
import { literal, type Sql, sql } from './statement.ts'

/**
 * Rows that are read while they are used: the next ones are fetched when somebody asks for them. `return` ends the reading
 * between two batches; the signal that the reading was given ends it at any moment.
 */
export type RowBatches<Row extends object> = AsyncGenerator<Row[], void, void>

/** How many rows are fetched first, in the same flight as the statement, and then at once. */
const firstRows = 100
const moreRows = 1000

/** A batch is handed on when it has this many bytes, however many rows were fetched. */
export const batchBytes = 64 * 1024

/** Where each batch waits for its turn before the database computes it and this process takes it in. */
export interface Turns {
  enter(): undefined | Promise<void>
  leave(): void
}

/**
 * Reads the rows of a statement over a cursor in a read-only transaction of its own, on a connection that is this reader's
 * alone. No more than a batch and one row is in memory: while nobody asks for more, nothing is taken from the connection, and
 * PostgreSQL waits. Each fetch has the whole time that a statement may take.
 *
 * When it throws, or is ended before the last row, the connection may be in the middle of something and must be closed.
 */
export async function* readInBatches<Row extends object>(
  client: pg.ClientBase,
  tenantId: string,
  statement: Sql,
  turns: Turns,
): RowBatches<Row> {
  const inTurn = async (part: () => Promise<Row[] | null>): Promise<Row[] | null> => {
    await turns.enter()
    try {
      return await part()
    } finally {
      turns.leave()
    }
  }
  const fetch = (size: number) => new FetchedRows<Row>(client, size)
  let fetched: FetchedRows<Row>
  let size = firstRows
  let rows = await inTurn(async () => {
    const started = [
      queryOn(client, { text: 'begin read only' }),
      queryOn(client, prepared(sql`select set_config('matricula.tenant_id', ${tenantId}, true)`)),
      // Without a name: PostgreSQL keeps no plan of a cursor's declaration.
      queryOn(client, { text: `declare listed no scroll cursor for ${statement.text}`, values: statement.values }),
    ]
    for (const each of started) each.catch(() => {}) // reported below
    fetched = fetch(size)
    await Promise.all(started)
    return fetched.next()
  })
  for (;;) {
    let count = 0
    while (rows !== null) {
      count += rows.length
      if (rows.length > 0) yield rows
      rows = await inTurn(() => fetched.next())
    }
    if (count < size) break
    size = moreRows
    rows = await inTurn(() => {
      fetched = fetch(size)
      return fetched.next()
    })
  }
  await queryOn(client, { text: 'commit' })
}

/** What a fetch answers is of this kind; see `BoundedQuery` for why the types do not say so. */
interface Accumulating {
  _result: { parseRow(fields: unknown): unknown }
  handleDataRow(message: RowMessage & { fields: unknown }): void
}

/** The rows of one `fetch`, in parts of about `batchBytes`. Between two parts the connection is not read. */
class FetchedRows<Row extends object> {
  readonly #socket: Socket
  #rows: Row[] = []
  #bytes = 0
  #isOver = false
  #isPaused = false
  #error: Error | null = null
  #wake: () => void = () => {}

  constructor(client: pg.ClientBase, size: number) {
    this.#socket = socketOf(client)
    const query = new pg.Query(prepared(sql`fetch ${literal(size)} from listed`), ((error: Error | undefined) => {
      this.#isOver = true
      this.#error ??= error ?? null
      this.#wake()
    }) as never)
    const arriving = query as unknown as Accumulating
    arriving.handleDataRow = ({ length, fields }) => {
      try {
        this.#rows.push(arriving._result.parseRow(fields) as Row)
      } catch (error) {
        this.#error ??= error as Error
      }
      this.#bytes += length
      if (this.#bytes < batchBytes || this.#isPaused) return
      this.#isPaused = true
      this.#socket.pause()
      this.#wake()
    }
    client.query(query)
  }

  /** The next part, null when there is none any more. */
  async next(): Promise<Row[] | null> {
    if (this.#isPaused && this.#rows.length === 0) {
      this.#isPaused = false
      this.#socket.resume()
    }
    if (!this.#isOver && !this.#isPaused) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#error !== null) throw this.#error
    if (this.#rows.length === 0) return null
    const rows = this.#rows
    this.#rows = []
    this.#bytes = 0
    return rows
  }
}
