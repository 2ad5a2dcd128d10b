import { type Database, ResultTooLarge } from '../database/index.ts'
import { cacheableTotal, cacheTotal, withCachedTotal } from './cached-totals.ts'
import type { ListDefinition, Page, PageQuery } from './list-definition.ts'
import { formatCursor } from './page-cursor.ts'
import { longMatching, type PagePlan, pagePlan } from './page-plan.ts'
import { type PageForm, pageStatement } from './page-statements.ts'

interface OrderedRow {
  id: string | null
  created_at: string
  total: number
  /** The values for a cached total, where there is one. */
  fresh?: number
  seen?: string
  listed?: number
}

/** Maximum size of a page in memory, in bytes. */
const maxOfPage = 2 * 1024 * 1024

/**
 * A page of a list, ordered by creation and id, and the exact total, both in one statement and so from one snapshot;
 * how, says `pagePlan`. Of a walk by cursor the total is that of its first page. What may take long is read once for
 * all who ask for the same page at the same time. The records of a page that is too large to be held are read while
 * they are used.
 */
export async function readPage<Row extends OrderedRow, Item>(
  database: Database,
  tenantId: string,
  list: ListDefinition<Row, Item>,
  query: PageQuery & { readonly status?: string },
): Promise<Page<Item>> {
  const plan = pagePlan(list, query)
  const keepable = cacheableTotal(tenantId, list, query, plan)
  try {
    if (plan.isCheap) return await readWhole(database, tenantId, list, plan)
    return await database.readTogether(tenantId, pageStatement(tenantId, list, plan), async (shared) => {
      if (keepable === null) return readWhole(shared, tenantId, list, plan)
      return readWhole(shared, tenantId, list, await withCachedTotal(shared, tenantId, plan, keepable), keepable.key)
    })
  } catch (error) {
    if (!(error instanceof ResultTooLarge)) throw error
    return openPage(database, tenantId, list, longMatching(plan))
  }
}

async function readWhole<Row extends OrderedRow, Item>(
  database: Database,
  tenantId: string,
  list: ListDefinition<Row, Item>,
  plan: PagePlan,
  key: string | null = null,
  form: PageForm = {},
): Promise<Page<Item>> {
  const statement = pageStatement(tenantId, list, plan, form)
  const rows = plan.isCheap
    ? await database.read<Row>(tenantId, statement, maxOfPage)
    : await database.readSlowly<Row>(tenantId, statement, maxOfPage)
  if (rows.length === 0 && plan.total === null) {
    return readWhole(database, tenantId, list, plan, key, { isToldEmpty: true })
  }
  const found = rows.filter((row) => row.id !== null)
  if (key !== null) cacheTotal(key, plan, rows[0])
  if (plan.keeping?.from != null && rows[0]?.total == null) {
    return readWhole(database, tenantId, list, { ...plan, keeping: { ...plan.keeping, from: null } }, key)
  }
  const counted = rows[0]?.total ?? 0
  if (plan.maxMatching !== null && counted > plan.maxMatching) {
    return readWhole(database, tenantId, list, longMatching(plan))
  }
  const { limit, page, isWalk } = plan
  const total = plan.total ?? counted
  const last = found[limit - 1]
  const nextCursor = isWalk && last !== undefined && found.length > limit ? formatCursor(page + 1, last, total) : null
  return { records: found.slice(0, limit).map(list.toRecord), page, limit, total, nextCursor }
}

/** The same page with its records still to be read: what stands at its end comes with every one of them. */
async function openPage<Row extends OrderedRow, Item>(
  database: Database,
  tenantId: string,
  list: ListDefinition<Row, Item>,
  plan: PagePlan,
): Promise<Page<Item>> {
  const { limit, page, isWalk } = plan
  const reading = database.readRows<Row & PageEnd>(tenantId, pageStatement(tenantId, list, plan, { isOpen: true }))
  const first = await reading.next()
  const begun = first.done === true ? [] : first.value
  const end = begun[0]
  const total = plan.total ?? end?.total ?? 0
  const nextCursor =
    isWalk && end?.last_id != null
      ? formatCursor(page + 1, { created_at: end.last_created_at, id: end.last_id }, total)
      : null
  const records = (async function* () {
    try {
      yield begun.filter((row) => row.id !== null).map(list.toRecord)
      for await (const rows of reading) yield rows.map(list.toRecord)
    } finally {
      await reading.return()
    }
  })()
  return { records, page, limit, total, nextCursor }
}

/** The last record of a page after which there are more; nulls where there are none. */
interface PageEnd {
  readonly last_id: string | null
  readonly last_created_at: string
}
