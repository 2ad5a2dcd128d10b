import pg from 'pg'
import utils from 'pg/lib/utils.js'
import type { Statement } from '../sql/statement.ts'
import { preparedName } from '../sql/statement.ts'

/**
 * The most bytes of rows that one statement may bring into memory at once, unless its reader says otherwise. What may be
 * longer is read in batches (`readRows`).
 */
export const maxBytesHeld = 12 * 1024 * 1024

/** What a statement answers is more than its reader may hold in memory. Nothing of it was handed on. */
export class ResultTooLarge extends Error {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`a statement answered more than ${maxBytes} bytes`)
    this.maxBytes = maxBytes
  }
}

/** A statement as `pg` takes it, under a name so that it is parsed once per connection. */
export function prepared(statement: Statement): pg.QueryConfig {
  const { text } = statement
  const values = statement.values as unknown[]
  const name = statement.name ?? preparedName(text)
  return name === undefined ? { text, values } : { name, text, values }
}

/** What `pg` has of a connection; its published types leave this out. */
export interface Wire {
  /** The texts of what the server has prepared, by name, and of what was sent to it to prepare and is not answered. */
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
  parse(message: { readonly name: string | undefined; readonly text: string }): void
  bind(message: { readonly statement: string | undefined; readonly values: readonly unknown[] }): void
  describe(message: { readonly type: 'P' }): void
  execute(message: object): void
  close(message: { readonly type: 'S'; readonly name: string }): void
  sync(): void
}

/** A row as it came over the wire, with its length in bytes. */
export interface RowMessage {
  readonly length: number
  readonly fields: readonly (string | null)[]
}

/** The columns of an answer as they came. */
export interface ColumnsMessage {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** What the columns of an answer are called, and how their texts become values. */
export interface Columns {
  readonly names: readonly string[]
  /** Makes a row of the texts that came. */
  readonly read: (texts: RowMessage['fields']) => object
}

/** What a statement answers, with its command tag, such as `COMMIT`. */
export interface Answer<Row extends object> {
  readonly rows: Row[]
  readonly command: string
  /** The bytes of its rows. */
  readonly bytes: number
}

/** Hears what a statement answers, or why it does not. */
export type Done<Row extends object> = (error: Error | undefined, response: Answer<Row>) => void

const noColumns: Columns = { names: [], read: () => ({}) }

function getColumns(client: pg.ClientBase, { fields }: ColumnsMessage): Columns {
  const names = fields.map(({ name }) => name)
  const parsers = fields.map(({ dataTypeID }) => client.getTypeParser(dataTypeID, 'text'))
  return { names, read: findReader(names, parsers) }
}

type Parser = (text: string) => unknown

/** So many rows of the same columns come before what makes them is compiled, which costs as much as to make some hundred by name. */
const rowsByName = 100

function findReader(names: readonly string[], parsers: readonly Parser[]): Columns['read'] {
  let rows = 0
  let compiled: Columns['read'] | undefined
  return (texts) => {
    if (compiled !== undefined) return compiled(texts)
    rows += 1
    if (rows > rowsByName) compiled = compiledReader(names, parsers)
    const row: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) {
      const text = texts[index] as string | null
      row[name] = text === null ? null : parsers[index]?.(text)
    }
    return row
  }
}

/** The parser of texts, which gives them as they came. */
const asItCame: Parser = pg.types.getTypeParser(pg.types.builtins.TEXT, 'text')

/** One expression that makes a row: to assign its columns by name takes several times as long (see `entities/stored-fields.ts`). */
function compiledReader(names: readonly string[], parsers: readonly Parser[]): Columns['read'] {
  const members = names.map((name, index) => {
    const text = `texts[${index}]`
    const value = parsers[index] === asItCame ? text : `${text} === null ? null : parsers[${index}](${text})`
    // In brackets it is a member as any other (ECMA-262, §13.2.5).
    return name === '__proto__' ? `['__proto__']: ${value}` : `${JSON.stringify(name)}: ${value}`
  })
  return new Function('parsers', `return (texts) => ({ ${members.join(', ')} })`)(parsers)
}

function getRow({ names, read }: Columns, { fields }: RowMessage): object {
  if (fields.length !== names.length) throw new Error('a statement answers other columns than before')
  return read(fields)
}

/** What is known of a statement that a connection has prepared. */
interface Known {
  /** They do not change while the connection lasts. */
  readonly columns: Columns
  uses: number
  /** After so many uses it is prepared anew. */
  renewal: number
  /** The bytes of the rows that it answered last. */
  bytes: number
}

/** An answer of no more bytes is short. */
const maxOfShort = 1024

/**
 * Plan renewal: PostgreSQL caches the plan of a prepared statement until statistics change. While a table has a page or two
 * any index of the tenant is as cheap as the right one, and such a plan would go on scanning the tenant's whole index while
 * the table grows, until autovacuum analyzes it, up to a minute later. So a statement is prepared anew after so many uses on
 * a connection, and then after four times as many each.
 */
