import { type Database, sql } from '../database/index.ts'
import type { ListDefinition, PageQuery } from './list-definition.ts'
import type { CachedTotal, PagePlan } from './page-plan.ts'

/**
 * Totals are cached for lists of at least this many records, however few match: an index may not find those, and to
 * find none all are read. Counting in a shorter list takes a millisecond.
 */
const minListed = 1_000

/** Maximum number of newer records that a cached total is combined with; then it is counted again. */
const maxFresh = 5_000

/** Maximum number of cached totals per process, each a few hundred bytes. */
const maxCached = 1_000

/** Expiry of a cached total in milliseconds: the database may have been restored meanwhile. */
const longestCached = 600_000

const totals = new Map<string, CachedTotal>()

/** A cached total. */
export interface KeepableTotal {
  /** Its cache key. */
  readonly key: string
  /** The fields of its conditions. */
  readonly fields: readonly string[]
}

/** The total of a page where it is cached, else null. */
export function cacheableTotal(
  tenantId: string,
  { entityType, watched = {} }: Pick<ListDefinition<never, unknown>, 'entityType' | 'watched'>,
  query: PageQuery & { readonly status?: string },
  plan: PagePlan,
): KeepableTotal | null {
  if (plan.way !== 'matching' || plan.since !== null || plan.total !== null) return null
  const { page: _page, limit: _limit, cursor: _cursor, updatedSince: _since, ...filters } = query
  const asked = Object.entries(filters).filter(([, value]) => value !== undefined)
  if (asked.length === 0 || !asked.every(([name]) => Object.hasOwn(watched, name))) return null
  const fields = [...new Set(asked.map(([name]) => watched[name] as string))]
  return { key: JSON.stringify([tenantId, entityType, asked.sort()]), fields }
}

/**
 * The plan of a page with what is kept of its total, and with the watermark by which the next is told, read before
 * the page.
 */
export async function withCachedTotal(
  database: Database,
  tenantId: string,
  plan: PagePlan,
  { key, fields }: KeepableTotal,
): Promise<PagePlan> {
  const [row] = await database.readGlobal<{ stamp: string }>(
    sql`select date_trunc('milliseconds', sync_watermark()) as stamp`,
    tenantId,
  )
  const known = totals.get(key)
  const from = known !== undefined && performance.now() - known.countedAt < longestCached ? known : null
  const stamp = row?.stamp as string
  // A watermark stays true of all that ends later, and one that goes back would count what is settled twice.
  const since = from !== null && Date.parse(from.since) > Date.parse(stamp) ? from.since : stamp
  return { ...plan, keeping: { from, since, fields } }
}

/** Caches a total as of its page, or removes it where it is out of date or not worth it. */
export function cacheTotal(
  key: string,
  { keeping }: PagePlan,
  reported:
    | { readonly total: number | null; readonly fresh?: number; readonly seen?: string; readonly listed?: number }
    | undefined,
): void {
  const countedAt = keeping?.from?.countedAt ?? performance.now()
  totals.delete(key)
  if (keeping == null || reported?.total == null || reported.fresh === undefined || reported.seen === undefined) return
  const { listed = 0 } = reported
  if (listed < minListed || reported.fresh > maxFresh) return
  totals.set(key, {
    settled: reported.total - reported.fresh,
    since: keeping.since,
    listed,
    seen: reported.seen,
    countedAt,
  })
  for (const [oldest] of totals) {
    if (totals.size <= maxCached) break
    totals.delete(oldest)
  }
}
