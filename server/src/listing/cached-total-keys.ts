import { identifier, join, literal, type Sql, sql } from '../database/index.ts'
import { getOrder, getSlice, metBy, seenNow } from './page-parts.ts'
import type { CachedTotal, List, PagePlan, TotalCaching } from './page-plan.ts'

/** Records that are read in the order of a list in about 10 ms. */
const minTried = 20_000

/**
 * How many records are read in the order of the list for a page of those that match, before these are picked by the
 * index that fits: twice those among which the page stands where they lie evenly. Where that is much more than all
 * that match, these are picked at once.
 */
function maxTried({ offset, limit }: PagePlan, { settled, listed }: CachedTotal): number {
  const needed = (2 * (offset + limit + 1) * Math.max(listed, settled)) / settled
  if (needed <= minTried) return minTried
  if (Math.min(needed, listed) > 2 * settled) return 0
  // Rounded to powers of two, which limits the number of statement texts.
  return 2 ** Math.ceil(Math.log2(needed))
}

/**
 * The keys of a page, and the total from what is kept of it; a total of null where it has to be counted again.
 * Records that were created before the watermark match as they did then, unless an event that was not seen then tells
 * of a change of a field that is asked for, or one of them is gone. Those that were created since are counted among
 * all that were, in the order of the list: a plan that knows no values would rather read everything.
 */
export function keysWithCachedTotal(tenantId: string, list: List, plan: PagePlan, cached: CachedTotal): Sql {
  const { settled, since, seen } = cached
  const record = identifier(list.alias)
  const table = identifier(list.table)
  const met = join(metBy(tenantId, list, plan), ' and ')
  const { fields, since: next } = plan.keeping as TotalCaching
  return sql`
    with since_then as materialized (
      select count(*) as came, count(*) filter (where ${met})::bigint as fresh_then,
             count(*) filter (where ${met} and ${getOrder(list)} >= ${next}::timestamptz)::bigint as fresh
        from (select ${record}.* from ${table} ${record}
               where ${record}.tenant_id = ${tenantId} and ${getOrder(list)} >= ${since}::timestamptz
               ${inOrderOf(list)} limit ${literal(minTried)}) ${record}
    ), counted as (
      select case when came >= ${literal(minTried)} or exists (
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
    ), ${plan.isInOrder ? pageByIndex(tenantId, list, plan) : pageWithinReach(tenantId, list, plan, cached)}`
}

/** The keys of a page of those that an index has in the order of the list. */
function pageByIndex(tenantId: string, list: List, plan: PagePlan): Sql {
  return sql`
    page as materialized (
      select ${getLocation(list)} from ${identifier(list.table)} ${identifier(list.alias)}
       where ${join(metBy(tenantId, list, plan), ' and ')} ${inOrderOf(list)} ${getSlice(plan)}
    )`
}

/**
 * The keys of a page that is looked for among the first records of the list. Where it is not there all that match are
 * picked, and then ordered: in the order of the list they may be the last of all, which the planner cannot know. The
 * lateral join keeps it from starting workers for what it does not need.
 */
function pageWithinReach(tenantId: string, list: List, plan: PagePlan, cached: CachedTotal): Sql {
  const record = identifier(list.alias)
  const table = identifier(list.table)
  const met = join(metBy(tenantId, list, plan), ' and ')
  const location = getLocation(list)
  const inOrder = inOrderOf(list)
  const wanted = literal(plan.isWalk ? plan.limit + 1 : plan.limit)
  return sql`
    near as materialized (
      select ${location}
        from (select ${record}.* from ${table} ${record} where ${record}.tenant_id = ${tenantId} ${inOrder} limit ${literal(maxTried(plan, cached))}) ${record}
       where ${met} ${inOrder} ${getSlice(plan)}
    ), found_near as materialized (
      select (select count(*) from near) >= least(${wanted}, coalesce(total, 0) - ${literal(plan.offset)}) as is_whole from counted
    ), matching as materialized (
      select found.*
        from found_near
       cross join lateral (select ${location} from ${table} ${record} where ${met} and not found_near.is_whole offset 0) found
    ), page as materialized (
      select created_at, id from near where (select is_whole from found_near)
      union all
      (select created_at, id from matching order by created_at, id ${getSlice(plan)})
    )`
}

function getLocation(list: List): Sql {
  return sql`${getOrder(list)} as created_at, ${identifier(list.alias)}.id`
}

function inOrderOf(list: List): Sql {
  return sql`order by ${getOrder(list)}, ${identifier(list.alias)}.id`
}
