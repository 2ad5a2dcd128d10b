import type { Sql } from '../../database/index.ts'
import type { QueryColumn } from './query-column.ts'

/** One value of each row of a list. */
export interface SelectedField {
  /** Its name in a row that is an object. */
  readonly key: string
  /** The names by which an order may mean it: its alias and its text, or none for a plain field. */
  readonly names: readonly string[]
  /** The column, where it is one and nothing is computed of it. */
  readonly column: QueryColumn | null
  /** Whether it is counted or computed of many records. */
  readonly isAggregate: boolean
  /** Whether its value may be a text of a million characters, or many rows. */
  readonly isLong: boolean
  /** What lists are ordered by. */
  readonly raw: Sql
  readonly isNullable: boolean
  readonly output: (value: Sql) => Sql
  /** A value that left the database as clients read it. */
  readonly show: (value: unknown) => unknown
}
