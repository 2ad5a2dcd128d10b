import type { RecordType } from '@matricula/contract/record-types'
import { mayDo } from '../model/permissions.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import type { RecordEngine } from './record-engine.ts'
import { deleteRecord, readRecord, requireReadable, updateRecord } from './record-requests.ts'
import { ownConditions } from './rights/own-records.ts'

type Sent = Readonly<Record<string, unknown>>

/**
 * Requests of a caller for a record, or for a row of one, by type and name. A row is read and written as a part of its
 * record, with that record's rights and rules; a change of it saves the record.
 */

/** Reads a record, or a row. */
export async function readNamed(engine: RecordEngine, typeName: string, name: string): Promise<AnyDocument> {
  const location = await findLocation(engine, typeName, name)
  if (location === null) return readRecord(engine, typeName, name)
  return getRow(await readRecord(engine, location.owner.name, location.parent), location)
}

/** Changes fields of a record, or of a row. `record` is what was saved: the record itself. */
export async function updateNamed(
  engine: RecordEngine,
  typeName: string,
  name: string,
  fields: Sent,
): Promise<{ readonly document: AnyDocument; readonly record: AnyDocument; readonly recordType: string }> {
  const location = await findLocation(engine, typeName, name)
  if (location === null) {
    const record = await updateRecord(engine, typeName, name, fields)
    return { document: record, record, recordType: typeName }
  }
  const { owner, rows } = location
  const own = Object.fromEntries(Object.entries(fields).filter(([known]) => Object.hasOwn(rows.fields, known)))
  const record = await changeRows(engine, location, (all, stored) => {
    const row = getRow(stored, location)
    if (fields.modified !== undefined && fields.modified !== row.modified) {
      const text = `${typeName} ${name} has been modified after you have opened it (${row.modified}). Read it again.`
      throw new RecordError('TimestampMismatchError', text)
    }
    return all.map((each) => (each.name === name ? { ...each, ...own } : each))
  })
  return { document: getRow(record, location), record, recordType: owner.name }
}

/** Deletes a record, or takes a row away from its record. */
export async function deleteNamed(engine: RecordEngine, typeName: string, name: string): Promise<void> {
  const location = await findLocation(engine, typeName, name)
  if (location === null) return deleteRecord(engine, typeName, name)
  engine.require(location.owner, 'delete')
  await changeRows(engine, location, (all) => all.filter((row) => row.name !== name))
}

/** Appends a row to the record that it names by `parent`, `parenttype` and `parentfield`; returns the record. */
export async function appendRow(
  engine: RecordEngine,
  rowType: string,
  { parent, parenttype, parentfield, ...row }: Sent,
): Promise<{ readonly typeName: string; readonly document: AnyDocument }> {
  const found = engine.registry
    .getParents(rowType)
    .find(({ owner, field }) => owner.type.name === parenttype && field === parentfield)
  if (found === undefined || typeof parent !== 'string') {
    const text = `A row of ${rowType} names its record: send parent, parenttype and parentfield.`
    throw new RecordError('ValidationError', text)
  }
  const location = { owner: found.owner.type, field: found.field, parent }
  const added = { ...row, name: undefined, idx: undefined }
  return { typeName: location.owner.name, document: await changeRows(engine, location, (all) => [...all, added]) }
}

/** Saves a record with rows computed from its stored ones, under its lock. */
async function changeRows(
  engine: RecordEngine,
  { owner, field, parent }: Pick<RowPosition, 'owner' | 'field' | 'parent'>,
  change: (rows: readonly AnyDocument[], stored: AnyDocument) => readonly object[],
): Promise<AnyDocument> {
  await requireReadable(engine, owner.name, parent)
  return updateRecord(engine, owner.name, parent, (stored) => {
    return { [field]: change(stored[field] as AnyDocument[], stored) }
  })
}

/** Whether a type is one of rows, which records of other types contain. */
export function isRowType({ registry }: RecordEngine, typeName: string): boolean {
  return registry.find(typeName) === null && registry.getParents(typeName).length > 0
}

/** The record and table field that contain a row. */
interface RowPosition {
  readonly owner: RecordType
  readonly field: string
  readonly rows: RecordType
  readonly parent: string
  readonly row: string
}

/** The location of a row by name; null for a type of records. Throws `DoesNotExistError` and `PermissionError`. */
async function findLocation(engine: RecordEngine, typeName: string, row: string): Promise<RowPosition | null> {
  if (!isRowType(engine, typeName)) return null
  for (const { owner, field, rows } of engine.registry.getParents(typeName)) {
    const parent = await engine.parentOfRow(owner, field, row)
    if (parent === null) continue
    if (!(await engine.mayRead(owner.type, parent))) throw unreadableRow(typeName, row)
    return { owner: owner.type, field, rows, parent, row }
  }
  const owners = engine.registry.getParents(typeName).map(({ owner }) => owner)
  const readsAll = owners.some((owner) => {
    return mayDo(engine.caller, owner.type, 'read') && ownConditions(engine, owner, 'read').length === 0
  })
  if (!readsAll) throw unreadableRow(typeName, row)
  throw new RecordError('DoesNotExistError', `${typeName} ${row.slice(0, 140)} not found`)
}

/**
 * The error for a row that the caller may not read, and for a missing one where the caller may not know that.
 */
function unreadableRow(typeName: string, row: string): RecordError {
  return new RecordError('PermissionError', `${typeName} ${row.slice(0, 140)} is not among those that you may use.`)
}

function getRow(record: AnyDocument, { field, row, rows }: RowPosition): AnyDocument {
  const found = (record[field] as AnyDocument[]).find(({ name }) => name === row)
  if (found !== undefined) return found
  throw new RecordError('DoesNotExistError', `${rows.name} ${row.slice(0, 140)} not found`)
}
