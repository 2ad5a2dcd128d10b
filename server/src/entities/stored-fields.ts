import type { Static, TObject, TProperties } from '@matricula/contract'
import {
  type ChangedRow,
  type ColumnType,
  getUpdates,
  identifier,
  identifiers,
  join,
  quotedName,
  type Sql,
  type Statement,
  sql,
  type Table,
  table,
} from '../database/index.ts'

/** What every row that is read as a record has beside its own fields. */
export interface RecordRow {
  readonly id: string
  readonly total: number
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/** The column of each stored field; there may be columns that are no field of the record. */
export type Columns = Readonly<Record<string, string>>

/** The fields of a record that its row keeps as they read. */
export type Kept<Item, Stored extends Columns> = keyof Item & keyof Stored

/** The row that a list selects for each record: the columns of its kept fields, with the types of the fields. */
export type StoredRow<Item, Stored extends Columns> = RecordRow & {
  readonly [Field in Kept<Item, Stored> as Stored[Field]]: Item[Field]
}

/** How the fields are told that follow from more than their own column. One that is missing does not compile. */
type Derived<Item, Stored extends Columns, Row> = {
  readonly [Field in Exclude<keyof Item, Kept<Item, Stored> | 'id' | 'createdAt' | 'updatedAt'>]: (
    row: Row,
  ) => Item[Field]
} & { readonly [Field in Kept<Item, Stored>]?: (row: Row) => Item[Field] }

type Nullable<Item, Stored extends Columns> = {
  readonly [Field in Kept<Item, Stored> as null extends Item[Field] ? Field : never]: null
}

/** What follows from saying which column keeps which field of a record. */
export interface StoredFields<Item, Stored extends Columns> {
  /** The column of each kept field. */
  readonly columns: Readonly<Pick<Stored, Kept<Item, Stored>>>
  /**
   * The columns by which a statement reads the kept fields, with id, version and creation, of the table under its
   * alias.
   */
  readonly selected: Sql
  /** Null for every kept field that may be null. */
  readonly nothing: Nullable<Item, Stored>
  /** Makes what reads a row as the record, its members in the order of the contract. */
  reader<Row extends StoredRow<Item, Stored>>(derived: Derived<Item, Stored, Row>): (row: Row) => Item
}

const always = { id: 'id', createdAt: 'created_at', updatedAt: 'updated_at' }

/**
 * Binds the fields of a record of the contract to the columns of a table that keep them, under the alias that
 * statements give it.
 */
export function storedFields<Properties extends TProperties, const Stored extends Columns>(
  { properties }: TObject<Properties>,
  alias: string,
  stored: Stored,
): StoredFields<Static<TObject<Properties>>, Stored> {
  const kept = Object.keys(properties).filter((field) => Object.hasOwn(stored, field))
  const columns = ['id', ...kept.map((field) => stored[field] as string), 'version', 'created_at']
  const nullable = kept.filter((field) => isNullable(properties[field] as object))
  return {
    columns: Object.fromEntries(kept.map((field) => [field, stored[field]])) as never,
    selected: join(columns.map((column) => sql`${identifier(alias)}.${identifier(column)}`)),
    nothing: Object.fromEntries(nullable.map((field) => [field, null])) as never,
    reader: (derived) => compiled(Object.keys(properties), { ...stored, ...always }, derived as never),
  }
}

/** The values of a new record's kept fields: those that may be null may be left out. */
export type NewValues<Item, Stored extends Columns> = {
  readonly [Field in Kept<Item, Stored> as null extends Item[Field] ? never : Field]: Item[Field]
} & { readonly [Field in Kept<Item, Stored> as null extends Item[Field] ? Field : never]?: Item[Field] }

/** The SQL of a field's value, of the type that its column has. */
type GivenValue<Field extends string> = (field: Field, type: ColumnType) => Sql

/** What follows for a table from saying which column keeps which field of a record. */
export interface StoredTable<Item, Stored extends Columns, Further extends Columns = Record<never, never>>
  extends StoredFields<Item, Stored>,
    Table<keyof (Stored & Further) & string> {
  /** The columns of an insert, in the order of `values`; tenant, id and stamps are the statement's own. */
  readonly inserted: Sql
  /** The values of an insert: of each field the one that is computed for it, else the one that `given` tells. */
  values(
    given: GivenValue<keyof (Stored & Further) & string>,
    computed: Readonly<Partial<Record<keyof (Stored & Further), Sql>>>,
  ): Sql
  /** The column definitions by which `jsonb_to_recordset` reads such records: each field under its own name, in quotes. */
  readonly recordset: Sql
  /** An update of many rows by one statement, of the kept fields that change: see `getUpdates`. */
  updateMany(tenantId: string, rows: readonly ChangedRow<Kept<Item, Stored> & string>[]): Statement
}

/**
 * One description of a table: reader, insert, bulk insert and updates follow from the map of its columns and, for their types, from
 * the contract. The texts of its statements are the same for all records.
 *
 * @param options.stored Which column keeps which field; there may be columns for what is no field of the record, which are text
 * @param options.further Columns that are written as the others are and that a statement reads by itself
 * @param options.nameField The field whose column other tables refer to, beside the id
 */
export function storedTable<
  Properties extends TProperties,
  const Stored extends Columns,
  const Further extends Columns = Record<never, never>,
>(
  schema: TObject<Properties>,
  options: {
    readonly table: string
    readonly alias: string
    readonly stored: Stored
    readonly further?: Further
    readonly nameField?: keyof Stored & string
  },
): StoredTable<Static<TObject<Properties>>, Stored, Further> {
  const { alias, stored, further, nameField } = options
  const fields = storedFields(schema, alias, stored)
  const columns: Columns = { ...stored, ...further }
  const names = Object.keys(columns) as (keyof (Stored & Further) & string)[]
  const typeOf = (field: string): ColumnType => {
    const property = schema.properties[field]
    return property === undefined ? 'text' : columnType(property)
  }
  const types = Object.fromEntries(Object.keys(fields.columns).map((field) => [field, typeOf(field)]))
  return {
    ...fields,
    ...table(options.table, columns, nameField),
    inserted: identifiers(Object.values(columns)),
    values: (given, computed) => join(names.map((field) => computed[field] ?? given(field, typeOf(field)))),
    recordset: join(names.map((field) => sql`${quotedName(field)} ${identifier(typeOf(field))}`)),
    updateMany: getUpdates(options.table, fields.columns as Columns, types) as never,
  }
}

/**
 * The JSON of records for `jsonb_to_recordset`. A field that is null is left out, since a record set has null for what is not there: PostgreSQL
 * takes as long to read the JSON of a record as to store it.
 */
export function toRecordset(records: readonly object[]): string {
  return JSON.stringify(
    records.map((record) => {
      const told: Record<string, unknown> = {}
      for (const [field, value] of Object.entries(record)) if (value !== null) told[field] = value
      return told
    }),
  )
}

interface ColumnSchema {
  readonly type?: unknown
  readonly format?: unknown
  readonly anyOf?: readonly ColumnSchema[]
}

/** The type of the column that keeps what a schema describes. */
function columnType({ type, format, anyOf = [] }: ColumnSchema): ColumnType {
  const [first] = [type].flat().filter((each) => each !== 'null')
  if (first === undefined) {
    const [only] = anyOf.filter((each) => each.type !== 'null')
    return only === undefined ? 'text' : columnType(only)
  }
  return columnTypes[`${first} ${format}`] ?? columnTypes[`${first}`] ?? 'text'
}

const columnTypes: Readonly<Record<string, ColumnType>> = {
  'string uuid': 'uuid',
  'string date': 'date',
  'string date-time': 'timestamptz',
  number: 'numeric',
  integer: 'integer',
  boolean: 'boolean',
  object: 'jsonb',
  array: 'jsonb',
}

function isNullable(schema: { readonly type?: unknown; readonly anyOf?: readonly object[] }): boolean {
  const { type, anyOf = [] } = schema
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || anyOf.some(isNullable)
}

/**
 * One expression that makes the record, put together once from names of the code itself, as validators are: a page
 * makes a hundred records of thirty fields, and assigning them by name takes twenty times as long
 * (`docs/adr/0028-stored-fields.md`).
 */
function compiled<Row, Item>(
  fields: readonly string[],
  columns: Columns,
  derived: Readonly<Record<string, (row: Row) => unknown>>,
): (row: Row) => Item {
  const members = fields.map((field) => {
    const source = Object.hasOwn(derived, field) ? `derived.${plain(field)}(row)` : `row.${plain(columns[field])}`
    return `${plain(field)}: ${source}`
  })
  return new Function('derived', `return (row) => ({ ${members.join(', ')} })`)(derived)
}

/** A name that needs no quoting. Throws on anything else. */
function plain(name: string | undefined): string {
  if (name === undefined || !/^[a-z][a-zA-Z0-9_]*$/.test(name)) throw new TypeError(`not a plain name: ${name}`)
  return name
}
