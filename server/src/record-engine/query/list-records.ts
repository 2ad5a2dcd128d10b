import {
  type Database,
  isOverTime,
  ResultTooLarge,
  type RowBatches,
  type Sql,
  type Statement,
} from '../../database/index.ts'
import type { Caller } from '../model/caller.ts'
import { emptyValue } from '../model/field-values.ts'
import { requireRight } from '../model/permissions.ts'
import { RecordError } from '../model/record-error.ts'
import type { RecordRegistry } from '../model/record-registry.ts'
import { parsedJson } from './filters/json-argument.ts'
import { countRequest, type ListParameters, type ListRequest, parseListRequest } from './list-request.ts'
import { openRows, type RowStream } from './row-stream.ts'

/** Runs one reading statement in the caller's tenant: a transaction, or the connection pool. */
export interface RecordReader {
  /** `isCheap`: the statement costs the same however many records there are. */
  query<Row extends object>(statement: Statement, isCheap?: boolean, maxBytes?: number): Promise<Row[]>
  /** Request coalescing: runs a slow statement once for all concurrent callers that see the same rows. */
  queryCoalesced?<Row extends object>(statement: Sql): Promise<Row[]>
}

/** A reader that can also stream a long result in batches. */
export interface BatchReader extends RecordReader {
  readonly tenantId: string
  rows<Row extends object>(statement: Sql): RowBatches<Row>
}

/** Reads outside of any transaction. */
export function recordReader(database: Database, tenantId: string): BatchReader {
  return {
    tenantId,
    query: <Row extends object>(statement: Statement, isCheap = false, maxBytes?: number) =>
      isCheap
        ? database.read<Row>(tenantId, statement, maxBytes)
        : database.readBriefly<Row>(tenantId, statement, maxBytes),
    queryCoalesced: <Row extends object>(statement: Sql) =>
      database.readTogether(tenantId, statement, (shared) => shared.readSlowly<Row>(tenantId, statement)),
    rows: <Row extends object>(statement: Sql) => database.readRows<Row>(tenantId, statement),
  }
}

/** A row of a list: the fields by their names, or their values in the order in which they were asked for. */
export type ListRow = Readonly<Record<string, unknown>> | readonly unknown[]

/** Reads a list as a whole. Throws `DataError` on a statement timeout. */
export async function listRecords(reader: RecordReader, request: ListRequest, maxBytes?: number): Promise<ListRow[]> {
  const { statement, sent = statement, isCheap } = request
  return shownBy(request)(await timely(() => reader.query<StoredRow>(sent, isCheap, maxBytes)))
}

/** The maximum bytes of a list that is buffered: most lists by far. */
const maxBufferedBytes = 1024 * 1024

/**
 * Reads a list that may be long: buffers a short one, and streams a long one. Throws as `listRecords` does until there
 * are rows.
 */
export async function openList(reader: BatchReader, request: ListRequest): Promise<ListRow[] | RowStream<ListRow>> {
  try {
    if (request.isShort) return await listRecords(reader, request, maxBufferedBytes)
  } catch (error) {
    if (!(error instanceof ResultTooLarge)) throw error
  }
  const { statement } = request
  return timely(() => openRows(reader.rows<StoredRow>(statement), shownBy(request)))
}

type StoredRow = Record<string, unknown>

/** Maps the rows of a list to what clients read, and collects the shown records where disclosures are logged. */
function shownBy(request: ListRequest): (rows: readonly StoredRow[]) => ListRow[] {
  const show = rowsBy(request)
  const { disclosed, shown } = request
  if (disclosed === null || shown === undefined) return show
  const { recordType, columns } = disclosed
  return (rows) => {
    if (rows.length > 0) {
      const ids = rows.flatMap((row) => columns.map((column) => row[column]))
      shown.add(recordType, ids, rows.length)
    }
    return show(rows)
  }
}

function rowsBy({ fields, areObjects }: ListRequest): (rows: readonly StoredRow[]) => ListRow[] {
  const locations = fields.map(({ key, show }, index) => ({ key, show, alias: `f${index}` }))
  if (!areObjects) return (rows) => rows.map((row) => locations.map(({ show, alias }) => show(row[alias])))
  return (rows) =>
    rows.map((row) => {
      const shown: Record<string, unknown> = {}
      for (const { key, show, alias } of locations) shown[key] = show(row[alias])
      return shown
    })
}

/**
 * Counts the records that meet `filters` and `or_filters`, in any form that lists take; text that is not JSON is a
 * name, and a list of texts several. A `limit` other than 0 is the maximum of the count. Throws as `parseListRequest`
 * does.
 */
export async function countRecords(
  reader: RecordReader,
  registry: RecordRegistry,
  caller: Caller,
  typeName: string,
  parameters: ListParameters,
): Promise<number> {
  const { statement, isCheap } = countRequest(registry, caller, typeName, parameters)
  const together = () => reader.queryCoalesced?.<{ count: number }>(statement)
  const read = () => (isCheap ? null : together()) ?? reader.query<{ count: number }>(statement, isCheap)
  const [counted] = await timely(read)
  return counted?.count ?? 0
}

/**
 * Fields of the first record that meets `filters`, which may also be a record's name: `fieldname` is one name or a JSON
 * array. Returns an object, empty when there is no record; with `as_dict` false the value, or an array of several, and
 * null when there is no record. Of a single type it reads the one record, or its defaults before it was ever saved.
 */
export async function loadFieldValue(
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
      fields: getFields(fieldname),
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
export async function loadSingleFieldValue(
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
  return loadFieldValue(reader, registry, caller, typeName, { fieldname: JSON.stringify([field]), as_dict: 0 })
}

/** The fields of `fieldname`: text that is not JSON is one name. */
function getFields(fieldname: unknown): unknown {
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

async function timely<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!isOverTime(error)) throw error
    throw new RecordError('DataError', 'The list takes too long. Add filters that leave fewer records.')
  }
}
