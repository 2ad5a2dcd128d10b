import { fieldGroupsOfRecords } from '@matricula/contract'
import type { RecordType } from '@matricula/contract/record-types'
import { empty, identifier, join, type Sql, sql } from '../../database/index.ts'
import { zoneKey } from '../../tenancy/index.ts'
import { fieldsNamingPeople } from '../lifecycle/rights/shown-records.ts'
import { RecordError } from '../model/record-error.ts'
import { orderSql, readGroups, readOrder, type Term } from './ordering.ts'
import type { QuerySources } from './query-sources.ts'
import type { SelectedField } from './selected-field.ts'
import { readSelection } from './selection.ts'

/** The parts of a list that do not depend on its filters: fields, grouping and order. */
export interface ListShape {
  readonly fields: readonly SelectedField[]
  readonly groups: readonly Term[]
  readonly order: readonly Term[]
  readonly isGrouped: boolean
  /** The columns that name records about people; null for a type that has none. */
  readonly disclosed: DisclosedRows | null
  /** The select list, and the clauses `group by` and `order by`. */
  readonly selected: Sql
  readonly grouping: Sql
  readonly inOrder: Sql
}

/** The columns of a list that name its records and the people that these are about. */
export interface DisclosedRows {
  readonly recordType: string
  readonly columns: readonly string[]
}

/** The arguments of a list that define its shape. */
export interface ShapeParameters {
  readonly fields?: unknown
  readonly group_by?: unknown
  readonly order_by?: unknown
}

/**
 * Parses the shape of a list, with its filters between the fields and the order: which rows are joined depends on all
 * three. `first` are terms before the order of the arguments.
 *
 * Clients repeat a few shapes with other filters, so that a shape with fields of the type alone is cached: building it
 * takes several times as long as the filters.
 */
export function readShape<Filters>(
  sources: QuerySources,
  parameters: ShapeParameters,
  first: readonly Term[],
  readFilters: () => Filters,
): { readonly shape: ListShape; readonly filters: Filters } {
  const key = first.length === 0 ? findKey(sources, parameters) : null
  const known = key === null ? undefined : stored.get(key)
  const fields = known?.fields ?? readSelection(sources, parameters.fields)
  const groups = known?.groups ?? readGroups(sources, fields, parameters.group_by)
  const filters = readFilters()
  if (known !== undefined && sources.joinedRowOrder().length === 0) return { shape: known, filters }
  const order = known?.order ?? [...first, ...readOrder(sources, fields, parameters.order_by)]
  const shape = buildShape(sources, fields, groups, order)
  if (key !== null && sources.readsOnlyType && fields.length <= maxCachedFields) {
    if (stored.size >= maxCached) stored.clear()
    stored.set(key, shape)
  }
  return { shape, filters }
}

/** Cache of shapes, sized for the clients of a few institutions. */
const stored = new Map<string, ListShape>()
const maxCached = 300
const maxCachedFields = 60
const maxTextLength = 2000

const numbers = new WeakMap<RecordType, number>()
let numbered = 0

/** A number that identifies a type, as visible to a caller, within the process. */
export function keyOfType(type: RecordType): number {
  const known = numbers.get(type)
  if (known !== undefined) return known
  numbered += 1
  numbers.set(type, numbered)
  return numbered
}

/**
 * The cache key of a shape: the type as visible to the caller, the arguments, and the time zone. Null where it depends
 * on more.
 */
function findKey(sources: QuerySources, { fields, group_by, order_by }: ShapeParameters): string | null {
  if (!isText(fields) || !isText(group_by) || !isText(order_by) || !sources.readsOnlyType) return null
  return `${keyOfType(sources.main.type)} ${zoneKey(sources.timeZone)} ${measured(fields)} ${measured(group_by)} ${measured(order_by)}`
}

function isText(sent: unknown): sent is string | undefined {
  return sent === undefined || (typeof sent === 'string' && sent.length <= maxTextLength)
}

/** A length-prefixed text of a value, unambiguous when concatenated. */
export function measured(value: unknown): string {
  const text = String(value)
  return `${typeof value} ${text.length} ${text}`
}

