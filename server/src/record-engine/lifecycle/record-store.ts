import type { Field, RecordType } from '@matricula/contract/record-types'
import { lockAndRead, lockRow } from '../../concurrency/index.ts'
import { column, identifier, isOneOf, join, type Sql, sql, type Transaction } from '../../database/index.ts'
import { localTime } from '../../tenancy/index.ts'
import { readCustomValues } from '../custom-fields/stored-custom-fields.ts'
import { emptyValue, storedValue } from '../model/field-values.ts'
import type { RecordDefinition } from '../model/record-definition.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import { getRowRelation } from '../model/record-registry.ts'
import { getCustomFields, getFields, getTable, getTableFields, getValueFields } from '../model/record-tables.ts'
import { readShown, showsName } from '../model/shown-names.ts'

/** A stored record without rows, with its internal id, which only events and audit show. */
export interface Stored {
  readonly id: string
  readonly document: AnyDocument
}

/** A stored record with its rows, and the ids of these by table field and name (`rowLocation`). */
export interface StoredRecord extends Stored {
  readonly rowIds: ReadonlyMap<string, string>
}

/** The key of a row in `rowIds`. */
export function rowLocation(field: string, rowName: string): string {
  return `${field} ${rowName}`
}

/** Runs statements that only read. */
export type Reads = Pick<Transaction, 'tenantId' | 'query'>

const stampForm = 'YYYY-MM-DD HH24:MI:SS.US'

/** The stamps of a row, in the tenant's time zone, as `creation` and `modified`; `prefix` is the alias with its point. */
export function stamps(timeZone: string, prefix: Sql = sql``): Sql {
  return sql`to_char(${localTime(sql`${prefix}created_at`, timeZone)}, ${stampForm}) as creation,
             to_char(${localTime(sql`${prefix}updated_at`, timeZone)}, ${stampForm}) as modified`
}

/** The select list of a record, or row, of a type under an alias. */
function selected(type: RecordType, timeZone: string, alias: Sql = sql`r`, value = ownValue): Sql {
  const fields = getValueFields(type).map(([name, field]) => {
    const raw = sql`${alias}.${column(name)}`
    return showsName(field) ? sql`${readShown(field, alias, raw)} as ${column(name)}` : value(field, raw, name)
  })
  return join([
    sql`${alias}.id as record_id, ${alias}.name, ${alias}.owner, ${alias}.modified_by, ${alias}.docstatus,
        ${stamps(timeZone, sql`${alias}.`)}`,
    ...fields,
    ...(getCustomFields(type).length > 0 ? [sql`${alias}.custom_fields`] : []),
  ])
}

const ownValue = (_field: Field, raw: Sql, _name: string): Sql => raw

/** JSON writes moments in another form than PostgreSQL itself. */
const valueForJson = (field: Field, raw: Sql, name: string): Sql =>
  field.type === 'Datetime' ? sql`${raw}::text as ${column(name)}` : raw

type Row = Record<string, unknown> & { record_id: string }

/** The fields, without rows, of the records that meet a condition on the alias `r`. */
export async function selectRecords(
  tx: Reads,
  definition: RecordDefinition,
  timeZone: string,
  condition: Sql,
  tail: Sql = sql`order by r.name`,
): Promise<Stored[]> {
  const rows = await tx.query<Row>(sql`
    select ${selected(definition.type, timeZone)} from ${identifier(definition.relation)} r
     where r.tenant_id = ${tx.tenantId} and ${condition} ${tail}`)
  return rows.map((row) => ({ id: row.record_id, document: getDocument(definition.type, row, 0) }))
}

/** Whether a loaded record is locked until the transaction ends. */
export interface Loading {
  readonly lock?: boolean
}

/**
 * The record with a name, with its rows; null when there is none. A name in another case counts when none is spelt
 * exactly so. With `lock` the record is locked until the transaction ends.
 *
 * @throws RecordError `ValidationError` when the name is ambiguous and `lock` is set.
 */
