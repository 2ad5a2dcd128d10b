import { RecordError } from '../../model/record-error.ts'
import { type FieldReference, parseFieldReference } from './field-reference.ts'
import { jsonArgument, parsedJson } from './json-argument.ts'

/** A filter as it was sent, with the operator in lower case. */
export interface Filter {
  readonly reference: FieldReference
  readonly operator: string
  readonly value: unknown
}

/** How filters are parsed. */
export interface FilterOptions {
  /** Whether text that is not JSON is the name of a record, and a list of texts names several. */
  readonly takesNames: boolean
}

const maxFilters = 100
const maxValues = 10_000

const operators = new Set([
  ...['=', '!=', '<>', '>', '<', '>=', '<=', 'like', 'not like', 'in', 'not in', 'between', 'is'],
  ...['timespan', 'previous', 'next', 'descendants of', 'ancestors of', 'not descendants of', 'not ancestors of'],
  ...['descendants of (inclusive)'],
])

/**
 * Parses filters in any form that clients send: an object of fields with values or `[operator, value]`, or a list of
 * `[field, operator, value]`, `[type, field, operator, value]`, `[field, value]` and such objects, or one of these
 * alone; as JSON text or as the parsed value. With `takesNames`, text that is not JSON is the name of a record, and a
 * list of texts names several.
 *
 * @throws RecordError `JSONDecodeError` for text that is not JSON, `DataError` for an invalid field name,
 * `ValidationError` for an unknown operator, `FrappeTypeError` for any other form.
 */
export function readFilters(name: string, sent: unknown, options: FilterOptions): Filter[] {
  const isName = options.takesNames && typeof sent === 'string' && sent.trim() !== '' && parsedJson(sent) === undefined
  const filters = parseFilters(name, isName ? sent : jsonArgument(name, sent), options.takesNames)
  if (filters.length <= maxFilters) return filters
  throw new RecordError('DataError', `${name} has more than ${maxFilters} filters. Send fewer, or use the operator in.`)
}

/**
 * Parses `or_filters`: filters of which one must hold, in any of those forms, or a list of such lists, each of which
 * must have one that holds. Throws as `readFilters` does.
 */
export function readAlternatives(name: string, sent: unknown, options: FilterOptions): Filter[][] {
  const given = typeof sent === 'string' ? parsedJson(sent) : sent
  const areLists = Array.isArray(given) && given.length > 0 && given.every((each) => Array.isArray(each?.[0]))
  if (!areLists) {
    const filters = readFilters(name, sent, options)
    return filters.length === 0 ? [] : [filters]
  }
  // The bounds apply to all of them together.
  readFilters(name, given.flat(), options)
  return given.map((each) => readFilters(name, each, options))
}

/**
 * Rejects a request whose filters, in all of its arguments, have more than 10 000 values together.
 *
 * @throws RecordError `DataError`.
 */
export function requireFewValues(filters: readonly Filter[]): void {
  let values = 0
  for (const { operator, value } of filters) values += operator === 'in' || operator === 'not in' ? getSize(value) : 1
  if (values <= maxValues) return
  throw new RecordError(
    'DataError',
    `The filters of a request have at most ${maxValues} values together, these have ${values}. Send fewer at once.`,
  )
}

/** How many values a list, or a text with commas, has. */
function getSize(value: unknown): number {
  if (Array.isArray(value)) return value.length
  if (typeof value !== 'string') return 1
  let size = 1
  for (let at = value.indexOf(','); at !== -1; at = value.indexOf(',', at + 1)) size += 1
  return size
}

function parseFilters(name: string, given: unknown, takesNames: boolean): Filter[] {
  if (given === null || given === '') return []
  if (Array.isArray(given)) return filtersOfList(name, given, takesNames)
  if (typeof given === 'object') return filtersOfObject(name, given)
  if (takesNames && typeof given === 'string') return [toFilter(name, 'name', '=', given)]
  if (takesNames && typeof given === 'number') return [toFilter(name, 'name', '=', String(given))]
  throw wrongForm(name)
}

function filtersOfList(name: string, given: readonly unknown[], takesNames: boolean): Filter[] {
  if (given.length === 0) return []
  if (typeof given[0] === 'string' && (isOperator(given[1]) || isOperator(given[2])))
    return [filterOfTuple(name, given)]
  if (takesNames && given.every((item) => typeof item === 'string' || typeof item === 'number')) {
    return [toFilter(name, 'name', 'in', given.map(String))]
  }
  if (given.length > maxFilters) return given.map(() => toFilter(name, 'name', '=', '')) // refused by their number
  return given.flatMap((item) => {
    if (Array.isArray(item)) return [filterOfTuple(name, item)]
    if (typeof item === 'object' && item !== null) return filtersOfObject(name, item)
    throw wrongForm(name)
  })
}

function filtersOfObject(name: string, given: object): Filter[] {
  return Object.entries(given).map(([field, value]) => {
    if (!Array.isArray(value)) return toFilter(name, field, '=', value)
    return toFilter(name, field, value[0], value[1])
  })
}

function filterOfTuple(name: string, tuple: readonly unknown[]): Filter {
  if (tuple.length === 2) return toFilter(name, ...pair(tuple))
  if (tuple.length === 3) return toFilter(name, tuple[0], tuple[1], tuple[2])
  if (tuple.length < 2) throw wrongForm(name)
  const [type, field, operator, value] = tuple
  const filter = toFilter(name, field, operator, value)
  if (type === null || type === '' || filter.reference.qualifier !== null) return filter
  if (typeof type !== 'string') throw wrongForm(name)
  return { ...filter, reference: { ...filter.reference, qualifier: { by: 'type', name: type } } }
}

function pair([field, value]: readonly unknown[]): [unknown, unknown, unknown] {
  return Array.isArray(value) ? [field, value[0], value[1]] : [field, '=', value]
}

function toFilter(name: string, field: unknown, operator: unknown, value: unknown): Filter {
  if (typeof field !== 'string') throw wrongForm(name)
  const reference = parseFieldReference(field)
  if (reference === null || reference.field === '*') {
    throw new RecordError(
      'DataError',
      `Field not permitted in query: ${field.slice(0, 140)}. Filter by the name of a field.`,
    )
  }
  if (!isOperator(operator)) {
    const sent = typeof operator === 'string' ? operator.slice(0, 40) : typeof operator
    throw new RecordError(
      'ValidationError',
      `Operator must be one of ${[...operators].join(', ')}; ${name} has ${sent}.`,
    )
  }
  return { reference, operator: operator.trim().toLowerCase(), value }
}

function isOperator(value: unknown): value is string {
  return typeof value === 'string' && operators.has(value.trim().toLowerCase())
}

function wrongForm(name: string): RecordError {
  const forms = '{"field": "value"}, {"field": ["operator", "value"]} or [["field", "operator", "value"]]'
  return new RecordError('FrappeTypeError', `${name} must be JSON like ${forms}.`)
}
