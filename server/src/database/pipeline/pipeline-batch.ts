import pg from 'pg'
import { afterFailure } from '../database-errors.ts'
import { inOnePiece } from '../pool/driver.ts'
import {
  type Answer,
  type Asking,
  BoundedQuery,
  type ColumnsMessage,
  maxBytesHeld,
  type RowMessage,
  type Wire,
} from './bounded-query.ts'
import { atEndOfTick } from './tick.ts'

type Part = BoundedQuery<object>

/**
 * Statements of one owner that go to the server in one piece with one Sync (PostgreSQL manual, "Pipelining"): it answers them in one
 * piece too, where a Sync behind each would make it send each answer by itself and wake this process for each. From the first
 * that fails on none is done, and those behind it fail as statements of a failed transaction do (SQLSTATE 25P02), a COMMIT too.
 *
 * To `pg` it is a query of its own kind, which is why its handlers are called as they are.
 */
class PipelineBatch {
  /** The statement that is being prepared, for `pg` to know. */
  name: string | undefined
  text: string | undefined
  readonly #parts: Part[]
  #max: number
  /** How many it answers. */
  #readers = 1
  /** Which part is being answered. */
  #index = 0
  /** How many parts were sent. */
  #sent = 0
  /** The texts that it has the server prepare, by name. */
  readonly #preparing = new Map<string, string>()

  /** @param most How many it answers at most. */
  constructor(part: Part, max: number) {
    this.#parts = [part]
    this.#max = max
  }

  /** The statements of it, in their order. */
  get statements(): readonly { readonly text: string; readonly values: readonly unknown[] }[] {
    return this.#parts
  }

  get hasRoom(): boolean {
    return this.#readers < this.#max
  }

  /** @param most How many it answers at most from now on. */
  add(part: Part, max: number): void {
    this.#parts.push(part)
    this.#readers += 1
    this.#max = Math.min(this.#max, max)
  }

  /** Has its last statement answer another one too; false where that cannot. */
  takeIn(asking: Asking<object>): boolean {
    const isTaken = this.hasRoom && this.#parts.at(-1)?.takeIn(asking) === true
    if (isTaken) this.#readers += 1
    return isTaken
  }

  submit(wire: Wire): null {
    for (const part of this.#parts) {
      try {
        part.write(wire, this.#preparing)
      } catch (error) {
        part.fail(error as Error)
        break
      }
      this.#sent += 1
    }
    wire.sync()
    this.#show()
    return null
  }

  handleRowDescription(message: ColumnsMessage): void {
    this.#part.takeColumns(message)
  }

  handleDataRow(message: RowMessage): void {
    this.#part.takeRow(message)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#part.takeEnd(text)
    this.#advance()
  }

  handleEmptyQuery(): void {
    this.#advance()
  }

  handleReadyForQuery(): void {
    for (const [index, part] of this.#parts.entries()) {
      if (index < this.#sent) part.finish()
      else part.fail(afterFailure())
    }
  }

  handleError(error: Error, wire: Wire): void {
    // Another flight that was sent meanwhile may have closed what this one has prepared, and not prepared it again.
    for (const [name, statement] of this.#preparing) {
      delete wire.parsedStatements[name]
      wire.submittedNamedStatements[name] = statement
    }
    // What fails when everything is done, such as a check that waits for the end, is told of the last.
    const failed = Math.min(this.#index, this.#parts.length - 1)
    for (const [index, part] of this.#parts.entries()) {
      if (index < failed) {
        part.finish()
        continue
      }
      part.fail(index === failed || !(error instanceof pg.DatabaseError) ? error : afterFailure())
    }
  }

  get #part(): Part {
    return this.#parts[Math.min(this.#index, this.#parts.length - 1)] as Part
  }

  #advance(): void {
    this.#index += 1
    this.#show()
  }

  #show(): void {
    const { name, text } = this.#part
    this.name = name
    this.text = text
  }
}

// A pipelining client takes no others than its own.
Object.setPrototypeOf(PipelineBatch.prototype, pg.Query.prototype)

/** The flights that leave a client once what has just happened is handled, in their order. */
const gathering = new WeakMap<pg.ClientBase, PipelineBatch[]>()

/** @param later Says when it leaves, with what is gathered until then. */
function gather(client: pg.ClientBase, part: Part, max: number, later: (work: () => void) => void): void {
  const batches = gathering.get(client)
  const last = batches?.at(-1)
  if (batches === undefined) {
    gathering.set(client, [new PipelineBatch(part, max)])
    later(() => inOnePiece(client, () => depart(client)))
  } else if (last?.hasRoom && max > 1) last.add(part, max)
  else batches.push(new PipelineBatch(part, max))
}

/** Sends a query in a flight of its own, so that it fails alone: for a connection that others share. */
export function sendAlone<Row extends object>(client: pg.ClientBase, query: BoundedQuery<Row>): void {
  gather(client, query as unknown as Part, 1, setImmediate)
}

/**
 * Sends a query in a flight with what others send over the client in the same turn of the event loop. Where one before it fails it is not
 * done (`isAfterFailure`), and its owner sends it again.
 *
 * @param most How many the flight with it answers at most.
 */
export function sendAmongOthers<Row extends object>(
  client: pg.ClientBase,
  query: BoundedQuery<Row>,
  max: number,
): void {
  gather(client, query as unknown as Part, max, setImmediate)
  departIfFull(client)
}

/** Has the statement that is to be sent last over the client answer another one too; false where there is none that can. */
export function joinOthers<Row extends object>(client: pg.ClientBase, asking: Asking<Row>): boolean {
  const isTaken =
    gathering
      .get(client)
      ?.at(-1)
      ?.takeIn(asking as unknown as Asking<object>) === true
  if (isTaken) departIfFull(client)
  return isTaken
}

/** The server begins with what is full while this process goes on with what has just happened. */
function departIfFull(client: pg.ClientBase): void {
  if (!takesOneMore(client)) inOnePiece(client, () => depart(client))
}

/** Whether a flight that waits to leave a client takes one more. */
export function takesOneMore(client: pg.ClientBase): boolean {
  return gathering.get(client)?.at(-1)?.hasRoom === true
}

/** Sends what is gathered for a client now, before something else is sent over it. */
export function depart(client: pg.ClientBase): void {
  const batches = gathering.get(client)
  if (batches === undefined) return
  gathering.delete(client)
  for (const batch of batches) client.query(batch as unknown as pg.Query)
}

/**
 * Runs a statement on a connection that is this caller's alone, together with what else is to be run on it once what has just
 * happened is handled, see `PipelineBatch`: the server begins while this process looks at what else has come in. After `ResultTooLarge` the
 * connection must be closed.
 */
export function queryOn<Row extends object>(
  client: pg.ClientBase,
  config: pg.QueryConfig,
  maxBytes = maxBytesHeld,
): Promise<Answer<Row>> {
  const answered = new Promise<Answer<Row>>((resolve, reject) => {
    const options = { maxBytes, isShared: false }
    const query = new BoundedQuery<Row>(client, config, options, (error, response) =>
      error ? reject(error) : resolve(response),
    ) as unknown as Part
    gather(client, query, Number.POSITIVE_INFINITY, atEndOfTick)
  })
  return answered.catch((error: Error) => {
    Error.captureStackTrace(error) // leads to whoever waits for it, and not to the socket
    throw error
  })
}
