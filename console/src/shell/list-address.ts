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
}

export interface AddressFilter {
  readonly field: string
  readonly operator: Operator
  readonly value: string
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
export const plainList: ListAddress = { q: '', filters: [], sort: '', page: 1, columns: [] }

/** Reads the query of an address; what it does not know it passes over. */
export function readListAddress(query: string): ListAddress {
  const sent = new URLSearchParams(query)
  const filters = sent.getAll('f').flatMap((text) => {
    const [, field, name, value] = /^(\w+):(\w+):(.*)$/s.exec(text) ?? []
    if (field === undefined || name === undefined || !Object.hasOwn(operators, name)) return []
    return [{ field, operator: operators[name as keyof typeof operators], value: value ?? '' }]
  })
  const page = Number(sent.get('page'))
  const columns = (sent.get('columns') ?? '').split(',').filter((column) => /^\w+$/.test(column))
  const sort = sent.get('sort') ?? ''
  return {
    q: sent.get('q') ?? '',
    filters,
    sort: /^-?\w+$/.test(sort) ? sort : '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    columns,
  }
}

/** The query of an address that `readListAddress` reads as the same; empty where it is the plain list. */
export function searchTextOf(address: Partial<ListAddress>): string {
  const { q, filters, sort, page, columns } = { ...plainList, ...address }
  const sent = new URLSearchParams()
  if (q !== '') sent.set('q', q)
  for (const { field, operator, value } of filters) sent.append('f', `${field}:${names[operator]}:${value}`)
  if (sort !== '') sent.set('sort', sort)
  if (page > 1) sent.set('page', String(page))
  if (columns.length > 0) sent.set('columns', columns.join(','))
  const text = sent.toString()
  return text === '' ? '' : `?${text}`
}

/** A filter as the Resource API takes it. */
export function filterOf({ field, operator, value }: AddressFilter): Filter {
  if (operator === 'set' || operator === 'not set') return [field, 'is', operator]
  if (operator === 'like') return [field, 'like', `%${value.replace(/[\\%_]/g, '\\$&')}%`]
  return [field, operator, value]
}
