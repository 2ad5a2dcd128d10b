import { type Field, type RecordType, rowFields, standardFields } from '@matricula/contract/record-types'
import { identifier, literalName, column as quoted, type Sql, sql } from '../../database/index.ts'
import { localTime } from '../../tenancy/index.ts'
import { typeOfStored } from '../custom-fields/stored-custom-fields.ts'
import { getMaxLength } from '../lifecycle/record-checks.ts'
import { isNumber, shownValue, withMicroseconds } from '../model/field-values.ts'
import type { LinkById } from '../model/record-definition.ts'
import { stampColumns } from '../model/record-tables.ts'
import { readShown } from '../model/shown-names.ts'

/** A table or view that a statement reads, with its alias. */
export interface QuerySource {
  readonly alias: string
  readonly type: RecordType
  /** Stored in a table of its own, which no other surface writes. */
  readonly isRegular: boolean
  /** Joined: its columns are null where there is no record or row. */
  readonly isJoined: boolean
  /** Links that are stored by id. */
  readonly linksById: Readonly<Record<string, LinkById>>
  /** For rows: the records that they belong to. Calling `parentAlias` joins these. */
  readonly rows: {
    readonly parentType: string
    readonly parentField: string
    readonly parentAlias: () => string
  } | null
}

/** A field of a record or of a row, as a statement reads it. */
export interface QueryColumn {
  /** Identifies the column in the statement. */
  readonly id: string
  readonly name: string
  readonly field: Field
  /** The type that has the field. */
  readonly recordType: RecordType
  /** The column itself: for comparing, ordering and grouping. */
  readonly raw: Sql
  /**
   * A value that is computed from other tables: a query of (`name`, `value`) for the records that have one, so that
   * conditions do not scan every record. Null for columns of the statement's own sources.
   */
  readonly beside: Sql | null
  /** A link that is stored by id: the columns of the id, and of the name where no such record exists. Else null. */
  readonly byId: { readonly id: Sql; readonly text: Sql } | null
  /** A custom field: how its values are found by an index. Else null. */
  readonly custom: CustomColumn | null
  /** Stored as a timestamp; clients read and write it in the tenant's time zone. */
  readonly isMoment: boolean
  /** Whether it may be null: not set, or of a linked record that does not exist. */
  readonly isNullable: boolean
}

/** How the values of a custom field are found. */
export interface CustomColumn {
  readonly fieldId: string
  /** The id of the record that has them. */
  readonly recordId: Sql
  /** The indexed value under the alias `v`; null for long texts, which are not indexed. */
  readonly indexed: Sql | null
}

/** The column of a field. Null for fields that a type does not have, and for tables and secrets. */
export function findColumn(source: QuerySource, name: string): QueryColumn | null {
  const field = findField(source, name)
  if (field === null || field.type === 'Table' || field.type === 'Password') return null
  if (field.customId !== undefined) return customColumn(source, name, field, field.customId)
  const isOwn = Object.hasOwn(source.type.fields, name)
  const isGiven = isOwn ? isNumber(field) || (field.required === true && source.isRegular) : true
  return {
    id: `${source.alias}.${name}`,
    name,
    field,
    recordType: source.type,
    raw: rawColumn(source, name, isOwn),
    beside: null,
    byId: findById(source, name),
    custom: null,
    isMoment: !isOwn && Object.hasOwn(stampColumns, name),
    isNullable: source.isJoined || !isGiven,
  }
}

/** Dates, times and texts are stored as JSON texts that sort correctly; numbers that are not set read as 0. */
function customColumn(source: QuerySource, name: string, field: Field, fieldId: string): QueryColumn {
  const alias = identifier(source.alias)
  const isNumeric = typeOfStored(field) === 'number'
  const number = sql`custom_number(${alias}.custom_fields, ${literalName(name)})`
  const hasZero = isNumber(field) && field.required !== true
  const unset = source.isJoined ? sql`case when ${alias}.id is not null then 0 end` : sql`0`
  const text = sql`(${alias}.custom_fields ->> ${literalName(name)})`
  const indexed = isNumeric ? sql`v.number_value` : sql`v.text_value`
  return {
    id: `${source.alias}.${name}`,
    name,
    field,
    recordType: source.type,
    raw: isNumeric
      ? hasZero
        ? sql`coalesce(${number}, ${unset})`
        : number
      : isInOrder(field)
        ? sql`${text} collate "C"`
        : text,
    beside: null,
    byId: null,
    custom: { fieldId, recordId: sql`${alias}.id`, indexed: getMaxLength(field) > 255 ? null : indexed },
    isMoment: false,
    isNullable: source.isJoined || !hasZero,
  }
}

/** Whether texts are compared by their characters and not by the rules of a language. */
function isInOrder({ type }: Field): boolean {
  return type === 'Date' || type === 'Datetime' || type === 'Time'
}

function findById({ alias, linksById }: QuerySource, name: string): QueryColumn['byId'] {
  const columns = Object.hasOwn(linksById, name) ? linksById[name] : undefined
  if (columns === undefined) return null
  const of = (stored: string) => sql`${identifier(alias)}.${quoted(stored)}`
  return { id: of(columns.id), text: of(columns.text) }
}

/** The columns that `*` stands for: standard fields, then those of the type in their order. */
export function getAllColumns(source: QuerySource): QueryColumn[] {
  const names = [...Object.keys(standardFields), ...Object.keys(source.type.fields)]
  const row = source.rows === null ? [] : Object.keys(rowFields)
  return [...names, ...row].map((name) => findColumn(source, name)).filter((column) => column !== null)
}

function findField({ type, rows }: QuerySource, name: string): Field | null {
  const groups: Readonly<Record<string, Field>>[] = [standardFields, type.fields, ...(rows === null ? [] : [rowFields])]
  return groups.find((fields) => Object.hasOwn(fields, name))?.[name] ?? null
}

function rawColumn({ alias, rows, type }: QuerySource, name: string, isOwn: boolean): Sql {
  const inSource = (stored: string) => sql`${identifier(alias)}.${quoted(stored)}`
  if (isOwn) return readShown(type.fields[name] as Field, identifier(alias), inSource(name))
  if (name === 'idx' && rows === null) return sql`0::integer`
  if (name === 'parent') return sql`${identifier(rows?.parentAlias() as string)}.name`
  if (name === 'parentfield') return sql`${rows?.parentField}::text`
  if (name === 'parenttype') return sql`${rows?.parentType}::text`
  return inSource(stampColumns[name] ?? name)
}

/** A column, or a value computed from it, in its form for output. */
export function getOutput(column: QueryColumn, value: Sql, timeZone: string): Sql {
  return column.isMoment ? localTime(value, timeZone) : value
}

/** Converts a value of the database to what clients read; null stays null. */
export function shownBy(column: QueryColumn): (value: unknown) => unknown {
  if (column.isMoment) return (value) => (value === null ? null : getMoment(value as string))
  const { field } = column
  if (field.type === 'Datetime') return (value) => (value === null ? null : withMicroseconds(value as string))
  if (field.type !== 'Time') return (value) => value
  return (value) => (value === null ? null : shownValue(field, withMicroseconds(value as string)))
}

/** A timestamp, with its fraction even where that is 0. */
function getMoment(text: string): string {
  return text.includes('.') ? withMicroseconds(text) : `${text}.000000`
}
