import { type Sql, sql } from '../../../database/index.ts'
import { momentAt } from '../../../tenancy/index.ts'
import { isNumber, isTrue, readNumber, takenValue } from '../../model/field-values.ts'
import { RecordError } from '../../model/record-error.ts'
import type { QueryColumn } from '../query-column.ts'

/** A value of a filter, as its column compares with it. */
export interface Operand {
  /** The same in memory. Null counts as the minimum: the empty text, or the first timestamp. */
  readonly compared: string | number
  readonly sql: Sql
}

/** The condition of a filter on a record, or on a row that is joined to it. */
export interface Condition {
  readonly sql: Sql
  /** Whether it holds for a record without rows, as for a row in which nothing is set. */
  readonly holdsForUnset: boolean
  /** Disjoint alternatives, where each has an index of its own. */
  readonly parts?: readonly Sql[]
}

/** Whether a column holds numbers; a duration may be null. */
function isNumeric({ field }: QueryColumn): boolean {
  return isNumber(field) || field.type === 'Duration'
}

/** The value as which null is compared. */
export function minValue(column: QueryColumn): string | number {
  const { field, isMoment } = column
  if (isNumeric(column)) return 0
  if (isMoment || field.type === 'Datetime') return '0001-01-01 00:00:00'
  if (field.type === 'Date') return '0001-01-01'
  return field.type === 'Time' ? '00:00:00' : ''
}

/** Whether a column holds days or moments. */
export function isOfDays({ field }: QueryColumn): boolean {
  return field.type === 'Date' || field.type === 'Datetime'
}

/** Whether a column holds text, in which null and the empty text are the same. */
export function isText(column: QueryColumn): boolean {
  return minValue(column) === ''
}

/**
 * A value of a filter by the type of its field.
 *
 * @throws RecordError `ValidationError` for a list or an object, a number, a day or a time that is none, and text that cannot be stored.
 */
export function toOperand(column: QueryColumn, value: unknown, timeZone: string): Operand {
  const compared = comparedValue(column, value)
  return { compared, sql: parameter(column, compared, timeZone) }
}

/** The value of a filter as its column would hold it. */
export function comparedValue(column: QueryColumn, value: unknown): string | number {
  if (isNumeric(column)) return number(column, value)
  return (takenValue(column.name, column.field, value) as string | null) ?? minValue(column)
}

function number(column: QueryColumn, value: unknown): number {
  if (typeof value === 'object' && value !== null) {
    throw new RecordError(
      'ValidationError',
      `Value for ${column.field.label} (${column.name}) cannot be a list or an object.`,
    )
  }
  const isWord = column.field.type === 'Check' && typeof value === 'string' && /^\s*(true|yes)\s*$/i.test(value)
  return isWord ? Number(isTrue(value)) : (readNumber(column.field.label, value) ?? 0)
}

/** Whether a number fits a column of whole numbers, so that an index of it can be used. */
function isInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= 2_147_483_647
}

function parameter(column: QueryColumn, value: string | number, timeZone: string): Sql {
  if (typeof value === 'number') return isInteger(value) ? sql`${value}::integer` : sql`${String(value)}::numeric`
  return column.isMoment ? sql`(${momentAt(sql`${value}::timestamp`, timeZone)})` : sql`${value}`
}

/** Several values of a filter as the array for `any` and `all`. */
export function operandList(column: QueryColumn, values: readonly (string | number)[], timeZone: string): Sql {
  if (isNumeric(column)) {
    const areIntegers = values.every((value) => isInteger(value as number))
    return areIntegers ? sql`${values}::integer[]` : sql`${values.map(String)}::numeric[]`
  }
  if (!column.isMoment) return sql`${values}`
  return sql`array(select ${momentAt(sql`value`, timeZone)} from unnest(${values}::timestamp[]) value)`
}
