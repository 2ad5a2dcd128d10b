import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FieldType } from '@matricula/contract/record-types'
import yazl from 'yazl'
import type { Chunks } from '../../http/paced-answer.ts'

/** A column of a sheet: what stands above it, and what it holds, where that is known. */
export interface SheetColumn {
  readonly heading: string
  readonly type: FieldType | null
}

/** The most rows of a sheet, and the most characters of a cell, beyond which spreadsheets call a workbook damaged. */
const mostRows = 1_048_575
const mostCharacters = 32_767

/** The cell formats of `styles`, by their places there. */
const formats = { plain: 0, date: 1, dateTime: 2, time: 3, heading: 4 } as const

/**
 * Rows as a workbook of one sheet (ECMA-376, SpreadsheetML), zipped while they are read: numbered from 1 beneath their headings. Texts
 * stand in the cells themselves and are never computed, whatever they begin with; numbers are numbers, and dates and times are such.
 */
export async function* xlsxOfRows(
  columns: readonly SheetColumn[],
  batches: AsyncIterable<readonly unknown[]> | readonly unknown[],
): Chunks {
  const zip = new yazl.ZipFile()
  const sheet = Readable.from(sheetOf(columns, batches))
  // What cannot be read cannot be zipped to its end: whoever takes the file must see that something is missing.
  const broken = once(zip, 'error').then(([error]) => Promise.reject(error))
  broken.catch(() => {}) // thrown below
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(head + text), name)
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml')
  zip.end()
  const zipped = (zip.outputStream as Readable)[Symbol.asyncIterator]()
  try {
    while (true) {
      const { done, value } = await Promise.race([zipped.next(), broken])
      if (done === true) return
      yield value as Uint8Array
    }
  } finally {
    // Whoever hangs up reads no further.
    sheet.destroy()
    void zipped.return?.()
  }
}

async function* sheetOf(
  columns: readonly SheetColumn[],
  batches: AsyncIterable<readonly unknown[]> | readonly unknown[],
): AsyncGenerator<string> {
  const headings = ['Sr', ...columns.map(({ heading }) => heading)].map((text) => textCell(text, formats.heading))
  yield `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData><row>${headings.join('')}</row>`
  let number = 0
  const written = (rows: readonly unknown[]) =>
    rows.map((row) => {
      number += 1
      if (number > mostRows) throw new Error(`a sheet has at most ${mostRows} rows`)
      const cells = (row as readonly unknown[]).map((value, index) => cell(value, columns[index]?.type ?? null))
      return `<row>${numberCell(number)}${cells.join('')}</row>`
    })
  if (Array.isArray(batches)) yield written(batches).join('')
  else for await (const rows of batches as AsyncIterable<readonly unknown[]>) yield written(rows).join('')
  yield '</sheetData></worksheet>'
}

function cell(value: unknown, type: FieldType | null): string {
  if (value === null || value === undefined || value === '') return '<c/>'
  if ((typeof value === 'number' && Number.isFinite(value)) || typeof value === 'bigint') return numberCell(value)
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const serial = serialOf(text, type)
  return serial ?? textCell(text, formats.plain)
}

const numberCell = (value: number | bigint | string, format: number = formats.plain) =>
  `<c${format === formats.plain ? '' : ` s="${format}"`}><v>${value}</v></c>`

function textCell(text: string, format: number): string {
  const style = format === formats.plain ? '' : ` s="${format}"`
  return `<c t="inlineStr"${style}><is><t xml:space="preserve">${escaped(text.slice(0, mostCharacters))}</t></is></c>`
}

/** A date or time as spreadsheets count them: days since 1899-12-30. Null for what is none, and for days before their calendar is right. */
function serialOf(text: string, type: FieldType | null): string | null {
  const [, date, time = ''] = /^(\d{4}-\d\d-\d\d)?(?:[ T]|^)?(\d{1,2}:\d\d:\d\d(?:\.\d+)?)?$/.exec(text) ?? []
  if (type === 'Time') return time === '' || date !== undefined ? null : numberCell(partOfDay(time), formats.time)
  if ((type !== 'Date' && type !== 'Datetime') || date === undefined || date < '1900-03-01') return null
  const days = (Date.parse(`${date}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000
  if (Number.isNaN(days)) return null
  return type === 'Date'
    ? numberCell(days, formats.date)
    : numberCell(days + (time === '' ? 0 : partOfDay(time)), formats.dateTime)
}

/** A time of day as a part of a day. Spreadsheets count milliseconds, and nothing smaller. */
function partOfDay(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return Math.round((hours * 3600 + minutes * 60 + seconds) * 1000) / 86_400_000
}

/** A text in XML 1.0: without the characters that it cannot have, and with nothing that spreadsheets would take for an escape of theirs. */
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

/** The parts of the workbook beside its sheet. */
const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheet}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd hh:mm:ss"/><numFmt numFmtId="166" formatCode="hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf xfId="0"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="165" applyNumberFormat="1"/><xf xfId="0" numFmtId="166" applyNumberFormat="1"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
}