function buildShape(
  sources: QuerySources,
  fields: readonly SelectedField[],
  groups: readonly Term[],
  order: readonly Term[],
): ListShape {
  const isGrouped = groups.length > 0 || fields.some(({ isAggregate }) => isAggregate)
  const shown = isGrouped ? fields.map((field) => grouped(field, groups)) : fields
  const { disclosed, added } = disclosedIn(sources, fields, isGrouped)
  return {
    fields,
    disclosed,
    groups,
    order,
    isGrouped,
    selected: join(
      [...shown, ...added].map(({ output, raw }, index) => sql`${output(raw)} as ${identifier(`f${index}`)}`),
    ),
    grouping: groups.length === 0 ? empty : sql`group by ${join(groups.map(({ raw }) => raw))}`,
    inOrder: isGrouped ? groupedOrder(order, groups) : sql`order by ${plainOrder(sources, order)}`,
  }
}

/**
 * The columns that name what a list discloses: those requested, and in an ungrouped list also the others, which are
 * added to the statement.
 */
function disclosedIn(
  sources: QuerySources,
  fields: readonly SelectedField[],
  isGrouped: boolean,
): { readonly disclosed: DisclosedRows | null; readonly added: readonly SelectedField[] } {
  const { type, rows } = sources.main
  const recordType = rows?.parentType ?? type.name
  if (fieldGroupsOfRecords[recordType] === undefined) return { disclosed: null, added: [] }
  const naming = [rows === null ? 'name' : 'parent', ...fieldsNamingPeople(type)]
  const isNaming = ({ column }: SelectedField) =>
    column !== null &&
    (column.recordType === type ? naming : fieldsNamingPeople(column.recordType)).includes(column.name)
  const asked = fields.flatMap((field, index) => (isNaming(field) ? [{ field, index }] : []))
  const isAsked = (name: string) =>
    asked.some(({ field: { column } }) => column?.recordType === type && column.name === name)
  const missing = isGrouped ? [] : naming.filter((name) => !isAsked(name))
  const added = missing.length === 0 ? [] : readSelection(sources, missing)
  const locations = [...asked.map(({ index }) => index), ...added.map((_, index) => fields.length + index)]
  return { disclosed: { recordType, columns: locations.map((position) => `f${position}`) }, added }
}

/** A field of grouped rows: one that is not grouped by becomes the minimum of its group. */
function grouped(field: SelectedField, groups: readonly Term[]): SelectedField {
  const { column, isAggregate, key } = field
  if (column === null && !isAggregate) {
    throw new RecordError('DataError', `fields asks for the rows of ${key} in a list that is grouped or counted.`)
  }
  if (column === null || groups.some(({ id }) => id === column.id)) return field
  return { ...field, raw: sql`min(${field.raw})` }
}

function groupedOrder(order: readonly Term[], groups: readonly Term[]): Sql {
  const terms = order.map((term) => {
    const isSame = term.id === null || groups.some(({ id }) => id === term.id)
    return isSame ? term : { ...term, raw: sql`min(${term.raw})`, isNullable: true }
  })
  const all = [...terms, ...groups.filter(({ id }) => !terms.some((term) => term.id === id))]
  return all.length === 0 ? empty : sql`order by ${orderSql(all)}`
}

/** The order of ungrouped rows, with a unique last term, so that pages neither repeat nor skip a record. */
function plainOrder(sources: QuerySources, order: readonly Term[]): Sql {
  const isDescending = order.at(-1)?.isDescending ?? false
  const term = (raw: Sql): Term => ({ id: null, raw, isNullable: false, isDescending })
  const isByName = order.length === 0 && sources.main.rows === null
  const inRecord = order.length === 0 && sources.main.rows !== null ? [sql`r.parent_id`, sql`r.idx`] : []
  const last = isByName || order.some(({ id }) => id === 'r.name') ? [] : [...inRecord, sql`r.id`]
  const first = isByName ? [sql`r.name`] : []
  return orderSql([...order, ...[...first, ...last].map(term), ...sources.joinedRowOrder().map(term)])
}
