import { RecordError } from '../../model/record-error.ts'
import { type FieldReference, parseFieldReference } from './field-reference.ts'
import { jsonArgument, parsedJson } from './json-argument.ts'

/** What a client wants of a field. Operator and value are as they were sent, the operator in lower case. */
export interface Filter {
  readonly reference: FieldReference
  readonly operator: string
  readonly value: unknown
}

/** How filters are read. */
export interface FilterOptions {
  /** Whether text that is no JSON names a record, and a list of texts several. */
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
 * Reads filters in any form that clients send: an object of fields with values or `[operator, value]`, or a list of
 * `[field, operator, value]`, `[type, field, operator, value]`, `[field, value]` and such objects, or one of these alone; as
 * JSON or as what the JSON says. With `takesNames`, text that is no JSON is the name of a record, and a list of texts names several.
 *
 * @throws RecordError `JSONDecodeError` for text that is not JSON, `DataError` for a field that is none, `ValidationError` for
 * an operator that there is not, `FrappeTypeError` for any other form.
 */
export function readFilters(name: string, sent: unknown, options: FilterOptions): Filter[] {
  const isName = options.takesNames && typeof sent === 'string' && sent.trim() !== '' && parsedJson(sent) === undefined
  const filters = getFilters(name, isName ? sent : jsonArgument(name, sent), options.takesNames)
  if (filters.length <= maxFilters) return filters
  throw new RecordError('DataError', `${name} has more than ${maxFilters} filters. Send fewer, or use the operator in.`)
}

/**
 * Reads alternatives: filters of which one must hold, in any of those forms, or a list of lists of `[field, operator, value]`, of each
 * of which one must hold. Throws as `readFilters` does.
 */
export function readAlternatives(name: string, sent: unknown, options: FilterOptions): Filter[][] {
  const given = typeof sent === 'string' ? parsedJson(sent) : sent
  const areLists = Array.isArray(given) && given.length > 0 && given.every((each) => Array.isArray(each?.[0]))
  if (!areLists) {
    const filters = readFilters(name, sent, options)
    return filters.length === 0 ? [] : [filters]
  }
  // They are bounded together, as one list is.
  readFilters(name, given.flat(), options)
  return given.map((each) => readFilters(name, each, options))
}

/**
 * Refuses the filters of a request that have more than 10 000 values together, whichever of its arguments they came in.
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

/** How many values a list has; a text is one with commas between them. */
function getSize(value: unknown): number {
  if (Array.isArray(value)) return value.length
  if (typeof value !== 'string') return 1
  let size = 1
  for (let at = value.indexOf(','); at !== -1; at = value.indexOf(',', at + 1)) size += 1
  return size
}

function getFilters(name: string, given: unknown, takesNames: boolean): Filter[] {
  if (given === null || given === '') return []
  if (Array.isArray(given)) return filtersOfList(name, given, takesNames)
  if (typeof given === 'object') return filtersOfObject(name, given)
  if (takesNames && typeof given === 'string') return [getFilter(name, 'name', '=', given)]
  if (takesNames && typeof given === 'number') return [getFilter(name, 'name', '=', String(given))]
  throw wrongForm(name)
}

function filtersOfList(name: string, given: readonly unknown[], takesNames: boolean): Filter[] {
  if (given.length === 0) return []
  if (typeof given[0] === 'string' && (isOperator(given[1]) || isOperator(given[2])))
    return [filterOfTuple(name, given)]
  if (takesNames && given.every((item) => typeof item === 'string' || typeof item === 'number')) {
    return [getFilter(name, 'name', 'in', given.map(String))]
  }
  if (given.length > maxFilters) return given.map(() => getFilter(name, 'name', '=', '')) // refused by their number
  return given.flatMap((item) => {
    if (Array.isArray(item)) return [filterOfTuple(name, item)]
    if (typeof item === 'object' && item !== null) return filtersOfObject(name, item)
    throw wrongForm(name)
  })
}

function filtersOfObject(name: string, given: object): Filter[] {
  return Object.entries(given).map(([field, value]) => {
    if (!Array.isArray(value)) return getFilter(name, field, '=', value)
    return getFilter(name, field, value[0], value[1])
  })
}

function filterOfTuple(name: string, tuple: readonly unknown[]): Filter {
  if (tuple.length === 2) return getFilter(name, ...pair(tuple))
  if (tuple.length === 3) return getFilter(name, tuple[0], tuple[1], tuple[2])
  if (tuple.length < 2) throw wrongForm(name)
  const [type, field, operator, value] = tuple
  const filter = getFilter(name, field, operator, value)
  if (type === null || type === '' || filter.reference.qualifier !== null) return filter
  if (typeof type !== 'string') throw wrongForm(name)
  return { ...filter, reference: { ...filter.reference, qualifier: { by: 'type', name: type } } }
}

function pair([field, value]: readonly unknown[]): [unknown, unknown, unknown] {
  return Array.isArray(value) ? [field, value[0], value[1]] : [field, '=', value]
}

function getFilter(name: string, field: unknown, operator: unknown, value: unknown): Filter {
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
