import pg from 'pg'
import { BoundedQuery, mostBytesHeld } from './bounded-query.ts'
import { sendTogether } from './driver.ts'
import { afterFailure } from './errors.ts'

/** What `pg` has of a connection, as its queries use it; its published types leave this out. */
interface Wire {
  /** The texts of what the server has prepared, by name, and of what was sent to it to prepare and is not answered. */
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
  parse(message: { readonly name: string | undefined; readonly text: string }): void
  bind(message: object): void
  describe(message: object): void
  execute(message: object): void
  close(message: { readonly type: 'S'; readonly name: string }): void
  sync(): void
}

/** What `pg` calls on a query while it is sent and answered. */
interface Part {
  readonly name: string | undefined
  readonly text: string
  readonly _result: { _types: unknown }
  submit(wire: Wire): Error | null
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, wire: Wire): void
  handleEmptyQuery(wire: Wire): void
  handleReadyForQuery(wire: Wire): void
  handleError(error: Error, wire: Wire): void
}

/** What a part of a flight is written on: the wire of its client, without the Sync that would end the flight behind it. */
class Sheet implements Wire {
  readonly parsedStatements: Wire['parsedStatements']
  /** What this flight itself prepares: either all of what follows in it is done, or nothing. */
  readonly submittedNamedStatements: Record<string, string> = {}
  /** A value could not be written. */
  isSpoiled = false
  /** A query holds back what it writes until it is whole; here the flight does. */
  readonly stream = {}
  readonly #wire: Wire

  constructor(wire: Wire) {
    this.#wire = wire
    this.parsedStatements = wire.parsedStatements
  }

  parse(message: { name: string | undefined; text: string }): void {
    const { name, text } = message
    const { submittedNamedStatements: underWay } = this.#wire
    if (name !== undefined) {
      // Another flight is to prepare it, which may fail before that. To close what is not there is no error.
      if (underWay[name] !== undefined) this.#wire.close({ type: 'S', name })
      underWay[name] = text
    }
    this.#wire.parse(message)
  }

  bind(message: object): void {
    this.#wire.bind(message)
  }

  describe(message: object): void {
    this.#wire.describe(message)
  }

  execute(message: object): void {
    this.#wire.execute(message)
  }

  /** A query closes what it has prepared when it cannot write its values. */
  close(): void {
    this.isSpoiled = true
  }

  sync(): void {}
}

/** The types of `pg` know of no query but those that it makes itself. */
const QueryOfDriver = pg.Query as unknown as new (text: string) => object

/**
 * Statements of one owner that go to the server in one piece with one Sync (PostgreSQL manual, "Pipelining"): it answers them in one
 * piece too, where a Sync behind each would make it send each answer by itself and wake this process for each. From the first
 * that fails on none is done, and those behind it fail as statements of a failed transaction do (SQLSTATE 25P02), a COMMIT too.
 */
class Flight extends QueryOfDriver {
  readonly #parts: Part[] = []
  /** Which part is being answered. */
  #index = 0
  /** How many parts were sent. */
  #sent = 0

  constructor() {
    super('')
  }

  add(part: Part): void {
    this.#parts.push(part)
  }

  submit(wire: Wire): null {
    const sheet = new Sheet(wire)
    for (const part of this.#parts) {
      const fault = part.submit(sheet)
      if (fault !== null) part.handleError(fault, wire)
      if (fault !== null || sheet.isSpoiled) break
      this.#sent += 1
    }
    wire.sync()
    this.#show()
    return null
  }

  handleRowDescription(message: unknown): void {
    this.#part.handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    this.#part.handleDataRow(message)
  }

  handleCommandComplete(message: unknown, wire: Wire): void {
    this.#part.handleCommandComplete(message, wire)
    this.#advance()
  }

  handleEmptyQuery(): void {
    this.#advance()
  }

  handleReadyForQuery(wire: Wire): void {
    this.#finish(wire, this.#sent)
    for (const part of this.#parts.slice(this.#sent)) part.handleError(afterFailure(), wire)
  }

  handleError(error: Error, wire: Wire): void {
    // What fails when everything is done, such as a check that waits for the end, is told of the last.
    const failed = Math.min(this.#index, this.#parts.length - 1)
    this.#finish(wire, failed)
    for (const [index, part] of this.#parts.entries()) {
      if (index < failed) continue
      if (part.name !== undefined) delete wire.submittedNamedStatements[part.name]
      part.handleError(index === failed || !(error instanceof pg.DatabaseError) ? error : afterFailure(), wire)
    }
  }

  get #part(): Part {
    return this.#parts[Math.min(this.#index, this.#parts.length - 1)] as Part
  }

  #advance(): void {
    this.#index += 1
    this.#show()
  }

  /** Lets the client see which statement is being prepared. */
  #show(): void {
    const { name, text } = this.#part
    Object.assign(this, { name, text })
  }

  #finish(wire: Wire, end: number): void {
    for (const part of this.#parts.slice(0, end)) part.handleReadyForQuery(wire)
  }
}

const gathering = new WeakMap<pg.ClientBase, Flight>()

function flightOf(client: pg.ClientBase): Flight {
  const open = gathering.get(client)
  if (open !== undefined) return open
  const flight = new Flight()
  gathering.set(client, flight)
  setImmediate(() => depart(client))
  return flight
}

/** Sends what is gathered for a client now, before something else is sent over it. */
export function depart(client: pg.ClientBase): void {
  const flight = gathering.get(client)
  if (flight === undefined) return
  gathering.delete(client)
  sendTogether(client)
  client.query(flight as unknown as pg.Query)
}

/**
 * Runs a statement on a connection that is this caller's alone, together with what else is to be run on it once what has just
 * happened is handled: see `Flight`. After `AnswerTooLarge` the connection must be closed.
 */
export function queryOn<Row extends object>(
  client: pg.ClientBase,
  config: pg.QueryConfig,
  mostBytes = mostBytesHeld,
): Promise<pg.QueryResult<Row>> {
  const answered = new Promise<pg.QueryResult<Row>>((resolve, reject) => {
    const options = { mostBytes, isShared: false }
    const query = new BoundedQuery<Row>(
      { ...config, queryMode: 'extended' } as pg.QueryConfig,
      options,
      (error, result) => (error ? reject(error) : resolve(result)),
    )
    const part = query as unknown as Part
    part._result._types = (client as unknown as { readonly _types: unknown })._types
    flightOf(client).add(part)
  })
  return answered.catch((error: Error) => {
    Error.captureStackTrace(error) // leads to whoever waits for it, and not to the socket
    throw error
  })
}
