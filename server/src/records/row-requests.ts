import type { RecordType } from '@matricula/contract/record-types'
import type { AnyDocument } from './record-document.ts'
import type { RecordEngine } from './record-engine.ts'
import { RecordError } from './record-error.ts'
import { deleteRecord, readRecord, updateRecord } from './record-requests.ts'

type Sent = Readonly<Record<string, unknown>>

/**
 * What a caller asks of a record, or of a row of one, by type and name. A row is read and written as a part of its record,
 * with that record's rights and rules; a change of it saves the record.
 */

/** Reads a record, or a row. */
export async function readNamed(engine: RecordEngine, typeName: string, name: string): Promise<AnyDocument> {
  const place = await placeOf(engine, typeName, name)
  return place === null ? readRecord(engine, typeName, name) : rowOf(await readOwner(engine, place), place)
}

/** Changes fields of a record, or of a row. `record` is what was saved: the record itself. */
export async function updateNamed(
  engine: RecordEngine,
  typeName: string,
  name: string,
  fields: Sent,
): Promise<{ readonly document: AnyDocument; readonly record: AnyDocument; readonly recordType: string }> {
  const place = await placeOf(engine, typeName, name)
  if (place === null) {
    const record = await updateRecord(engine, typeName, name, fields)
    return { document: record, record, recordType: typeName }
  }
  const { owner, field, rows } = place
  const stored = await readOwner(engine, place)
  const row = rowOf(stored, place)
  if (fields.modified !== undefined && fields.modified !== row.modified) {
    const text = `${typeName} ${name} has been modified after you have opened it (${row.modified}). Read it again.`
    throw new RecordError('TimestampMismatchError', text)
  }
  const own = Object.keys(rows.fields).filter((known) => Object.hasOwn(fields, known))
  const changed = { ...row, ...Object.fromEntries(own.map((known) => [known, fields[known]])) }
  const all = (stored[field] as AnyDocument[]).map((each) => (each.name === name ? changed : each))
  const record = await updateRecord(engine, owner.name, stored.name, { [field]: all })
  return { document: rowOf(record, place), record, recordType: owner.name }
}

/** Deletes a record, or takes a row away from its record. */
export async function deleteNamed(engine: RecordEngine, typeName: string, name: string): Promise<void> {
  const place = await placeOf(engine, typeName, name)
  if (place === null) return deleteRecord(engine, typeName, name)
  const { owner, field } = place
  engine.require(owner, 'delete')
  const stored = await readOwner(engine, place)
  const others = (stored[field] as AnyDocument[]).filter((row) => row.name !== name)
  await updateRecord(engine, owner.name, stored.name, { [field]: others })
}

/** Makes a row the last one of the record that it names by `parent`, `parenttype` and `parentfield`; answers the record. */
export async function appendRow(
  engine: RecordEngine,
  rowType: string,
  { parent, parenttype, parentfield, ...row }: Sent,
): Promise<{ readonly typeName: string; readonly document: AnyDocument }> {
  const place = engine.registry
    .parentsOf(rowType)
    .find(({ owner, field }) => owner.type.name === parenttype && field === parentfield)
  if (place === undefined || typeof parent !== 'string') {
    const text = `A row of ${rowType} names its record: send parent, parenttype and parentfield.`
    throw new RecordError('ValidationError', text)
  }
  const typeName = place.owner.type.name
  const stored = await readRecord(engine, typeName, parent)
  const rows = [...(stored[place.field] as readonly object[]), { ...row, name: undefined, idx: undefined }]
  return { typeName, document: await updateRecord(engine, typeName, parent, { [place.field]: rows }) }
}

/** Whether a type is one of rows, which stand in records of others. */
export function isRowType({ registry }: RecordEngine, typeName: string): boolean {
  return registry.find(typeName) === null && registry.parentsOf(typeName).length > 0
}

/** Where a row stands. */
interface Place {
  readonly owner: RecordType
  readonly field: string
  readonly rows: RecordType
  readonly parent: string
  readonly row: string
}

/** Where the row of a name stands, or null for a type of records. Throws `DoesNotExistError` for a row that there is not. */
async function placeOf(engine: RecordEngine, typeName: string, row: string): Promise<Place | null> {
  if (!isRowType(engine, typeName)) return null
  for (const { owner, field, rows } of engine.registry.parentsOf(typeName)) {
    const parent = await engine.parentOfRow(owner, field, row)
    if (parent !== null) return { owner: owner.type, field, rows, parent, row }
  }
  throw new RecordError('DoesNotExistError', `${typeName} ${row.slice(0, 140)} not found`)
}

function readOwner(engine: RecordEngine, { owner, parent }: Place): Promise<AnyDocument> {
  return readRecord(engine, owner.name, parent)
}

function rowOf(record: AnyDocument, { field, row, rows }: Place): AnyDocument {
  const found = (record[field] as AnyDocument[]).find(({ name }) => name === row)
  if (found !== undefined) return found
  throw new RecordError('DoesNotExistError', `${rows.name} ${row.slice(0, 140)} not found`)
}
