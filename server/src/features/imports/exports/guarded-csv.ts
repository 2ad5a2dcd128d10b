import { csvCell, guarded } from '../files/csv-text.ts'

const [comma, quote, lineFeed, carriageReturn] = [0x2c, 0x22, 0x0a, 0x0d]
const [space, plus, point, zero, letterT, letterZ] = [0x20, 0x2b, 0x2e, 0x30, 0x54, 0x5a]

/** Bytes at the edge of a cell that may need an apostrophe or quotation marks: blanks, what begins a formula, and all but ASCII. */
const isOdd = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte <= 0x20 || byte >= 0x80 || "=+-@'".includes(String.fromCharCode(byte))),
)

/** Bytes that a cell without quotation marks may have. */
const isWithinPlain = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte !== comma && byte !== lineFeed))

/** Columns of a CSV file that are more than text. */
export interface CsvColumns {
  /** Those whose values are handed on beside the rows. */
  readonly watched?: readonly number[] | undefined
  /** Those with moments as PostgreSQL writes them in UTC, such as `2026-09-01 08:00:00.12+00`. */
  readonly moments?: readonly number[] | undefined
}

/** How many bytes are looked through at once. */
const pieceBytes = 128 * 1024

/** Complete rows of a CSV file, and how many they are. */
export interface CsvPiece {
  readonly bytes: Buffer
  readonly rows: number
  /** The values of each watched column, but for empty ones. */
  readonly ids: readonly (readonly string[])[]
}

/**
 * CSV as PostgreSQL writes it, in the form of an export: lines end with CRLF, cells that a spreadsheet would run have an
 * apostrophe, cells with blanks at an edge have quotation marks, and moments are those of RFC 3339. Most cells are copied as bytes; the others go through
 * `guarded` and `csvCell`.
 */
export async function* guardedCsv(
  pieces: AsyncIterable<Buffer>,
  { watched = [], moments = [] }: CsvColumns = {},
): AsyncGenerator<CsvPiece> {
  let waiting: Buffer[] = []
  let size = 0
  const convert = (input: Buffer) => convertRows(input, watched, moments)
  for await (const piece of pieces) {
    waiting.push(piece)
    size += piece.length
    if (size < pieceBytes) continue
    const { rest, ...complete } = convert(Buffer.concat(waiting, size))
    waiting = rest.length === 0 ? [] : [rest]
    size = rest.length
    if (complete.rows > 0) yield complete
  }
  const { rest, ...complete } = convert(Buffer.concat(waiting, size))
  if (rest.length > 0) throw new Error('the copied rows end within a row')
  if (complete.rows > 0) yield complete
}

/** Converts the complete rows of a piece; `rest` is what follows them. */
function convertRows(
  input: Buffer,
  watched: readonly number[],
  moments: readonly number[],
): CsvPiece & { readonly rest: Buffer } {
  // A cell of one byte can become four: an apostrophe and two quotation marks more.
  const output = Buffer.allocUnsafe(input.length * 3 + 16)
  // What lies between `copied` and `at` goes into the file as it is.
  let [at, copied, written, rows, rowEnd, rowWritten, column] = [0, 0, 0, 0, 0, 0, 0]
  const ids = watched.map((): string[] => [])
  const counts = watched.map(() => 0)
  const end = input.lastIndexOf(lineFeed) + 1
  const special = Math.max(-1, ...watched, ...moments) + 1
  const watchedAt = Int8Array.from({ length: special }, (_, index) => watched.indexOf(index))
  const isMoment = Uint8Array.from({ length: special }, (_, index) => Number(moments.includes(index)))
  while (at < end) {
    const start = at
    const isQuoted = input[at] === quote
    if (isQuoted) at = findEndOfQuoted(input, at)
    else while (isWithinPlain[input[at] as number] === 1) at += 1
    if (at >= end) break
    if (at > start) {
      if (column < special && (watchedAt[column] as number) >= 0)
        ids[watchedAt[column] as number]?.push(unquoted(input.toString('utf8', start, at), isQuoted))
      const first = input[isQuoted ? start + 1 : start] as number
      const last = input[isQuoted ? at - 2 : at - 1] as number
      if (column < special && isMoment[column] === 1) {
        written += input.copy(output, written, copied, start)
        written = writeMoment(input, start, at, output, written)
        copied = at
      } else if (isOdd[first] === 1 || isOdd[last] === 1 || (isQuoted && at - start === 2)) {
        written += input.copy(output, written, copied, start)
        written += output.write(convertCell(input.toString('utf8', start, at), isQuoted), written)
        copied = at
      }
    }
    column += 1
    if (input[at] === lineFeed) {
      written += input.copy(output, written, copied, at)
      output[written++] = carriageReturn
      output[written++] = lineFeed
      rows += 1
      rowEnd = at + 1
      rowWritten = written
      column = 0
      copied = rowEnd
      for (let index = 0; index < ids.length; index += 1) counts[index] = ids[index]?.length ?? 0
    }
    at += 1
  }
  return {
    bytes: output.subarray(0, rowWritten),
    rows,
    ids: ids.map((found, index) => found.slice(0, counts[index])),
    rest: input.subarray(rowEnd),
  }
}

/** Writes a moment of PostgreSQL as that of RFC 3339, with milliseconds, and returns where it ends. */
function writeMoment(input: Buffer, start: number, end: number, output: Buffer, written: number): number {
  let to = written
  let fraction = -1
  for (let at = start; at < end && input[at] !== plus; at += 1) {
    const byte = input[at] as number
    if (byte === point) fraction = to
    output[to++] = byte === space ? letterT : byte
  }
  if (fraction === -1) {
    fraction = to
    output[to++] = point
  }
  while (to < fraction + 4) output[to++] = zero
  output[to++] = letterZ
  return to
}

function findEndOfQuoted(input: Buffer, from: number): number {
  let at = from + 1
  for (; at < input.length; at += 1) {
    if (input[at] !== quote) continue
    if (input[at + 1] !== quote) return at + 1
    at += 1
  }
  return at
}

function convertCell(cell: string, isQuoted: boolean): string {
  return csvCell(guarded(unquoted(cell, isQuoted)))
}

function unquoted(cell: string, isQuoted: boolean): string {
  return isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell
}
