import type { Field } from '@matricula/contract/record-types'
import { isCalendarDate } from '../../http/index.ts'
import { isSealed, sealedLength } from '../../identity/index.ts'
import { parseDecimal } from '../../values/index.ts'
import { RecordError } from './record-error.ts'

const numberTypes = new Set(['Check', 'Int', 'Float', 'Currency', 'Percent'])

/** Whether a field holds a number, which is never null. */
export function isNumber(field: Pick<Field, 'type'>): boolean {
  return numberTypes.has(field.type)
}

/** The value of a field that is not set: 0 in a number, unless it is required and 0 would be a value. */
export function emptyValue(field: Field): unknown {
  if (field.type === 'Table') return []
  return isNumber(field) && field.required !== true ? 0 : null
}

/**
 * Whether a value counts as not given: null, the empty text, an empty table, or markup without text. Zero counts as
 * given.
 */
export function isMissing(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (Array.isArray(value)) return value.length === 0
  if (typeof value !== 'string') return false
  return !showsSomething(value)
}

const showsNothing = /\s+|&nbsp;|<(?!img|video|iframe|hr)/iy

/** Whether a text shows anything as HTML. Linear time for any input. */
function showsSomething(markup: string): boolean {
  let at = 0
  while (at < markup.length) {
    showsNothing.lastIndex = at
    const found = showsNothing.exec(markup)?.[0]
    if (found === undefined) return true
    const end = found === '<' ? markup.indexOf('>', at) + 1 : at + found.length
    // An unclosed tag is text.
    if (end === 0) return true
    at = end
  }
  return false
}

/**
 * What a client sent for a field that holds one value, in the form in which records are kept in memory. Numbers may come as
 * text (`parseDecimal`); the empty text is an unset number, and names no record in a link.
 *
 * @throws RecordError `ValidationError` for a list or an object, for a text that is no number where one belongs, for a date or
 * a time that cannot be one, and for text that cannot be stored (U+0000); `CharacterLengthExceededError` for an Int and
 * `DataError` for another number out of bounds.
 */
export function takenValue(name: string, field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return emptyValue(field)
  if (typeof value === 'object') {
    throw new RecordError('ValidationError', `Value for ${field.label} (${name}) cannot be a list or an object.`)
  }
  switch (field.type) {
    case 'Check':
      return isTrue(value) ? 1 : 0
    case 'Int':
    case 'Float':
    case 'Currency':
    case 'Percent':
    case 'Duration':
      return bounded(field, readNumber(field.label, value) ?? emptyValue(field))
    case 'Date':
      return toDate(field, text(field, value))
    case 'Datetime':
      return toDateTime(field, text(field, value))
    case 'Time':
      return toTime(field, text(field, value))
    case 'Link':
    case 'Dynamic Link':
      return text(field, value) || null
    default:
      // Empty custom fields are not stored.
      return field.customId === undefined ? text(field, value) : text(field, value) || null
  }
}

function text(field: Field, value: unknown): string {
  const taken = typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
  if (taken.includes('\0') || /[\uD800-\uDFFF]/u.test(taken)) {
    throw new RecordError('ValidationError', `${field.label} has a character that no text can have. Send it without.`)
  }
  return taken
}

/** Whether a boolean value is true: a number other than 0, true, or a text such as 1, true or yes. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'string') return /^(1|true|yes)$/i.test(value.trim()) || (parseDecimal(value) ?? 0) > 0
  return typeof value === 'number' ? value !== 0 : value === true
}

/**
 * The number that a client sent, also as text (`parseDecimal`) or as a boolean; null where nothing was sent, or the empty text.
 * `label` names the value in the message.
 *
 * @throws RecordError `ValidationError` for everything else.
 */
export function readNumber(label: string, value: unknown): number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'string') {
    if (value.trim() === '') return null
    const number = parseDecimal(value)
    if (number !== undefined) return number
  }
  const sent = typeof value === 'string' ? shown(value) : 'this value'
  throw new RecordError(
    'ValidationError',
    `${label}: ${sent} is not a number. Write digits with a decimal point, such as 1250.50.`,
  )
}

