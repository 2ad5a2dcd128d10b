import { identifier, identifiers, join, madeOnce, type Sql, type Statement, sql } from './statement.ts'

/** One stamp for all columns of a row, wherever the statement is run: a part of `from` that gives it as `stamp`. */
export const moment = sql`(select current_stamp() as stamp offset 0) as moment`

/** Which column a field of a record is kept in. */
export type Columns<Field extends string> = Readonly<Record<Field, string>>

/**
 * The writable columns of a table by the names that the records give them, so that the list of them stands once.
 */
export interface Table<Field extends string> {
  /** `insert into …`, with the tenant, the id and one stamp; the caller adds what follows the values, such as `returning`. */
  insert(tenantId: string, id: string, values: Readonly<Record<Field, unknown>>): Sql
  /**
   * `update … set …` of every writable column, with the next version and a stamp that never goes back. The condition
   * names the row. A name that others refer to is left out where `before` has the same one: to set it, to whatever it is, keeps
   * everybody waiting who refers to the row, because triggers look at it before.
   */
  update(
    tenantId: string,
    id: string,
    values: Readonly<Record<Field, unknown>>,
    before?: Readonly<Partial<Record<Field, unknown>>>,
  ): Sql
}

/** @param nameField The field whose column other tables refer to, beside the id. */
export function table<const Fields extends Columns<string>>(
  name: string,
  columns: Fields,
  nameField?: keyof Fields & string,
): Table<keyof Fields & string> {
  const fields = Object.keys(columns) as (keyof Fields & string)[]
  const names = identifiers(fields.map((field) => columns[field] as string))
  return {
    insert: (tenantId, id, values) => sql`
      insert into ${identifier(name)} (tenant_id, id, ${names}, created_at, updated_at)
      select ${tenantId}, ${id}, ${join(fields.map((field) => sql`${values[field]}`))}, stamp, stamp
        from ${moment}`,
    update: (tenantId, id, values, before) => {
      const keepsName = nameField !== undefined && before?.[nameField] === values[nameField]
      const changing = keepsName ? fields.filter((field) => field !== nameField) : fields
      return sql`
      update ${identifier(name)}
         set ${join(changing.map((field) => sql`${identifier(columns[field] as string)} = ${values[field]}`))},
             version = version + 1,
             updated_at = greatest(current_stamp(), updated_at)
       where tenant_id = ${tenantId} and id = ${id}`
    },
  }
}

/** What PostgreSQL calls the values of a column. */
export type ColumnType = 'text' | 'uuid' | 'numeric' | 'integer' | 'boolean' | 'date' | 'timestamptz' | 'jsonb'

/** What a row was and is to be, with the stamp of the change. */
export interface ChangedRow<Field extends string> {
  readonly id: string
  readonly before: Readonly<Record<Field, unknown>>
  readonly after: Readonly<Record<Field, unknown>>
  readonly stamp: string
}

/**
 * `update … set …` of many rows in one statement, with the next version of each and a stamp that never goes back. Only those columns are
 * written in which one of the rows changes, so that PostgreSQL reads no others; in each the others keep what they were.
 *
 * @param types Which type each column has.
 */
export function getUpdates<Field extends string>(
  name: string,
  columns: Columns<Field>,
  types: Readonly<Record<Field, ColumnType>>,
): (tenantId: string, rows: readonly ChangedRow<Field>[]) => Statement {
  const all = Object.keys(columns) as Field[]
  const statements = new Map<string, ReturnType<typeof updating>>()
  return (tenantId, rows) => {
    const fields = all.filter((field) => rows.some(({ before, after }) => before[field] !== after[field]))
    const key = fields.join()
    let statement = statements.get(key)
    if (statement === undefined) {
      statement = updating(
        name,
        fields.map((field) => ({ column: columns[field], type: types[field] })),
      )
      statements.set(key, statement)
    }
    const [only, ...others] = rows
    if (only !== undefined && others.length === 0) {
      return statement.ofOne(tenantId, only.id, only.stamp, ...fields.map((field) => only.after[field]))
    }
    return statement.ofMany(
      tenantId,
      rows.map(({ id }) => id),
      rows.map(({ stamp }) => stamp),
      ...fields.map((field) => rows.map(({ after }) => after[field])),
    )
  }
}

/** The statements for one row and for many: PostgreSQL plans the one for many anew each time, because its values say how many they are. */
function updating(name: string, changing: readonly { readonly column: string; readonly type: ColumnType }[]) {
  const columns = changing.map(({ column }) => identifier(column))
  const setting = (given: readonly Sql[], stamp: Sql) =>
    join([
      ...columns.map((column, position) => sql`${column} = ${given[position]}`),
      sql`version = changed.version + 1`,
      sql`updated_at = greatest(${stamp}, changed.updated_at)`,
    ])
  return {
    ofOne: madeOnce((tenantId: string, id: string, stamp: string, ...values: readonly unknown[]) => {
      const given = changing.map(({ type }, position) => sql`${values[position]}::${identifier(type)}`)
      return sql`
      update ${identifier(name)} as changed set ${setting(given, sql`${stamp}::timestamptz`)}
       where changed.tenant_id = ${tenantId} and changed.id = ${id}`
    }),
    ofMany: madeOnce(
      (tenantId: string, ids: readonly string[], stamps: readonly string[], ...values: readonly unknown[][]) => sql`
      update ${identifier(name)} as changed
         set ${setting(
           columns.map((column) => sql`given.${column}`),
           sql`given.updated_at`,
         )}
        from unnest(${join([
          sql`${ids}::uuid[]`,
          sql`${stamps}::timestamptz[]`,
          ...changing.map(({ type }, position) => sql`${values[position]}::${identifier(type)}[]`),
        ])}) as given (${join([sql`id`, sql`updated_at`, ...columns])})
       where changed.tenant_id = ${tenantId} and changed.id = given.id`,
    ),
  }
}
