import type { CustomFieldType } from '@matricula/contract/record-types'
import { type Sql, sql } from '../../database/index.ts'

/** A field that an institution has added to a type of records. */
export interface CustomField {
  readonly id: string
  /** The type whose records have it. */
  readonly recordType: string
  readonly name: string
  readonly label: string
  readonly fieldType: CustomFieldType
  /** What one of which it is, of a Select. */
  readonly options: readonly string[]
  /** The type of the records that a Link names, and where they are read from; null for other fields. */
  readonly target: { readonly type: string; readonly relation: string } | null
  readonly insertAfter: string | null
  readonly default: string | null
  readonly description: string | null
  readonly precision: number | null
  readonly isRequired: boolean
  readonly isUnique: boolean
  readonly isReadOnly: boolean
  readonly isHidden: boolean
  readonly isInListView: boolean
  readonly isAllowedOnSubmit: boolean
  readonly isNotCopied: boolean
}

/** The fields that an institution has added to a type of records. */
export interface AddedFields {
  /** In the order in which they were made. */
  readonly defined: readonly CustomField[]
  /** The names of those that are deleted, as long as records may have values in them. */
  readonly removed: ReadonlySet<string>
}

/** The fields that an institution has added, by the types of records that have them. */
export type CustomFields = ReadonlyMap<string, AddedFields>

const noneAdded: AddedFields = { defined: [], removed: new Set() }

/** The fields that an institution has added to the records of a type. */
export function addedTo(fields: CustomFields, recordType: string): AddedFields {
  return fields.get(recordType) ?? noneAdded
}

/** Those of an institution that has added none. */
export const noCustomFields: CustomFields = new Map()

interface CustomFieldRow {
  id: string
  dt: string
  is_removed: boolean
  fieldname: string
  label: string | null
  fieldtype: CustomFieldType
  options: string | null
  target_relation: string | null
  insert_after: string | null
  default: string | null
  description: string | null
  precision: string | null
  reqd: number
  unique: number
  read_only: number
  hidden: number
  in_list_view: number
  allow_on_submit: number
  no_copy: number
}

/** Reads the fields that an institution has added, all of them or those of one type of records. */
export async function readCustomFields(
  query: <Row extends object>(statement: Sql) => Promise<Row[]>,
  tenantId: string,
  recordType: string | null = null,
): Promise<CustomFields> {
  const rows = await query<CustomFieldRow>(sql`
    select k.id, k.dt, k.fieldname, k.is_removed, f.label, f.fieldtype, f.options, f.target_relation, f.insert_after,
           f."default", f.description, f.precision, f.reqd, f."unique", f.read_only, f.hidden, f.in_list_view,
           f.allow_on_submit, f.no_copy
      from (select id, dt, fieldname, false as is_removed, created_at from custom_fields where tenant_id = ${tenantId}
             union all
            select id, dt, fieldname, true, removed_at from removed_custom_fields where tenant_id = ${tenantId}) k
      left join custom_fields f on f.tenant_id = ${tenantId} and f.id = k.id
     where ${recordType}::text is null or k.dt = ${recordType}
     order by k.created_at, k.id`)
  const fields = new Map<string, { defined: CustomField[]; removed: Set<string> }>()
  for (const row of rows) {
    const ofType = fields.get(row.dt) ?? { defined: [], removed: new Set() }
    fields.set(row.dt, ofType)
    if (row.is_removed) ofType.removed.add(row.fieldname)
    else ofType.defined.push(getCustomField(row))
  }
  return fields
}

function getCustomField(row: CustomFieldRow): CustomField {
  return {
    id: row.id,
    recordType: row.dt,
    name: row.fieldname,
    label: row.label ?? row.fieldname,
    fieldType: row.fieldtype,
    options: row.fieldtype === 'Select' ? getOptions(row.options) : [],
    target:
      row.fieldtype === 'Link' && row.target_relation !== null
        ? { type: row.options ?? '', relation: row.target_relation }
        : null,
    insertAfter: row.insert_after || null,
    default: row.default || null,
    description: row.description || null,
    precision: row.precision ? Number(row.precision) : null,
    isRequired: row.reqd === 1,
    isUnique: row.unique === 1,
    isReadOnly: row.read_only === 1,
    isHidden: row.hidden === 1,
    isInListView: row.in_list_view === 1,
    isAllowedOnSubmit: row.allow_on_submit === 1,
    isNotCopied: row.no_copy === 1,
  }
}

/** The options of a Select as they are written: one a line. */
export function getOptions(text: string | null): string[] {
  return (text ?? '').split('\n').map((option) => option.trim())
}
