import type { FieldType, RecordType } from '@matricula/contract/record-types'
import { literal, type Sql, sql } from '../../database/index.ts'
import { RecordError, type RecordWork } from '../../record-engine/index.ts'

/** A column of a report, as clients draw it. */
export interface ReportColumn {
  readonly label: string
  readonly fieldname: string
  readonly fieldtype: FieldType
  /** The type of records that a Link names. */
  readonly options?: string
  /** In pixels. */
  readonly width: number
}

/** Something that a report is narrowed by. */
export interface ReportFilter {
  readonly required?: true
  readonly type: 'text' | 'date'
  /** What people call it, where it is not the name of the filter in words. */
  readonly label?: string
  /** The type of records that it names. */
  readonly of?: string
  /** The texts that it takes. */
  readonly choices?: readonly string[]
}

/** What clients draw above a report: values by their labels. */
export interface ReportChart {
  readonly type: 'bar' | 'percentage'
  readonly data: {
    readonly labels: readonly string[]
    readonly datasets: readonly { readonly name?: string; readonly values: readonly number[] }[]
  }
}

/** What a report came to. */
export interface ReportResult {
  readonly columns: readonly ReportColumn[]
  readonly rows: ReportRow[]
  readonly chart?: ReportChart | null
}

/** The values of filters; those that were not given are null. */
export type FilterValues = Readonly<Record<string, string | null>>

export type ReportRow = Readonly<Record<string, unknown>>

/** A report of the institution, for those who have one of its roles and may read all records that it reveals. */
export interface Report {
  readonly name: string
  readonly about: RecordType
  /** The types that it reveals records of beside what it is about; the right to read all of them is needed too. */
  readonly reveals: readonly RecordType[]
  readonly roles: readonly string[]
  /** Whether a last row has the sums of all numbers. */
  readonly hasTotals: boolean
  readonly filters: Readonly<Record<string, ReportFilter>>
  run(work: RecordWork, filters: FilterValues): Promise<ReportResult>
}

const maxRows = 10_000

/**
 * Reads the rows of a report by a statement without a limit of its own. Throws `ValidationError` where there are more than 10 000.
 */
export async function reportRows<Row extends object>(work: RecordWork, statement: Sql): Promise<Row[]> {
  const rows = await work.tx.query<Row>(sql`${statement} limit ${literal(maxRows + 1)}`)
  if (rows.length <= maxRows) return rows
  throw new RecordError('ValidationError', `The report has more than ${maxRows} rows. Narrow it by its filters.`)
}

/** A column that names records of a type. */
export function linkColumn(label: string, fieldname: string, options: string, width: number): ReportColumn {
  return { label, fieldname, fieldtype: 'Link', options, width }
}

/** A column of another kind. */
export function column(label: string, fieldname: string, fieldtype: FieldType, width: number): ReportColumn {
  return { label, fieldname, fieldtype, width }
}

/** The name of a column that is made of what people typed, such as `grade_art_history`. */
export function getFieldname(text: string): string {
  return text.toLowerCase().replace(/[ -]/g, '_')
}
