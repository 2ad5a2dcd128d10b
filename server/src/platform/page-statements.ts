import { pageBounds } from '@matricula/contract'
import { empty, identifier, join, literal, madeOnce, type Sql, type Statement, sql } from '../database/index.ts'
import type { ListDefinition, PageQuery } from './list-definition.ts'
import { type Position, parseCursor } from './page-cursor.ts'
import { validationProblem } from './problem.ts'

type List = ListDefinition<never, unknown>

/**
 * How a page is read:
 *
 * - `counters`: the total of the whole list, or of one status, is the sum of a few counters, and the page comes in the order of
 *   its index. It costs the same at any size.
 * - `matching`: the keys of all records that match are picked first, by the index that fits, and counted and ordered.
 * - `index`: the records come in the order of the list, and those that do not match are left out on the way: for walks that match
 *   so many that picking all of them for each page would be more.
 */
type Way = 'counters' | 'matching' | 'index'

/** What is kept of a total: enough to tell the exact one of a later moment, or that it has to be counted again. */
export interface KeptTotal {
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

/** How the total of a page is told from what is kept of it, and what is told to be kept. */
interface Keeping {
  /** Null where it is counted. */
  readonly from: KeptTotal | null
  /** A watermark that was read before the page. */
  readonly since: string
  /** The fields by which records match: an event that names one of them changes who does. */
  readonly fields: readonly string[]
}

/** What is asked of a list, and how it is read. */
export interface PagePlan {
  readonly way: Way
  readonly limit: number
  readonly page: number
  readonly offset: number
  readonly isWalk: boolean
  readonly after: Position | null
  /** The total of the walk that the page belongs to; null where it is still to be counted. */
  readonly total: number | null
  readonly status: string | undefined
  readonly conditions: readonly Sql[]
  readonly since: string | null
  /** Absent where no total is kept. */
  readonly keeping?: Keeping | null
  /** No more than so many keys are picked, and one to see that there are more; null where all are. */
  readonly mostMatching: number | null
  /** Whether it costs about the same whatever the tenant has, so that it may share its connection. */
  readonly isCheap: boolean
}

/** So many keys are picked by an index in a few milliseconds. */
const fewMatching = 5_000

/**
 * From so many matching records on, the pages of a walk are read in the order of the list, passing over what does not match: before,
 * that could mean reading nearly everything for a page, where picking the matching keys takes milliseconds.
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
  const asked = {
    limit,
    page,
    offset,
    isWalk: cursor !== null,
    after: cursor?.after ?? null,
    total: cursor?.total ?? null,
    status,
    conditions: conditionsOf(list, query),
    since,
    mostMatching: null,
  }
  if (list.isCountedByStatus === true && asked.conditions.length === 0 && since === null) {
    const isCheap = offset <= shallowOffset && (status === undefined || !lapses(list, status))
    return { ...asked, way: 'counters', isCheap }
  }
  // What changed since a moment is found by the index on that, so a bounded part of it is cheap, whatever else there is.
  const isFound = asked.conditions.length === 0 && status === undefined
  if (isFound && (asked.total ?? 0) <= fewMatching) {
    return { ...asked, way: 'matching', mostMatching: fewMatching, isCheap: true }
  }
  const isLong = asked.after !== null && asked.total !== null && asked.total > manyMatching
  return { ...asked, way: isLong ? 'index' : 'matching', isCheap: false }
}

/** The same page where more match than the plan has taken for granted. */
export function longMatching(plan: PagePlan): PagePlan {
  return plan.mostMatching === null ? plan : { ...plan, mostMatching: null, isCheap: false }
}

function conditionsOf(list: List, query: PageQuery): Sql[] {
  const conditions = Object.entries(query)
    .filter(([name, value]) => name in list.filters && value !== undefined)
    .map(([name, value]) => list.filters[name]?.(value as string) as Sql)
  return list.within === undefined ? conditions : [list.within, ...conditions]
}

/**
 * The statement that reads a page: its records, each with the total (null where the plan knows it), or one row of nulls with the
 * total where it has none. An open one gives with each the last record of the page where there are more after it.
 */
export function pageStatement(
  tenantId: string,
  list: List,
  plan: PagePlan,
  { isOpen = false }: { readonly isOpen?: boolean } = {},
): Statement {
  if (plan.way === 'counters' && plan.isCheap && !isOpen) return keptShallowPage(tenantId, list, plan)
  const keys =
    plan.keeping?.from != null
      ? keysWithKeptTotal(tenantId, list, plan, plan.keeping.from)
      : plan.way === 'matching'
        ? matchingKeys(tenantId, list, plan)
        : keysInOrder(tenantId, list, plan)
  return sql`${keys} ${isOpen ? recordsWithEnd(tenantId, list, plan.limit) : recordsOfPage(tenantId, list)}`
}

/** One more than the page, to know whether a walk goes on. */
function sliceOf({ limit, offset, isWalk }: PagePlan): Sql {
  return sql`limit ${literal(isWalk ? limit + 1 : limit)} offset ${literal(offset)}`
}

/** The column by which a list is ordered, before the id. */
function orderOf({ alias, stampedBy = 'created_at' }: List): Sql {
  return sql`${identifier(alias)}.${identifier(stampedBy)}`
}

function behind(list: List, { after }: PagePlan): Sql {
  if (after === null) return sql`true`
  return sql`(${orderOf(list)}, ${identifier(list.alias)}.id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
}

type ShallowPage = (tenantId: string, entityType: string, status?: string, createdAt?: string, id?: string) => Statement

/** The statements of shallow pages, by list and by what their texts differ in; of one list no more than so many. */
const shallowPages = new WeakMap<List, Map<string, ShallowPage>>()
const mostShallowPages = 200

/** What every client asks for most of all is not put together anew for each. */
function keptShallowPage(tenantId: string, list: List, plan: PagePlan): Statement {
  const { limit, offset, isWalk, status, after, total } = plan
  const kept = shallowPages.get(list) ?? new Map<string, ShallowPage>()
  shallowPages.set(list, kept)
  const form = `${limit} ${offset} ${isWalk} ${status === undefined} ${after === null} ${total === null}`
  let page = kept.get(form)
  if (page === undefined) {
    if (kept.size >= mostShallowPages) return shallowPage(tenantId, list, plan)
    page = madeOnce((ofTenant, entityType, ofStatus, createdAt, id) => {
      const position = after === null ? null : { createdAt: createdAt as string, id: id as string }
      const asked = { ...plan, status: status === undefined ? undefined : ofStatus, after: position }
      return shallowPage(ofTenant, { ...list, entityType: entityType as typeof list.entityType }, asked)
    })
    kept.set(form, page)
  }
  return page(tenantId, list.entityType, status, after?.createdAt, after?.id)
}

/** Whole records in the order of their index: where few are thrown away, picking their keys first would be a second pass. */
function shallowPage(tenantId: string, list: List, plan: PagePlan): Sql {
  const ofStatus = plan.status === undefined ? sql`true` : statusCondition(list, plan.status)
  const inOrder = sql`order by ${orderOf(list)}, ${identifier(list.alias)}.id ${sliceOf(plan)}`
  const records = sql`${list.select(tenantId, sql`${ofStatus} and ${behind(list, plan)}`)} ${inOrder}`
  return sql`
    select counted.total, found.*
      from (${plan.total === null ? counters(tenantId, list, plan.status) : sql`select null as total`}) counted
      left join (${records}) found on true
     order by found.created_at, found.id`
}

/** The records of a page, each with the total. */
function recordsOfPage(tenantId: string, list: List): Sql {
  return sql`
    select counted.*, found.*
      from counted
      left join (${list.select(tenantId, sql`${identifier(list.alias)}.id = any (array(select id from page))`)}) found
        on true
     order by found.created_at, found.id`
}

/** The same, each also with the last record of the page where there are more after it. */
function recordsWithEnd(tenantId: string, list: List, limit: number): Sql {
  const kept = sql`select id from page order by created_at, id limit ${literal(limit)}`
  return sql`
    select counted.total, page_end.*, found.*
      from counted
      left join (
        select id as last_id, created_at as last_created_at
          from page
         where (select count(*) from page) > ${literal(limit)}
         order by created_at, id limit 1 offset ${literal(limit - 1)}) page_end on true
      left join (${list.select(tenantId, sql`${identifier(list.alias)}.id = any (array(${kept}))`)}) found on true
     order by found.created_at, found.id`
}

/** The keys of a page by the index of the order, with the total of the counters, or of the walk. */
function keysInOrder(tenantId: string, list: List, plan: PagePlan): Sql {
  const { status, total } = plan
  const record = identifier(list.alias)
  const met = join(
    [...metBy(tenantId, list, plan), ...changedOnTheWay(tenantId, list, plan), behind(list, plan)],
    ' and ',
  )
  return sql`
    with page as materialized (
      select ${record}.id, ${orderOf(list)} as created_at from ${identifier(list.table)} ${record}
       where ${met}
       order by ${orderOf(list)}, ${record}.id ${sliceOf(plan)}
    ), counted as (
      ${total === null ? counters(tenantId, list, status) : sql`select null as total`}
    )`
}

function metBy(tenantId: string, list: List, { conditions, status }: PagePlan): Sql[] {
  const ofTenant = sql`${identifier(list.alias)}.tenant_id = ${tenantId}`
  return [ofTenant, ...conditions, ...(status === undefined ? [] : [statusCondition(list, status)])]
}

/** Whether a record has changed, asked of each on the way, so that no index on changes is used. */
function changedOnTheWay(tenantId: string, list: List, { since }: PagePlan): Sql[] {
  if (since === null) return []
  const { shows = [] } = list
  const itself = sql`${changeOf(list)} + interval '0' >= ${since}::timestamptz`
  const through = shows.map(
    (shown) => sql`
      exists (select from (select) as one ${shown} where shown.tenant_id = ${tenantId} and shown.shown_at >= ${since})`,
  )
  return [sql`(${join([itself, ...through], ' or ')})`]
}

function changeOf({ alias, stampedBy = 'updated_at' }: List): Sql {
  return sql`${identifier(alias)}.${identifier(stampedBy)}`
}

/** The sum of the counters of a list, or of one status. */
function counters(tenantId: string, list: List, status: string | undefined): Sql {
  return sql`
    select (coalesce(sum(count), 0) ${lapsedCount(tenantId, list, status)})::bigint as total from record_counts
     where tenant_id = ${tenantId} and entity_type = ${list.entityType}
       ${status === undefined ? empty : sql`and status = ${status}`}`
}

/**
 * The place in the order and the id of every record that meets the conditions: those that changed since a moment themselves, by
 * the index on that, and those that did not, but show something that did. Then the keys of the page and their number.
 */
function matchingKeys(tenantId: string, list: List, plan: PagePlan): Sql {
  const { since, mostMatching, after } = plan
  const { shows = [] } = list
  const record = identifier(list.alias)
  const met = join(metBy(tenantId, list, plan), ' and ')
  const most = mostMatching === null ? empty : sql`limit ${literal(mostMatching + 1)}`
  const keys = sql`select ${orderOf(list)} as created_at, ${record}.id from ${identifier(list.table)} ${record}`
  const changed = changeOf(list)
  const itself = since === null ? sql`${keys} where ${met}` : sql`${keys} where ${met} and ${changed} >= ${since}`
  const through =
    since === null
      ? []
      : shows.map(
          (shown) => sql`
            (${keys} ${shown}
              where ${met} and ${changed} < ${since} and shown.tenant_id = ${tenantId} and shown.shown_at >= ${since}
              ${most})`,
        )
  const all = through.length === 0 ? itself : sql`(${itself} ${most}) union all (${join(through, ' union ')})`
  const beyond =
    after === null ? empty : sql`where (created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
  return sql`
    with matching as materialized (
      ${all} ${most}
    ), page as materialized (
      select id, created_at from matching ${beyond} order by created_at, id ${sliceOf(plan)}
    ), counted as (
      select count(*)::bigint as total ${toBeKept(tenantId, list, plan)} from matching
    )`
}

/** What is told beside a total that is counted, so that it can be kept. */
function toBeKept(tenantId: string, list: List, { keeping }: PagePlan): Sql {
  if (keeping == null) return empty
  return sql`, count(*) filter (where created_at >= ${keeping.since}::timestamptz)::bigint as fresh, ${seenNow(tenantId, list)}`
}

function seenNow(tenantId: string, list: List): Sql {
  return sql`pg_current_snapshot()::text as seen, (${counters(tenantId, list, undefined)}) as listed`
}

/** So many records are read in the order of a list in some ten milliseconds. */
const leastTried = 20_000

/**
 * How many records are read in the order of the list for a page of those that match, before these are picked by the index that fits:
 * twice those among which the page stands where they lie evenly. Where that is much more than all that match, these are picked at once.
 */
function mostTried({ offset, limit }: PagePlan, { settled, listed }: KeptTotal): number {
  const needed = (2 * (offset + limit + 1) * Math.max(listed, settled)) / settled
  if (needed <= leastTried) return leastTried
  if (Math.min(needed, listed) > 2 * settled) return 0
  // In powers of two, so that few texts of statements come of it.
  return 2 ** Math.ceil(Math.log2(needed))
}

/**
 * The keys of a page (those of a page that is not near are picked before they are ordered: in the order of the list they may be the last
 * of all, which the planner cannot know), and the total from what is kept of it; a total of null where it has to be counted again. Records that were created
 * before the watermark match as they did then, unless an event that was not seen then tells of a change of a field that is asked for,
 * or one of them is gone. Those that were created since are counted among all that were, in the order of the list: a plan that knows no
 * values would rather read everything. The lateral join keeps it from starting workers for what it does not need.
 */
function keysWithKeptTotal(tenantId: string, list: List, plan: PagePlan, kept: KeptTotal): Sql {
  const { settled, since, seen } = kept
  const record = identifier(list.alias)
  const table = identifier(list.table)
  const met = join(metBy(tenantId, list, plan), ' and ')
  const { fields, since: next } = plan.keeping as Keeping
  const inOrder = sql`order by ${orderOf(list)}, ${record}.id`
  const place = sql`${orderOf(list)} as created_at, ${record}.id`
  const wanted = literal(plan.isWalk ? plan.limit + 1 : plan.limit)
  return sql`
    with near as materialized (
      select ${place}
        from (select ${record}.* from ${table} ${record} where ${record}.tenant_id = ${tenantId} ${inOrder} limit ${literal(mostTried(plan, kept))}) ${record}
       where ${met} ${inOrder} ${sliceOf(plan)}
    ), since_then as materialized (
      select count(*) as came, count(*) filter (where ${met})::bigint as fresh_then,
             count(*) filter (where ${met} and ${orderOf(list)} >= ${next}::timestamptz)::bigint as fresh
        from (select ${record}.* from ${table} ${record}
               where ${record}.tenant_id = ${tenantId} and ${orderOf(list)} >= ${since}::timestamptz
               ${inOrder} limit ${literal(leastTried)}) ${record}
    ), counted as (
      select case when came >= ${literal(leastTried)} or exists (
               select from events e
                where e.tenant_id = ${tenantId} and e.transaction_id >= pg_snapshot_xmin(${seen}::pg_snapshot)
                  and not pg_visible_in_snapshot(e.transaction_id, ${seen}::pg_snapshot)
                  and e.entity_type = ${list.entityType} and e.type <> ${`${list.entityType}.created`}
                  and e.changed && ${[...fields]}::text[])
             or exists (
               select from deleted_records d
                where d.tenant_id = ${tenantId} and d.entity_type = ${list.entityType} and d.deleted_at >= ${since}::timestamptz)
             then null else ${settled}::bigint + fresh_then end as total, fresh, ${seenNow(tenantId, list)}
        from since_then
    ), found_near as materialized (
      select (select count(*) from near) >= least(${wanted}, coalesce(total, 0) - ${literal(plan.offset)}) as is_whole from counted
    ), matching as materialized (
      select found.*
        from found_near
       cross join lateral (select ${place} from ${table} ${record} where ${met} and not found_near.is_whole offset 0) found
    ), page as materialized (
      select created_at, id from near where (select is_whole from found_near)
      union all
      (select created_at, id from matching order by created_at, id ${sliceOf(plan)})
    )`
}

function lapses({ lapse }: List, status: string): boolean {
  return lapse !== undefined && (lapse.into === status || lapse.from.includes(status))
}

/** Whether a record reads as being in a status at this moment. */
function statusCondition({ alias, lapse }: List, status: string): Sql {
  const isStored = sql`${identifier(alias)}.status = ${status}`
  if (lapse?.into === status) return sql`(${isStored} or (${lapse.isOver}))`
  return lapse?.from.includes(status) ? sql`${isStored} and not (${lapse.isOver})` : isStored
}

/** What is added to the kept count of a status, or taken from it, for records that the job has not come to. */
function lapsedCount(tenantId: string, list: List, status: string | undefined): Sql {
  const { lapse, table, alias } = list
  if (lapse === undefined || status === undefined) return empty
  const record = identifier(alias)
  const lapsed = sql`
    select count(*) from ${identifier(table)} ${record} where ${record}.tenant_id = ${tenantId} and ${lapse.isOver}`
  if (lapse.into === status) return sql`+ (${lapsed})`
  return lapse.from.includes(status) ? sql`- (${lapsed} and ${record}.status = ${status})` : empty
}
