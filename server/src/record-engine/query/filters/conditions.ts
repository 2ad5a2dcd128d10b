import { identifier, type Sql, sql } from '../../../database/index.ts'
import { localTime } from '../../../tenancy/index.ts'
import { isNumber, takenValue } from '../../model/field-values.ts'
import type { RecordDefinition } from '../../model/record-definition.ts'
import { RecordError } from '../../model/record-error.ts'
import type { QueryColumn } from '../query-column.ts'
import type { QuerySources } from '../query-sources.ts'
import type { Filter } from './filters.ts'
import { type Condition, comparedValue, isOfDays, isText, minValue, operandList, toOperand } from './operand.ts'
import { findPeriod, neighbouringPeriod, type Period, periodLengths, periodNames } from './periods.ts'
import { treeCondition } from './tree-condition.ts'

type Comparison = '=' | '!=' | '>' | '<' | '>=' | '<='

const comparisons: Readonly<Record<Comparison, { sql: Sql; holds: (order: number) => boolean }>> = {
  '=': { sql: sql`=`, holds: (order) => order === 0 },
  '!=': { sql: sql`<>`, holds: (order) => order !== 0 },
  '>': { sql: sql`>`, holds: (order) => order > 0 },
  '<': { sql: sql`<`, holds: (order) => order < 0 },
  '>=': { sql: sql`>=`, holds: (order) => order >= 0 },
  '<=': { sql: sql`<=`, holds: (order) => order <= 0 },
}

/**
 * The SQL condition of a filter. A null compares as the empty text, or as the first day of all: unequal to every value,
 * and before every day.
 *
 * @throws RecordError for an unknown field, and for a value that the field or the operator cannot have.
 */
export function buildCondition(sources: QuerySources, filter: Filter, today: () => string): Condition {
  const column = sources.column(filter.reference)
  if (column.beside !== null) return conditionBeside(sources, filter, column, column.beside, today)
  const condition = conditionOn(sources, filter, column, today)
  const { custom } = column
  const isOfDigits = filter.operator.endsWith('like') && isNumber(column.field)
  if (custom === null || custom.indexed === null || condition.holdsForUnset || isOfDigits) return condition
  // A condition that is false for unset values is answered by the index of custom field values.
  const found = conditionOn(sources, filter, { ...column, raw: custom.indexed, isNullable: false }, today)
  return strict(sql`${custom.recordId} in (
    select v.record_id from custom_field_values v
     where v.tenant_id = ${sources.tenantId} and v.field_id = ${custom.fieldId} and ${found.sql})`)
}

/** The condition of a filter on a value that is stored beside records. */
function conditionBeside(
  sources: QuerySources,
  filter: Filter,
  column: QueryColumn,
  beside: Sql,
  today: () => string,
): Condition {
  const reported = { ...column, beside: null, raw: sql`beside.value` }
  const { sql: met, holdsForUnset } = conditionOn(sources, filter, reported, today)
  const among = (condition: Sql) => sql`(select beside.name from ${beside} beside where ${condition})`
  return strict(holdsForUnset ? sql`r.name not in ${among(sql`not (${met})`)}` : sql`r.name in ${among(met)}`)
}

function conditionOn(sources: QuerySources, filter: Filter, column: QueryColumn, today: () => string): Condition {
  const { operator, value } = filter
  switch (operator) {
    case 'in':
    case 'not in':
      return membership(sources, column, operator === 'in', value)
    case 'like':
    case 'not like':
      return likeness(sources, column, operator === 'like', value)
    case 'is':
      return isSetCondition(column, value)
    case 'between':
      return between(sources, column, getBounds(column, value, today))
    case 'timespan':
    case 'previous':
    case 'next':
      return between(sources, column, periodBounds(column, operator, value, today()))
    case 'descendants of':
    case 'descendants of (inclusive)':
    case 'not descendants of':
    case 'ancestors of':
    case 'not ancestors of':
      return treeCondition(sources, filter, column)
    default:
      return comparison(sources, column, (operator === '<>' ? '!=' : operator) as Comparison, value)
  }
}

function strict(condition: Sql): Condition {
  return { sql: condition, holdsForUnset: false }
}

function comparison(sources: QuerySources, column: QueryColumn, operator: Comparison, value: unknown): Condition {
  const operand = toOperand(column, value, sources.timeZone)
  if (operator === '=' && operand.compared !== '' && column.byId !== null) {
    return namedById(sources, column, column.byId, sql`= ${operand.compared}`)
  }
  const { sql: sign, holds } = comparisons[operator]
  const min = minValue(column)
  const order = min === operand.compared ? 0 : min < operand.compared ? -1 : 1
  return orUnset(column, sql`${column.raw} ${sign} ${operand.sql}`, { holdsForUnset: holds(order) })
}

/** A condition that also covers null. Numbers are never null. */
function orUnset(
  column: QueryColumn,
  condition: Sql,
  { holdsForUnset }: { readonly holdsForUnset: boolean },
): Condition {
  const isUnsettable = column.isNullable && !isNumber(column.field)
  if (!holdsForUnset || (!isUnsettable && column.custom === null)) return strict(condition)
  return { sql: isUnsettable ? sql`(${condition} or ${column.raw} is null)` : condition, holdsForUnset }
}

