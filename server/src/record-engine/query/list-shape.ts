import { fieldGroupsOfRecords } from '@matricula/contract'
import type { RecordType } from '@matricula/contract/record-types'
import { empty, identifier, join, type Sql, sql } from '../../database/index.ts'
import { zoneKey } from '../../tenancy/index.ts'
import { fieldsNamingPeople } from '../lifecycle/shown-records.ts'
import { RecordError } from '../model/record-error.ts'
import { orderSql, readGroups, readOrder, type Term } from './ordering.ts'
import type { QuerySources } from './query-sources.ts'
import type { SelectedField } from './selected-field.ts'
import { readSelection } from './selection.ts'

/** What a list shows of each record and how the records follow each other, whichever of them it has. */
export interface ListShape {
  readonly fields: readonly SelectedField[]
  readonly groups: readonly Term[]
  readonly order: readonly Term[]
  readonly isGrouped: boolean
  /** Where the rows name records about people; null for a type that says nothing of them. */
  readonly disclosed: DisclosedRows | null
  /** What stands after `select`, `group by` and `order by`, with the latter two words. */
  readonly selected: Sql
  readonly grouping: Sql
  readonly inOrder: Sql
}

/** The columns of the rows of a list that name the records and the people that they are about. */
export interface DisclosedRows {
  readonly recordType: string
  readonly columns: readonly string[]
}

/** The arguments that say it. */
export interface ShapeParameters {
  readonly fields?: unknown
  readonly group_by?: unknown
  readonly order_by?: unknown
}

/**
 * Reads the shape of a list, and its filters between the fields and the order: which rows stand beside their records depends on all
 * three. `first` are terms that come before the order of the arguments.
 *
 * Clients ask for a few shapes again and again, with other filters. One that has fields of the type alone is the same for all to whom the
 * type is shown alike, and is kept: to put it together takes several times as long as the filters do.
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
  if (known !== undefined && sources.joinedPlaces().length === 0) return { shape: known, filters }
  const order = known?.order ?? [...first, ...readOrder(sources, fields, parameters.order_by)]
  const shape = getShape(sources, fields, groups, order)
  if (key !== null && sources.readsTypeAlone && fields.length <= maxCachedFields) {
    if (stored.size >= maxCached) stored.clear()
    stored.set(key, shape)
  }
  return { shape, filters }
}

/** Shapes of lists by what they are made of; as many as a few institutions' clients ask for. */
const stored = new Map<string, ListShape>()
const maxCached = 300
const maxCachedFields = 60
const longestText = 2000

const numbers = new WeakMap<RecordType, number>()
let numbered = 0

/** A number that tells a type, as it is shown to somebody, from all others of the process. */
export function keyOfType(type: RecordType): number {
  const known = numbers.get(type)
  if (known !== undefined) return known
  numbered += 1
  numbers.set(type, numbered)
  return numbered
}

/** What a shape depends on, where nothing else is read: the type as it is shown to the caller, the arguments, and the time zone. */
function findKey(sources: QuerySources, { fields, group_by, order_by }: ShapeParameters): string | null {
  if (!isText(fields) || !isText(group_by) || !isText(order_by) || !sources.readsTypeAlone) return null
  return `${keyOfType(sources.main.type)} ${zoneKey(sources.timeZone)} ${measured(fields)} ${measured(group_by)} ${measured(order_by)}`
}

function isText(sent: unknown): sent is string | undefined {
  return sent === undefined || (typeof sent === 'string' && sent.length <= longestText)
}

/** A text of a value that no other value has, whatever stands before and behind it. */
export function measured(value: unknown): string {
  const text = String(value)
  return `${typeof value} ${text.length} ${text}`
}

function getShape(
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
 * The columns that name what a list discloses: those that were asked for, and where each row is of one record also those that were not, which
 * are read beside them.
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

/** A field of grouped rows: one that differs within a group is read off one of the rows. */
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

/** The order of ungrouped rows, ended by what tells them apart, so that pages neither repeat nor skip a record. */
function plainOrder(sources: QuerySources, order: readonly Term[]): Sql {
  const isDescending = order.at(-1)?.isDescending ?? false
  const term = (raw: Sql): Term => ({ id: null, raw, isNullable: false, isDescending })
  const isByName = order.length === 0 && sources.main.rows === null
  const inRecord = order.length === 0 && sources.main.rows !== null ? [sql`r.parent_id`, sql`r.idx`] : []
  const last = isByName || order.some(({ id }) => id === 'r.name') ? [] : [...inRecord, sql`r.id`]
  const first = isByName ? [sql`r.name`] : []
  return orderSql([...order, ...[...first, ...last].map(term), ...sources.joinedPlaces().map(term)])
}
