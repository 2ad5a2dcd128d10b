import { identifier, identifiers, join, madeOnce, type Sql, type Statement, sql } from './statement.ts'

/** Which column a field of a record is kept in. */
export type Columns<Field extends string> = Readonly<Record<Field, string>>

/**
 * The writable columns of a table by the names that the records give them, so that the list of them stands once.
 */
export interface Table<Field extends string> {
  /** `insert into …`, with the tenant and the id; the caller adds what follows the values, such as `returning`. */
  insert(tenantId: string, id: string, values: Readonly<Record<Field, unknown>>): Sql
  /**
   * `update … set …` of every writable column, with the next version and a stamp that never goes back. The condition
   * names the row. A name that others refer to is left out where `before` has the same one: to set it, to whatever it is, keeps
   * everybody waiting who refers to the row, because triggers look at it before. The stamp is that of the statement unless given.
   */
  update(
    tenantId: string,
    id: string,
    values: Readonly<Record<Field, unknown>>,
    before?: Readonly<Partial<Record<Field, unknown>>>,
    stamp?: string,
  ): Sql
  /** The same for many rows, each with its own stamp, in one statement, for a transaction that several share. */
  updateMany(tenantId: string, rows: readonly ChangedRow<Field>[]): Statement
}

/** What a row is to be. */
export interface ChangedRow<Field extends string> {
  readonly id: string
  readonly values: Readonly<Record<Field, unknown>>
  readonly stamp: string
}

/** @param nameField The field whose column other tables refer to, beside the id. */
export function table<const Fields extends Columns<string>>(
  name: string,
  columns: Fields,
  nameField?: keyof Fields & string,
): Table<keyof Fields & string> {
  const fields = Object.keys(columns) as (keyof Fields & string)[]
  const names = identifiers(fields.map((field) => columns[field] as string))
  // Found by the ids of the rows, of which PostgreSQL knows that they are few; it takes a set of JSON for a hundred.
  const updatingMany = madeOnce(
    (tenantId: string, ids: readonly string[], rows: string) => sql`
      update ${identifier(name)} as changed
         set ${join(fields.map((field) => sql`${identifier(columns[field] as string)} = given.${identifier(columns[field] as string)}`))},
             version = changed.version + 1,
             updated_at = greatest(given.updated_at, changed.updated_at)
        from json_populate_recordset(null::${identifier(name)}, ${rows}::json) as given
       where changed.tenant_id = ${tenantId} and changed.id = any (${ids}::uuid[]) and changed.id = given.id`,
  )
  return {
    insert: (tenantId, id, values) => sql`
      insert into ${identifier(name)} (tenant_id, id, ${names})
      values (${tenantId}, ${id}, ${join(fields.map((field) => sql`${values[field]}`))})`,
    update: (tenantId, id, values, before, stamp) => {
      const keepsName = nameField !== undefined && before?.[nameField] === values[nameField]
      const changing = keepsName ? fields.filter((field) => field !== nameField) : fields
      return sql`
      update ${identifier(name)}
         set ${join(changing.map((field) => sql`${identifier(columns[field] as string)} = ${values[field]}`))},
             version = version + 1,
             updated_at = greatest(${stamp === undefined ? sql`current_stamp()` : sql`${stamp}::timestamptz`}, updated_at)
       where tenant_id = ${tenantId} and id = ${id}`
    },
    updateMany: (tenantId, rows) => {
      const given = rows.map(({ id, values, stamp }) => {
        const row: Record<string, unknown> = { id, updated_at: stamp }
        for (const field of fields) row[columns[field] as string] = values[field]
        return row
      })
      return updatingMany(
        tenantId,
        rows.map(({ id }) => id),
        JSON.stringify(given),
      )
    },
  }
}
