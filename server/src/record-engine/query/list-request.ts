import { storedCount } from '../../changes/index.ts'
import { empty, join, literal, named, type Sql, type Statement, sql } from '../../database/index.ts'
import { todayIn, zoneKey } from '../../tenancy/index.ts'
import type { ShownRecords } from '../lifecycle/rights/shown-records.ts'
import type { Caller } from '../model/caller.ts'
import { isTrue } from '../model/field-values.ts'
import { RecordError } from '../model/record-error.ts'
import type { RecordRegistry } from '../model/record-registry.ts'
import { buildCondition } from './filters/conditions.ts'
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
  /** The same as a prepared statement, where the request is cached. */
  readonly sent?: Statement
  /** Whether it costs the same however many records there are: a short range of an index. */
  readonly isCheap: boolean
  /** Whether it has a hundred rows at most. */
  readonly isShort: boolean
  readonly fields: readonly SelectedField[]
  /** Whether rows are objects; else arrays. */
  readonly areObjects: boolean
  /** The columns that name records about people; null where there are none. */
  readonly disclosed: DisclosedRows | null
  /** Collects the shown records, where disclosures are logged. */
  readonly shown?: ShownRecords
  /** The maximum rows, 0 for all, and the rows to skip. */
  readonly limit: number
  readonly offset: number
}

/** Options of a list beside its arguments. */
interface ListOptions extends FilterOptions {
  /** Filters in addition to those of the arguments. */
  readonly further?: readonly Filter[]
  /** Search text: records whose name contains it come first, ordered by its position. */
  readonly typed?: string
}

const asSent: ListOptions = { takesNames: false }

/**
 * Parses the arguments of a list: `fields`, `filters`, `or_filters`, `order_by`, `group_by`, `limit_start` or `start`
 * (0), `limit_page_length` or `limit` (20; 0 is all), `as_dict` (true), and for a type of rows `parent`: the type whose
 * rows they are. Others are ignored. Without an order, records come by name, and rows as they stand in their records.
 *
 * @throws RecordError `DoesNotExistError` for an unknown type, `PermissionError` where the caller may not read it or
 * what it is joined with, and what `readSelection`, `readFilters`, `buildCondition` and `readOrder` throw.
 */
export function parseListRequest(
  registry: RecordRegistry,
  caller: Caller,
  typeName: string,
  parameters: ListParameters,
  options: ListOptions = asSent,
): ListRequest {
  const request = buildRequest(registry, caller, typeName, parameters, options)
  const { shown } = caller
  return shown === undefined || request.disclosed === null ? request : { ...request, shown }
}

function buildRequest(
  registry: RecordRegistry,
  caller: Caller,
  typeName: string,
  parameters: ListParameters,
  options: ListOptions,
): ListRequest {
  const known =
    options === asSent ? cachedRequest(getCachePrefixes(registry, caller).get(typeName), parameters) : undefined
  if (known !== undefined) return known
  const sources = new QuerySources(registry, caller, typeName, parameters.parent)
  const location = options === asSent ? findLocation(sources) : null
  const { request, dependsOnToday } = readRequest(sources, parameters, options)
  if (location === null) return request
  getCachePrefixes(registry, caller).set(typeName, location)
  const key = sources.readsOnlyType && !dependsOnToday ? findKey(location, parameters) : null
  if (key === null) return request
  if (stored.size >= maxCached) stored.clear()
  const cached = { ...request, sent: named(request.statement) }
  stored.set(key, cached)
  return cached
}

/** Cache of parsed requests by all that they depend on: clients repeat the same list verbatim. */
const stored = new Map<string, ListRequest>()
const maxCached = 500
const maxKeyLength = 2000

const namesOfParameters = [
  ...['fields', 'filters', 'or_filters', 'group_by', 'order_by'],
  ...['limit_start', 'start', 'limit_page_length', 'limit', 'as_dict'],
]

/**
 * The cache key prefix of a type, the tenant and its time zone, for a caller who may read all records of the type; else
 * null.
 */
function findLocation(sources: QuerySources): string | null {
  if (!sources.readsOnlyType || sources.conditions().length > 1) return null
  return `${keyOfType(sources.main.type)} ${sources.tenantId} ${zoneKey(sources.timeZone)}`
}

/** Cache key prefixes by type name, for callers with the same set of roles. */
const cachePrefixes = new WeakMap<Caller['roles'], CachePrefixes>()

interface CachePrefixes {
  readonly registry: RecordRegistry
  readonly tenant: Caller['tenant']
  readonly zone: string
  readonly prefixes: Map<string, string>
}

