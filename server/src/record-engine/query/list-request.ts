import { storedCount } from '../../changes/index.ts'
import { empty, join, literal, named, type Sql, type Statement, sql } from '../../database/index.ts'
import { todayIn, zoneKey } from '../../tenancy/index.ts'
import type { ShownRecords } from '../lifecycle/shown-records.ts'
import type { Caller } from '../model/caller.ts'
import { isTrue } from '../model/field-values.ts'
import { RecordError } from '../model/record-error.ts'
import type { RecordRegistry } from '../model/record-registry.ts'
import { getCondition } from './filters/conditions.ts'
import { type Filter, type FilterOptions, readAlternatives, readFilters, requireFewValues } from './filters/filters.ts'
import { isInIndexOrder, isOfOneName, type Narrowing } from './filters/index-reading.ts'
import type { Condition } from './filters/operand.ts'
import { type DisclosedRows, keyOfType, measured, readShape } from './list-shape.ts'
import type { Term } from './ordering.ts'
import { QuerySources } from './query-sources.ts'
import type { SelectedField } from './selected-field.ts'

/** The arguments of a call, from its address, form or JSON body. */
export type ListParameters = Readonly<Record<string, unknown>>

/** A list that was asked for, with the one statement that reads it. */
export interface ListRequest {
  readonly statement: Sql
  /** The same put together, where it is asked for again and again. */
  readonly sent?: Statement
  /** Whether it costs the same however many records there are: read off an index, a few at a time. */
  readonly isCheap: boolean
  /** Whether it has a hundred rows at most. */
  readonly isShort: boolean
  readonly fields: readonly SelectedField[]
  /** Whether rows are objects; else arrays. */
  readonly areObjects: boolean
  /** Where its rows name records about people; null where they name none. */
  readonly disclosed: DisclosedRows | null
  /** Takes what the caller is shown, where that is recorded. */
  readonly shown?: ShownRecords
  /** How many rows are asked for, 0 for all, and how many before them are passed over. */
  readonly limit: number
  readonly offset: number
}

/** How a list is read beside its arguments. */
interface ListOptions extends FilterOptions {
  /** Filters that hold beside those of the arguments. */
  readonly further?: readonly Filter[]
  /** What records are looked for by: those in whose name it stands come first, the earlier it does the sooner. */
  readonly typed?: string
}

const asSent: ListOptions = { takesNames: false }

/**
 * Reads the arguments of a list: `fields`, `filters`, `or_filters`, `order_by`, `group_by`, `limit_start` or `start` (0),
 * `limit_page_length` or `limit` (20; 0 is all), `as_dict` (true), and for a type of rows `parent`: the type whose
 * rows they are. Others are ignored. Without an order, records come by name, and rows as they stand in their records.
 *
 * @throws RecordError `DoesNotExistError` for an unknown type, `PermissionError` where the caller may not read it or what it
 * is joined with, and what `readSelection`, `readFilters`, `getCondition` and `readOrder` throw.
 */
export function parseListRequest(
  registry: RecordRegistry,
  caller: Caller,
  typeName: string,
  parameters: ListParameters,
  options: ListOptions = asSent,
): ListRequest {
  const request = getRequest(registry, caller, typeName, parameters, options)
  const { shown } = caller
  return shown === undefined || request.disclosed === null ? request : { ...request, shown }
}

function getRequest(
  registry: RecordRegistry,
  caller: Caller,
  typeName: string,
  parameters: ListParameters,
  options: ListOptions,
): ListRequest {
  const known = options === asSent ? cachedRequest(getOpenTypes(registry, caller).get(typeName), parameters) : undefined
  if (known !== undefined) return known
  const sources = new QuerySources(registry, caller, typeName, parameters.parent)
  const location = options === asSent ? findLocation(sources) : null
  const { request, isOfToday } = readRequest(sources, parameters, options)
  if (location === null) return request
  getOpenTypes(registry, caller).set(typeName, location)
  const key = sources.readsTypeAlone && !isOfToday ? findKey(location, parameters) : null
  if (key === null) return request
  if (stored.size >= maxCached) stored.clear()
  const keeping = { ...request, sent: named(request.statement) }
  stored.set(key, keeping)
  return keeping
}

/** Lists that were asked for lately, by all that they depend on: what shows a list asks for it again, word for word. */
const stored = new Map<string, ListRequest>()
const maxCached = 500
const longestKey = 2000

const namesOfParameters = [
  ...['fields', 'filters', 'or_filters', 'group_by', 'order_by'],
  ...['limit_start', 'start', 'limit_page_length', 'limit', 'as_dict'],
]

/** Where the lists are kept that depend on nothing but a type as it is shown to the caller, who may read all records of it, and the institution. */
function findLocation(sources: QuerySources): string | null {
  if (!sources.readsTypeAlone || sources.conditions().length > 1) return null
  return `${keyOfType(sources.main.type)} ${sources.tenantId} ${zoneKey(sources.timeZone)}`
}