export async function loadRecord(
  tx: Transaction,
  definition: RecordDefinition,
  timeZone: string,
  name: string,
  { lock = false }: Loading = {},
): Promise<StoredRecord | null> {
  const load = async (spelling: string) => {
    const isNamed = sql`r.name = ${spelling}`
    if (!lock) return selectWithRows(tx, definition, timeZone, isNamed)
    if (definition.storage === null) return lockOwnRecord(tx, definition, timeZone, isNamed)
    if ((await lockRecord(tx, definition, spelling)) === null) return null
    return selectWithRows(tx, definition, timeZone, isNamed)
  }
  const stored = await load(name)
  if (stored !== null) return stored
  const [spelling, ...others] = await loadSpellings(tx, definition, name)
  if (spelling === undefined) return null
  if (lock && others.length > 0) {
    const reported = [spelling, ...others].map((each) => JSON.stringify(each)).join(', ')
    throw new RecordError(
      'ValidationError',
      `${definition.type.name} ${name.slice(0, 140)} may be one of ${reported}. Spell the name exactly so.`,
    )
  }
  return load(spelling)
}

/**
 * The maximum UTF-16 code units of a name: 255 characters on the Client API. Comparing a long text without case may
 * take minutes.
 */
const longestName = 510

/**
 * The names of records that equal a name without case, sorted, at most 20. Only types that the Client API shares have
 * more than one.
 */
export async function loadSpellings(tx: Reads, { relation }: RecordDefinition, name: string): Promise<string[]> {
  if (name.length > longestName) return []
  const found = await tx.query<{ name: string }>(sql`
    select r.name from ${identifier(relation)} r
     where r.tenant_id = ${tx.tenantId} and r.name = ${name} collate any_case limit 20`)
  return found.map((each) => each.name).sort()
}

/** The names, out of many, that a record has, compared without case. */
export async function spelledNames(
  tx: Reads,
  { relation }: RecordDefinition,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = names.filter(({ length }) => length <= longestName)
  const found = await tx.query<{ name: string }>(sql`
    select wanted.name from unnest(${wanted}::text[]) wanted(name)
     where exists (select from ${identifier(relation)} r
                    where r.tenant_id = ${tx.tenantId} and r.name = wanted.name collate any_case)`)
  return new Set(found.map(({ name }) => name))
}

/**
 * Locks the record that meets a condition on the alias `r` and reads it with its rows, in one statement: whoever changes the rows of a
 * record in a table of its own changes the record too. Null when there is none.
 */
async function lockOwnRecord(
  tx: Transaction,
  definition: RecordDefinition,
  timeZone: string,
  condition: Sql,
): Promise<StoredRecord | null> {
  const reading = (met: Sql) => wholeStatement(tx, definition, timeZone, met)
  const row = await lockAndRead<Row>(tx, getTable(definition.type), 'r', condition, reading)
  return row === null ? null : toWhole(definition, row)
}

/** Locks the row of a record that the Client API keeps and gives its id; null when there is none. */
async function lockRecord(tx: Transaction, definition: RecordDefinition, name: string): Promise<string | null> {
  // Found once and as a value: joined, a table that was not analysed yet may be read again for each of its rows.
  const found = sql`
    select r.id from ${identifier(definition.relation)} r where r.tenant_id = ${tx.tenantId} and r.name = ${name}`
  const draftTable = definition.storage?.draftTable
  const draft = draftTable === undefined ? null : await lockRow(tx, draftTable, 't', sql`t.id = any (array(${found}))`)
  return (await lockRow(tx, getLockedTable(definition), 't', sql`t.id = any (array(${found}))`)) ?? draft
}

/** The table whose row of the same id is locked for a change of a record. */
export function getLockedTable({ type, storage }: RecordDefinition): string {
  return storage?.table ?? getTable(type)
}

/**
 * The first record that meets a condition on the alias `r`, with its rows; null when there is none. One statement, so
 * that the rows belong to the same snapshot as the record.
 */
