import type { Socket } from 'node:net'
import pg from 'pg'
import { getSocket, sendTogether } from '../pool/driver.ts'
import type { Statement } from '../sql/statement.ts'
import { preparedFor, type SessionContext, setSession } from '../transaction/session-context.ts'
import type { RowMessage } from './bounded-query.ts'
import { depart, queryOn } from './pipeline-batch.ts'

/**
 * Rows that are read while they are used: the next ones are fetched when somebody asks for them. `return` ends the reading
 * between two batches; the signal that the reading was given ends it at any moment, or right after the batch that is under way.
 */
export type RowBatches<Row extends object> = AsyncGenerator<Row[], void, void>

/** How many rows are fetched first, in the same flight as the statement. */
const firstRows = 50

/** How many bytes a fetch is to bring, so that taking it in keeps the process from others for a few milliseconds at most. */
const fetchedBytes = 32 * 1024

/** How many rows to fetch next. */
function sizeAfter({ count, bytes }: { readonly count: number; readonly bytes: number }): number {
  return Math.max(10, Math.min(1000, Math.round((count * fetchedBytes) / bytes)))
}

/** A batch is handed on when it has this many bytes, however many rows were fetched. */
const batchBytes = 64 * 1024

/** Where each batch waits for its turn before the database computes it and this process takes it in. */
export interface Slots {
  enter(): Promise<void>
  leave(): void
}

/**
 * Reads the rows of a statement over a cursor in a read-only transaction of its own, on a connection that is this reader's
 * alone. No more than a batch and one row is in memory: while nobody asks for more, nothing is taken from the connection, and
 * PostgreSQL waits. Each fetch has the whole time that a statement may take.
 */
export class BatchReading<Row extends object> {
  readonly #client: pg.ClientBase
  readonly #session: SessionContext
  readonly #statement: Statement
  readonly #slots: Slots
  #fetched: FetchedRows<Row> | null = null

  constructor(client: pg.ClientBase, session: SessionContext, statement: Statement, slots: Slots) {
    this.#client = client
    this.#session = session
    this.#statement = statement
    this.#slots = slots
  }

  /** The rows, to be asked for once. Where they do not come to their end, `abandon` follows. */
  async *rows(): RowBatches<Row> {
    for (let size = firstRows, isFirst = true; ; isFirst = false) {
      let fetched!: FetchedRows<Row>
      let rows = await this.#inSlot(async () => {
        const begun = isFirst ? this.#begin() : []
        fetched = new FetchedRows<Row>(this.#client, size)
        this.#fetched = fetched
        await Promise.all(begun)
        return fetched.next()
      })
      for (; rows !== null; rows = await this.#inSlot(() => fetched.next())) if (rows.length > 0) yield rows
      if (fetched.count < size) break
      size = sizeAfter(fetched)
    }
    await queryOn(this.#client, { text: 'commit' })
  }

  /** Ends the reading before its last row, once what was fetched last has come; the connection is as it was before. */
  async abandon(): Promise<void> {
    if (this.#fetched === null) return
    await this.#fetched.discard()
    await queryOn(this.#client, { text: 'rollback' })
  }

  async #inSlot(part: () => Promise<Row[] | null>): Promise<Row[] | null> {
    await this.#slots.enter()
    try {
      return await part()
    } finally {
      this.#slots.leave()
    }
  }

  #begin(): Promise<unknown>[] {
    const { text, values } = this.#statement
    const begun = [
      queryOn(this.#client, { text: 'begin read only' }),
      queryOn(this.#client, preparedFor(this.#session, setSession(this.#session, 'its transaction ends'))),
      // Without a name: PostgreSQL keeps no plan of a cursor's declaration.
      queryOn(this.#client, { text: `declare listed no scroll cursor for ${text}`, values: values as unknown[] }),
    ]
    for (const each of begun) each.catch(() => {}) // reported by whoever waits for all
    return begun
  }
}

/** What a fetch returns is of this kind; see `BoundedQuery` for why the types do not say so. */
interface Accumulating {
  _result: { parseRow(fields: unknown): unknown }
  handleDataRow(message: RowMessage & { fields: unknown }): void
}

/** The rows of one `fetch`, in parts of about `batchBytes`. Between two parts the connection is not read. */
class FetchedRows<Row extends object> {
  readonly #socket: Socket
  #rows: Row[] = []
  /** How many rows have come, and how many bytes. */
  count = 0
  bytes = 0
  #bytesHeld = 0
  #isOver = false
  #isPaused = false
  #error: Error | null = null
  #wake: () => void = () => {}

  constructor(client: pg.ClientBase, size: number) {
    this.#socket = getSocket(client)
    const query = new pg.Query({ text: `fetch ${size} from listed` }, ((error: Error | undefined) => {
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
      this.count += 1
      this.bytes += length
      this.#bytesHeld += length
      if (this.#bytesHeld < batchBytes || this.#isPaused) return
      this.#isPaused = true
      this.#socket.pause()
      this.#wake()
    }
    sendTogether(client)
    depart(client)
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
    this.#bytesHeld = 0
    return rows
  }

  /** Takes the rest in and keeps nothing of it. */
  async discard(): Promise<void> {
    while (!this.#isOver) {
      this.#rows = []
      this.#bytesHeld = 0
      this.#isPaused = false
      this.#socket.resume()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
