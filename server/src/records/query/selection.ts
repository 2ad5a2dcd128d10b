import { empty, type Sql, sql } from '../../database/index.ts'
import { isNumber } from '../field-values.ts'
import { RecordError } from '../record-error.ts'
import { type Aggregate, type FieldExpression, parseFieldExpression } from './field-reference.ts'
import { parsedJson } from './json-argument.ts'
import { outputOf, type QueryColumn, shownBy } from './query-column.ts'
import { fieldNotPermitted, type QuerySources } from './query-sources.ts'

const mostFields = 500

/** What desks ask for of every type; upstream leaves each of them out where a type has no such column, and here none has. */
const notes = new Set(['_user_tags', '_comments', '_assign', '_liked_by', '_seen'])

/** One value of each row of a list. */
export interface SelectedField {
  /** Its name in a row that is an object. */
  readonly key: string
  /** The names by which an order may mean it: its alias and its text, or none for a plain field. */
  readonly names: readonly string[]
  /** The column, where it is one and nothing is computed of it. */
  readonly column: QueryColumn | null
  /** What lists are ordered by. */
  readonly raw: Sql
  readonly isNullable: boolean
  readonly output: (value: Sql) => Sql
  /** A value that left the database as clients read it. */
  readonly show: (value: unknown) => unknown
}

/**
 * Reads the argument `fields`: a JSON array, an array, or the names with commas between; `["name"]` when there is none.
 *
 * @throws RecordError `JSONDecodeError` for broken JSON, `FrappeTypeError` for other forms, `DataError` for a field that there
 * is not or that nobody may read, and for more than 500 fields.
 */
export function readSelection(sources: QuerySources, sent: unknown): SelectedField[] {
  const fields: SelectedField[] = []
  for (const text of fieldTexts(sent)) {
    const expression = parseFieldExpression(text)
    if (expression === null) throw fieldNotPermitted(text, sources.main.type)
    fields.push(...selected(sources, expression))
    if (fields.length > mostFields) {
      throw new RecordError('DataError', `fields asks for more than ${mostFields} values a row. Ask for fewer.`)
    }
  }
  return fields.length === 0 ? readSelection(sources, null) : fields
}

function fieldTexts(sent: unknown): string[] {
  const given = typeof sent === 'string' ? textsOf(sent) : (sent ?? [])
  if (!Array.isArray(given) || given.some((item) => typeof item !== 'string')) {
    throw new RecordError('FrappeTypeError', 'fields must be a JSON array of names, such as ["name", "student"].')
  }
  const texts = given.filter((text) => text.trim() !== '')
  return texts.length === 0 ? ['name'] : texts
}

function textsOf(sent: string): unknown {
  const parsed = parsedJson(sent)
  if (typeof parsed === 'string') return [parsed]
  if (parsed !== undefined) return parsed ?? []
  if (/^\s*[[{"]/.test(sent)) throw new RecordError('JSONDecodeError', 'fields is not JSON. Send ["name", "student"].')
  return sent.split(',')
}

function selected(sources: QuerySources, expression: FieldExpression): SelectedField[] {
  const { reference, aggregate, alias } = expression
  if (reference !== null && notes.has(reference.field)) return []
  if (aggregate !== null) return [computedField(sources, expression, aggregate)]
  if (reference?.field === '*') return sources.allColumns(reference).map((column) => plainField(sources, column, null))
  return reference === null ? [] : [plainField(sources, sources.column(reference), alias)]
}

function plainField(sources: QuerySources, column: QueryColumn, alias: string | null): SelectedField {
  return {
    key: alias ?? column.name,
    names: alias === null ? [] : [alias],
    column,
    raw: column.raw,
    isNullable: column.isNullable,
    output: (value) => outputOf(column, value, sources.timeZone),
    show: shownBy(column),
  }
}

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
  const common = { key: alias ?? text, names: [text, ...(alias === null ? [] : [alias])], column: null }
  const raw = sql`${functions[aggregate]}(${inside})`
  if (column === null || (aggregate !== 'min' && aggregate !== 'max')) {
    return { ...common, raw, isNullable: aggregate !== 'count', output: (value) => value, show: (value) => value }
  }
  const output = (value: Sql) => outputOf(column, value, sources.timeZone)
  return { ...common, raw, isNullable: true, output, show: shownBy(column) }
}
