import { statementColumns } from '@matricula/contract'
import { type CsvError, type Info, parse } from 'csv-parse/sync'
import type { Steps } from '../../../../concurrency/index.ts'
import { type Entry, maxErrors, RejectedStatement, refuse, type Statement, type StatementError } from './statement.ts'
import { readIsoDay, readSignedAmount, readText, toDay } from './values.ts'

type CsvHeading = (typeof statementColumns)[number]

/** What the headings are called in the files of a bank. */
export type HeadingMapping = Readonly<Partial<Record<CsvHeading, string>>>

/** The account that a CSV file is of: the file does not say it. */
export interface CsvAccount {
  readonly iban: string
  readonly currency: string
}

interface Row {
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * The entries of a CSV file (RFC 4180, in UTF-8), separated by commas or semicolons. Without a mapping a heading that is
 * not known is refused. Throws `RejectedStatement` with all that is wrong.
 */
export function* readCsv(bytes: Uint8Array, account: CsvAccount, mapping: HeadingMapping = {}): Steps<Statement[]> {
  const rows = yield* readRows(bytes)
  const [heading] = rows
  if (heading === undefined) refuse({ line: 1, column: 1 }, 'truncated', 'The file is empty.')
  const columns = readHeadings(heading, mapping)
  const errors: StatementError[] = []
  const entries: Entry[] = []
  for (const row of rows.slice(1)) {
    entries.push(readEntry(row, heading.cells.length, columns, account, errors))
    if (errors.length >= maxErrors) break
    yield
  }
  if (errors.length > 0) throw new RejectedStatement(errors.slice(0, maxErrors))
  const days = entries.map(({ bookedOn }) => bookedOn).sort()
  return [
    {
      account: account.iban,
      currency: account.currency,
      number: null,
      from: days[0] ?? null,
      to: days.at(-1) ?? null,
      openingBalance: null,
      closingBalance: null,
      entries,
      place: { line: heading.line, column: 1 },
      end: { line: rows.at(-1)?.line ?? heading.line, column: 1 },
    },
  ]
}

/** A line has at most so many cells. */
const maxCells = 1000

/** So many characters are read at a time, to the end of a line. */
const charactersOfStep = 8_192

function* readRows(bytes: Uint8Array): Steps<Row[]> {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    refuse({ line: 1, column: 1 }, 'encoding', 'The file is not in UTF-8. Save it as CSV UTF-8.')
  }
  const [head = ''] = text.slice(0, 65_536).split(/\r\n|\n|\r/, 1)
  const delimiter = head.split(';').length > head.split(',').length ? ';' : ','
  const rows: Row[] = []
  for (const part of yield* splitAtLines(text, delimiter)) {
    for (const row of parseRows(part.text, delimiter, part.line)) rows.push(row)
    yield
  }
  return rows
}

interface Part {
  readonly text: string
  /** The line at which it begins, from 1. */
  readonly line: number
}

