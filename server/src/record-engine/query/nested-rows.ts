import { identifier, join, literal, type Sql, sql } from '../../database/index.ts'
import { RecordError } from '../model/record-error.ts'
import { parseFieldReference } from './filters/field-reference.ts'
import { findColumn, getAllColumns, getOutput, type QueryColumn, shownBy } from './query-column.ts'
import { fieldNotPermitted, type QuerySources } from './query-sources.ts'
import type { SelectedField } from './selected-field.ts'

/** The maximum rows of a table field of a record. */
const maxRows = 10_000

/**
 * The rows of a table field nested in each record of a list, in their order: `{"students": ["student"]}`.
 *
 * @throws RecordError `DataError` for a field that is not a table, or that its rows do not have; `FrappeTypeError` for
 * anything but names of fields.
 */
export function nestedRows(sources: QuerySources, field: string, asked: unknown): SelectedField {
  const rows = sources.rowsWithin(field)
  if (rows === null) throw fieldNotPermitted(field, sources.main.type)
  const columns = getNames(field, asked).flatMap((name): readonly QueryColumn[] => {
    if (name === '*') return getAllColumns(rows.source)
    const reference = parseFieldReference(name)
    const column = reference?.qualifier === null ? findColumn(rows.source, reference.field) : null
    if (column === null) throw fieldNotPermitted(name, rows.source.type)
    return [column]
  })
  const alias = identifier(rows.source.alias)
  const values = columns.map((column, index) => sql`${asText(sources, column)} as ${identifier(`f${index}`)}`)
  const raw = sql`(
    select jsonb_agg(to_jsonb(listed) order by listed.position)
      from (select ${join([...values, sql`${alias}.idx as position`])} from ${rows.relation} ${alias}
             where ${alias}.tenant_id = ${sources.tenantId} and ${alias}.parent_id = r.id
             order by ${alias}.idx limit ${literal(maxRows)}) listed)`
  const shown = columns.map((column, index) => ({ name: column.name, show: shownBy(column), alias: `f${index}` }))
  const showRow = (row: Record<string, unknown>) =>
    Object.fromEntries(shown.map(({ name, show, alias }) => [name, show(row[alias])]))
  return {
    key: field,
    names: [],
    column: null,
    isAggregate: false,
    isLong: true,
    raw,
    isNullable: true,
    output: (value) => value,
    show: (value) => ((value ?? []) as Record<string, unknown>[]).map(showRow),
  }
}

function getNames(field: string, asked: unknown): string[] {
  const names = typeof asked === 'string' ? [asked] : asked
  if (Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string')) return names
  throw new RecordError(
    'FrappeTypeError',
    `fields: ${field.slice(0, 140)} must name fields of its rows, such as ["idx"].`,
  )
}

/** A value in PostgreSQL's own text form: JSON formats timestamps differently. */
function asText(sources: QuerySources, column: QueryColumn): Sql {
  const value = getOutput(column, column.raw, sources.timeZone)
  return column.isMoment || column.field.type === 'Datetime' ? sql`(${value})::text` : value
}
