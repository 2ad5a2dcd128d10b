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

/** A filter of a report. */
export interface ReportFilter {
  readonly required?: true
  readonly type: 'text' | 'date'
  /** Its label, when it differs from the name in words. */
  readonly label?: string
  /** The type of records that it names. */
  readonly of?: string
  /** The allowed values. */
  readonly choices?: readonly string[]
}

/** The chart above a report: values by label. */
export interface ReportChart {
  readonly type: 'bar' | 'percentage'
  readonly data: {
    readonly labels: readonly string[]
    readonly datasets: readonly { readonly name?: string; readonly values: readonly number[] }[]
  }
}

/** The result of a report. */
export interface ReportResult {
  readonly columns: readonly ReportColumn[]
  readonly rows: ReportRow[]
  readonly chart?: ReportChart | null
}

/** The values of filters; missing ones are null. */
export type FilterValues = Readonly<Record<string, string | null>>

export type ReportRow = Readonly<Record<string, unknown>>

/** A report, for callers with one of its roles and the right to read all records that it reveals. */
export interface Report {
  readonly name: string
  readonly about: RecordType
  /** The further types that it reveals; the right to read all of them is required too. */
  readonly reveals: readonly RecordType[]
  readonly roles: readonly string[]
  /** Whether a last row has the totals of all numbers. */
  readonly hasTotals: boolean
  readonly filters: Readonly<Record<string, ReportFilter>>
  run(work: RecordWork, filters: FilterValues): Promise<ReportResult>
}

const maxRows = 10_000

/** Reads the rows of a report by a statement without its own limit. Throws `ValidationError` for more than 10 000. */
export async function readReportRows<Row extends object>(work: RecordWork, statement: Sql): Promise<Row[]> {
  const rows = await work.tx.query<Row>(sql`${statement} limit ${literal(maxRows + 1)}`)
  if (rows.length <= maxRows) return rows
  throw new RecordError('ValidationError', `The report has more than ${maxRows} rows. Narrow it by its filters.`)
}

/** A column that links to records of a type. */
export function linkColumn(label: string, fieldname: string, options: string, width: number): ReportColumn {
  return { label, fieldname, fieldtype: 'Link', options, width }
}

/** A column without a link. */
export function column(label: string, fieldname: string, fieldtype: FieldType, width: number): ReportColumn {
  return { label, fieldname, fieldtype, width }
}

/** The name of a column for a label, such as `grade_art_history`. */
export function toFieldname(text: string): string {
  return text.toLowerCase().replace(/[ -]/g, '_')
}