export async function selectWithRows(
  tx: Reads,
  definition: RecordDefinition,
  timeZone: string,
  condition: Sql,
): Promise<StoredRecord | null> {
  const [row] = await tx.query<Row>(wholeStatement(tx, definition, timeZone, condition))
  return row === undefined ? null : toWhole(definition, row)
}

/** The statement that reads the first record that meets a condition on the alias `r`, with its rows. */
function wholeStatement(
  { tenantId }: Pick<Reads, 'tenantId'>,
  definition: RecordDefinition,
  timeZone: string,
  condition: Sql,
): Sql {
  const { type, relation } = definition
  const contents = getTableFields(type).map(({ field, rows }) => {
    return sql`, (
      select jsonb_agg(to_jsonb(listed) order by listed.idx)
        from (select ${selected(rows, timeZone, sql`c`, valueForJson)}, c.idx
                from ${identifier(getRowRelation(definition, field))} c
               where c.tenant_id = ${tenantId} and c.parent_id = r.id) listed) as ${column(field)}`
  })
  return sql`
    select ${selected(type, timeZone)}${join(contents.length > 0 ? contents : [sql``], '')}
      from ${identifier(relation)} r
     where r.tenant_id = ${tenantId} and ${condition} order by r.name limit 1`
}

/** A row that the statement has read, as the record. */
function toWhole(definition: RecordDefinition, row: Row): StoredRecord {
  const { type } = definition
  const document = getDocument(type, row, 0)
  const rowIds = new Map<string, string>()
  for (const { field, rows } of getTableFields(type)) {
    const listed = (row[field] ?? []) as (Row & { idx: number })[]
    for (const each of listed) rowIds.set(rowLocation(field, String(each.name)), each.record_id)
    document[field] = listed.map((each) => asRow(getDocument(rows, each, each.idx), definition, document.name, field))
  }
  return { id: row.record_id, document, rowIds }
}

/** Names of records of one type. */
export interface Named {
  readonly definition: RecordDefinition
  readonly names: readonly string[]
}

/** The fields, without rows, of the records that have these names, spelt exactly so, in one statement. */
export async function selectNamed(
  tx: Reads,
  timeZone: string,
  named: readonly Named[],
): Promise<{ readonly type: string; readonly document: AnyDocument }[]> {
  const ofTypes = named.map(({ definition: { type, relation }, names }) => {
    return sql`
      select ${type.name}::text as type, to_jsonb(found) as record
        from (select ${selected(type, timeZone, sql`r`, valueForJson)} from ${identifier(relation)} r
               where r.tenant_id = ${tx.tenantId} and ${isOneOf(sql`r.name`, names)}) found`
  })
  const found = await tx.query<{ type: string; record: Row }>(join(ofTypes, ' union all '))
  const types = new Map(named.map(({ definition: { type } }) => [type.name, type]))
  return found.map(({ type, record }) => ({ type, document: getDocument(types.get(type) as RecordType, record, 0) }))
}

/** Sets the parent fields of a row. */
export function asRow(
  row: AnyDocument,
  { type }: Pick<RecordDefinition, 'type'>,
  parent: string,
  field: string,
): AnyDocument {
  return Object.assign(row, { parent, parentfield: field, parenttype: type.name })
}

function getDocument(type: RecordType, row: Row, idx: number): AnyDocument {
  const { name, owner, creation, modified, modified_by, docstatus } = row as unknown as AnyDocument
  const document: AnyDocument = { name, owner, creation, modified, modified_by, docstatus, idx }
  for (const [field, declared] of getFields(type)) {
    document[field] = declared.type === 'Table' ? [] : storedValue(declared, row[field])
  }
  readCustomValues(type, row.custom_fields, document)
  return document
}

/** A record of a type with nothing in it. */
export function emptyDocument(type: RecordType): AnyDocument {
  const document: AnyDocument = {
    name: '',
    owner: '',
    creation: '',
    modified: '',
    modified_by: '',
    docstatus: 0,
    idx: 0,
  }
  for (const [field, declared] of getFields(type)) document[field] = emptyValue(declared)
  return document
}
