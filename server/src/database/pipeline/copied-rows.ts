import type { Socket } from 'node:net'
import pg from 'pg'
import { getSocket, sendTogether } from '../pool/driver.ts'
import type { Statement } from '../sql/statement.ts'
import { type Sql, sql } from '../sql/statement.ts'
import { preparedFor, type SessionContext, setSession } from '../transaction/session-context.ts'
import { depart, queryOn } from './pipeline-batch.ts'

/** How PostgreSQL writes the rows: `csv` as RFC 4180 with LF, `binary` in its own form. */
export type CopyFormat = 'csv' | 'binary'

/**
 * It lasts as long as somebody reads. Rows come in the order of an index, the first of them at once, instead of when all were sorted
 * on disk; and on one processor, because the others are for those who wait for an answer.
 */
const asLongRead: Sql = sql`
  , set_config('statement_timeout', '0', true), set_config('enable_sort', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true)`

/**
 * The rows of a statement as PostgreSQL itself writes them (`copy … to stdout`), in a read-only transaction of its own, on a
 * connection that is this reader's alone. A piece ends where a row ends. While nobody asks for more, nothing is taken from the connection. Where the reading
 * does not come to its end, the connection cannot be used again.
 */
export async function* copyRows(
  client: pg.ClientBase,
  session: SessionContext,
  statement: Statement,
  format: CopyFormat,
): AsyncGenerator<Buffer, void, void> {
  await queryOn(client, { text: 'begin read only' })
  await queryOn(client, preparedFor(session, setSession(session, 'its transaction ends', asLongRead)))
  const pieces = new CopiedPieces(client, `copy (${inlined(statement)}) to stdout (format ${format})`)
  for (let piece = await pieces.next(); piece !== null; piece = await pieces.next()) yield piece
  await queryOn(client, { text: 'commit' })
}

/** A piece is handed on when it has this many bytes. */
const pieceBytes = 128 * 1024

/** What `copy … to stdout` sends, in pieces of about `pieceBytes`. Between two pieces the connection is not read. */
class CopiedPieces {
  readonly #socket: Socket
  #pieces: Buffer[] = []
  #bytes = 0
  #piece = Buffer.allocUnsafe(pieceBytes)
  #isOver = false
  #isPaused = false
  #error: Error | null = null
  #wake: () => void = () => {}

  constructor(client: pg.ClientBase, text: string) {
    this.#socket = getSocket(client)
    const query = new pg.Query({ text }, ((error: Error | undefined) => {
      this.#isOver = true
      this.#error ??= error ?? null
      this.#wake()
    }) as never)
    Object.assign(query, { handleCopyData: ({ chunk }: { readonly chunk: Buffer }) => this.#add(chunk) })
    sendTogether(client)
    depart(client)
    client.query(query)
  }

  #add(row: Buffer): void {
    // A row's bytes are the driver's own, which writes the next ones over them.
    if (this.#bytes + row.length > this.#piece.length) {
      this.#pieces.push(this.#piece.subarray(0, this.#bytes))
      this.#piece = Buffer.allocUnsafe(Math.max(pieceBytes, row.length))
      this.#bytes = 0
      if (!this.#isPaused) {
        this.#isPaused = true
        this.#socket.pause()
      }
      this.#wake()
    }
    this.#bytes += row.copy(this.#piece, this.#bytes)
  }

  /** The next piece, null when there is none any more. */
  async next(): Promise<Buffer | null> {
    while (true) {
      const piece = this.#pieces.shift()
      if (piece !== undefined) return piece
      // Also at the end: the connection is used for the commit.
      if (this.#isPaused) {
        this.#isPaused = false
        this.#socket.resume()
      }
      if (this.#error !== null) throw this.#error
      if (this.#isOver) break
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const last = this.#piece.subarray(0, this.#bytes)
    this.#bytes = 0
    return last.length === 0 ? null : last
  }
}

/** The text of a statement with its values in it, because `copy` takes none. Throws on values that are not text or null. */
function inlined({ text, values }: Statement): string {
  return text.replace(/\$(\d+)/g, (_, number) => {
    const value = values[Number(number) - 1]
    if (value === null) return 'null'
    if (typeof value !== 'string') throw new TypeError(`a copied statement takes texts, not ${typeof value}`)
    return pg.escapeLiteral(value)
  })
}
