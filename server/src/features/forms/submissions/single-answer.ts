import { toUSVString } from 'node:util'
import { type FormFieldType, type Json, longestAnswers } from '@matricula/contract'
import { isCalendarDate, isEmail } from '../../../http/index.ts'
import { normalForm } from '../../../values/index.ts'
import type { FormError, FormFieldRecord } from '../form-definition.ts'
import { matchesPattern } from '../templates/answer-pattern.ts'

type ValidationError = Omit<FormError, 'fieldKey'>

const phone = /^\+?[\d\s()./-]{3,}(?:(?:x|ext\.?)\s?\d{1,6})?$/i
const number = /^[+-]?\d{1,15}(?:\.\d{1,10})?$/
const largestNumber = 1e15
const yes = ['on', 'true', '1', 'yes']
const no = ['', 'off', 'false', '0', 'no']

/** The answer in the type of its question, not yet checked against its bounds; null when there is none. */
export function parseAnswer(field: FormFieldRecord, given: unknown): { value: Json } | { error: ValidationError } {
  if (given === undefined || given === null) return { value: null }
  switch (field.type) {
    case 'number':
      return parseNumber(given)
    case 'checkbox':
      if (typeof given === 'boolean') return { value: given }
      if (typeof given === 'string' && yes.includes(given)) return { value: true }
      return typeof given === 'string' && no.includes(given) ? { value: false } : wrongType
    case 'multiselect':
      return parseChoices(field, given)
    default:
      return parseText(field.type, given)
  }
}

const wrongType: { error: ValidationError } = { error: { code: 'wrong_type', bounds: {} } }

function parseText(type: FormFieldType, given: unknown): { value: Json } | { error: ValidationError } {
  if (typeof given !== 'string') return wrongType
  if (given.includes('\0') || toUSVString(given) !== given) return { error: { code: 'invalid_text', bounds: {} } }
  const text = normalForm(given, 'NFC').replace(/\r\n?/g, '\n')
  return { value: type === 'textarea' ? text.trim() : text.replace(/\n/g, ' ').trim() }
}

function parseNumber(given: unknown): { value: Json } | { error: ValidationError } {
  const text = typeof given === 'string' ? given.trim() : given
  if (text === '') return { value: null }
  if (typeof text !== 'number' && typeof text !== 'string') return wrongType
  const value = Number(text)
  const isNumber = typeof text === 'string' ? number.test(text) : Number.isFinite(value)
  if (!isNumber || Math.abs(value) > largestNumber) return { error: { code: 'format', bounds: {} } }
  // Minus zero becomes zero.
  return { value: value === 0 ? 0 : value }
}

/** The chosen values in the order of the options, each once. */
function parseChoices(field: FormFieldRecord, given: unknown): { value: Json } | { error: ValidationError } {
  const chosen = Array.isArray(given) ? given : [given]
  if (!chosen.every((choice) => typeof choice === 'string')) return wrongType
  const allowed = field.options.map(({ value }) => value)
  if (chosen.some((choice) => choice !== '' && !allowed.includes(choice))) {
    return { error: { code: 'not_in_options', bounds: {} } }
  }
  return { value: allowed.filter((value) => chosen.includes(value)) }
}

/** The validation errors of an answer. */
export function checkAnswer(field: FormFieldRecord, value: Json): ValidationError[] {
  if (typeof value === 'number') return numberErrors(field, value)
  if (typeof value === 'string') return textErrors(field, value)
  if (Array.isArray(value)) return countErrors(field, value.length)
  return []
}

function numberErrors({ validation: { min, max } }: FormFieldRecord, value: number): ValidationError[] {
  const validationErrors: ValidationError[] = []
  if (min !== undefined && value < min) validationErrors.push({ code: 'too_small', bounds: { minimum: min } })
  if (max !== undefined && value > max) validationErrors.push({ code: 'too_large', bounds: { maximum: max } })
  return validationErrors
}

function countErrors({ validation: { minItems, maxItems } }: FormFieldRecord, count: number): ValidationError[] {
  const validationErrors: ValidationError[] = []
  if (minItems !== undefined && count < minItems)
    validationErrors.push({ code: 'too_few', bounds: { minimum: minItems } })
  if (maxItems !== undefined && count > maxItems)
    validationErrors.push({ code: 'too_many', bounds: { maximum: maxItems } })
  return validationErrors
}

/** The maximum length of an answer to a question, in characters. */
export function maxAnswerLength({ type, validation }: Pick<FormFieldRecord, 'type' | 'validation'>): number {
  const max = longestAnswers[type] ?? Number.POSITIVE_INFINITY
  // E-mail addresses and telephone numbers have a fixed limit; of other texts the question's own limit counts.
  const isBounded = type === 'email' || type === 'phone'
  return isBounded ? Math.min(validation.maxLength ?? max, max) : (validation.maxLength ?? max)
}

function textErrors(field: FormFieldRecord, value: string): ValidationError[] {
  const { type, options } = field
  if (type === 'select') {
    const allowed = options.map((option) => option.value)
    return allowed.includes(value) ? [] : [{ code: 'not_in_options', bounds: {} }]
  }
  if (type === 'date') return dateErrors(field, value)
  const { minLength = 0, pattern } = field.validation
  const maxLength = maxAnswerLength(field)
  const length = [...value].length
  // Too long an answer is not checked further, which bounds the time.
  if (length > maxLength) return [{ code: 'too_long', bounds: { maximum: maxLength } }]
  const validationErrors: ValidationError[] = []
  if (length < minLength) validationErrors.push({ code: 'too_short', bounds: { minimum: minLength } })
  if (type === 'email' && !isEmail(value)) validationErrors.push({ code: 'format', bounds: {} })
  if (type === 'phone' && !phone.test(value)) validationErrors.push({ code: 'format', bounds: {} })
  if (pattern !== undefined && !matchesPattern(pattern, value)) validationErrors.push({ code: 'pattern', bounds: {} })
  return validationErrors
}

function dateErrors({ validation: { minDate, maxDate } }: FormFieldRecord, value: string): ValidationError[] {
  if (!isCalendarDate(value)) return [{ code: 'format', bounds: {} }]
  const validationErrors: ValidationError[] = []
  if (minDate !== undefined && value < minDate)
    validationErrors.push({ code: 'too_early', bounds: { minimum: minDate } })
  if (maxDate !== undefined && value > maxDate)
    validationErrors.push({ code: 'too_late', bounds: { maximum: maxDate } })
  return validationErrors
}
