import { UnreadableFile } from '../row-errors.ts'
import { type Cell, cellText, inBatches, type OpenedFile, type TableRow } from './table-file.ts'
import { readSheetCell } from './workbook/sheet-cells.ts'
import { readFacts, type WorkbookFacts } from './workbook/workbook-facts.ts'
import { xmlEvents } from './workbook/xml-events.ts'
import { ZipParts } from './workbook/zip-parts.ts'

/** The most columns of a sheet (ECMA-376). */
const maxColumns = 16_384

/**
 * Reads the first visible sheet of a workbook (ECMA-376), as it is unpacked. Its first row that is not empty has the headings.
 * Throws `UnreadableFile`: `broken_workbook`, `encrypted`, `too_large`.
 */
export async function openXlsx(path: string): Promise<OpenedFile> {
  const parts = await ZipParts.open(path)
  try {
    const facts = await readFacts(parts)
    const rows = readRows(parts, facts)
    const first = await rows.next()
    if (first.done === true) {
      throw new UnreadableFile('required', 'has an empty sheet: its first row must name the columns')
    }
    const headings = first.value.cells.map(cellText)
    while (headings.at(-1) === '') headings.pop()
    return {
      format: 'xlsx',
      sheet: facts.sheetName,
      headingLine: first.value.line,
      headings,
      rows: inBatches(ofWidth(rows, headings.length)),
    }
  } catch (error) {
    parts.close()
    throw error
  }
}

/** Rows with the cells at their end that a workbook leaves out, or keeps although nothing is in them. */
async function* ofWidth(rows: AsyncIterable<TableRow>, width: number): AsyncGenerator<TableRow> {
  for await (const { line, cells } of rows) {
    const own = [...cells]
    while (own.length > width && own.at(-1) === '') own.pop()
    while (own.length < width) own.push('')
    yield { line, cells: own }
  }
}

async function* readRows(parts: ZipParts, facts: WorkbookFacts): AsyncGenerator<TableRow> {
  const rows: TableRow[] = []
  let line = 0
  let cells: Cell[] = []
  let column = 0
  let type = 'n'
  let format = 0
  let value = ''
  let inline = ''
  let isFormula = false
  let target: 'value' | 'inline' | null = null
  let phonetic = 0
  const handler = {
    open: (name: string, attributes: Readonly<Record<string, string>>) => {
      switch (name) {
        case 'row':
          line = Number(attributes.r ?? line + 1)
          cells = []
          column = 0
          break
        case 'c': {
          column = attributes.r === undefined ? column + 1 : getColumn(attributes.r)
          type = attributes.t ?? 'n'
          format = Number(attributes.s ?? 0)
          value = ''
          inline = ''
          isFormula = false
          break
        }
        case 'v':
          target = 'value'
          break
        case 't':
          target = phonetic === 0 ? 'inline' : null
          break
        case 'rPh':
          phonetic += 1
          break
        case 'f':
          isFormula = true
      }
    },
    text: (text: string) => {
      if (target === 'value') value += text
      else if (target === 'inline') inline += text
    },
    close: (name: string) => {
      if (name === 'v' || name === 't') target = null
      else if (name === 'rPh') phonetic -= 1
      else if (name === 'c') {
        if (column < 1 || column > maxColumns)
          throw new UnreadableFile('broken_workbook', 'has a cell beyond every column')
        const cell = readSheetCell({ type, format, value, inline, isFormula }, facts)
        if (cell === '') return
        while (cells.length < column - 1) cells.push('')
        cells[column - 1] = cell
      } else if (name === 'row' && cells.length > 0) rows.push({ line, cells })
    },
  }
  try {
    for await (const _ of xmlEvents(parts.read(facts.sheetPart), handler)) {
      yield* rows
      rows.length = 0
    }
  } finally {
    parts.close()
  }
}

/** The number of a column, from 1, of a reference such as `AB12`. */
function getColumn(reference: string): number {
  let column = 0
  for (const letter of reference) {
    const digit = letter.charCodeAt(0) - 64
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
  }
  return column
}
