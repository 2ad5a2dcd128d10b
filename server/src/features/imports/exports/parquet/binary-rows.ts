import type { ColumnValues } from './column-values.ts'

/** Signature, flags and the length of an extension (PostgreSQL, COPY, Binary Format). */
const headBytes = 19

/** How long what comes before the first row of `copy … to stdout (format binary)` is. */
export function headLength(input: Buffer): number {
  return headBytes + input.readInt32BE(headBytes - 4)
}

/**
 * Reads whole rows as `copy … to stdout (format binary)` sends them into the values of columns, field by field as bytes: no value
 * becomes an object on its way. It says how many they were, and whether the end of all rows was behind them.
 */
export function addRows(input: Buffer, columns: readonly ColumnValues[]): { rows: number; isOver: boolean } {
  let [at, rows] = [0, 0]
  while (at < input.length) {
    if (input.readInt16BE(at) === -1) return { rows, isOver: true }
    at = addRow(input, at + 2, columns)
    rows += 1
  }
  return { rows, isOver: false }
}

/** Reads the fields of a row, and says where they end. */
function addRow(input: Buffer, start: number, columns: readonly ColumnValues[]): number {
  let at = start
  for (const values of columns) {
    const length = input.readInt32BE(at)
    at += 4
    if (length < 0) values.addNull()
    else {
      values.add(input, at, length)
      at += length
    }
  }
  return at
}
