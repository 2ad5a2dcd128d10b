import { maximumFaults } from '@matricula/contract'
import type { Field, RecordType } from '@matricula/contract/record-types'
import { isMissing } from '../model/field-values.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { RecordError, type RecordErrorOptions } from '../model/record-error.ts'
import { getFields, getTableFields } from '../model/record-tables.ts'

/** A record or one of its rows; `location` is the prefix of messages about it. */
interface Checked {
  readonly type: RecordType
  readonly values: AnyDocument
  readonly before: AnyDocument | null
  readonly location: string
}

/**
 * Validates a record: required fields, choices, lengths and formats of texts, and fields that may be set only once.
 *
 * @throws RecordError `MandatoryError`, `ValidationError`, `CharacterLengthExceededError`, `InvalidEmailAddressError`,
 * `InvalidPhoneNumberError`, `InvalidNameError`, `CannotChangeConstantError`.
 */
export function requireSound(type: RecordType, document: AnyDocument, before: AnyDocument | null): void {
  const parts: Checked[] = [{ type, values: document, before, location: '' }]
  for (const { field, rows } of getTableFields(type)) {
    const stored = new Map(((before?.[field] as AnyDocument[]) ?? []).map((row) => [row.name, row]))
    for (const row of document[field] as AnyDocument[]) {
      parts.push({ type: rows, values: row, before: stored.get(row.name) ?? null, location: `Row #${row.idx}: ` })
    }
  }
  requirePresent(type, document, parts)
  for (const part of parts) {
    for (const [name, field] of getFields(part.type)) requireForm(part, name, field)
  }
}

function requirePresent(type: RecordType, document: AnyDocument, parts: readonly Checked[]): void {
  const missing = parts.flatMap((part) =>
    getFields(part.type)
      .filter(([name, field]) => field.required === true && isMissing(part.values[name]))
      .map(([name, field]) => ({ name, message: missingMessage(type, part, field) })),
  )
  if (missing.length === 0) return
  const first = missing.slice(0, maximumFaults)
  const names = first.map(({ name }) => name).join(', ')
  const messages = first.map(({ message }) => message)
  throw new RecordError('MandatoryError', `[${type.name}, ${document.name}]: ${names}`, {
    messages,
    title: 'Missing Fields',
  })
}

function missingMessage(type: RecordType, { location }: Checked, field: Field): string {
  if (field.type === 'Table') return `Error: Data missing in table: ${field.label}`
  return location === ''
    ? `Error: Value missing for ${type.name}: ${field.label}`
    : `Error: ${location}Value missing for: ${field.label}`
}

/** The maximum size of a record with its rows, in bytes of JSON in UTF-8. Ten thousand rows of names fit. */
const maxRecordBytes = 8 * 1024 * 1024

/**
 * Rejects a record above the maximum size, unless the change makes it smaller.
 *
 * @throws RecordError `CharacterLengthExceededError`.
 */
export function requireBounded(type: RecordType, document: AnyDocument, before: AnyDocument | null): void {
  const size = getSize(document)
  if (size <= maxRecordBytes || (before !== null && size < getSize(before))) return
  throw new RecordError(
    'CharacterLengthExceededError',
    `${type.name} would have ${size} bytes with all its rows; it has at most ${maxRecordBytes}. Keep fewer rows, or shorter texts.`,
    { title: 'Record too big' },
  )
}

/**
 * The size of a record as JSON, in bytes; for a small one its UTF-16 code units, of which each has at most three bytes.
 */
function getSize(document: AnyDocument): number {
  const text = JSON.stringify(document)
  return text.length * 3 <= maxRecordBytes ? text.length : Buffer.byteLength(text)
}

const textTypes = new Set(['Small Text', 'Text', 'Text Editor', 'Attach', 'Attach Image', 'Password'])

/** The maximum characters of texts whose field declares no maximum. */
const maxTextLength = 1_000_000

/** The maximum characters of a text in a field. */
export function getMaxLength(field: Pick<Field, 'type' | 'maxLength'>): number {
  return field.maxLength ?? (textTypes.has(field.type) ? maxTextLength : 140)
}

function requireForm({ values, before, location }: Checked, name: string, field: Field): void {
  const value = values[name]
  if (
    field.setOnlyOnce === true &&
    before !== null &&
    !isMissing(before[name]) &&
    !isSame(field, value, before[name])
  ) {
    throw new RecordError('CannotChangeConstantError', `${location}Value cannot be changed for ${field.label}.`)
  }
  // A stored value was checked when it was written; the Client API has bounds of its own.
  if (typeof value !== 'string' || value === '' || value === before?.[name]) return
  if (field.type === 'Select' && name !== 'naming_series' && !field.options.includes(value)) {
    const options = field.options.filter((option) => option !== '').map((option) => `"${option}"`)
    throw new RecordError(
      'ValidationError',
      `${location}${field.label} cannot be "${value.slice(0, 140)}". It should be one of ${options.join(', ')}`,
    )
  }
  const max = getMaxLength(field)
  if ([...value].length > max) {
    throw new RecordError(
      'CharacterLengthExceededError',
      `${location}${field.label}: Value too long. It has at most ${max} characters.`,
      { title: 'Value too big' },
    )
  }
  if (field.type === 'Data' && field.format !== undefined)
    requireFormat(field.format, `${location}${field.label}`, value)
}

