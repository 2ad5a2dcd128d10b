import type { Database, Sql } from '../../database/index.ts'
import type { Caller } from '../caller.ts'
import { emptyValue } from '../field-values.ts'
import { requireRight } from '../permissions.ts'
import { RecordError } from '../record-error.ts'
import type { RecordRegistry } from '../record-registry.ts'
import { parsedJson } from './json-argument.ts'
import { countStatement, type ListParameters, type ListRequest, parseListRequest } from './list-request.ts'

/** Something that reads with one statement in the caller's tenant: a transaction, or connections that are shared. */
export interface RecordReader {
  /** `isCheap`: the statement costs the same however many records there are. */
  query<Row extends object>(statement: Sql, isCheap?: boolean): Promise<Row[]>
}

/** Reads outside of any transaction. */
export function recordReader(database: Database, tenantId: string): RecordReader {
  return {
    query: <Row extends object>(statement: Sql, isCheap = false) =>
      isCheap ? database.read<Row>(tenantId, statement) : database.readSlowly<Row>(tenantId, statement),
  }
}

/** A row of a list: the fields by their names, or their values in the order in which they were asked for. */
export type ListRow = Readonly<Record<string, unknown>> | readonly unknown[]

/** Reads a list. Throws `DataError` when it takes longer than a statement may. */
export async function listRecords(reader: RecordReader, request: ListRequest): Promise<ListRow[]> {
  const rows = await timely<Record<string, unknown>>(reader, request.statement, request.isCheap)
  const places = request.fields.map(({ key, show }, index) => ({ key, show, place: `f${index}` }))
  if (!request.areObjects) return rows.map((row) => places.map(({ show, place }) => show(row[place])))
  return rows.map((row) => {
    const shown: Record<string, unknown> = {}
    for (const { key, show, place } of places) shown[key] = show(row[place])
    return shown
  })
}

/**
 * Counts the records that meet `filters` and `or_filters`, in any form that lists take; text that is no JSON is a name, and a
 * list of texts several. Throws as `parseListRequest` does.
 */
export async function countRecords(
  reader: RecordReader,
  registry: RecordRegistry,
  caller: Caller,
  typeName: string,
  parameters: ListParameters,
): Promise<number> {
  const [counted] = await timely<{ count: number }>(reader, countStatement(registry, caller, typeName, parameters))
  return counted?.count ?? 0
}

/**
 * Fields of the first record that meets `filters`, which may also be a record's name: `fieldname` is one name or a JSON array.
 * Answers an object, empty when there is no record; with `as_dict` false the value, or an array of several, and null when there
 * is no record. Of a single type it reads the one record, or what that is before it was ever saved.
 */
export async function fieldValueOf(
  reader: RecordReader,
  registry: RecordRegistry,
  caller: Caller,
  typeName: string,
  parameters: ListParameters,
): Promise<unknown> {
  const { fieldname, ...others } = parameters
  const isSingle = registry.find(typeName)?.type.kind === 'single'
  const request = parseListRequest(
    registry,
    caller,
    typeName,
    {
      ...others,
      filters: isSingle ? null : others.filters,
      fields: fieldsOf(fieldname),
      limit_page_length: 1,
      limit_start: 0,
    },
    { takesNames: true },
  )
  const [row] = await listRecords(reader, request)
  const found = row ?? (isSingle ? unsavedRow(registry, typeName, request) : null)
  if (request.areObjects) return found ?? {}
  if (found === null) return null
  const values = found as readonly unknown[]
  return values.length > 1 ? values : values[0]
}

/**
 * One field of a single type. Throws `DataError` for a field that it does not have, or that nobody may read, and
 * `ValidationError` for a type that is not single.
 */
export async function singleFieldValueOf(
  reader: RecordReader,
  registry: RecordRegistry,
  caller: Caller,
  typeName: string,
  field: unknown,
): Promise<unknown> {
  const { type } = registry.require(typeName)
  requireRight(caller, type, 'read')
  if (type.kind !== 'single') {
    throw new RecordError('ValidationError', `${type.name} has many records. Use frappe.client.get_value for them.`)
  }
  if (typeof field !== 'string') throw new RecordError('FrappeTypeError', 'field must be the name of a field.')
  return fieldValueOf(reader, registry, caller, typeName, { fieldname: JSON.stringify([field]), as_dict: 0 })
}

/** The fields of `fieldname`: text that is no JSON is one name. */
function fieldsOf(fieldname: unknown): unknown {
  if (typeof fieldname !== 'string' || fieldname.trim() === '') return fieldname
  const parsed = parsedJson(fieldname)
  return Array.isArray(parsed) || typeof parsed === 'string' ? parsed : [fieldname]
}

/** A single record that was never saved: every field has its default. */
function unsavedRow(registry: RecordRegistry, typeName: string, { fields, areObjects }: ListRequest) {
  const { type } = registry.require(typeName)
  const values = fields.map(({ column, key }): [string, unknown] => {
    if (column === null) return [key, null]
    if (column.name === 'name') return [key, type.name]
    return [key, column.field.default ?? emptyValue(column.field)]
  })
  return areObjects ? Object.fromEntries(values) : values.map(([, value]) => value)
}

const canceled = '57014' // SQLSTATE query_canceled

async function timely<Row extends object>(reader: RecordReader, statement: Sql, isCheap = false): Promise<Row[]> {
  try {
    return await reader.query<Row>(statement, isCheap)
  } catch (error) {
    if ((error as { code?: unknown }).code !== canceled) throw error
    throw new RecordError('DataError', 'The list takes too long. Filter it by fields that leave fewer records.')
  }
}
