import { Readable } from 'node:stream'
import { type CsvError, type Info, type Parser, parse } from 'csv-parse'
import { UnreadableFile } from '../row-errors.ts'
import { inBatches, maxRecordBytes, type OpenedFile, type TableRow } from './table-file.ts'

const delimiters = [',', ';', '\t'] as const

/** How much of a file is looked at for its delimiter, in characters. */
const probeLength = 64 * 1024

/**
 * Reads a CSV file (RFC 4180) from its text. The delimiter is the one that its first record has most of outside quotation
 * marks. Throws `UnreadableFile` with the line where a record begins whose quotation marks do not match.
 */
export async function openCsv(text: AsyncIterable<string>): Promise<OpenedFile> {
  const pieces = text[Symbol.asyncIterator]()
  let head = ''
  while (head.length < probeLength) {
    const next = await pieces.next()
    if (next.done === true) break
    head += next.value
  }
  const delimiter = findDelimiter(head)
  const records = readRecords(joined(head, pieces), delimiter)
  const first = await records.next()
  if (first.done === true) throw new UnreadableFile('required', 'is empty: its first line must name the columns')
  const { line, cells } = first.value
  return {
    format: 'csv',
    sheet: null,
    delimiter,
    headingLine: line,
    headings: cells as string[],
    rows: inBatches(records),
  }
}

async function* joined(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield head
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

/** The delimiter that a first record has most of. */
function findDelimiter(text: string): string {
  const counts = new Map<string, number>(delimiters.map((each) => [each, 0]))
  let isQuoted = false
  let isEmpty = true
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (character === '\n' || character === '\r') {
      if (isEmpty) continue
      break
    }
    isEmpty = false
    const count = counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
  }
  const [most = ','] = [...delimiters].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))
  return most
}

async function* readRecords(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<TableRow> {
  // The parser says where a record ends; it begins behind the one before it and the empty lines between them.
  let end = 0
  let emptyLines = 0
  const begin = (info: Pick<Info, 'empty_lines'>) => {
    const between = info.empty_lines - emptyLines
    emptyLines = info.empty_lines
    return end + between + 1
  }
  const parser: Parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
    on_record: (cells: string[], info: Info) => {
      const line = begin(info)
      end = info.lines
      return { line, cells } as never
    },
  })
  const source = Readable.from(text, { objectMode: true })
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    yield* parser as unknown as AsyncIterable<TableRow>
  } catch (error) {
    throw toUnreadable(error as CsvError & Info, begin)
  } finally {
    source.destroy()
  }
}

function toUnreadable(error: CsvError & Info, begin: (info: Pick<Info, 'empty_lines'>) => number): unknown {
  if (typeof error.code !== 'string' || !error.code.startsWith('CSV_')) return error
  const line = begin(error)
  const place = { line, ...(typeof error.column === 'number' && { column: error.column + 1 }) }
  if (error.code === 'CSV_MAX_RECORD_SIZE' && error.lines === line) {
    return new UnreadableFile('too_large', `a record is longer than ${maxRecordBytes} bytes`, place)
  }
  const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.lines > line
  return isOpen
    ? new UnreadableFile('open_quote', 'a quotation mark is opened here and not closed', place)
    : new UnreadableFile(
        'broken_quote',
        'a quotation mark stands inside a cell, or text behind one that ends it',
        place,
      )
}
