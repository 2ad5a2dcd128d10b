import type { ColumnValues } from './column-values.ts'

/** Signature, flags and the length of an extension (PostgreSQL, COPY, Binary Format). */
const headBytes = 19

/**
 * Reads what `copy … to stdout (format binary)` sends into the values of columns, field by field as bytes: no value becomes an
 * object on its way.
 */
export class BinaryRows {
  readonly #columns: readonly ColumnValues[]
  #rest: Buffer = Buffer.alloc(0)
  #isBegun = false
  #isOver = false

  constructor(columns: readonly ColumnValues[]) {
    this.#columns = columns
  }

  /** Reads the complete rows of a piece, and says how many they are. */
  add(piece: Buffer): number {
    const input = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    let at = 0
    if (!this.#isBegun) {
      if (input.length < headBytes) {
        this.#rest = input
        return 0
      }
      at = headBytes + input.readInt32BE(headBytes - 4)
      this.#isBegun = true
    }
    let rows = 0
    while (at + 2 <= input.length) {
      if (input.readInt16BE(at) === -1) {
        this.#isOver = true
        at += 2
        break
      }
      const end = findRowEnd(input, at)
      if (end === null) break
      this.#addRow(input, at + 2)
      at = end
      rows += 1
    }
    this.#rest = input.subarray(at)
    return rows
  }

  /** Throws unless the rows came to their end. */
  finish(): void {
    if (!this.#isOver || this.#rest.length > 0) throw new Error('the copied rows end before their end')
  }

  #addRow(input: Buffer, start: number): void {
    let at = start
    for (const values of this.#columns) {
      const length = input.readInt32BE(at)
      at += 4
      if (length < 0) values.addNull()
      else {
        values.add(input, at, length)
        at += length
      }
    }
  }
}

/** Where a row ends; null where it goes beyond the input. */
function findRowEnd(input: Buffer, start: number): number | null {
  const fields = input.readInt16BE(start)
  let at = start + 2
  for (let field = 0; field < fields; field += 1) {
    if (at + 4 > input.length) return null
    at += 4 + Math.max(0, input.readInt32BE(at))
  }
  return at > input.length ? null : at
}
