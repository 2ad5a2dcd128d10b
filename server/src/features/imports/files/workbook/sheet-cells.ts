import type { Cell } from '../table-file.ts'
import { plainText, type WorkbookFacts } from './workbook-facts.ts'

/** A cell of a sheet as its XML says it. */
export interface RawCell {
  readonly type: string
  readonly format: number
  readonly value: string
  readonly inline: string
  readonly isFormula: boolean
}

/** What a cell of a sheet holds. */
export function readSheetCell({ type, format, value, inline, isFormula }: RawCell, facts: WorkbookFacts): Cell {
  if (type === 'e') return { type: 'error', text: value }
  if (isFormula) return { type: 'formula', text: value }
  switch (type) {
    case 's':
      return value === '' ? '' : (facts.strings[Number(value)] ?? '')
    case 'inlineStr':
      return plainText(inline)
    case 'str':
      return plainText(value)
    case 'b':
      return { type: 'boolean', text: value === '1' || value === 'true' ? 'true' : 'false' }
    case 'd':
      return { type: 'date', text: value.replace(/T00:00:00(?:\.0+)?$/, '') }
    default:
      return value === '' ? '' : readNumber(value, facts.dateFormats[format] === true, facts.is1904)
  }
}

function readNumber(value: string, isDate: boolean, is1904: boolean): Cell {
  const number = Number(value)
  if (!Number.isFinite(number)) return { type: 'error', text: value }
  const date = isDate ? toDate(number, is1904) : null
  return date === null ? { type: 'number', text: String(number) } : { type: 'date', text: date }
}

const dayMs = 86_400_000

/** A serial number as a date, with a time where it has one; null for a time alone, and beyond the year 9999. */
function toDate(serial: number, is1904: boolean): string | null {
  if (serial < 1 || serial > 2_958_465) return null
  // Before March 1900 spreadsheets count a leap day that was none.
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  const stamp = new Date(start + Math.round((serial * dayMs) / 1000) * 1000).toISOString()
  return stamp.endsWith('T00:00:00.000Z') ? stamp.slice(0, 10) : stamp.slice(0, 19)
}
