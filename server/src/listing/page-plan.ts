import { pageBounds } from '@matricula/contract'
import type { Sql } from '../database/index.ts'
import { validationProblem } from '../errors/index.ts'
import type { ListDefinition, PageQuery } from './list-definition.ts'
import { type Position, parseCursor } from './page-cursor.ts'

/** A list, whatever its rows and its records are. */
export type List = ListDefinition<never, unknown>

/**
 * How a page is read:
 *
 * - `counters`: the total of the whole list, or of one status, is the sum of a few counters, and the page comes in the order of
 *   its index. It costs the same at any size.
 * - `matching`: the keys of all records that match are picked first, by the index that fits, and counted and ordered.
 * - `index`: the records come in the order of the list, and those that do not match are left out on the way: for walks that match
 *   so many that picking all of them for each page would be more, and for those that an index has in this order.
 */
type Way = 'counters' | 'matching' | 'index'

/** A cached total: enough to compute the exact one later, or to see that it must be counted again. */
export interface CachedTotal {
  /** How many matching records were created before `since`. */
  readonly settled: number
  /** A watermark: whatever had not ended when the total was counted has no stamp before it. */
  readonly since: string
  /** How many records the list had then, whether they match or not. */
  readonly listed: number
  /** The snapshot in which it was counted (`pg_snapshot`). */
  readonly seen: string
  /** When its records were last counted one by one, by the clock of `performance`. */
  readonly countedAt: number
}

/** How the total of a page is computed from the cache, and what is cached. */
export interface TotalCaching {
  /** Null where it is counted. */
  readonly from: CachedTotal | null
  /** A watermark that was read before the page. */
  readonly since: string
  /** The fields by which records match: an event that names one of them changes who does. */
  readonly fields: readonly string[]
}

/** The plan of a page. */
export interface PagePlan {
  readonly way: Way
  readonly limit: number
  readonly page: number
  readonly offset: number
  readonly isWalk: boolean
  readonly after: Position | null
  /** The total from the cursor; null where it is still to be counted. */
  readonly total: number | null
  readonly status: string | undefined
  readonly conditions: readonly Sql[]
  /** Whether an index has those that meet the conditions in the order of the list. */
  readonly isInOrder: boolean
  readonly since: string | null
  /** Absent where no total is cached. */
  readonly keeping?: TotalCaching | null
  /** Maximum number of matching keys to collect, plus one to see that there are more; null: all. */
  readonly maxMatching: number | null
  /** Whether it costs about the same whatever the tenant has, so that it may share its connection. */
  readonly isCheap: boolean
}

/** Keys that an index finds in a few milliseconds. */
const fewMatching = 5_000

/**
 * From so many matching records on, the pages of a walk are read in the order of the list, passing over what does not
 * match: before, that could mean reading nearly everything for a page, where picking the matching keys takes
 * milliseconds.
 */
const manyMatching = 50_000

/** So many records are read on the way to a page and thrown away in about a millisecond. */
const shallowOffset = 200

/** Decides how a page of a list is read. Throws `validation_failed` for a cursor that is none, or with a page. */
export function pagePlan(list: List, query: PageQuery & { readonly status?: string }): PagePlan {
  if (query.cursor !== undefined && query.page !== undefined) {
    throw validationProblem([
      { in: 'query', name: 'cursor', code: 'inconsistent', detail: 'cannot be used together with page' },
    ])
  }
  const cursor = query.cursor === undefined ? null : parseCursor(query.cursor)
  const limit = query.limit ?? pageBounds.limit.default
  const page = cursor?.page ?? query.page ?? pageBounds.page.default
  const offset = cursor === null ? (page - 1) * limit : 0
  const { status, updatedSince: since = null } = query
  const conditions = getConditions(list, query)
  const isAsked = (name: string) => (query as Record<string, unknown>)[name] !== undefined
  const isInOrder =
    conditions.length === 1 && status === undefined && since === null && list.inOrder?.some(isAsked) === true
  const after = cursor?.after ?? null
  const total = cursor?.total ?? null
  const planned = (way: Way, isCheap: boolean, maxMatching: number | null = null): PagePlan => ({
    way,
    limit,
    page,
    offset,
    isWalk: cursor !== null,
    after,
    total,
    status,
    conditions,
    isInOrder,
    since,
    maxMatching,
    isCheap,
  })
  if (list.isCountedByStatus === true && conditions.length === 0 && since === null) {
    const isCheap = offset <= shallowOffset && (status === undefined || !isExpiryStatus(list, status))
    return planned('counters', isCheap)
  }
  // What changed since a moment is found by the index on that, so a bounded part of it is cheap, whatever else there
  // is.
  const isFound = conditions.length === 0 && status === undefined
  if (isFound && (total ?? 0) <= fewMatching) return planned('matching', true, fewMatching)
  const isNext = after !== null && total !== null
  const isByIndex = isNext && (isInOrder || total > manyMatching)
  return planned(isByIndex ? 'index' : 'matching', false)
}

/** The same page where more match than the plan has taken for granted. */
export function longMatching(plan: PagePlan): PagePlan {
  return plan.maxMatching === null ? plan : { ...plan, maxMatching: null, isCheap: false }
}

function getConditions(list: List, query: PageQuery): Sql[] {
  const conditions = Object.entries(query)
    .filter(([name, value]) => name in list.filters && value !== undefined)
    .map(([name, value]) => list.filters[name]?.(value as string) as Sql)
  return list.within === undefined ? conditions : [list.within, ...conditions]
}

/** Whether a status begins or ends with the clock. */
function isExpiryStatus({ expiry }: List, status: string): boolean {
  return expiry !== undefined && (expiry.into === status || expiry.from.includes(status))
}
