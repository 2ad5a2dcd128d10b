import type { RecordType } from '@matricula/contract/record-types'
import { join, column as quoted, type Sql, sql } from '../../database/index.ts'
import { isNumber } from '../model/field-values.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { getValueFields } from '../model/record-tables.ts'

/** A computed record, or a row of one, with its number, and for a row the number of its record. */
export interface Numbered {
  readonly id: number
  readonly parentId: number | null
  readonly document: AnyDocument
}

/** Computed records, or rows of them, as a derived table with the columns of a stored one. */
export function computedRelation(type: RecordType, tenantId: string, records: readonly Numbered[]): Sql {
  const fields = getValueFields(type)
  const columns = fields.map(([name, field]) => sql`, ${quoted(name)} ${isNumber(field) ? sql`numeric` : sql`text`}`)
  const rows = records.map(({ id, parentId, document }) => {
    const values = Object.fromEntries(fields.map(([name]) => [name, document[name]]))
    const { name, owner, modified_by, docstatus, idx } = document
    return { ...values, id, parent_id: parentId, name, owner, modified_by, docstatus, idx }
  })
  return sql`(
    select ${tenantId}::uuid as tenant_id, null::timestamptz as created_at, null::timestamptz as updated_at, c.*
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           c(id integer, parent_id integer, name text, owner text, modified_by text, docstatus integer, idx integer
             ${join(columns, '')}))`
}
