import { type Operation, pageBounds, type Query } from '@matricula/contract'
import { AnswerTooLarge, type Database, empty, identifier, join, literal, type Sql, sql } from '../database/index.ts'
import { isUuid } from './ids.ts'
import { validationProblem } from './problem.ts'
import type { RecordDefinition } from './reading.ts'

/** The parameters that every paged list takes. */
export interface PageQuery {
  readonly page?: number
  readonly limit?: number
  readonly updatedSince?: string
  readonly cursor?: string
}

/** A page of records. `nextCursor` is null in page mode and at the end of a cursor walk. */
export interface Page<Item> {
  /** Where they are too large to be held at once, they are read while they are used: to the end, or until `return`. */
  readonly records: Item[] | AsyncGenerator<Item[], void, void>
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly nextCursor: string | null
}

type PageParameter = keyof PageQuery | 'status'

/** The filters of a list operation beside the status, each with its condition; one that is missing does not compile. */
export type FiltersOf<O extends Operation> = {
  readonly [Name in Exclude<keyof Query<O>, PageParameter>]-?: (value: string) => Sql
}

/** A list of records with its filters. */
export interface ListDefinition<Row, Item> extends RecordDefinition<Row, Item> {
  readonly filters: Readonly<Record<string, (value: string) => Sql>>
  /** Present where a status ends with the clock. */
  readonly lapse?: Lapse
  /**
   * Joins from the alias of the table, each to a row `shown` of which the record shows something: its `shown_at` counts as a
   * change of the record, and `select` gives the latest of all as `updated_at`.
   */
  readonly shows?: readonly Sql[]
  /** What holds for all records of the list, where its table has those of other lists too. */
  readonly within?: Sql
  /** The one column by which records are ordered and have changed, where that is not their creation and their last change. */
  readonly stampedBy?: string
}

/** Statuses that read as another one from a certain moment on, whether or not a job has stored it yet. */
export interface Lapse {
  readonly from: readonly string[]
  readonly into: string
  /** Whether a stored status has ended. Never null; an index must find the few rows that the job has not come to. */
  readonly isOver: Sql
}

interface OrderedRow {
  id: string | null
  created_at: string
  total: number
}

/** The most bytes of a page that is held in memory. */
const mostOfPage = 2 * 1024 * 1024

/**
 * A page of a list, ordered by creation and id, and the exact total, both in one statement and so from one snapshot. The records
 * of a page that is too large to be held are read while they are used.
 *
 * The total of the whole list, or of one status, is the sum of a few counters; other filters pick the keys that match
 * first, by the index that fits them, and count and order only those.
 */
export async function readPage<Row extends OrderedRow, Item>(
  database: Database,
  tenantId: string,
  list: ListDefinition<Row, Item>,
  query: PageQuery & { readonly status?: string },
): Promise<Page<Item>> {
  const { statement, isCheap, limit, page, isWalk } = pageStatement(tenantId, list, query)
  try {
    const rows = isCheap
      ? await database.read<Row>(tenantId, statement, mostOfPage)
      : await database.readSlowly<Row>(tenantId, statement, mostOfPage)
    const total = rows[0]?.total ?? 0
    const found = rows.filter((row) => row.id !== null)
    const records = found.slice(0, limit).map(list.toRecord)
    const last = found[limit - 1]
    const nextCursor = isWalk && last !== undefined && found.length > limit ? formatCursor(last, page + 1) : null
    return { records, page, limit, total, nextCursor }
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error
    return openPage(database, tenantId, list, query)
  }
}

