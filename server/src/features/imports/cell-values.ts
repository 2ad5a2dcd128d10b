import type { Json } from '@matricula/contract'
import { jsonExcess } from '../../values/index.ts'
import type { Cell } from './files/table-file.ts'
import type { ImportField } from './import-fields.ts'
import type { Mapping } from './mapping.ts'
import type { FieldError, ImportErrorCode } from './row-errors.ts'

/** The value of a cell, or why it has none. */
export type CellValue = { readonly value: Json } | { readonly error: FieldError }

/** A number as a spreadsheet shortens it, such as 1.23E+19. */
const shortened = /^[+-]?\d+(?:[.,]\d+)?[eE]\+\d+$|^[+-]?\d+[.,]\d+[eE]-?\d+$/

const scientificNumber = /^[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+$/

const isoDate = /^\d{4}-\d{2}-\d{2}$/

/** Two numbers and a year, in any order, divided by slashes, dots or hyphens. */
const otherDate = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[ T](\d{1,2}:\d{2}(?::\d{2})?))?$/

/** Cells that begin with these are run by spreadsheets as formulas. */
const guarded = /^'(?=[=+\-@\t\r'])/

/** The text of a cell without the apostrophe that an export puts before what a spreadsheet would run. */
function withoutGuard(text: string): string {
  return text.replace(guarded, '')
}

/** The value that a cell gives a field. */
export function readCell(field: ImportField, cell: Cell, mapping: Mapping): CellValue {
  const error = (code: ImportErrorCode, detail: string): CellValue => ({ error: { field: field.name, code, detail } })
  if (typeof cell !== 'string') {
    if (cell.type === 'formula') return error('formula', 'is a formula')
    if (cell.type === 'error') return error('error_cell', `shows the error ${cell.text}`)
    if (cell.type === 'number') {
      if (field.isKey) return error('numeric_key', 'is a number and not a text, so zeros before it may be lost')
      if (field.type === 'date' || field.type === 'dateTime') return error('format', 'is a number and not a date')
    }
    if (cell.type === 'date') {
      if (field.type === 'date') return { value: cell.text.slice(0, 10) }
      if (field.type === 'dateTime') return { value: cell.text.length === 10 ? cell.text : `${cell.text}Z` }
      return error('wrong_type', `is the date ${cell.text}: the spreadsheet may have made it from a text`)
    }
  }
  const text = withoutGuard(typeof cell === 'string' ? cell : cell.text)
  if (text === '' || (text.trim() === '' && field.type !== 'text')) {
    if (field.isNullable) return { value: null }
    if (field.type === 'list') return { value: [] }
    return field.takesEmpty ? { value: '' } : error('not_allowed_null', 'must not be empty')
  }
  switch (field.type) {
    case 'text':
      if (field.isKey || isLikeNumber(field)) {
        if (shortened.test(text)) return error('scientific', 'is a number that a spreadsheet has shortened')
      }
      return { value: text }
    case 'number':
    case 'integer':
      return readNumber(field, text.trim(), mapping)
    case 'boolean':
      return readBoolean(field, text.trim())
    case 'date':
    case 'dateTime':
      return readDate(field, text.trim(), mapping)
    default:
      return readStructure(field, text)
  }
}

/** Texts of digits that a spreadsheet takes for numbers. */
function isLikeNumber({ name }: ImportField): boolean {
  return ['phone', 'alternatePhone', 'documentNumber', 'postalCode', 'code'].includes(name)
}

function readNumber(field: ImportField, text: string, { decimal }: Mapping): CellValue {
  const refuse = (code: ImportErrorCode, detail: string): CellValue => ({ error: { field: field.name, code, detail } })
  if (scientificNumber.test(text)) return refuse('scientific', 'is written in scientific notation')
  const plain = decimal === 'comma' ? text.replaceAll('.', '').replace(',', '.') : text
  const hasGroups = decimal === 'comma' && text.includes('.') && !/^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(text)
  if (!/^[+-]?\d+(?:\.\d+)?$/.test(plain) || hasGroups) {
    const detail = decimal === undefined ? 'must be a number such as 1234.50' : 'must be a number'
    return {
      error: {
        field: field.name,
        code: 'wrong_type',
        detail,
        ...(text.includes(',') && {
          remedy: 'Write a point before decimals and no group marks, or say decimal: comma in the map.',
        }),
      },
    }
  }
  return { value: Number(plain) }
}

function readBoolean(field: ImportField, text: string): CellValue {
  const folded = text.toLowerCase()
  if (folded === 'true' || folded === '1') return { value: true }
  if (folded === 'false' || folded === '0') return { value: false }
  return { error: { field: field.name, code: 'wrong_type', detail: 'must be true or false' } }
}

function readDate(field: ImportField, text: string, { dates = 'iso' }: Mapping): CellValue {
  if (isoDate.test(text)) return { value: text }
  const parts = otherDate.exec(text)
  if (parts === null || (parts[1]?.length === 4 && parts[2] === '-')) return { value: text }
  if (dates === 'iso') {
    const detail = 'is a date whose order of day and month is not known'
    return { error: { field: field.name, code: 'ambiguous_date', detail } }
  }
  const [, first = '', , second = '', third = '', time] = parts
  const [day, month, year] = dates === 'dmy' ? [first, second, third] : [second, first, third]
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const isDate = year.length === 4 && isoDate.test(date) && !Number.isNaN(Date.parse(`${date}T00:00:00Z`))
  if (!isDate || new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10) !== date) {
    return { error: { field: field.name, code: 'format', detail: `is no date in the order ${dates}` } }
  }
  if (field.type === 'date' || time === undefined) return { value: date }
  return {
    value: `${date}T${time.padStart(time.length === 4 || time.length === 7 ? time.length + 1 : time.length, '0')}`,
  }
}

/** An object as JSON, or a list of texts divided by semicolons. */
function readStructure(field: ImportField, text: string): CellValue {
  if (field.type === 'list' && !text.trimStart().startsWith('[')) {
    return {
      value: text
        .split(';')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    }
  }
  const excess = jsonExcess(text)
  if (excess !== null) {
    return { error: { field: field.name, code: 'too_long', detail: `must have at most ${excess.max} ${excess.of}` } }
  }
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return { error: { field: field.name, code: 'format', detail: 'must be JSON' } }
  }
}
