import type { Sql } from '../../database/index.ts'
import type { QueryColumn } from './query-column.ts'

/** One value of each row of a list. */
export interface SelectedField {
  /** Its name in a row that is an object. */
  readonly key: string
  /** The names that an order may use for it: its alias and its text; none for a plain field. */
  readonly names: readonly string[]
  /** The column; null for a computed value. */
  readonly column: QueryColumn | null
  /** Whether it is an aggregate. */
  readonly isAggregate: boolean
  /** Whether its value may be a text of a million characters, or many rows. */
  readonly isLong: boolean
  /** The SQL expression, which lists are ordered by. */
  readonly raw: Sql
  readonly isNullable: boolean
  readonly output: (value: Sql) => Sql
  /** Converts a value of the database to what clients read. */
  readonly show: (value: unknown) => unknown
}