/** The same page with its records still to be read: what stands at its end comes with every one of them. */
async function openPage<Row extends OrderedRow, Item>(
  database: Database,
  tenantId: string,
  list: ListDefinition<Row, Item>,
  query: PageQuery & { readonly status?: string },
): Promise<Page<Item>> {
  const { statement, limit, page, isWalk } = pageStatement(tenantId, list, query, { isOpen: true })
  const reading = database.readRows<Row & PageEnd>(tenantId, statement)
  const first = await reading.next()
  const begun = first.done === true ? [] : first.value
  const end = begun[0]
  const nextCursor =
    isWalk && end?.last_id != null ? formatCursor({ created_at: end.last_created_at, id: end.last_id }, page + 1) : null
  const records = (async function* () {
    try {
      yield begun.filter((row) => row.id !== null).map(list.toRecord)
      for await (const rows of reading) yield rows.map(list.toRecord)
    } finally {
      await reading.return()
    }
  })()
  return { records, page, limit, total: end?.total ?? 0, nextCursor }
}

/** The last record of a page after which there are more; nulls where there are none. */
interface PageEnd {
  readonly last_id: string | null
  readonly last_created_at: string
}

/** The statement that reads a page, and how its rows are to be understood. */
function pageStatement(
  tenantId: string,
  list: ListDefinition<never, unknown>,
  query: PageQuery & { readonly status?: string },
  { isOpen = false }: { readonly isOpen?: boolean } = {},
) {
  const limit = query.limit ?? pageBounds.limit.default
  const cursor = query.cursor === undefined ? null : parseCursor(query)
  const page = cursor?.page ?? query.page ?? pageBounds.page.default
  const after = cursor?.after ?? null
  const offset = cursor === null ? (page - 1) * limit : 0
  // One more than the page, to know whether a walk goes on.
  const slice = sql`limit ${literal(cursor === null ? limit : limit + 1)} offset ${literal(offset)}`
  const conditions = conditionsOf(list, query)
  const since = query.updatedSince ?? null
  // Without other conditions the total is kept, so nothing is counted and the shared connections may be used.
  const isCounted = list.isCountedByStatus === true && conditions.length === 0 && since === null
  const keys = isCounted
    ? countedPage(tenantId, list, query.status, after, slice)
    : matchingPage(matchingKeys(tenantId, list, query.status, conditions, since), after, slice)
  const rows = isOpen ? recordsWithEnd(tenantId, list, limit) : recordsOfPage(tenantId, list)
  return { statement: sql`${keys} ${rows}`, isCheap: isCounted && offset === 0, limit, page, isWalk: cursor !== null }
}

function conditionsOf(list: ListDefinition<never, unknown>, query: PageQuery): Sql[] {
  const conditions = Object.entries(query)
    .filter(([name, value]) => name in list.filters && value !== undefined)
    .map(([name, value]) => list.filters[name]?.(value as string) as Sql)
  return list.within === undefined ? conditions : [list.within, ...conditions]
}

/** The records of a page, each with the total. */
function recordsOfPage(tenantId: string, list: ListDefinition<never, unknown>): Sql {
  return sql`
    select counted.total, found.*
      from counted
      left join (${list.select(tenantId, sql`${identifier(list.alias)}.id = any (array(select id from page))`)}) found
        on true
     order by found.created_at, found.id`
}