/** The places of types, by name, for those who have come with the same rights before. */
const openTypes = new WeakMap<Caller['roles'], OpenTypes>()

interface OpenTypes {
  readonly registry: RecordRegistry
  readonly tenant: Caller['tenant']
  readonly zone: string
  readonly places: Map<string, string>
}

function getOpenTypes(registry: RecordRegistry, { roles, tenant }: Caller): Map<string, string> {
  const known = openTypes.get(roles)
  const zone = zoneKey(tenant.timeZone)
  if (known?.registry === registry && known.tenant === tenant && known.zone === zone) return known.places
  const locations = new Map<string, string>()
  openTypes.set(roles, { registry, tenant, zone, places: locations })
  return locations
}

function cachedRequest(location: string | undefined, parameters: ListParameters): ListRequest | undefined {
  const key = location === undefined ? null : findKey(location, parameters)
  return key === null ? undefined : stored.get(key)
}

/** What a list depends on, of a type in a place; null where that is too much to be kept. */
function findKey(location: string, parameters: ListParameters): string | null {
  let key = location
  for (const name of namesOfParameters) {
    const sent = parameters[name] ?? null
    if (sent === null) continue
    if (typeof sent === 'object') return null
    key += ` ${name} ${measured(sent)}`
  }
  return key.length > longestKey ? null : key
}

interface ReadRequest {
  readonly request: ListRequest
  /** Whether it asks for a span of days that is another one tomorrow. */
  readonly isOfToday: boolean
}

function readRequest(sources: QuerySources, parameters: ListParameters, options: ListOptions): ReadRequest {
  const { shape, filters } = readShape(sources, parameters, nearness(options.typed), () =>
    getConditions(sources, parameters, options),
  )
  const { fields, order, isGrouped, inOrder } = shape
  const { conditions, narrowings } = filters
  const { limit, offset } = getSlice(parameters)
  const slice = sql`${limit === 0 ? empty : sql`limit ${literal(limit)}`} ${offset === 0 ? empty : sql`offset ${literal(offset)}`}`
  const met = join(conditions, ' and ')
  const isPicked = !isGrouped && offset >= minPassedOver && limit > 0 && limit <= maxPicked && sources.areRecords()
  const isShort = limit > 0 && limit <= maxOfShort
  const indexes = sources.indexes()
  const isShallow = isShort && offset <= maxOfShort && !isGrouped
  const isAll = conditions.length === narrowings.length + 1 // beside the tenant
  const [parted, ...others] = narrowings.filter(({ condition }) => condition.parts !== undefined)
  const isInOrder = isShallow && isAll && others.length === 0 && isInIndexOrder(indexes, narrowings, order)
  const first = sql`${inOrder} limit ${literal(limit + offset)}`
  const records =
    isInOrder && parted !== undefined
      ? ofParts(sources, conditions, parted.condition, first)
      : sql`${sources.from()} where ${isPicked ? pickedFirst(sources, sql`${met} ${inOrder} ${slice}`) : met}`
  const statement = sql`
    select ${shape.selected}
      from ${records}
     ${shape.grouping} ${inOrder} ${isPicked ? empty : slice}`
  const areObjects = parameters.as_dict === undefined || parameters.as_dict === null || isTrue(parameters.as_dict)
  const isCheap = isInOrder || isOfOneName(indexes, narrowings)
  const { disclosed } = shape
  const request = { statement, isCheap, isShort, fields, areObjects, disclosed, limit, offset }
  return { request, isOfToday: filters.isOfToday }
}

/** So many records are passed over and thrown away in about a millisecond. */
const minPassedOver = 200

/** So many records are read by their ids about as fast as on the way. */
const maxPicked = 1000

/**
 * That records are those of a page, whose ids are picked before anything else of them is read: else each of those that are passed over is made into
 * a row, with all that its fields look up.
 */
function pickedFirst(sources: QuerySources, page: Sql): Sql {
  const picked = sql`array(select r.id from ${sources.from()} where ${page})`
  return sql`${join(sources.conditions(), ' and ')} and r.id = any (${picked})`
}

/** The first records of each part of a condition, as an index has them, of which the list has the first. */
function ofParts(sources: QuerySources, conditions: readonly Sql[], parted: Condition, first: Sql): Sql {
  const parts = (parted.parts ?? []).map((part) => {
    const met = conditions.map((condition) => (condition === parted.sql ? part : condition))
    return sql`(select r.* from ${sources.from()} where ${join(met, ' and ')} ${first})`
  })
  return sql`(${join(parts, ' union all ')}) r`
}

/**
 * The statement that counts the records that meet the filters of a call, as the column `count`, and no further than to `limit` where one
 * is given that is not 0. All that there are of a type whose number is kept are not counted one by one: then it costs the same however
 * many there are.
 *
 * @throws RecordError what `parseListRequest` throws.
 */
