import type { Sql } from '../../database/index.ts'

/** One kind of elements of an interchange. */
export interface InterchangePart<Row extends object = never> {
  /** The rows, read one after the other. */
  readonly select: (tenantId: string) => Sql
  /** The element of a row. */
  readonly toXml: (row: Row, schoolId: number) => string
  readonly name: string
}
