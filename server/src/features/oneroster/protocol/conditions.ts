import { join, type Sql, sql } from '../../../database/index.ts'
import { parseStamp } from '../../../http/index.ts'
import type { Field } from '../roster/roster-class.ts'
import type { Condition, Filter, FilterOperator } from './filter.ts'
import { OneRosterError } from './oneroster-error.ts'

/** A filter as a condition over declared fields; only its values go to the database, as parameters. Throws `invalid_filter_field`. */
export function toCondition(filter: Filter, fields: Readonly<Record<string, Field>>): Sql {
  const conditions = filter.conditions.map((condition) => {
    const field = Object.hasOwn(fields, condition.field) ? fields[condition.field] : undefined
    if (field !== undefined) return sql`(${compare(condition, field)})`
    throw new OneRosterError('invalid_filter_field', `${condition.field} is no field of these objects.`)
  })
  return sql`(${join(conditions, filter.joinedBy === 'and' ? ' and ' : ' or ')})`
}

const operators: Readonly<Record<Exclude<FilterOperator, '!=' | '~'>, Sql>> = {
  '=': sql`=`,
  '>': sql`>`,
  '>=': sql`>=`,
  '<': sql`<`,
  '<=': sql`<=`,
}

function compare({ operator, values, field: name }: Condition, field: Field): Sql {
  if (operator === '!=') return sql`(${compare({ operator: '=', values, field: name }, field)}) is not true`
  if (field.type === 'texts') {
    return sql`exists (select from unnest(${field.value}) as each (value)
                        where ${compareText(operator, values, sql`each.value`)})`
  }
  if (operator === '=' && field.equals !== undefined) {
    const { equals } = field
    return join(
      values.map((value) => equals(value)),
      ' or ',
    )
  }
  if (field.type === 'text') return compareText(operator, values, field.value)
  if (operator === '~') return compareText(operator, values, toText(field))
  if (field.type === 'number') return sql`${field.value} ${operators[operator]} ${toNumber(name, values)}::numeric`
  const moment = toMoment(name, values)
  const value = field.type === 'day' ? sql`(${field.value}::timestamp at time zone 'UTC')` : field.value
  return sql`${value} ${operators[operator]} ${moment}::timestamptz`
}

/** Texts compare without case. */
function compareText(operator: Exclude<FilterOperator, '!='>, values: readonly string[], value: Sql): Sql {
  if (operator === '~') {
    return join(
      values.map((each) => sql`strpos(lower(${value}), lower(${each})) > 0`),
      ' or ',
    )
  }
  if (operator === '=')
    return join(
      values.map((each) => sql`lower(${value}) = lower(${each})`),
      ' or ',
    )
  return sql`lower(${value}) ${operators[operator]} lower(${values[0]})`
}

function toText({ type, value }: Field): Sql {
  return type === 'moment' ? sql`stamp_text(${value})` : sql`${value}::text`
}

function toNumber(name: string, values: readonly string[]): string {
  const found = values.find((value) => /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(value))
  if (found !== undefined) return found.trim()
  throw new OneRosterError('invalid_filter_field', `${name} is compared with a number.`)
}

/** A date, which is its midnight in UTC, or a time; one without an offset is in UTC. */
function toMoment(name: string, values: readonly string[]): string {
  for (const value of values) {
    const text = value.trim()
    const stamp = parseStamp(text) ?? parseStamp(`${text}Z`)
    if (stamp !== null) return stamp
  }
  const detail = `${name} is compared with a date such as 2026-09-01, or a time such as 2026-09-01T00:00:00.000Z.`
  throw new OneRosterError('invalid_filter_field', detail)
}