const firstRenewal = 16
const renewalFactor = 4

/** What each connection has told of its prepared statements, by name. */
const described = new WeakMap<pg.ClientBase, Map<string, Known>>()

/** The value as it is sent. */
const sent = (value: unknown) => (typeof value === 'string' ? value : utils.prepareValue(value))

/** A statement that somebody asks for a tenant. */
export interface Asking<Row extends object> {
  readonly tenantId: string
  readonly statement: Statement
  readonly done: Done<Row>
}

export interface BoundedQueryOptions {
  /** The most bytes of rows that it may answer. */
  readonly maxBytes: number
  /** Whether others share the connection. */
  readonly isShared: boolean
}

/**
 * A query whose rows are held in memory up to a number of bytes, as a part of a `PipelineBatch`. Of one that answers more nothing is kept,
 * and it fails with `ResultTooLarge`: at its end where others share the connection, which has to take the rest in, else at once.
 */
export class BoundedQuery<Row extends object> {
  name: string | undefined
  text: string
  /** The bytes of the rows that have come. */
  #bytes = 0
  readonly #client: pg.ClientBase
  values: readonly unknown[]
  readonly #maxBytes: number
  readonly #isShared: boolean
  #done: Done<Row> | null
  #columns: Columns | undefined
  #rows: Row[] = []
  #command = ''
  #rowError: Error | undefined

  constructor(
    client: pg.ClientBase,
    { name, text, values = [] }: pg.QueryConfig,
    { maxBytes, isShared }: BoundedQueryOptions,
    done: Done<Row>,
  ) {
    this.name = name
    this.text = text
    this.#client = client
    this.values = values
    this.#maxBytes = maxBytes
    this.#isShared = isShared
    this.#done = done
  }

  /** Whether it answered little when its connection was asked last. */
  get isShort(): boolean {
    const known = this.#known
    return known !== undefined && known.bytes <= maxOfShort
  }

  /** Asks something else. It has not been written. */
  protected ask({ name, text, values = [] }: pg.QueryConfig): void {
    this.name = name
    this.text = text
    this.values = values
  }

  /** Answers another one too; false where it cannot. It has not been written. */
  takeIn(_asking: Asking<Row>): boolean {
    return false
  }

  get #known(): Known | undefined {
    return this.name === undefined ? undefined : described.get(this.#client)?.get(this.name)
  }

  /** Writes it; `preparing` has what is prepared in the same flight, by name. Throws for a value that cannot be sent. */
  write(wire: Wire, preparing: Map<string, string>): void {
    const { name, text } = this
    const values = this.values.map(sent)
    const known = this.#known
    if (name !== undefined && known !== undefined) {
      known.uses += 1
      if (known.uses > known.renewal) {
        known.renewal *= renewalFactor
        delete wire.parsedStatements[name]
        wire.submittedNamedStatements[name] = text
      }
    }
    if (name === undefined) wire.parse({ name, text })
    else if (wire.parsedStatements[name] === undefined && !preparing.has(name)) {
      // It is prepared anew, or another flight is to prepare it, which may fail before that. To close what is not there is no error.
      if (wire.submittedNamedStatements[name] !== undefined) wire.close({ type: 'S', name })
      wire.parse({ name, text })
      wire.submittedNamedStatements[name] = text
      preparing.set(name, text)
    }
    wire.bind({ statement: name, values })
    this.#columns = known?.columns
    if (this.#columns === undefined) wire.describe({ type: 'P' })
    wire.execute({})
  }

  takeColumns(message: ColumnsMessage): void {
    this.#columns = getColumns(this.#client, message)
  }

  takeRow(message: RowMessage): void {
    this.#bytes += message.length
    if (this.#bytes > this.#maxBytes) {
      this.#rows = []
      if (!this.#isShared) this.fail(new ResultTooLarge(this.#maxBytes))
      return
    }
    try {
      this.#rows.push(getRow(this.#columns ?? noColumns, message) as Row)
    } catch (error) {
      this.#rowError = error as Error
    }
  }

  takeEnd(command: string): void {
    this.#command = command
    if (this.name === undefined) return
    const all = described.get(this.#client) ?? new Map<string, Known>()
    described.set(this.#client, all)
    const known = all.get(this.name)
    if (known !== undefined) known.bytes = this.#bytes
    else {
      const columns = this.#columns ?? noColumns
      all.set(this.name, { columns, uses: 1, renewal: firstRenewal, bytes: this.#bytes })
    }
  }

  /** Everything that it answers has come. */
  finish(): void {
    if (this.#bytes > this.#maxBytes) this.fail(new ResultTooLarge(this.#maxBytes))
    else this.#tell(this.#rowError)
  }

  fail(error: Error): void {
    this.#tell(error)
  }

  #tell(error: Error | undefined): void {
    const done = this.#done
    this.#done = null
    done?.(error, { rows: this.#rows, command: this.#command, bytes: this.#bytes })
  }
}