function getCachePrefixes(registry: RecordRegistry, { roles, tenant }: Caller): Map<string, string> {
  const known = cachePrefixes.get(roles)
  const zone = zoneKey(tenant.timeZone)
  if (known?.registry === registry && known.tenant === tenant && known.zone === zone) return known.prefixes
  const prefixes = new Map<string, string>()
  cachePrefixes.set(roles, { registry, tenant, zone, prefixes })
  return prefixes
}

function cachedRequest(location: string | undefined, parameters: ListParameters): ListRequest | undefined {
  const key = location === undefined ? null : findKey(location, parameters)
  return key === null ? undefined : stored.get(key)
}

/** The cache key of a list; null where it is too long. */
function findKey(location: string, parameters: ListParameters): string | null {
  let key = location
  for (const name of namesOfParameters) {
    const sent = parameters[name] ?? null
    if (sent === null) continue
    if (typeof sent === 'object') return null
    key += ` ${name} ${measured(sent)}`
  }
  return key.length > maxKeyLength ? null : key
}

interface ReadRequest {
  readonly request: ListRequest
  /** Whether it depends on the current day. */
  readonly dependsOnToday: boolean
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
  const isShort = limit > 0 && limit <= maxShortRows
  const indexes = sources.indexes()
  const isShallow = isShort && offset <= maxShortRows && !isGrouped
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
  return { request, dependsOnToday: filters.dependsOnToday }
}

/** From this offset on, skipping records takes more than about a millisecond. */
const minPassedOver = 200

/** Up to this limit, reading records by id costs about as much as a scan. */
const maxPicked = 1000

/**
 * Late row lookup (deferred join): selects the ids of the page first, so that skipped records are not built into rows
 * with all that their fields look up.
 */
function pickedFirst(sources: QuerySources, page: Sql): Sql {
  const picked = sql`array(select r.id from ${sources.from()} where ${page})`
  return sql`${join(sources.conditions(), ' and ')} and r.id = any (${picked})`
}

/** Merges the first records of each disjoint part of a condition, each read in index order. */
function ofParts(sources: QuerySources, conditions: readonly Sql[], parted: Condition, first: Sql): Sql {
  const parts = (parted.parts ?? []).map((part) => {
    const met = conditions.map((condition) => (condition === parted.sql ? part : condition))
    return sql`(select r.* from ${sources.from()} where ${join(met, ' and ')} ${first})`
  })
  return sql`(${join(parts, ' union all ')}) r`
}

/**
 * The statement that counts the records that meet the filters of a call, as the column `count`, up to `limit` unless
 * that is 0. Without filters it reads the stored count of a type that has one, at constant cost.
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
  const max = parseWholeNumber(parameters, ['limit'], 0)
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

/** The order of search suggestions. */
function nearness(typed: string | undefined): Term[] {
  if (typed === undefined || typed === '') return []
  const location = sql`nullif(strpos(lower(r.name), lower(${typed})), 0)`
  const term = (raw: Sql): Term => ({ id: null, raw, isNullable: false, isDescending: false })
  return [term(sql`coalesce(${location}, 1000)`), { ...term(sql`r.name`), id: 'r.name' }]
}

interface Conditions {
  /** The conditions of the tenant, of ownership, and of the filters. */
  readonly conditions: Sql[]
  /** The filters that must all hold, each with its condition. */
  readonly narrowings: readonly Narrowing[]
  /** Whether one of them depends on the current day. */
  readonly dependsOnToday: boolean
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
  const made = (filter: Filter): FieldCondition => ({
    field: sources.lookedAt(filter.reference),
    ...buildCondition(sources, filter, today),
  })
  const all = filters.map(made)
  const looked = (asked: readonly FieldCondition[]) =>
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
    narrowings: filters.map((filter, index) => ({ filter, condition: all[index] as FieldCondition })),
    dependsOnToday: day !== undefined,
  }
}

/** A condition on the rows of a table field, for `exists`, or on the list itself (null). */
interface FieldCondition extends Condition {
  readonly field: string | null
}

function ofField(conditions: readonly FieldCondition[], wanted: string | null): FieldCondition[] {
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

const maxShortRows = 100

const defaultLimit = 20

function getSlice(parameters: ListParameters): { limit: number; offset: number } {
  return {
    limit: parseWholeNumber(parameters, ['limit_page_length', 'limit'], defaultLimit),
    offset: parseWholeNumber(parameters, ['limit_start', 'start'], 0),
  }
}

function parseWholeNumber(parameters: ListParameters, names: readonly string[], otherwise: number): number {
  const name = names.find((known) => given(parameters[known]))
  if (name === undefined) return otherwise
  const sent = parameters[name]
  const text = typeof sent === 'string' ? sent.trim() : typeof sent === 'number' ? String(sent) : ''
  // Clients in Python send `None`; upstream takes it as no number.
  if (text === 'None') return 0
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new RecordError('FrappeTypeError', `${name} must be a whole number that is not negative.`)
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