function bounded(field: Field, value: unknown): unknown {
  if (typeof value !== 'number') return value
  const isInt = field.type === 'Int'
  const number = isInt ? Math.trunc(value) : value
  const max = isInt ? 2_147_483_647 : 1e15
  if (Math.abs(number) <= max) return number
  const errorType = isInt ? 'CharacterLengthExceededError' : 'DataError'
  throw new RecordError(errorType, `${field.label} must be between -${max} and ${max}.`)
}

function toDate(field: Field, value: string): string | null {
  if (value.trim() === '') return null
  const date = /^(\d{4}-\d{2}-\d{2})(?:[ T].*)?$/.exec(value.trim())?.[1]
  if (date !== undefined && isCalendarDate(date)) return date
  throw new RecordError('ValidationError', `${field.label}: ${shown(value)} is not a date. Write YYYY-MM-DD.`)
}

function toTime(field: Field, value: string): string | null {
  if (value.trim() === '') return null
  const time = parseTime(value.trim().replace(/^\d{4}-\d{2}-\d{2}[ T]/, ''))
  if (time !== null) return time
  throw new RecordError('ValidationError', `${field.label}: ${shown(value)} is not a time. Write HH:MM:SS.`)
}

/** `HH:MM:SS`, with its fraction when there is one; null for an invalid time of day. */
function parseTime(value: string): string | null {
  const parts = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?$/.exec(value)
  if (parts === null) return null
  const [, hours = '', minutes = '', seconds = '00', fraction] = parts
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  const isWhole = fraction === undefined || Number(fraction) === 0
  return `${hours.padStart(2, '0')}:${minutes}:${seconds}${isWhole ? '' : `.${fraction.padEnd(6, '0')}`}`
}

function toDateTime(field: Field, value: string): string | null {
  if (value.trim() === '') return null
  const [, date = '', time = '00:00:00'] = /^(\d{4}-\d{2}-\d{2})(?:[ T](.*))?$/.exec(value.trim()) ?? []
  const clock = parseTime(time.replace(/Z$/, ''))
  if (isCalendarDate(date) && clock !== null) return `${date} ${clock}`
  throw new RecordError(
    'ValidationError',
    `${field.label}: ${shown(value)} is not a date with a time. Write YYYY-MM-DD HH:MM:SS.`,
  )
}

function shown(value: string): string {
  return JSON.stringify(value.slice(0, 40))
}

/** A value as clients read it: times without a leading zero in the hour, secrets as asterisks. */
export function shownValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return isNumber(field) ? 0 : null
  if (field.type === 'Time') return String(value).replace(/^0(\d)/, '$1')
  if (field.type === 'Password')
    return '*'.repeat(isSealed(String(value)) ? sealedLength(String(value)) : String(value).length)
  return value
}

/** A value of the database in its form in memory: dates with time and times have six digits of a fraction. */
export function storedValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return emptyValue(field)
  const hasFraction = field.type === 'Datetime' || field.type === 'Time'
  return hasFraction ? withMicroseconds(value as string) : value
}

/** PostgreSQL leaves out the zeros at the end of a fraction; clients expect six digits, or none where it is 0. */
export function withMicroseconds(text: string): string {
  const point = text.indexOf('.')
  return point < 0 ? text : text.padEnd(point + 7, '0')
}

/** Whether a text is the mask of a secret: clients read asterisks and may send them back. */
export function isMask(value: unknown): boolean {
  return typeof value === 'string' && /^\*+$/.test(value)
}

/** A sum of amounts, rounded to nine decimals against the error of binary fractions. */
export function getSum(amounts: readonly number[]): number {
  return rounded(amounts.reduce((sum, amount) => sum + amount, 0))
}

/** A number rounded to `digits` decimals, nine by default, against the error of binary fractions. */
export function rounded(value: number, digits = 9): number {
  const scale = 10 ** digits
  return Math.round((value + Number.EPSILON * Math.sign(value)) * scale) / scale
}