/** Parts of a text that end where a line does that is not within quotation marks. Throws where a line has too many cells. */
function* splitAtLines(text: string, delimiter: string): Steps<Part[]> {
  const parts: Part[] = []
  let [from, line, lines, cells] = [0, 1, 0, 1]
  let isQuoted = false
  for (const { 0: found, index } of text.matchAll(/["\n,;]|\r\n?/g)) {
    yield
    if (found === '"') isQuoted = !isQuoted
    else if (found === ',' || found === ';') {
      if (isQuoted || found !== delimiter) continue
      cells += 1
      if (cells > maxCells) {
        refuse({ line: line + lines, column: cells }, 'broken_csv', `The line has more than ${maxCells} cells.`)
      }
    } else {
      lines += 1
      if (isQuoted) continue
      cells = 1
      const end = index + found.length
      if (end - from < charactersOfStep) continue
      parts.push({ text: text.slice(from, end), line })
      from = end
      line += lines
      lines = 0
    }
  }
  parts.push({ text: text.slice(from), line })
  return parts
}

function parseRows(text: string, delimiter: string, firstLine: number): Row[] {
  let end = 0
  let emptyLines = 0
  try {
    // Within quotation marks the parser counts the two characters of a line's end as two lines.
    return parse(text.replaceAll('\r\n', '\n'), {
      delimiter,
      record_delimiter: ['\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], info: Info) => {
        // The parser says where a record ends; it begins behind the one before it and the empty lines between them.
        const line = firstLine + end + info.empty_lines - emptyLines
        end = info.lines
        emptyLines = info.empty_lines
        return { line, cells } as never
      },
    }) as unknown as Row[]
  } catch (error) {
    const { code, column, lines } = error as CsvError & { readonly column?: number; readonly lines?: number }
    if (typeof code !== 'string' || !code.startsWith('CSV_')) throw error
    const place = {
      line: firstLine + (code === 'CSV_QUOTE_NOT_CLOSED' ? end : (lines ?? end + 1) - 1),
      column: Number(column ?? 0) + 1,
    }
    return code === 'CSV_QUOTE_NOT_CLOSED'
      ? refuse(place, 'truncated', 'A quotation mark is opened here and not closed.')
      : refuse(place, 'broken_csv', 'A quotation mark stands inside of a cell here. Double it, and quote the cell.')
  }
}

/** Where each heading stands. */
function readHeadings({ line, cells }: Row, mapping: HeadingMapping): Map<CsvHeading, number> {
  const isMapped = Object.keys(mapping).length > 0
  const errors: StatementError[] = []
  const columns = new Map<CsvHeading, number>()
  for (const [index, cell] of cells.entries()) {
    const found = statementColumns.find((each) => (mapping[each] ?? each) === cell.trim())
    const place = { line, column: index + 1 }
    if (errors.length >= maxErrors) break
    if (found === undefined && !isMapped) {
      const detail = `The heading ${JSON.stringify(cell)} is not known. Use ${statementColumns.join(', ')}.`
      errors.push({ ...place, code: 'unknown_heading', detail })
    }
    if (found !== undefined && columns.has(found)) {
      errors.push({ ...place, code: 'duplicate_heading', detail: `The heading ${found} stands here twice.` })
    }
    if (found !== undefined) columns.set(found, index)
  }
  for (const needed of ['bookedOn', 'amount'] as const) {
    if (columns.has(needed)) continue
    const detail = `The heading ${mapping[needed] ?? needed} is missing.`
    errors.push({ line, column: cells.length + 1, code: 'missing_heading', detail })
  }
  if (errors.length > 0) throw new RejectedStatement(errors.slice(0, maxErrors))
  return columns
}

function readEntry(
  { line, cells }: Row,
  width: number,
  columns: ReadonlyMap<CsvHeading, number>,
  account: CsvAccount,
  errors: StatementError[],
): Entry {
  const cell = (heading: CsvHeading) => readText(cells[columns.get(heading) ?? -1])
  const fail = (heading: CsvHeading | null, code: string, detail: string) => {
    const column = heading === null ? Math.min(cells.length, width) + 1 : (columns.get(heading) ?? 0) + 1
    errors.push({ line, column, code, detail })
  }
  if (cells.length !== width) {
    const code = cells.length < width ? 'truncated' : 'too_many_cells'
    fail(null, code, `The line has ${cells.length} cells, and the headings are ${width}.`)
  }
  const readDay = (heading: 'bookedOn' | 'valueOn') => {
    const sent = cell(heading)
    const day = sent === null ? null : (readIsoDay(sent) ?? readDottedDay(sent))
    if (sent !== null && day === null) fail(heading, 'wrong_date', 'Write the date as YYYY-MM-DD or DD.MM.YYYY.')
    if (sent === null && heading === 'bookedOn' && cells.length >= width) {
      fail(heading, 'required', 'The booking date is missing.')
    }
    return day
  }
  const sent = cell('amount')
  const amount = sent === null ? null : readSignedAmount(withoutGroups(sent))
  if (amount === null && cells.length >= width) {
    fail(
      'amount',
      sent === null ? 'required' : 'wrong_amount',
      'Write the amount as 1234.50, with - for what went out.',
    )
  }
  return {
    bookedOn: readDay('bookedOn') ?? '',
    valueOn: readDay('valueOn'),
    amount: amount ?? 0,
    currency: cell('currency')?.toUpperCase() ?? account.currency,
    bankReference: cell('bankReference'),
    endToEndId: cell('endToEndId'),
    reference: cell('reference'),
    name: cell('name'),
    iban: cell('iban'),
    text: cell('text'),
    returnReason: cell('returnReason'),
    details: [],
  }
}

/** A day as many banks write it, DD.MM.YYYY; null for anything else. */
function readDottedDay(text: string): string | null {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  return year === undefined ? null : toDay(Number(year), Number(month), Number(day))
}

/** An amount without signs between thousands, where another one before its decimals tells them apart. */
function withoutGroups(text: string): string {
  if (/^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) return text.replaceAll('.', '')
  return /^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/.test(text) ? text.replaceAll(',', '') : text
}
