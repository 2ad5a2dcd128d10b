import type { Json } from '@matricula/contract'
import { holds, isAnswered } from '../form-conditions.ts'
import type { FormDefinition, FormError, FormFieldRecord } from '../form-definition.ts'
import { checkAnswer, parseAnswer } from './single-answer.ts'
import type { FormAnswer } from './submission-store.ts'

/** A file as announced or as received. */
export interface GivenFile {
  readonly fieldKey: string
  /** Type and subtype in lower case, without parameters. */
  readonly mimeType: string
  readonly sizeBytes: number
}

/** The limits of a question's files: those of the question and of its document type. */
export interface FileLimits {
  readonly allowedMimeTypes: readonly string[]
  readonly maxSizeBytes: number
}

/** Parsed answers. They can be stored only when there are no errors. */
export interface ParsedAnswers {
  /** The visible questions, in order; answers to hidden ones are dropped. */
  readonly shown: readonly FormFieldRecord[]
  /** Answers in their stored form, by key; `toStoredAnswers` adds those that are files. */
  readonly values: ReadonlyMap<string, Json>
  /** Every validation error, in the order of the questions. */
  readonly errors: readonly FormError[]
}

/** The maximum number of unknown keys that are reported. */
const maxUnknown = 20

/**
 * Parses and validates answers: texts from a page, or JSON. Answers are normalised (trimmed, Unicode NFC, line feeds as
 * line ends, numbers, dates and choices in their own types) and checked against the visible questions. Does no input or
 * output; the time is bounded by the size of the answers.
 */
export function parseAnswers(
  definition: FormDefinition,
  answers: Readonly<Record<string, unknown>>,
  files: readonly GivenFile[],
  getLimits: (field: FormFieldRecord) => FileLimits,
): ParsedAnswers {
  const shown: FormFieldRecord[] = []
  const values = new Map<string, Json>()
  const validationErrors: FormError[] = []
  for (const field of definition.fields) {
    if (!holds(field.visibleWhen, values)) continue
    shown.push(field)
    const given = Object.hasOwn(answers, field.key) ? answers[field.key] : undefined
    const filesGiven = files.filter(({ fieldKey }) => fieldKey === field.key)
    const found = checkField(field, given, filesGiven, getLimits, values)
    validationErrors.push(...found.map((validationError) => ({ fieldKey: field.key, ...validationError })))
  }
  const known = new Set(definition.fields.map(({ key }) => key))
  const sent = new Set([...Object.keys(answers), ...files.map(({ fieldKey }) => fieldKey)])
  const unknown = [...sent].filter((key) => !known.has(key)).slice(0, maxUnknown)
  validationErrors.push(...unknown.map((fieldKey): FormError => ({ fieldKey, code: 'unknown_field', bounds: {} })))
  return { shown, values, errors: validationErrors }
}

type ValidationError = Omit<FormError, 'fieldKey'>

/** The errors of one answer; a valid one is added to the values. */
function checkField(
  field: FormFieldRecord,
  given: unknown,
  files: readonly GivenFile[],
  getLimits: (field: FormFieldRecord) => FileLimits,
  values: Map<string, Json>,
): ValidationError[] {
  if (field.type === 'file') {
    // Browsers send an empty text for a file input without a file.
    if (given !== undefined && given !== '' && given !== null) return [{ code: 'wrong_type', bounds: {} }]
    const found = fileErrors(field, files, getLimits(field))
    if (found.length === 0 && files.length > 0) values.set(field.key, Array(files.length).fill(true))
    return found
  }
  if (files.length > 0) return [{ code: 'wrong_type', bounds: {} }]
  const parsed = parseAnswer(field, given)
  if ('error' in parsed) return [parsed.error]
  if (!isAnswered(parsed.value)) {
    if (field.isRequired) return [{ code: 'required', bounds: {} }]
    return []
  }
  const found = checkAnswer(field, parsed.value)
  if (found.length === 0) values.set(field.key, parsed.value)
  return found
}

function fileErrors(field: FormFieldRecord, files: readonly GivenFile[], limits: FileLimits): ValidationError[] {
  if (files.length === 0) return field.isRequired ? [{ code: 'required', bounds: {} }] : []
  const { minItems = 0, maxItems = 1 } = field.validation
  const { allowedMimeTypes, maxSizeBytes } = limits
  const validationErrors: ValidationError[] = []
  if (files.length < minItems) validationErrors.push({ code: 'too_few', bounds: { minimum: minItems } })
  if (files.length > maxItems) validationErrors.push({ code: 'too_many', bounds: { maximum: maxItems } })
  if (files.some(({ mimeType }) => !allowedMimeTypes.includes(mimeType))) {
    validationErrors.push({ code: 'media_type_not_allowed', bounds: { allowed: allowedMimeTypes } })
  }
  if (files.some(({ sizeBytes }) => sizeBytes > maxSizeBytes)) {
    validationErrors.push({ code: 'file_too_large', bounds: { maximum: maxSizeBytes } })
  }
  return validationErrors
}

/** The answers as they are stored: every visible question, with the ids of the documents of its files. */
export function toStoredAnswers(
  { shown, values }: ParsedAnswers,
  findDocuments: (fieldKey: string) => readonly string[],
): FormAnswer[] {
  const stored = (key: string, type: FormFieldRecord['type']): Json => {
    if (type === 'file') return [...findDocuments(key)]
    return values.get(key) ?? (type === 'checkbox' ? false : type === 'multiselect' ? [] : null)
  }
  return shown.map(({ key, label, type }) => ({ fieldKey: key, label, type, value: stored(key, type) }))
}
