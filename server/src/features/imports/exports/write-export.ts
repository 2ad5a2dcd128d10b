import { xlsxOfRows } from '../../../resource-api/index.ts'
import { plainNumber } from '../../../values/index.ts'
import { csvLine, guarded } from '../files/csv-text.ts'
import type { ExportedRecords } from './export-kinds.ts'
import { guardedCsv } from './guarded-csv.ts'

export const exportFormats = ['csv', 'xlsx', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

/**
 * The bytes of a file with records, written while they are read. Cells that a spreadsheet would run have an apostrophe before
 * them. `counted` is told of each batch.
 */
export function writeRecordsFile(
  exported: ExportedRecords,
  format: ExportFormat,
  counted: (count: number) => void = () => {},
): AsyncIterable<string | Uint8Array> {
  const { columns, rows, copied } = exported
  if (format === 'csv')
    return copied === undefined ? csv(columns, countedBatches(rows, counted)) : copiedCsv(exported, copied(), counted)
  const batches = countedBatches(rows, counted)
  if (format === 'ndjson') return ndjson(columns, batches)
  const headings = columns.map((heading) => ({ heading, type: null }))
  return xlsxOfRows(headings, sheetRows(columns, batches), { isNumbered: false })
}

type Batches = AsyncIterable<readonly Readonly<Record<string, unknown>>[]>

async function* countedBatches(
  rows: Batches,
  counted: (count: number) => void,
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
  for await (const batch of rows) {
    yield batch
    counted(batch.length)
  }
}

/** Spreadsheets take a file without a mark for one in an encoding of their own. */
const mark = '\ufeff'

async function* csv(columns: readonly string[], rows: Batches): AsyncGenerator<string> {
  yield `${mark}${csvLine(columns)}`
  for await (const batch of rows) {
    yield batch.map((row) => csvLine(columns.map((column) => guarded(toText(row[column]))))).join('')
  }
}

async function* copiedCsv(
  { columns, watched, moments, shown }: ExportedRecords,
  rows: AsyncIterable<Buffer>,
  counted: (count: number) => void,
): AsyncGenerator<string | Buffer> {
  yield `${mark}${csvLine(columns)}`
  for await (const piece of guardedCsv(rows, { watched, moments })) {
    await shown?.(piece.ids, piece.rows)
    yield piece.bytes
    counted(piece.rows)
  }
}

async function* ndjson(columns: readonly string[], rows: Batches): AsyncGenerator<string> {
  for await (const batch of rows) {
    yield batch
      .map((row) => `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column] ?? null])))}\n`)
      .join('')
  }
}

async function* sheetRows(columns: readonly string[], rows: Batches): AsyncGenerator<unknown[]> {
  for await (const batch of rows) {
    yield batch.map((row) =>
      columns.map((column) => (typeof row[column] === 'number' ? row[column] : guarded(toText(row[column])))),
    )
  }
}

/** A value as the text of a cell: lists divided by semicolons, other structures as JSON. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return plainNumber(value)
  if (Array.isArray(value)) {
    const isPlain = value.every((each) => typeof each === 'string' && !each.includes(';') && each === each.trim())
    return isPlain ? value.join('; ') : JSON.stringify(value)
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
