import type { RecordType } from '@matricula/contract/record-types'
import { emptyValue, isTrue } from '../model/field-values.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import { getTableFields } from '../model/record-tables.ts'
import { readsOnlyItsOwn } from '../query/visibility/ownership.ts'
import type { RecordEngine } from './record-engine.ts'
import { applyFields } from './record-fields.ts'
import { emptyDocument } from './record-store.ts'

type Sent = Readonly<Record<string, unknown>>

/** A record as a client sent it, before it is saved. */
export interface SentRecord {
  readonly document: AnyDocument
  /** Whether no record of it is stored yet. */
  readonly isNew: boolean
}

/**
 * A whole record as a client sent it: a new one, with `__islocal` or without a name, or a stored one with unsaved
 * changes. A caller with access to own records only gets the stored record.
 *
 * @throws RecordError `TimestampMismatchError` when the record was saved since it was read, `DoesNotExistError`, and
 * what `applyFields` throws.
 */
export async function takeSentRecord(engine: RecordEngine, typeName: string, fields: Sent): Promise<SentRecord> {
  const definition = engine.registry.require(typeName)
  const { type, rules } = definition
  const name = type.kind === 'single' ? type.name : typeof fields.name === 'string' ? fields.name : ''
  const received = rules.received?.(fields) ?? fields
  if (type.kind !== 'single' && (name === '' || isTrue(fields.__islocal))) {
    const document = withRowNames(type, toWholeRecord(type, null, received), received)
    return { document: Object.assign(document, { name, docstatus: 0 }), isNew: true }
  }
  const stored = await engine.get(type, name)
  // For long work this was checked before `announce` changed the record.
  if (!engine.isLong && sentStamp(type, stored, fields) !== stored.modified) throw changedSince(type, stored)
  if (readsOnlyItsOwn(engine.caller, definition)) return { document: stored, isNew: false }
  const document = withRowNames(type, toWholeRecord(type, stored, received), received)
  const { docstatus, modified } = stored
  return { document: Object.assign(document, { docstatus, modified }), isNew: false }
}

/**
 * A record with the fields that were sent; the others are empty. Name, owner, creation and docstatus stay those of the
 * stored record unless sent; `modified` is up to the caller. Throws as `applyFields` does.
 */
export function toWholeRecord(type: RecordType, stored: AnyDocument | null, sent: Sent): AnyDocument {
  const document = emptyDocument(type)
  // Rows are matched with the stored ones, and asterisks stand for the stored secret.
  const compared = Object.entries(type.fields).filter(
    ([, field]) => field.type === 'Table' || field.type === 'Password',
  )
  if (stored !== null) {
    for (const [name] of compared) document[name] = stored[name]
    const { name, owner, creation, modified_by, docstatus } = stored
    Object.assign(document, { name, owner, creation, modified_by, docstatus })
  }
  const unsent = Object.fromEntries(compared.map(([name, field]) => [name, emptyValue(field)]))
  applyFields(type, document, { ...unsent, ...sent })
  return document
}

/** Gives new rows the names that they were sent with, by which the client knows them. */
function withRowNames(type: RecordType, document: AnyDocument, sent: Sent): AnyDocument {
  for (const { field } of getTableFields(type)) {
    for (const [index, row] of (document[field] as AnyDocument[]).entries()) {
      const { name } = (sent[field] as Sent[])[index] ?? {}
      if (row.name === '' && typeof name === 'string') row.name = name
    }
  }
  return document
}

/**
 * The `modified` that a client sent; the empty text, which equals no stored one, where it sent none, unless the record
 * is a single one that was never saved.
 */
export function sentStamp(type: RecordType, { creation, modified }: AnyDocument, fields: Sent): string {
  if (typeof fields.modified === 'string') return fields.modified
  const isNeverSaved = type.kind === 'single' && creation === modified
  return isNeverSaved && (fields.modified ?? null) === null ? modified : ''
}

function changedSince({ name: typeName }: RecordType, { name, modified }: AnyDocument): RecordError {
  const text = `${typeName} ${name} has been changed since it was read (${modified}). Read it again.`
  return new RecordError('TimestampMismatchError', text)
}
