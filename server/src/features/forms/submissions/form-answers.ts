import type { Json } from '@matricula/contract'
import { holds, isAnswered } from '../form-conditions.ts'
import type { FormDefinition, FormError, FormFieldRecord } from '../form-definition.ts'
import { checkAnswer, readAnswer } from './single-answer.ts'
import type { FormAnswerRecord } from './submission-store.ts'

/** A file as it was announced, or as it came. */
export interface GivenFile {
  readonly fieldKey: string
  /** Type and subtype in lower case, without parameters. */
  readonly mimeType: string
  readonly sizeBytes: number
}

/** What the files of a question may be: by the question and by the document type that they get. */
export interface FileLimits {
  readonly allowedMimeTypes: readonly string[]
  readonly maxSizeBytes: number
}

/** Answers that were read. Only when there are no faults can they be kept. */
export interface ReadAnswers {
  /** The questions that were put, in order; the others are hidden, and whatever was sent for them is dropped. */
  readonly shown: readonly FormFieldRecord[]
  /** Answers in their stored form by key; a file's are left to `answersOf`. */
  readonly values: ReadonlyMap<string, Json>
  /** Every fault at once, in the order of the questions. */
  readonly faults: readonly FormError[]
}

/** Keys beyond this many that are no question's are not told one by one. */
const maxUnknown = 20

/**
 * Reads what somebody answered: texts as a page sends them, or JSON. Answers are normalised (trimmed, Unicode NFC, line
 * ends of one kind, numbers and dates and choices in their own types), and checked against the questions that are put.
 * Does no input or output, and takes a time that is bounded by the size of the answers.
 */
export function readAnswers(
  definition: FormDefinition,
  answers: Readonly<Record<string, unknown>>,
  files: readonly GivenFile[],
  limitsOf: (field: FormFieldRecord) => FileLimits,
): ReadAnswers {
  const shown: FormFieldRecord[] = []
  const values = new Map<string, Json>()
  const validationErrors: FormError[] = []
  for (const field of definition.fields) {
    if (!holds(field.visibleWhen, values)) continue
    shown.push(field)
    const given = Object.hasOwn(answers, field.key) ? answers[field.key] : undefined
    const filesGiven = files.filter(({ fieldKey }) => fieldKey === field.key)
    const found = getErrors(field, given, filesGiven, limitsOf, values)
    validationErrors.push(...found.map((validationError) => ({ fieldKey: field.key, ...validationError })))
  }
  const known = new Set(definition.fields.map(({ key }) => key))
  const sent = new Set([...Object.keys(answers), ...files.map(({ fieldKey }) => fieldKey)])
  const unknown = [...sent].filter((key) => !known.has(key)).slice(0, maxUnknown)
  validationErrors.push(...unknown.map((fieldKey): FormError => ({ fieldKey, code: 'unknown_field', bounds: {} })))
  return { shown, values, faults: validationErrors }
}

type ValidationError = Omit<FormError, 'fieldKey'>

/** The faults of one answer; without any, it is among the values. */
function getErrors(
  field: FormFieldRecord,
  given: unknown,
  files: readonly GivenFile[],
  limitsOf: (field: FormFieldRecord) => FileLimits,
  values: Map<string, Json>,
): ValidationError[] {
  if (field.type === 'file') {
    // A page that was sent without a file sends an empty text in its place.
    if (given !== undefined && given !== '' && given !== null) return [{ code: 'wrong_type', bounds: {} }]
    const found = fileErrors(field, files, limitsOf(field))
    if (found.length === 0 && files.length > 0) values.set(field.key, Array(files.length).fill(true))
    return found
  }
  if (files.length > 0) return [{ code: 'wrong_type', bounds: {} }]
  const read = readAnswer(field, given)
  if ('fault' in read) return [read.fault]
  if (!isAnswered(read.value)) {
    if (field.isRequired) return [{ code: 'required', bounds: {} }]
    return []
  }
  const found = checkAnswer(field, read.value)
  if (found.length === 0) values.set(field.key, read.value)
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

/** The answers as they are kept: every question that was put, with the documents that its files became. */
export function answersOf(
  { shown, values }: ReadAnswers,
  documentsOf: (fieldKey: string) => readonly string[],
): FormAnswerRecord[] {
  const stored = (key: string, type: FormFieldRecord['type']): Json => {
    if (type === 'file') return [...documentsOf(key)]
    return values.get(key) ?? (type === 'checkbox' ? false : type === 'multiselect' ? [] : null)
  }
  return shown.map(({ key, label, type }) => ({ fieldKey: key, label, type, value: stored(key, type) }))
}
