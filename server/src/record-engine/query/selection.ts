import { empty, type Sql, sql } from '../../database/index.ts'
import { getMaxLength } from '../lifecycle/record-checks.ts'
import { isNumber } from '../model/field-values.ts'
import { RecordError } from '../model/record-error.ts'
import { type Aggregate, type FieldExpression, parseFieldExpression } from './filters/field-reference.ts'
import { parsedJson } from './filters/json-argument.ts'
import { nestedRows } from './nested-rows.ts'
import { isNote } from './note-columns.ts'
import { getOutput, type QueryColumn, shownBy } from './query-column.ts'
import { fieldNotPermitted, type QuerySources } from './query-sources.ts'
import type { SelectedField } from './selected-field.ts'

const maxFields = 500

/** The maximum long texts and tables per row beside the record's own: a row is held in memory as a whole. */
const maxLong = 20

function isLongText({ field }: QueryColumn): boolean {
  return getMaxLength(field) > 1000
}

/**
 * Whether a field adds long text beyond the record itself, whose size is bounded: one of another record, or a
 * repetition.
 */
function isLongBeside(
  sources: QuerySources,
  { isLong, column, isAggregate }: SelectedField,
  asked: Set<string>,
): boolean {
  if (!isLong || isAggregate || column === null || asked.has(column.id)) return isLong
  asked.add(column.id)
  return column.id !== `${sources.main.alias}.${column.name}`
}

/**
 * Parses the argument `fields`: a JSON array, an array, or names separated by commas; `["name"]` by default. An object
 * in the array requests nested rows, `{"students": ["student"]}`, or an aggregate, `{"COUNT": "name", "as": "n"}`.
 *
 * @throws RecordError `JSONDecodeError` for broken JSON, `FrappeTypeError` for other forms, `DataError` for an unknown
 * or unreadable field, and for more than 500 fields.
 */
export function readSelection(sources: QuerySources, sent: unknown): SelectedField[] {
  const fields: SelectedField[] = []
  const ownLong = new Set<string>()
  let long = 0
  for (const asked of fieldsAskedFor(sent)) {
    const added = typeof asked === 'string' ? selectedByText(sources, asked) : selectedByObject(sources, asked)
    fields.push(...added)
    if (fields.length > maxFields) {
      throw new RecordError('DataError', `fields asks for more than ${maxFields} values a row. Ask for fewer.`)
    }
    long += added.filter((field) => isLongBeside(sources, field, ownLong)).length
    if (long > maxLong) {
      const text = `fields asks for more than ${maxLong} long texts or tables a row. Ask for each once, and for fewer.`
      throw new RecordError('DataError', text)
    }
  }
  return fields.length === 0 ? readSelection(sources, null) : fields
}

type Asked = string | Readonly<Record<string, unknown>>

function fieldsAskedFor(sent: unknown): Asked[] {
  const given = typeof sent === 'string' ? getTexts(sent) : (sent ?? [])
  const isAsked = (item: unknown): item is Asked =>
    typeof item === 'string' || (typeof item === 'object' && item !== null && !Array.isArray(item))
  if (!Array.isArray(given) || !given.every(isAsked)) {
    throw new RecordError('FrappeTypeError', 'fields must be a JSON array of names, such as ["name", "student"].')
  }
  const asked = given.filter((item) => typeof item !== 'string' || item.trim() !== '')
  return asked.length === 0 ? ['name'] : asked
}

function selectedByText(sources: QuerySources, text: string): SelectedField[] {
  const expression = parseFieldExpression(text)
  if (expression === null) throw fieldNotPermitted(text, sources.main.type)
  return selected(sources, expression)
}

/** An object in `fields`: one aggregate, or the rows of each table field that it names. */
function selectedByObject(sources: QuerySources, asked: Readonly<Record<string, unknown>>): SelectedField[] {
  const { as, ...others } = asked
  const [[name, argument] = ['', null], ...more] = Object.entries(others)
  const aggregate = aggregates.find((each) => each === name.toLowerCase())
  if (aggregate === undefined) return Object.entries(asked).map(([field, rows]) => nestedRows(sources, field, rows))
  const inside = Array.isArray(argument) && argument.length === 1 ? argument[0] : argument
  if (more.length > 0 || typeof inside !== 'string' || !['string', 'undefined'].includes(typeof as)) {
    throw fieldNotPermitted(JSON.stringify(asked), sources.main.type)
  }
  const text = `${name}(${/^\w+$/.test(inside) ? `\`${inside}\`` : inside})`
  return selectedByText(sources, as === undefined ? text : `${text} as ${as}`)
}

function getTexts(sent: string): unknown {
  const parsed = parsedJson(sent)
  if (typeof parsed === 'string') return [parsed]
  if (parsed !== undefined) return parsed ?? []
  if (/^\s*[[{"]/.test(sent)) throw new RecordError('JSONDecodeError', 'fields is not JSON. Send ["name", "student"].')
  return sent.split(',')
}

function selected(sources: QuerySources, expression: FieldExpression): SelectedField[] {
  const { reference, aggregate, alias } = expression
  // Upstream leaves such a field out where a type has no such column.
  if (reference !== null && isNote(reference.field) && sources.find(reference) === null) return []
  if (aggregate !== null) return [computedField(sources, expression, aggregate)]
  if (reference?.field === '*') return sources.allColumns(reference).map((column) => plainField(sources, column, null))
  return reference === null ? [] : [plainField(sources, sources.column(reference), alias)]
}

function plainField(sources: QuerySources, column: QueryColumn, alias: string | null): SelectedField {
  return {
    key: alias ?? column.name,
    isLong: isLongText(column),
    names: alias === null ? [] : [alias],
    column,
    isAggregate: false,
    raw: column.raw,
    isNullable: column.isNullable,
    output: (value) => getOutput(column, value, sources.timeZone),
    show: shownBy(column),
  }
}

const aggregates: readonly Aggregate[] = ['count', 'sum', 'avg', 'min', 'max']

const functions: Readonly<Record<Aggregate, Sql>> = {
  count: sql`count`,
  sum: sql`sum`,
  avg: sql`avg`,
  min: sql`min`,
  max: sql`max`,
}

function computedField(sources: QuerySources, expression: FieldExpression, aggregate: Aggregate): SelectedField {
  const { reference, isDistinct, alias, text } = expression
  const column = reference === null ? null : sources.column(reference)
  if ((aggregate === 'sum' || aggregate === 'avg') && column !== null && !isNumber(column.field)) {
    throw new RecordError('DataError', `${text.slice(0, 140)}: ${column.name} is no number, which ${aggregate} is for.`)
  }
  const inside = column === null ? sql`*` : sql`${isDistinct ? sql`distinct ` : empty}${column.raw}`
  const common = { key: alias ?? text, names: [text, ...(alias === null ? [] : [alias])] }
  const raw = sql`${functions[aggregate]}(${inside})`
  const computed = { ...common, column: null, isAggregate: true, raw }
  if (column === null || (aggregate !== 'min' && aggregate !== 'max')) {
    return {
      ...computed,
      isLong: false,
      isNullable: aggregate !== 'count',
      output: (value) => value,
      show: (value) => value,
    }
  }
  const output = (value: Sql) => getOutput(column, value, sources.timeZone)
  return { ...computed, isLong: isLongText(column), isNullable: true, output, show: shownBy(column) }
}
