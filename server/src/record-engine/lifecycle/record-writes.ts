import type { Field, RecordType } from '@matricula/contract/record-types'
import { together } from '../../concurrency/index.ts'
import { column, identifier, join, moment, type Sql, sql, type Transaction } from '../../database/index.ts'
import { newId } from '../../values/index.ts'
import { isNumber } from '../model/field-values.ts'
import type { RecordDefinition } from '../model/record-definition.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { hashName } from '../model/record-names.ts'
import { getRowRelation } from '../model/record-registry.ts'
import { getTable, getTableFields, getValueFields } from '../model/record-tables.ts'
import { showsName } from '../model/shown-names.ts'
import { rowLocation, type Stored, type StoredRecord, stamps } from './record-store.ts'

/** The values of the columns of a record, as JSON for PostgreSQL. */
function columnValues(type: RecordType, document: AnyDocument): Record<string, unknown> {
  return Object.fromEntries(getValueFields(type).map(([name, field]) => [name, columnValue(field, document[name])]))
}

function columnValue(field: Field, value: unknown): unknown {
  return value === undefined ? (isNumber(field) ? 0 : null) : value
}

/** The stamps of a row that was written, in the tenant's time zone. */
interface Stamps {
  creation: string
  modified: string
}

/**
 * Inserts a record into a regular table, and sets its stamps. False when its name or another unique value is taken;
 * then nothing is stored.
 */
export async function insertRecord(
  tx: Transaction,
  { type }: RecordDefinition,
  timeZone: string,
  id: string,
  document: AnyDocument,
): Promise<boolean> {
  const stored = await together(tx, `new in ${getTable(type)}`, { id, document }, (made) =>
    insertBatched(tx, type, timeZone, made),
  )
  if (stored === undefined) return false
  Object.assign(document, stored)
  return true
}

/** Inserts records of a type with one statement, and returns the stamps of each that was inserted. */
async function insertBatched(
  tx: Transaction,
  type: RecordType,
  timeZone: string,
  made: readonly Stored[],
): Promise<(Stamps | undefined)[]> {
  const table = identifier(getTable(type))
  const columns = columnList(type)
  const rows = made.map(({ id, document: { name, owner, modified_by, docstatus, ...document } }) => {
    return { ...columnValues(type, document as AnyDocument), id, name, owner, modified_by, docstatus }
  })
  const stamped = await tx.query<Stamps & { id: string }>(sql`
    with made as (
      insert into ${table} (tenant_id, id, name, owner, modified_by, docstatus${columns}, created_at, updated_at)
      select ${tx.tenantId}, id, name, owner, modified_by, docstatus${columns}, stamp, stamp
        from jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::jsonb), ${moment}
      on conflict do nothing
      returning id, created_at, updated_at
    )
    select id, ${stamps(timeZone)} from made`)
  const byId = new Map(stamped.map(({ id, ...stampsOf }) => [id, stampsOf]))
  return made.map(({ id }) => byId.get(id))
}

/** Updates a record of a regular table as its next version, and sets its stamps. */
export async function updateRecord(
  tx: Transaction,
  { type }: RecordDefinition,
  timeZone: string,
  id: string,
  document: AnyDocument,
): Promise<void> {
  const table = identifier(getTable(type))
  const assignments = getValueFields(type).map(([name, field]) => {
    const given = sql`given.${column(name)}`
    // What a submitted record was issued with stays stored, for its print.
    const issued = sql`case when r.docstatus = 0 then ${given} else r.${column(name)} end`
    return sql`, ${column(name)} = ${showsName(field) ? issued : given}`
  })
  const [row] = await tx.query<Stamps>(sql`
    with changed as (
      update ${table} r
         set docstatus = ${document.docstatus}, modified_by = ${document.modified_by}, version = r.version + 1,
             updated_at = greatest(current_stamp(), r.updated_at)
             ${join(assignments.length > 0 ? assignments : [sql``], '')}
        from jsonb_populate_record(null::${table}, ${JSON.stringify(columnValues(type, document))}::jsonb) given
       where r.tenant_id = ${tx.tenantId} and r.id = ${id}
      returning r.created_at, r.updated_at
    )
    select ${stamps(timeZone)} from changed`)
  Object.assign(document, row)
}

function columnList(type: RecordType): Sql {
  const columns = getValueFields(type).map(([name]) => sql`, ${column(name)}`)
  return columns.length === 0 ? sql`` : join(columns, '')
}

/**
 * Replaces the stored rows of a record, which the transaction has locked: rows that are gone are deleted, those with a
 * stored name updated, the others inserted. `rowIds` are those of the record as it was stored.
 */
export async function storeRows(
  tx: Transaction,
  definition: RecordDefinition,
  id: string,
  document: AnyDocument,
  rowIds: StoredRecord['rowIds'],
): Promise<void> {
  for (const { field, rows: type } of getTableFields(definition.type)) {
    if (definition.storage?.rowRelations?.[field] !== undefined) continue
    const rows = document[field] as AnyDocument[]
    const relation = getRowRelation(definition, field)
    const table = identifier(relation)
    const findId = ({ name }: AnyDocument) => rowIds.get(rowLocation(field, name))
    const values = rows.map((row) => {
      const known = findId(row)
      if (known === undefined) row.name = hashName()
      const { name, idx, owner, modified_by, docstatus } = row
      return {
        id: known ?? newId(),
        parent_id: id,
        name,
        idx,
        owner,
        modified_by,
        docstatus,
        ...columnValues(type, row),
      }
    })
    const kept = new Set(values.map((row) => row.id))
    const stored = [...rowIds].filter(([location]) => location.startsWith(rowLocation(field, '')))
    const gone = stored.map(([, rowId]) => rowId).filter((rowId) => !kept.has(rowId))
    if (gone.length > 0) {
      tx.send(
        sql`delete from ${table} where tenant_id = ${tx.tenantId} and parent_id = ${id} and id = any(${gone}::uuid[])`,
      )
    }
    if (values.length === 0) continue
    await together(tx, `rows of ${relation}`, values, async (records) => {
      tx.send(storeRowsStatement(tx.tenantId, table, type, records.flat()))
      return records
    })
  }
}

function storeRowsStatement(tenantId: string, table: Sql, type: RecordType, values: object[]): Sql {
  const columns = columnList(type)
  const assignments = getValueFields(type).map(([name]) => sql`, ${column(name)} = excluded.${column(name)}`)
  return sql`
    insert into ${table} (tenant_id, id, parent_id, name, idx, owner, modified_by, docstatus${columns}, created_at,
                          updated_at)
    select ${tenantId}, id, parent_id, name, idx, owner, modified_by, docstatus${columns}, stamp, stamp
      from jsonb_populate_recordset(null::${table}, ${JSON.stringify(values)}::jsonb), ${moment}
    on conflict (tenant_id, id) do update
       set idx = excluded.idx, modified_by = excluded.modified_by, docstatus = excluded.docstatus,
           updated_at = excluded.updated_at
           ${assignments.length > 0 ? join(assignments, '') : sql``}`
}

/** Deletes a record of a regular table with its rows. */
export async function deleteRecord(tx: Transaction, { type }: RecordDefinition, id: string): Promise<void> {
  await tx.query(sql`delete from ${identifier(getTable(type))} where tenant_id = ${tx.tenantId} and id = ${id}`)
}
