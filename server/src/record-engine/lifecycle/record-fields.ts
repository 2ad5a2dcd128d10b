import type { Field, RecordType } from '@matricula/contract/record-types'
import { TimeSlice } from '../../concurrency/index.ts'
import { emptyValue, isMask, readNumber, takenValue } from '../model/field-values.ts'
import type { AnyDocument, RecordOf } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import { getFields, getTableFields } from '../model/record-tables.ts'
import { emptyDocument } from './record-store.ts'
import type { RecordWork } from './record-work.ts'

/**
 * Puts what somebody sent into a record. Fields that the type does not have are passed over. A table that was sent replaces
 * the stored one: the first row with the name of a stored row changes the fields that were sent of it and keeps the others, rows
 * without such a name are new, and stored rows that were not sent go. Asterisks leave a secret as it is.
 *
 * @throws RecordError as `takenValue` does, and `ValidationError` for a table that is no list of rows.
 */
export function applyFields(type: RecordType, document: AnyDocument, fields: Readonly<Record<string, unknown>>): void {
  const added: NewRows = newRows.get(document) ?? new Map()
  applyValues(type, document, fields, added)
  if (added.size > 0) newRows.set(document, added)
  if (fields.docstatus !== undefined && fields.docstatus !== null) document.docstatus = sentStatus(fields.docstatus)
}

function applyValues(type: RecordType, document: AnyDocument, fields: Sent, added: NewRows): void {
  for (const [name, field] of getFields(type)) {
    if (!Object.hasOwn(fields, name) || (field.type === 'Password' && isMask(fields[name]))) continue
    document[name] =
      field.type === 'Table'
        ? takenRows(field.label, field.rows, fields[name], (document[name] as AnyDocument[]) ?? [], added)
        : takenValue(name, field, fields[name])
  }
}

/** A docstatus that a client sent. Throws `ValidationError` for what is no whole number. */
export function sentStatus(value: unknown): number {
  const status = typeof value === 'object' ? Number.NaN : Number(value)
  if (Number.isInteger(status)) return status
  throw new RecordError('ValidationError', 'Invalid docstatus. It is 0 (Draft), 1 (Submitted) or 2 (Cancelled).')
}

/** A row that a rule adds to a record, with these fields. */
export function newRow<Type extends RecordType>(type: Type, fields: Partial<RecordOf<Type>>): RecordOf<Type> {
  return { ...emptyDocument(type), ...fields } as RecordOf<Type>
}

const maxRows = 10_000

type Sent = Readonly<Record<string, unknown>>

/** What was sent of each new row. */
type NewRows = Map<AnyDocument, Sent>

/** The rows that a change adds to a record. */
const newRows = new WeakMap<AnyDocument, NewRows>()

/** Gives the rows that a change adds to a stored record the defaults of the fields that were not sent of them. */
export async function applyRowDefaults(
  work: Parameters<typeof applyDefaults>[0],
  type: RecordType,
  document: AnyDocument,
): Promise<void> {
  const added = newRows.get(document)
  if (added === undefined) return
  const slice = new TimeSlice()
  for (const { field, rows } of getTableFields(type)) {
    for (const row of document[field] as AnyDocument[]) {
      if (slice.isOver) await slice.yield()
      const sent = added.get(row)
      if (sent !== undefined) await applyDefaults(work, rows, row, sent)
    }
  }
}

function takenRows(
  label: string,
  type: RecordType,
  value: unknown,
  stored: readonly AnyDocument[],
  added: NewRows,
): AnyDocument[] {
  if (value === null || value === undefined || value === '') return []
  if (!Array.isArray(value)) throw new RecordError('ValidationError', `${label} must be a list of rows.`)
  if (value.length > maxRows) throw new RecordError('ValidationError', `${label} has at most ${maxRows} rows.`)
  const named = new Map(stored.filter(({ name }) => name !== '').map((row) => [row.name, row]))
  return value.map((sent: unknown, index) => {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
      throw new RecordError(
        'ValidationError',
        `${label}: row ${index + 1} must be an object with the fields of ${type.name}.`,
      )
    }
    const fields = sent as Sent
    const known = named.get(fields.name as string)
    const row = known === undefined ? emptyDocument(type) : { ...known }
    if (known === undefined) added.set(row, fields)
    else named.delete(known.name)
    inRow(label, index, () => {
      applyValues(type, row, fields, added)
      const idx = readNumber('idx', fields.idx) ?? 0
      row.idx = Number.isInteger(idx) && idx > 0 && idx <= maxRows ? idx : index + 1
    })
    return row
  })
}

/** Names the row in what is refused of it. */
function inRow<Result>(label: string, index: number, take: () => Result): Result {
  try {
    return take()
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    throw new RecordError(error.type, `${label}, row ${index + 1}: ${error.message}`)
  }
}

/**
 * Fills the fields of a new record or row that were not sent: the tenant's default for links of that name, the field's
 * default, the first option of a choice, the current time.
 */
export async function applyDefaults(
  work: Pick<RecordWork, 'siteDefaults' | 'caller' | 'now' | 'today'>,
  type: RecordType,
  document: AnyDocument,
  sent: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { links, belongsTo } = await work.siteDefaults()
  for (const [name, field] of getFields(type)) {
    if (Object.hasOwn(sent, name) && sent[name] !== null && sent[name] !== undefined) continue
    if (field.type === 'Table') continue
    const owner = belongsTo[name]
    const isElsewhere = owner !== undefined && owner in type.fields && document[owner] !== links[owner]
    const site = field.type === 'Link' && Object.hasOwn(links, name) && !isElsewhere ? (links[name] ?? null) : null
    document[name] = site ?? getDefault(work, name, field)
  }
}

function getDefault(work: Pick<RecordWork, 'caller' | 'now' | 'today'>, name: string, field: Field): unknown {
  const time = work.now.slice(11, 19)
  if (field.default !== undefined) {
    if (field.default === 'Today') return work.today
    if (field.default === 'Now') return field.type === 'Time' ? time : work.now
    if (field.default === '__user') return work.caller.user
    return takenValue(name, field, field.default)
  }
  if (field.type === 'Select') return field.options[0] ?? null
  if (field.type === 'Time') return time
  return emptyValue(field)
}

/** Sets the standard fields of rows: who wrote it, its index, and the docstatus of its record. */
export function numberRows(type: RecordType, document: AnyDocument, user: string): void {
  for (const { field } of getTableFields(type)) {
    for (const [index, row] of (document[field] as AnyDocument[]).entries()) {
      row.owner ||= user
      row.modified_by = user
      row.docstatus = document.docstatus
      row.idx ||= index + 1
    }
  }
}