function membership(sources: QuerySources, column: QueryColumn, isIn: boolean, value: unknown): Condition {
  const list =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : value == null ? [] : [value]
  const values = list.map((item) => comparedValue(column, typeof item === 'string' ? item.trim() : item))
  const isEmpty = values.length === 0
  const hasUnset = isEmpty || (!isAlwaysSet(column) && values.includes(minValue(column)))
  const among = isEmpty && isText(column) ? [''] : values
  const operands = operandList(column, among, sources.timeZone)
  if (isIn && column.byId !== null && !hasUnset) {
    return strict(namedById(sources, column, column.byId, sql`= any(${values})`).sql)
  }
  if (isIn) return orUnset(column, sql`${column.raw} = any(${operands})`, { holdsForUnset: hasUnset })
  return orUnset(column, sql`${column.raw} <> all(${operands})`, { holdsForUnset: !hasUnset })
}

/** Whether the column is never null: a number in a column of its own. */
function isAlwaysSet({ field, custom }: QueryColumn): boolean {
  return isNumber(field) && custom === null
}

/**
 * The condition on a link that is stored by id, or by text where no record has the name. `isNamed` compares the name,
 * and never with the empty text.
 */
function namedById(
  sources: QuerySources,
  { field }: QueryColumn,
  { id, text }: NonNullable<QueryColumn['byId']>,
  isNamed: Sql,
): Condition {
  const target = sources.findDefinition(field.type === 'Link' ? field.target : '') as RecordDefinition
  const ids = sql`
      select named.id from ${identifier(target.relation)} named
       where named.tenant_id = ${sources.tenantId} and named.name ${isNamed}`
  const byText = sql`(${id} is null and ${text} <> '' and ${text} ${isNamed})`
  return {
    sql: sql`(${id} = any(array(${ids})) or ${byText})`,
    holdsForUnset: false,
    parts: [sql`${id} = (${ids})`, byText],
  }
}

function likeness(sources: QuerySources, column: QueryColumn, isLike: boolean, value: unknown): Condition {
  const taken = (takenValue(column.name, { type: 'Data', label: column.field.label }, value) as string | null) ?? ''
  // A backslash is literal.
  const pattern = taken.replaceAll('\\', '\\\\')
  const text = getText(column, sources.timeZone)
  if (isLike) return orUnset(column, sql`${text} ilike ${pattern}`, { holdsForUnset: pattern === '' })
  return orUnset(column, sql`${text} not ilike ${pattern}`, { holdsForUnset: !/^%*$/.test(pattern) })
}

/** A column as the text that clients read. */
function getText(column: QueryColumn, timeZone: string): Sql {
  if (isText(column)) return column.raw
  if (column.custom !== null) return sql`(${column.raw})::text`
  const pattern = sql`'YYYY-MM-DD HH24:MI:SS.US'`
  if (column.isMoment) return sql`to_char(${localTime(column.raw, timeZone)}, ${pattern})`
  return column.field.type === 'Datetime' ? sql`to_char(${column.raw}, ${pattern})` : sql`${column.raw}::text`
}

function isSetCondition(column: QueryColumn, value: unknown): Condition {
  const wanted = typeof value === 'string' ? value.trim().toLowerCase() : ''
  if (wanted !== 'set' && wanted !== 'not set') {
    throw new RecordError('ValidationError', `${column.name}: the operator is takes "set" or "not set".`)
  }
  const isSet = wanted === 'set'
  if (isNumber(column.field)) {
    if (isSet) return strict(sql`${column.raw} <> 0`)
    return { sql: sql`${column.raw} = 0`, holdsForUnset: column.custom !== null }
  }
  if (isSet) return strict(isText(column) ? sql`${column.raw} <> ''` : sql`${column.raw} is not null`)
  if (!isText(column)) return { sql: sql`${column.raw} is null`, holdsForUnset: true }
  return orUnset(column, sql`${column.raw} = ''`, { holdsForUnset: true })
}

/** Between two values, both included. Null is never between; a number that is not set counts as 0. */
function between(sources: QuerySources, column: QueryColumn, [from, to]: readonly [unknown, unknown]): Condition {
  const low = toOperand(column, from, sources.timeZone)
  const high = toOperand(column, to, sources.timeZone)
  const isOfZero = isNumber(column.field) && Number(low.compared) <= 0 && Number(high.compared) >= 0
  return {
    sql: sql`${column.raw} between ${low.sql} and ${high.sql}`,
    holdsForUnset: isOfZero && column.custom !== null,
  }
}

function getBounds(column: QueryColumn, value: unknown, today: () => string): readonly [unknown, unknown] {
  const [from, to] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',', 2) : []
  if (isOfDays(column)) return wholeDayBounds(column, given(from) ? from : today(), given(to) ? to : today())
  if (given(from) && given(to)) return [from, to]
  throw new RecordError('ValidationError', `${column.name}: the operator between takes two values, such as [1, 5].`)
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** Days as bounds of timestamps: from the start of the first to the end of the last. */
function wholeDayBounds(column: QueryColumn, from: unknown, to: unknown): readonly [unknown, unknown] {
  const isDay = (value: unknown) => typeof value === 'string' && /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(value)
  if (column.field.type === 'Date' || !isDay(to)) return [from, to]
  return [from, `${String(to).trim()} 23:59:59.999999`]
}

function periodBounds(
  column: QueryColumn,
  operator: 'timespan' | 'previous' | 'next',
  value: unknown,
  today: string,
): readonly [unknown, unknown] {
  if (!isOfDays(column)) {
    throw new RecordError('ValidationError', `${column.name} is no date, which the operator ${operator} is for.`)
  }
  const name = typeof value === 'string' ? value : ''
  const period: Period | null =
    operator === 'timespan' ? findPeriod(name, today) : neighbouringPeriod(operator, name, today)
  if (period !== null) return wholeDayBounds(column, ...period)
  const names = (operator === 'timespan' ? periodNames : periodLengths).join(', ')
  throw new RecordError('ValidationError', `${column.name}: the operator ${operator} takes one of ${names}.`)
}
