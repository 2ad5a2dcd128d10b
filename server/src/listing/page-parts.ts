import { empty, identifier, literal, type Sql, sql } from '../database/index.ts'
import type { List, PagePlan } from './page-plan.ts'

/** One more than the page, to know whether there is another one. */
export function getSlice({ limit, offset, isWalk }: PagePlan): Sql {
  return sql`limit ${literal(isWalk ? limit + 1 : limit)} offset ${literal(offset)}`
}

/** The column by which a list is ordered, before the id. */
export function getOrder({ alias, stampedBy = 'created_at' }: List): Sql {
  return sql`${identifier(alias)}.${identifier(stampedBy)}`
}

/** The keyset condition: after the last record of the page before. */
export function behind(list: List, { after }: PagePlan): Sql {
  if (after === null) return sql`true`
  return sql`(${getOrder(list)}, ${identifier(list.alias)}.id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
}

/** The conditions of a page: the tenant, the filters and the status. */
export function metBy(tenantId: string, list: List, { conditions, status }: PagePlan): Sql[] {
  const ofTenant = sql`${identifier(list.alias)}.tenant_id = ${tenantId}`
  return [ofTenant, ...conditions, ...(status === undefined ? [] : [statusCondition(list, status)])]
}

/** The column that tells when a record was changed last. */
export function getChange({ alias, stampedBy = 'updated_at' }: List): Sql {
  return sql`${identifier(alias)}.${identifier(stampedBy)}`
}

/** The sum of the counters of a list, or of one status. */
export function counters(tenantId: string, list: List, status: string | undefined): Sql {
  return sql`
    select (coalesce(sum(count), 0) ${expiredCount(tenantId, list, status)})::bigint as total from record_counts
     where tenant_id = ${tenantId} and entity_type = ${list.entityType}
       ${status === undefined ? empty : sql`and status = ${status}`}`
}

/** The values for the cache, beside a counted total. */
export function isCacheable(tenantId: string, list: List, { keeping }: PagePlan): Sql {
  if (keeping == null) return empty
  return sql`, count(*) filter (where created_at >= ${keeping.since}::timestamptz)::bigint as fresh, ${seenNow(tenantId, list)}`
}

/** The snapshot that a statement reads, and how many records the list has in it. */
export function seenNow(tenantId: string, list: List): Sql {
  return sql`pg_current_snapshot()::text as seen, (${counters(tenantId, list, undefined)}) as listed`
}

/** Whether a record reads as being in a status at this moment. */
export function statusCondition({ alias, expiry }: List, status: string): Sql {
  const isStored = sql`${identifier(alias)}.status = ${status}`
  if (expiry?.into === status) return sql`(${isStored} or (${expiry.isOver}))`
  return expiry?.from.includes(status) ? sql`${isStored} and not (${expiry.isOver})` : isStored
}

/** What is added to the kept count of a status, or taken from it, for records that the job has not come to. */
function expiredCount(tenantId: string, list: List, status: string | undefined): Sql {
  const { expiry, table, alias } = list
  if (expiry === undefined || status === undefined) return empty
  const record = identifier(alias)
  const expired = sql`
    select count(*) from ${identifier(table)} ${record} where ${record}.tenant_id = ${tenantId} and ${expiry.isOver}`
  if (expiry.into === status) return sql`+ (${expired})`
  return expiry.from.includes(status) ? sql`- (${expired} and ${record}.status = ${status})` : empty
}
