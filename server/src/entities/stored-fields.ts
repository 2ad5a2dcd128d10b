import type { Static, TObject, TProperties } from '@matricula/contract'
import { identifier, join, type Sql, sql } from '../database/index.ts'

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