/** The same, each also with the last record of the page where there are more after it. */
function recordsWithEnd(tenantId: string, list: ListDefinition<never, unknown>, limit: number): Sql {
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

type Position = { createdAt: string; id: string } | null

function countedPage(
  tenantId: string,
  list: ListDefinition<never, unknown>,
  status: string | undefined,
  after: Position,
  slice: Sql,
): Sql {
  const record = identifier(list.alias)
  const ofStatus = status === undefined ? empty : sql`and ${statusCondition(list, status)}`
  const beyond =
    after === null
      ? empty
      : sql`and (${record}.created_at, ${record}.id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
  return sql`
    with page as materialized (
      select ${record}.id, ${record}.created_at from ${identifier(list.table)} ${record}
       where ${record}.tenant_id = ${tenantId} ${ofStatus} ${beyond}
       order by ${record}.created_at, ${record}.id ${slice}
    ), counted as (
      select (coalesce(sum(count), 0) ${lapsedCount(tenantId, list, status)})::bigint as total from record_counts
       where tenant_id = ${tenantId} and entity_type = ${list.entityType}
         ${status === undefined ? empty : sql`and status = ${status}`}
    )`
}

/**
 * The place in the order and the id of every record that meets the conditions: those that changed since a moment themselves,
 * by the index on that, and those that did not, but show something that did.
 */
function matchingKeys(
  tenantId: string,
  list: ListDefinition<never, unknown>,
  status: string | undefined,
  conditions: readonly Sql[],
  since: string | null,
): Sql {
  const { shows = [], stampedBy } = list
  const record = identifier(list.alias)
  const changed = sql`${record}.${identifier(stampedBy ?? 'updated_at')}`
  const met = join(
    [
      sql`${record}.tenant_id = ${tenantId}`,
      ...conditions,
      ...(status === undefined ? [] : [statusCondition(list, status)]),
    ],
    ' and ',
  )
  const keys = sql`select ${record}.${identifier(stampedBy ?? 'created_at')} as created_at, ${record}.id
                     from ${identifier(list.table)} ${record}`
  if (since === null) return sql`${keys} where ${met}`
  const changedItself = sql`${keys} where ${met} and ${changed} >= ${since}`
  if (shows.length === 0) return changedItself
  const through = shows.map(
    (shown) => sql`
      ${keys} ${shown}
       where ${met} and ${changed} < ${since} and shown.tenant_id = ${tenantId} and shown.shown_at >= ${since}`,
  )
  return sql`${changedItself} union all (${join(through, ' union ')})`
}

function matchingPage(matching: Sql, after: Position, slice: Sql): Sql {
  const beyond =
    after === null ? empty : sql`where (created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
  return sql`
    with matching as materialized (
      ${matching}
    ), page as materialized (
      select id, created_at from matching ${beyond} order by created_at, id ${slice}
    ), counted as (
      select count(*)::bigint as total from matching
    )`
}

/** Whether a record reads as being in a status at this moment. */
function statusCondition({ alias, lapse }: ListDefinition<never, unknown>, status: string): Sql {
  const isStored = sql`${identifier(alias)}.status = ${status}`
  if (lapse?.into === status) return sql`(${isStored} or (${lapse.isOver}))`
  return lapse?.from.includes(status) ? sql`${isStored} and not (${lapse.isOver})` : isStored
}

/** What is added to the kept count of a status, or taken from it, for records that the job has not come to. */
function lapsedCount(tenantId: string, list: ListDefinition<never, unknown>, status: string | undefined): Sql {
  const { lapse, table, alias } = list
  if (lapse === undefined || status === undefined) return empty
  const record = identifier(alias)
  const lapsed = sql`
    select count(*) from ${identifier(table)} ${record} where ${record}.tenant_id = ${tenantId} and ${lapse.isOver}`
  if (lapse.into === status) return sql`+ (${lapsed})`
  return lapse.from.includes(status) ? sql`- (${lapsed} and ${record}.status = ${status})` : empty
}

/** `*` starts a walk; every other cursor holds the page to come and the last record of the one before. */
function parseCursor(query: PageQuery): { page: number; after: Position } {
  if (query.page !== undefined) {
    throw validationProblem([
      { in: 'query', name: 'cursor', code: 'inconsistent', detail: 'cannot be used together with page' },
    ])
  }
  if (query.cursor === '*') return { page: 1, after: null }
  const [page, time, id, ...rest] = Buffer.from(query.cursor ?? '', 'base64url')
    .toString('latin1')
    .split(' ')
  const isCursor = /^[1-9]\d{0,9}$/.test(page ?? '') && /^\d{1,14}$/.test(time ?? '') && isUuid(id ?? '')
  if (!isCursor || rest.length > 0) {
    throw validationProblem([
      { in: 'query', name: 'cursor', code: 'format', detail: 'must be * or the Next-Cursor of an earlier answer' },
    ])
  }
  return { page: Number(page), after: { createdAt: new Date(Number(time)).toISOString(), id: id as string } }
}

function formatCursor(last: { created_at: string; id: string | null }, page: number): string {
  return Buffer.from(`${page} ${Date.parse(last.created_at)} ${last.id}`).toString('base64url')
}
