import type { Filter } from '../calls/resource-api.ts'

/** What a list shows, as it stands in its address: somebody who opens the address sees the same. */
export interface ListAddress {
  readonly q: string
  readonly filters: readonly AddressFilter[]
  /** A field, with `-` before it for the other way round; empty for the list's own order. */
  readonly sort: string
  /** From 1. */
  readonly page: number
  /** Empty for the list's own. */
  readonly columns: readonly string[]
  /** The field by whose values the records are counted; empty for none. */
  readonly by: string
}

export interface AddressFilter {
  readonly field: string
  readonly operator: Operator
  readonly value: string
  /** The alternative that it belongs to, 1 to 9: of the filters of one, one must hold. Absent where it must hold by itself. */
  readonly either?: number
}

/** The operators by their names in addresses. */
const operators = {
  eq: '=',
  ne: '!=',
  has: 'like',
  gt: '>',
  lt: '<',
  ge: '>=',
  le: '<=',
  set: 'set',
  unset: 'not set',
} as const

export type Operator = (typeof operators)[keyof typeof operators]

const names = Object.fromEntries(Object.entries(operators).map(([name, sign]) => [sign, name])) as {
  readonly [sign in Operator]: keyof typeof operators
}

/** What is listed where an address says nothing. */
export const plainList: ListAddress = { q: '', filters: [], sort: '', page: 1, columns: [], by: '' }

/** Reads the query of an address; what it does not know it passes over. */
export function readListAddress(query: string): ListAddress {
  const sent = new URLSearchParams(query)
  const filters = [...sent].flatMap(([key, text]): AddressFilter[] => {
    const [isFilter, group] = /^f([1-9]?)$/.exec(key) ?? []
    if (isFilter === undefined) return []
    const [, field, name, value] = /^(\w+):(\w+):(.*)$/s.exec(text) ?? []
    if (field === undefined || name === undefined || !Object.hasOwn(operators, name)) return []
    return [
      {
        field,
        operator: operators[name as keyof typeof operators],
        value: value ?? '',
        ...(group !== '' && { either: Number(group) }),
      },
    ]
  })
  const page = Number(sent.get('page'))
  const columns = (sent.get('columns') ?? '').split(',').filter((column) => /^\w+$/.test(column))
  const sort = sent.get('sort') ?? ''
  const by = sent.get('by') ?? ''
  return {
    q: sent.get('q') ?? '',
    filters,
    sort: /^-?\w+$/.test(sort) ? sort : '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    columns,
    by: /^\w+$/.test(by) ? by : '',
  }
}

/** The query of an address that `readListAddress` reads as the same; empty where it is the plain list. */
export function getSearchText(address: Partial<ListAddress>): string {
  const { q, filters, sort, page, columns, by } = { ...plainList, ...address }
  const sent = new URLSearchParams()
  if (q !== '') sent.set('q', q)
  for (const { field, operator, value, either = '' } of filters) {
    sent.append(`f${either}`, `${field}:${names[operator]}:${value}`)
  }
  if (sort !== '') sent.set('sort', sort)
  if (page > 1) sent.set('page', String(page))
  if (columns.length > 0) sent.set('columns', columns.join(','))
  if (by !== '') sent.set('by', by)
  const text = sent.toString()
  return text === '' ? '' : `?${text}`
}

/** A filter as the Resource API takes it. */
export function getFilter({ field, operator, value }: AddressFilter): Filter {
  if (operator === 'set' || operator === 'not set') return [field, 'is', operator]
  if (operator === 'like') return [field, 'like', `%${value.replace(/[\\%_]/g, '\\$&')}%`]
  return [field, operator, value]
}

/** Filters as they hold together: each by itself, or those of an alternative, in the order in which they were added. */
export function filterGroups(filters: readonly AddressFilter[]): (readonly [AddressFilter, ...AddressFilter[]])[] {
  const groups = new Map<unknown, [AddressFilter, ...AddressFilter[]]>()
  for (const filter of filters) {
    const known = filter.either === undefined ? undefined : groups.get(filter.either)
    if (known === undefined) groups.set(filter.either ?? filter, [filter])
    else known.push(filter)
  }
  return [...groups.values()]
}

/** The filters with one more, as an alternative to another one where that is said. */
export function withFilter(
  filters: readonly AddressFilter[],
  added: AddressFilter,
  beside: AddressFilter | null,
): readonly AddressFilter[] {
  if (beside === null) return [...filters, added]
  const taken = new Set(filters.map(({ either }) => either))
  const either = beside.either ?? [1, 2, 3, 4, 5, 6, 7, 8, 9].find((group) => !taken.has(group)) ?? 9
  return [...filters.map((each) => (each === beside ? { ...each, either } : each)), { ...added, either }]
}