function requireFormat(format: 'Email' | 'Phone' | 'URL' | 'Name', label: string, value: string): void {
  const refuse = (...[type, kind]: [ConstructorParameters<typeof RecordError>[0], string]) => {
    const options: RecordErrorOptions = { title: `Invalid ${kind}` }
    throw new RecordError(type, `${label}: ${value.slice(0, 140)} is not a valid ${kind}.`, options)
  }
  switch (format) {
    case 'Email': {
      const addresses = value.split(',').map((address) => address.trim())
      if (!addresses.every((address) => isEmailAddress(address))) refuse('InvalidEmailAddressError', 'Email Address')
      return
    }
    case 'Phone':
      if (!/^\+?[\d\s().x-]{1,30}$/.test(value)) refuse('InvalidPhoneNumberError', 'Phone Number')
      return
    case 'URL':
      if (!URL.canParse(value)) refuse('ValidationError', 'URL')
      return
    case 'Name':
      if (/[<>@\d]/.test(value)) refuse('InvalidNameError', 'Name')
  }
}

/** Whether a text looks like one e-mail address, of at most 254 characters (RFC 5321 §4.5.3.1). */
function isEmailAddress(value: string): boolean {
  return value.length <= 254 && /^[^\s@<>,;"]{1,64}@[^\s@<>,;"][^\s@<>,;".]*\.[^\s@<>,;"]+$/.test(value)
}

const draft = 0
const submitted = 1
const cancelled = 2
const statusNames = ['Draft', 'Submitted', 'Cancelled']

export type Transition = 'save' | 'submit' | 'change' | 'cancel'

/**
 * The transition from one docstatus (null for a new record) to another.
 *
 * @throws RecordError `DocstatusTransitionError` for a transition that does not exist, `ValidationError` for a
 * cancelled record and for a number that is no docstatus.
 */
export function getTransition(from: number | null, to: number): Transition {
  if (![draft, submitted, cancelled].includes(to)) {
    throw new RecordError(
      'ValidationError',
      `Invalid docstatus ${to}. It is 0 (Draft), 1 (Submitted) or 2 (Cancelled).`,
      noMessages,
    )
  }
  if ((from ?? draft) === draft && to !== cancelled) return to === draft ? 'save' : 'submit'
  if (from === submitted && to !== draft) return to === submitted ? 'change' : 'cancel'
  const names = [from ?? draft, to].map((status) => `${status} (${statusNames[status]})`)
  const move = `docstatus from ${names[0]} to ${names[1]}`
  throw from === cancelled
    ? new RecordError(
        'ValidationError',
        `Cannot edit cancelled document, nor change ${move}. Amend it instead.`,
        noMessages,
      )
    : new RecordError('DocstatusTransitionError', `Cannot change ${move}`, noMessages)
}

/** Upstream reports such a transition in the exception alone, without messages. */
const noMessages: RecordErrorOptions = { messages: [] }

/**
 * Throws `UpdateAfterSubmitError` for a change of a submitted record in a field that is final. Rows of a table that may
 * change can be added and removed; the final fields of the others stay.
 */
export function requireFinalUnchanged(type: RecordType, document: AnyDocument, before: AnyDocument): void {
  for (const [name, field] of getFields(type)) {
    const [value, stored] = [document[name], before[name]]
    if (field.allowOnSubmit !== true) {
      if (!isSame(field, value, stored)) throw changedAfterSubmission(field.label)
    } else if (field.type === 'Table') {
      requireRowsUnchanged(field.rows, value as AnyDocument[], stored as AnyDocument[])
    }
  }
}

function requireRowsUnchanged(type: RecordType, rows: readonly AnyDocument[], stored: readonly AnyDocument[]): void {
  const byName = new Map(stored.map((row) => [row.name, row]))
  for (const row of rows) {
    const before = byName.get(row.name)
    const changed = getFields(type).find(
      ([name, field]) => before !== undefined && field.allowOnSubmit !== true && row[name] !== before[name],
    )
    if (changed !== undefined) throw changedAfterSubmission(`Row #${row.idx}: ${changed[1].label}`)
  }
}

function changedAfterSubmission(label: string): RecordError {
  return new RecordError(
    'UpdateAfterSubmitError',
    `Not allowed to change ${label} after submission. Cancel the record and amend it.`,
    { title: 'Cannot Update After Submit' },
  )
}

function isSame(field: Field, value: unknown, before: unknown): boolean {
  return field.type === 'Table'
    ? sameRows(field.rows, value as AnyDocument[], before as AnyDocument[])
    : value === before
}

function sameRows(type: RecordType, rows: readonly AnyDocument[], before: readonly AnyDocument[]): boolean {
  const fields = ['name', ...Object.keys(type.fields)]
  return (
    rows.length === before.length &&
    rows.every((row, index) => fields.every((field) => row[field] === (before[index] as AnyDocument)[field]))
  )
}

/** Whether a record is as it was: its fields, its docstatus and its rows in their order. */
export function isUnchanged(type: RecordType, document: AnyDocument, before: AnyDocument): boolean {
  return (
    document.docstatus === before.docstatus &&
    getFields(type).every(([name, field]) => isSame(field, document[name], before[name]))
  )
}
