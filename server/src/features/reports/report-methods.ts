import { peopleAmongRecords } from '@matricula/contract'
import { isCalendarDate } from '../../http/index.ts'
import { getSum, jsonArgument, RecordError, type RecordWork, requireAll } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import type { FilterValues, Report, ReportColumn, ReportResult, ReportRow } from './report.ts'
import { filterFields, getRevealedTypes, mayRun, reports } from './report-records.ts'

const numbers: ReadonlySet<string> = new Set(['Currency', 'Int', 'Float', 'Percent'])

/** The report by its name. Throws `DoesNotExistError`, and `PermissionError` when the caller may not run it. */
function requireReport({ caller }: RecordWork, name: string): Report {
  const report = reports.find((each) => each.name === name)
  if (report === undefined) throw new RecordError('DoesNotExistError', `Report ${name.slice(0, 140)} not found`)
  for (const type of getRevealedTypes(report)) requireAll(caller, type)
  if (mayRun(caller, report)) return report
  const roles = report.roles.join(', ')
  throw new RecordError('PermissionError', `You don't have access to Report: ${name}. It is for ${roles}.`)
}

/** The values of a report's filters. Throws `ValidationError` for a missing or malformed one. */
function parseFilterValues({ filters }: Report, sent: unknown): FilterValues {
  const given = jsonArgument('filters', sent) ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new RecordError('FrappeTypeError', 'filters must be a JSON object, such as {"date": "2026-09-01"}.')
  }
  return Object.fromEntries(
    Object.entries(filters).map(([name, { type, required }]) => {
      const value = Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : null
      const isUnset = value === null || value === undefined || value === ''
      if (isUnset && required !== true) return [name, null]
      if (isUnset) throw new RecordError('ValidationError', `Please select ${name}: the report needs this filter.`)
      if (typeof value !== 'string' && typeof value !== 'number') {
        throw new RecordError('ValidationError', `The filter ${name} must be a text.`)
      }
      if (type === 'text' || isCalendarDate(String(value))) return [name, String(value)]
      throw new RecordError('ValidationError', `The filter ${name} must be a date, YYYY-MM-DD.`)
    }),
  )
}

/** The totals row, in the order of the columns. */
function buildTotalsRow(columns: readonly ReportColumn[], rows: readonly ReportRow[]): unknown[] {
  return columns.map(({ fieldname, fieldtype }, index) => {
    if (!numbers.has(fieldtype)) return index === 0 ? 'Total' : ''
    return getSum(rows.map((row) => Number(row[fieldname] ?? 0)))
  })
}

/** Records the disclosure of the shown records, for each type that the report reveals. */
function recordDisclosures(
  { caller }: RecordWork,
  report: Report,
  { columns, rows }: Pick<ReportResult, 'columns' | 'rows'>,
) {
  if (caller.shown === undefined || rows.length === 0) return
  const links = columns.filter(({ fieldtype, options = '' }) => fieldtype === 'Link' && peopleAmongRecords.has(options))
  const ids = rows.flatMap((row) => links.map(({ fieldname }) => row[fieldname]))
  if (links.length > 0) for (const { name } of getRevealedTypes(report)) caller.shown.add(name, ids, rows.length)
}

/** The methods that run reports. */
export const reportMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'frappe.desk.query_report.run',
    rights: 'of the argument',
    takesLong: true,
    summary: `Runs a report: ${reports.map(({ name }) => name).join(', ')}.`,
    parameters: {
      report_name: { type: 'string', required: true },
      filters: { type: 'any', about: 'An object of the filters that the report has.' },
      user: { type: 'any' },
      ignore_prepared_report: { type: 'any' },
      custom_columns: { type: 'any' },
      is_tree: { type: 'any' },
      parent_field: { type: 'any' },
      are_default_filters: { type: 'any' },
    },
    result: {
      type: 'object',
      description:
        'Under `columns` what each column is, under `result` the rows by the names of the columns; the last row of a report that is summed up is an array.',
    },
    run: async (work, { report_name, filters }) => {
      const report = requireReport(work, report_name)
      const begun = performance.now()
      const { columns, rows, chart = null } = await report.run(work, parseFilterValues(report, filters))
      recordDisclosures(work, report, { columns, rows })
      const isSummed = report.hasTotals && rows.length > 0
      return {
        result: isSummed ? [...rows, buildTotalsRow(columns, rows)] : rows,
        columns,
        message: null,
        chart,
        report_summary: null,
        skip_total_row: 0,
        status: null,
        execution_time: Math.round(performance.now() - begun) / 1000,
        add_total_row: report.hasTotals ? 1 : 0,
      }
    },
  }),
  recordMethod({
    path: 'frappe.desk.query_report.get_script',
    rights: 'of the argument',
    summary: 'What a client needs before it runs a report: its filters, as data and as the script that sets them.',
    parameters: { report_name: { type: 'string', required: true } },
    result: {
      type: 'object',
      description: 'Under `filters` the fields to ask for; `script` gives them to `frappe.query_reports` of the page.',
    },
    run: async (work, { report_name }) => {
      const report = requireReport(work, report_name)
      const filters = filterFields(report).map(({ mandatory, ...field }) => ({ ...field, reqd: mandatory }))
      return {
        // Escaped: markup in a script could end its element.
        script: `frappe.query_reports[${JSON.stringify(report.name)}] = ${JSON.stringify({ filters })};`.replaceAll(
          '<',
          '\\u003c',
        ),
        html_format: null,
        execution_time: 0,
        filters,
        custom_report_name: null,
      }
    },
  }),
]
