import { empty, identifier, join, literal, madeOnce, type Sql, type Statement, sql } from '../database/index.ts'
import { keysWithCachedTotal } from './cached-total-keys.ts'
import { behind, counters, getChange, getOrder, getSlice, isCacheable, metBy, statusCondition } from './page-parts.ts'
import type { List, PagePlan } from './page-plan.ts'

/** The columns of a page statement beside its records. */
export interface PageForm {
  /** Each record comes with the last one of the page where there are more after it. */
  readonly isOpen?: boolean
  /** Where the page has no record, one row of nulls tells the total. */
  readonly isToldEmpty?: boolean
}

/**
 * The statement that reads a page: its records, each with the total (null where the plan knows it). A shallow one
 * answers no row where it has none, unless it is to tell that; all others do.
 */
export function pageStatement(
  tenantId: string,
  list: List,
  plan: PagePlan,
  { isOpen = false, isToldEmpty = false }: PageForm = {},
): Statement {
  if (plan.way === 'counters' && plan.isCheap && !isOpen && !isToldEmpty) return cachedShallowPage(tenantId, list, plan)
  const keys =
    plan.keeping?.from != null
      ? keysWithCachedTotal(tenantId, list, plan, plan.keeping.from)
      : plan.way === 'matching'
        ? matchingKeys(tenantId, list, plan)
        : keysInOrder(tenantId, list, plan)
  return sql`${keys} ${isOpen ? recordsWithEnd(tenantId, list, plan.limit) : recordsOfPage(tenantId, list)}`
}

type ShallowPage = (tenantId: string, entityType: string, status?: string, createdAt?: string, id?: string) => Statement

/** The statements of shallow pages, by list and by what their texts differ in; of one list no more than so many. */
const shallowPages = new WeakMap<List, Map<string, ShallowPage>>()
const maxShallowPages = 200

/** Cached: the statements that clients use most are not built anew. */
function cachedShallowPage(tenantId: string, list: List, plan: PagePlan): Statement {
  const { limit, offset, isWalk, status, after, total } = plan
  const cached = shallowPages.get(list) ?? new Map<string, ShallowPage>()
  shallowPages.set(list, cached)
  const form = `${limit} ${offset} ${isWalk} ${status === undefined} ${after === null} ${total === null}`
  let page = cached.get(form)
  if (page === undefined) {
    if (cached.size >= maxShallowPages) return shallowPage(tenantId, list, plan)
    page = madeOnce((ofTenant, entityType, ofStatus, createdAt, id) => {
      const position = after === null ? null : { createdAt: createdAt as string, id: id as string }
      const asked = { ...plan, status: status === undefined ? undefined : ofStatus, after: position }
      return shallowPage(ofTenant, { ...list, entityType: entityType as typeof list.entityType }, asked)
    })
    cached.set(form, page)
  }
  return page(tenantId, list.entityType, status, after?.createdAt, after?.id)
}

/**
 * Whole records in the order of their index: where few are thrown away, picking their keys first would be a second
 * pass. The total is asked for beside them and not joined: a join would have them sorted once more.
 */
function shallowPage(tenantId: string, list: List, plan: PagePlan): Sql {
  const ofStatus = plan.status === undefined ? sql`true` : statusCondition(list, plan.status)
  const inOrder = sql`order by ${getOrder(list)}, ${identifier(list.alias)}.id ${getSlice(plan)}`
  const records = sql`${list.select(tenantId, sql`${ofStatus} and ${behind(list, plan)}`)} ${inOrder}`
  const total = plan.total === null ? sql`(${counters(tenantId, list, plan.status)})` : sql`null`
  return sql`select ${total} as total, found.* from (${records}) found order by found.created_at, found.id`
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
  const cached = sql`select id from page order by created_at, id limit ${literal(limit)}`
  return sql`
    select counted.total, page_end.*, found.*
      from counted
      left join (
        select id as last_id, created_at as last_created_at
          from page
         where (select count(*) from page) > ${literal(limit)}
         order by created_at, id limit 1 offset ${literal(limit - 1)}) page_end on true
      left join (${list.select(tenantId, sql`${identifier(list.alias)}.id = any (array(${cached}))`)}) found on true
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
      select ${record}.id, ${getOrder(list)} as created_at from ${identifier(list.table)} ${record}
       where ${met}
       order by ${getOrder(list)}, ${record}.id ${getSlice(plan)}
    ), counted as (
      ${total === null ? counters(tenantId, list, status) : sql`select null as total`}
    )`
}

/** Whether a record has changed, asked of each on the way, so that no index on changes is used. */
function changedOnTheWay(tenantId: string, list: List, { since }: PagePlan): Sql[] {
  if (since === null) return []
  const { shows = [] } = list
  const itself = sql`${getChange(list)} + interval '0' >= ${since}::timestamptz`
  const through = shows.map(
    (shown) => sql`
      exists (select from (select) as one ${shown} where shown.tenant_id = ${tenantId} and shown.shown_at >= ${since})`,
  )
  return [sql`(${join([itself, ...through], ' or ')})`]
}

/**
 * The place in the order and the id of every record that meets the conditions: those that changed since a moment
 * themselves, by the index on that, and those that did not, but show something that did. Then the keys of the page
 * and their number.
 */
function matchingKeys(tenantId: string, list: List, plan: PagePlan): Sql {
  const { since, maxMatching, after } = plan
  const { shows = [] } = list
  const record = identifier(list.alias)
  const met = join(metBy(tenantId, list, plan), ' and ')
  const max = maxMatching === null ? empty : sql`limit ${literal(maxMatching + 1)}`
  const keys = sql`select ${getOrder(list)} as created_at, ${record}.id from ${identifier(list.table)} ${record}`
  const changed = getChange(list)
  const itself = since === null ? sql`${keys} where ${met}` : sql`${keys} where ${met} and ${changed} >= ${since}`
  const through =
    since === null
      ? []
      : shows.map(
          (shown) => sql`
            (${keys} ${shown}
              where ${met} and ${changed} < ${since} and shown.tenant_id = ${tenantId} and shown.shown_at >= ${since}
              ${max})`,
        )
  const all = through.length === 0 ? itself : sql`(${itself} ${max}) union all (${join(through, ' union ')})`
  const beyond =
    after === null ? empty : sql`where (created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
  return sql`
    with matching as materialized (
      ${all} ${max}
    ), page as materialized (
      select id, created_at from matching ${beyond} order by created_at, id ${getSlice(plan)}
    ), counted as (
      select count(*)::bigint as total ${isCacheable(tenantId, list, plan)} from matching
    )`
}
