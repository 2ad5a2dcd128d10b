import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** A value of a column: objects are stored as JSON. */
export type CopyValue = string | number | boolean | null | object

/** A table, and the columns that are loaded. */
export interface LoadedTable<Column extends string> {
  readonly name: string
  readonly columns: readonly Column[]
}

/** A value for each column. */
export type Row<Column extends string> = Readonly<Record<Column, CopyValue>>

export type RowOf<Table> = Table extends LoadedTable<infer Column> ? Row<Column> : never

/** Puts rows into a table. Returns how many. */
export type Load = <Column extends string>(table: LoadedTable<Column>, rows: Iterable<Row<Column>>) => Promise<number>

const chunkLength = 64 * 1024

/**
 * Loads rows by COPY as fast as the database takes them, and returns how many. `onRows` hears of rows as they leave.
 */
export async function copyRows<Column extends string>(
  client: pg.Client,
  tenantId: string,
  table: LoadedTable<Column>,
  rows: Iterable<Row<Column>>,
  onRows: (count: number) => void = () => {},
): Promise<number> {
  const stream = copyFrom(`copy ${table.name} (tenant_id, ${table.columns.join(', ')}) from stdin`)
  const chunks = copyChunks(tenantId, table.columns, rows, onRows)
  await pipeline(Readable.from(chunks, { objectMode: false }), client.query(stream))
  return stream.rowCount
}

function* copyChunks<Column extends string>(
  tenantId: string,
  columns: readonly Column[],
  rows: Iterable<Row<Column>>,
  onRows: (count: number) => void,
): Generator<Buffer> {
  let text = ''
  let count = 0
  for (const row of rows) {
    text += `${tenantId}\t${copyLine(columns.map((column) => row[column]))}`
    count += 1
    if (text.length < chunkLength) continue
    yield Buffer.from(text)
    onRows(count)
    text = ''
    count = 0
  }
  if (count === 0) return
  yield Buffer.from(text)
  onRows(count)
}

/** One row in the text format of COPY, with its line end. */
export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(copyText).join('\t')}\n`
}

const special = /[\\\b\f\n\r\t\v]/
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

function copyText(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return special.test(text) ? text.replace(/[\\\b\f\n\r\t\v]/g, (mark) => escapes[mark] as string) : text
}
