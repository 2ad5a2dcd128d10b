import type { Json } from '@matricula/contract'

/** A cell of a table: a text, or what a workbook says of it beyond its text. */
export type Cell = string | WorkbookCell

/** A cell of a workbook that is more than a text. */
export type WorkbookCell =
  | { readonly type: 'number'; readonly text: string }
  | { readonly type: 'boolean'; readonly text: 'true' | 'false' }
  /** A date, with a time where the cell has one, in the form of the interface and without an offset. */
  | { readonly type: 'date'; readonly text: string }
  | { readonly type: 'formula'; readonly text: string }
  | { readonly type: 'error'; readonly text: string }

/** A record of a table: one cell for each heading, fewer or more where the file says so. */
export interface TableRow {
  readonly line: number
  readonly cells: readonly Cell[]
}

/** A record of a file of JSON objects; null where its line is no object. */
export interface ObjectRow {
  readonly line: number
  readonly object: Readonly<Record<string, Json>> | null
  readonly text: string
}

/** A file that is being read. Its rows come in batches, once. */
export type OpenedFile =
  | {
      readonly format: 'csv'
      readonly sheet: null
      readonly delimiter: string
      readonly headingLine: number
      readonly headings: readonly string[]
      readonly rows: AsyncIterable<readonly TableRow[]>
    }
  | {
      readonly format: 'xlsx'
      readonly sheet: string
      readonly headingLine: number
      readonly headings: readonly string[]
      readonly rows: AsyncIterable<readonly TableRow[]>
    }
  | { readonly format: 'ndjson'; readonly sheet: null; readonly rows: AsyncIterable<readonly ObjectRow[]> }

/** How many rows are read, checked and written at once, and how many characters they have together: then a batch ends. */
const rowsPerBatch = 2000
const charactersPerBatch = 4 * 1024 * 1024

/** The longest record, in bytes: as long as a body of the interfaces. */
export const maxRecordBytes = 1024 * 1024

/** The text of a cell as the file shows it. */
export function cellText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text
}

/** Batches of rows that come one by one. */
export async function* inBatches<Row extends TableRow | ObjectRow>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  let characters = 0
  for await (const row of rows) {
    batch.push(row)
    characters += countCharacters(row)
    if (batch.length < rowsPerBatch && characters < charactersPerBatch) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

function countCharacters(row: TableRow | ObjectRow): number {
  if ('text' in row) return row.text.length
  let count = 0
  for (const cell of row.cells) count += cellText(cell).length
  return count
}