export function countRequest(
  registry: RecordRegistry,
  caller: Caller,
  typeName: string,
  parameters: ListParameters,
): Pick<ListRequest, 'statement' | 'isCheap'> {
  const sources = new QuerySources(registry, caller, typeName, parameters.parent)
  const { conditions } = getConditions(sources, parameters, { takesNames: true })
  const max = wholeNumber(parameters, ['limit'], 0)
  const list = conditions.length === 1 ? sources.countedList() : null
  if (list !== null) {
    const stored = storedCount(sources.tenantId, list)
    return {
      statement: max === 0 ? stored : sql`select least(count, ${literal(max)}) as count from (${stored}) kept`,
      isCheap: true,
    }
  }
  const met = sql`from ${sources.from()} where ${join(conditions, ' and ')}`
  const statement =
    max === 0 ? sql`select count(*) ${met}` : sql`select count(*) from (select ${met} limit ${literal(max)}) met`
  return { statement, isCheap: false }
}

/** The order in which records are offered to somebody who types a name. */
function nearness(typed: string | undefined): Term[] {
  if (typed === undefined || typed === '') return []
  const location = sql`nullif(strpos(lower(r.name), lower(${typed})), 0)`
  const term = (raw: Sql): Term => ({ id: null, raw, isNullable: false, isDescending: false })
  return [term(sql`coalesce(${location}, 1000)`), { ...term(sql`r.name`), id: 'r.name' }]
}

interface Conditions {
  /** The tenant, what is the caller's own, and the filters. */
  readonly conditions: Sql[]
  /** The filters that hold all together, with what each sets. */
  readonly narrowings: readonly Narrowing[]
  /** Whether one of them asks what day it is. */
  readonly isOfToday: boolean
}

function getConditions(sources: QuerySources, parameters: ListParameters, options: ListOptions): Conditions {
  let day: string | undefined
  const today = () => {
    day ??= todayIn(sources.timeZone)
    return day
  }
  const filters = [...readFilters('filters', parameters.filters, options), ...(options.further ?? [])]
  const alternatives = readAlternatives('or_filters', parameters.or_filters, options)
  const sent = [...filters, ...alternatives.flat()]
  requireFewValues(sent)
  sources.lookAt(sent.map(({ reference }) => reference))
  const made = (filter: Filter): Placed => ({
    field: sources.lookedAt(filter.reference),
    ...getCondition(sources, filter, today),
  })
  const all = filters.map(made)
  const looked = (asked: readonly Placed[]) =>
    sources.fieldsLookedAt.filter((field) => ofField(asked, field).length > 0)
  const either = alternatives.map((filters) => {
    const any = filters.map(made)
    return [
      ...ofField(any, null).map((condition) => condition.sql),
      ...looked(any).map((field) => sources.hasRow(field, [...ofField(all, field), anyOf(ofField(any, field))])),
    ]
  })
  return {
    conditions: [
      ...sources.conditions(),
      ...ofField(all, null).map((condition) => condition.sql),
      ...looked(all).map((field) => sources.hasRow(field, ofField(all, field))),
      ...either.map((conditions) => sql`(${join(conditions, ' or ')})`),
    ],
    narrowings: filters.map((filter, index) => ({ filter, condition: all[index] as Placed })),
    isOfToday: day !== undefined,
  }
}

/** A condition on the rows of a table field that are looked at, or on what stands in the list itself (null). */
interface Placed extends Condition {
  readonly field: string | null
}

function ofField(conditions: readonly Placed[], wanted: string | null): Placed[] {
  return conditions.filter(({ field }) => field === wanted)
}

function anyOf(conditions: readonly Condition[]): Condition {
  return {
    sql: sql`(${join(
      conditions.map((condition) => condition.sql),
      ' or ',
    )})`,
    holdsForUnset: conditions.some(({ holdsForUnset }) => holdsForUnset),
  }
}

const maxOfShort = 100

const defaultLimit = 20

function getSlice(parameters: ListParameters): { limit: number; offset: number } {
  return {
    limit: wholeNumber(parameters, ['limit_page_length', 'limit'], defaultLimit),
    offset: wholeNumber(parameters, ['limit_start', 'start'], 0),
  }
}

function wholeNumber(parameters: ListParameters, names: readonly string[], otherwise: number): number {
  const name = names.find((known) => given(parameters[known]))
  if (name === undefined) return otherwise
  const sent = parameters[name]
  const text = typeof sent === 'string' ? sent.trim() : typeof sent === 'number' ? String(sent) : ''
  // What clients in Python send for nothing, in which upstream reads no number.
  if (text === 'None') return 0
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new RecordError('FrappeTypeError', `${name} must be a whole number that is not negative.`)
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
