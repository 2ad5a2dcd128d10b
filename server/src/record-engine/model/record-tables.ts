import type { Field, RecordType } from '@matricula/contract/record-types'

/** The name of a type in snake case, such as `student_leave_application`: the noun of its events. */
export function getNoun(type: Pick<RecordType, 'name'>): string {
  return type.name.toLowerCase().replace(/ /g, '_')
}

/** The table of the records of a type, such as `student_categories`. */
export function getTable(type: Pick<RecordType, 'name' | 'plural'>): string {
  const noun = getNoun(type)
  return type.plural ?? (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`)
}

/** The table of the rows that a field of a type holds, such as `fees_components`. */
export function getRowTable(table: string, field: string): string {
  return `${table}_${field}`
}

/** The columns of the timestamps of every record, by their field names. */
export const stampColumns: Readonly<Record<string, string>> = { creation: 'created_at', modified: 'updated_at' }

/** The fields of a type with their names, in their order. */
export function getFields(type: RecordType): readonly (readonly [string, Field])[] {
  return getParts(type).fields
}

/** The fields of a type that hold one value, each in a column of its own name. */
export function getValueFields(type: RecordType): readonly (readonly [string, Field])[] {
  return getParts(type).values
}

/** The custom fields of a type, which are stored in one JSON column. */
export function getCustomFields(type: RecordType): readonly (readonly [string, Field])[] {
  return getParts(type).custom
}

/** A field of a type that holds rows. */
export interface TableField {
  readonly field: string
  readonly label: string
  readonly rows: RecordType
}

/** The fields of a type that hold rows, with the type of these. */
export function getTableFields(type: RecordType): readonly TableField[] {
  return getParts(type).tables
}

interface Parts {
  readonly fields: readonly (readonly [string, Field])[]
  readonly values: readonly (readonly [string, Field])[]
  readonly custom: readonly (readonly [string, Field])[]
  readonly tables: readonly TableField[]
}

/** Cache: every request needs the parts of a few types, which are immutable. */
const knownParts = new WeakMap<RecordType, Parts>()

function getParts(type: RecordType): Parts {
  const parts = knownParts.get(type)
  if (parts !== undefined) return parts
  const fields = Object.entries(type.fields)
  const values = fields.filter(([, field]) => field.type !== 'Table' && field.customId === undefined)
  const custom = fields.filter(([, field]) => field.customId !== undefined)
  const tables = fields.flatMap(([name, field]) =>
    field.type === 'Table' ? [{ field: name, label: field.label, rows: field.rows }] : [],
  )
  const found = { fields, values, custom, tables }
  knownParts.set(type, found)
  return found
}
