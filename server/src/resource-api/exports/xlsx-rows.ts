import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FieldType } from '@matricula/contract/record-types'
import type { Chunks } from '../../http/index.ts'

/** A column of a sheet with its heading and, where known, its type. */
export interface SheetColumn {
  readonly heading: string
  readonly type: FieldType | null
}

/** The maximum rows of a sheet below its heading, and the maximum characters of a cell, of spreadsheet programs. */
const maxRows = 1_048_575
const maxCharacters = 32_767

/** The cell formats, by their index in `cellXfs`. */
const formats = { plain: 0, date: 1, dateTime: 2, time: 3, heading: 4 } as const

interface SheetOptions {
  readonly rowsOfSheet?: number
  /** Whether a first column has the numbers of the rows. */
  readonly isNumbered?: boolean
}

/**
 * Streams rows as a workbook (ECMA-376, SpreadsheetML) with headings and, unless said otherwise, row numbers from 1,
 * zipped while they are read. Rows beyond a full sheet continue in the next one. Texts are inline strings, which are never formulas; numbers,
 * dates and times have their types.
 */
export async function* xlsxOfRows(
  columns: readonly SheetColumn[],
  batches: AsyncIterable<readonly unknown[]> | readonly unknown[],
  { rowsOfSheet = maxRows, isNumbered = true }: SheetOptions = {},
): Chunks {
  const { default: yazl } = await import('yazl')
  const zip = new yazl.ZipFile()
  const rows = new Rows(batches)
  let sheet: Readable | null = null
  let isLeft = false
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(head + text), name)
  const fill = async () => {
    let sheets = 0
    do {
      sheets += 1
      sheet = Readable.from(getSheet(columns, rows, rowsOfSheet, isNumbered))
      const written = once(sheet, 'close')
      zip.addReadStream(sheet, `xl/worksheets/sheet${sheets}.xml`)
      await written
    } while (!isLeft && (await rows.areLeft()))
    // The number of sheets is known only now.
    for (const [name, text] of Object.entries(getParts(sheets))) add(name, text)
    zip.end()
  }
  for (const [name, text] of Object.entries(parts)) add(name, text)
  const filled = fill()
  // A reading error must break the stream, so that the client sees a truncated file.
  const broken = new Promise<never>((_, reject) => {
    zip.once('error', reject)
    filled.catch(reject)
  })
  broken.catch(() => {}) // thrown below
  const zipped = (zip.outputStream as Readable)[Symbol.asyncIterator]()
  try {
    while (true) {
      const { done, value } = await Promise.race([zipped.next(), broken])
      if (done === true) return
      yield value as Uint8Array
    }
  } finally {
    // The client may have disconnected: stop reading.
    isLeft = true
    ;(sheet as Readable | null)?.destroy()
    await rows.close()
    void zipped.return?.()
  }
}

/** A buffer over batches of rows. */
class Rows {
  readonly #batches: AsyncIterator<readonly unknown[]> | Iterator<readonly unknown[]>
  #left: readonly unknown[] = []
  /** The number of rows taken so far. */
  taken = 0

  constructor(batches: AsyncIterable<readonly unknown[]> | readonly unknown[]) {
    const read = batches as AsyncIterable<readonly unknown[]>
    this.#batches = Array.isArray(batches) ? [batches][Symbol.iterator]() : read[Symbol.asyncIterator]()
  }

  async areLeft(): Promise<boolean> {
    while (this.#left.length === 0) {
      const { done, value } = await this.#batches.next()
      if (done === true) return false
      this.#left = value
    }
    return true
  }

  /** The next buffered rows, at most `max`. */
  take(max: number): readonly unknown[] {
    const rows = this.#left.slice(0, max)
    this.#left = this.#left.slice(rows.length)
    this.taken += rows.length
    return rows
  }

  async close(): Promise<void> {
    await this.#batches.return?.()
  }
}

async function* getSheet(
  columns: readonly SheetColumn[],
  rows: Rows,
  max: number,
  isNumbered: boolean,
): AsyncGenerator<string> {
  const headings = [...(isNumbered ? ['Sr'] : []), ...columns.map(({ heading }) => heading)].map((text) =>
    textCell(text, formats.heading),
  )
  yield `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData><row>${headings.join('')}</row>`
  const end = rows.taken + max
  while (rows.taken < end && (await rows.areLeft())) {
    const first = rows.taken + 1
    yield rows
      .take(end - rows.taken)
      .map((row, at) => {
        const cells = (row as readonly unknown[]).map((value, index) => cell(value, columns[index]?.type ?? null))
        return `<row>${isNumbered ? numberCell(first + at) : ''}${cells.join('')}</row>`
      })
      .join('')
  }
  yield '</sheetData></worksheet>'
}

function cell(value: unknown, type: FieldType | null): string {
  if (value === null || value === undefined || value === '') return '<c/>'
  if ((typeof value === 'number' && Number.isFinite(value)) || typeof value === 'bigint') return numberCell(value)
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const serial = findSerial(text, type)
  return serial ?? textCell(text, formats.plain)
}

const numberCell = (value: number | bigint | string, format: number = formats.plain) =>
  `<c${format === formats.plain ? '' : ` s="${format}"`}><v>${value}</v></c>`

function textCell(text: string, format: number): string {
  const style = format === formats.plain ? '' : ` s="${format}"`
  return `<c t="inlineStr"${style}><is><t xml:space="preserve">${escaped(text.slice(0, maxCharacters))}</t></is></c>`
}

/**
 * A date or time as a serial number, in days since 1899-12-30. Null for other values, and for days before 1900-03-01,
 * where spreadsheets count a wrong leap day.
 */
function findSerial(text: string, type: FieldType | null): string | null {
  const [, date, time = ''] = /^(\d{4}-\d\d-\d\d)?(?:[ T]|^)?(\d{1,2}:\d\d:\d\d(?:\.\d+)?)?$/.exec(text) ?? []
  if (type === 'Time') return time === '' || date !== undefined ? null : numberCell(partOfDay(time), formats.time)
  if ((type !== 'Date' && type !== 'Datetime') || date === undefined || date < '1900-03-01') return null
  const days = (Date.parse(`${date}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000
  if (Number.isNaN(days)) return null
  return type === 'Date'
    ? numberCell(days, formats.date)
    : numberCell(days + (time === '' ? 0 : partOfDay(time)), formats.dateTime)
}

/** A time of day as a fraction of a day, in whole milliseconds. */
function partOfDay(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return Math.round((hours * 3600 + minutes * 60 + seconds) * 1000) / 86_400_000
}

/**
 * Escapes a text for XML 1.0: drops invalid characters, and escapes what spreadsheets would take for their own escape
 * (`_xHHHH_`).
 */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts of a workbook that are the same for any number of sheets. */
const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${spreadsheet}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd hh:mm:ss"/><numFmt numFmtId="166" formatCode="hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf xfId="0"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="165" applyNumberFormat="1"/><xf xfId="0" numFmtId="166" applyNumberFormat="1"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
}

/** The parts that name the sheets. */
function getParts(sheets: number): Readonly<Record<string, string>> {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  const named = numbers.map((number) => `<sheet name="Sheet${number}" sheetId="${number}" r:id="r${number}"/>`)
  const relations = numbers.map(
    (number) => `<Relationship Id="r${number}" Type="${office}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  )
  return {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships">${relations.join('')}<Relationship Id="styles" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  }
}
