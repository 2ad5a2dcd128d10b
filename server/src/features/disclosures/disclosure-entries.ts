import { type Disclosure, pageBounds, type Static } from '@matricula/contract'
import { type Database, empty, literal, sql } from '../../database/index.ts'
import type { WalkPage } from '../../listing/index.ts'
import { getCursor, isPage, partsOfCursor } from '../../listing/index.ts'
import { isUuid } from '../../values/index.ts'

/** A disclosure of the API. */
export type DisclosureItem = Static<typeof Disclosure>

/** The filters of disclosures. Timestamps are RFC 3339. */
export interface DisclosureQuery {
  readonly limit?: number
  /** `*` or absent for the newest, else the cursor of the page before. */
  readonly cursor?: string
  readonly entityType?: string
  readonly entityId?: string
  readonly externalId?: string
  /** The code of a student, an application or a guardian. */
  readonly code?: string
  readonly actorId?: string
  /** At or after this moment. */
  readonly since?: string
  /** Before this moment. */
  readonly until?: string
}

interface DisclosureRow extends Omit<DisclosureItem, 'actor'> {
  readonly actorType: DisclosureItem['actor']['type']
  readonly actorId: string | null
  readonly actorName: string
}

interface Looked {
  readonly scanned: number
  readonly last: string | null
}

/** The maximum number of entries that one statement scans. */
const window = 5_000

/** The maximum size of a result in memory, in bytes. */
const maxBytes = 20 * 1024 * 1024

/**
 * The entries that meet all conditions, newest first. With rare matches a page may have fewer, or none, and still have
 * a next page. Throws `validation_failed` for an invalid cursor.
 */
export async function readDisclosures(
  database: Database,
  tenantId: string,
  query: DisclosureQuery,
): Promise<WalkPage<DisclosureItem>> {
  const { limit = pageBounds.limit.default, entityType, actorId, since, until } = query
  const { page, before } = parseCursor(query.cursor)
  const names = await findNames(database, tenantId, query)
  if (names !== null && names.length === 0) return { records: [], page, limit, nextCursor: null }
  // Only the partitions of these months are looked into.
  const firstMonth = sql`date_trunc('month', ${since ?? null}::timestamptz)::date`
  const lastMonth = sql`date_trunc('month', ${until ?? null}::timestamptz)::date`
  const scanned =
    names === null
      ? sql`select d.month, d.id from disclosures d
             where d.tenant_id = ${tenantId} ${before === null ? empty : sql`and d.id < ${before}::uuid`}
               ${since === undefined ? empty : sql`and d.month >= ${firstMonth}`}
               ${until === undefined ? empty : sql`and d.month <= ${lastMonth}`}
             order by d.id desc limit ${literal(window)}`
      : sql`select f.month, f.id
              from find_disclosures(${tenantId}, ${names}::text[], ${before}::uuid, ${firstMonth}, ${lastMonth}, ${literal(window)}) f`
  const rows = await database.readSlowly<DisclosureRow & Looked>(
    tenantId,
    sql`
    with scanned as materialized (${scanned})
    select looked.scanned, looked.last, shown.*
      from (select (select count(*)::integer from scanned) as scanned, (select id from scanned order by id limit 1) as last) looked
      left join lateral (
        select d.id, d.occurred_at as "occurredAt", d.actor_type as "actorType", d.actor_id as "actorId",
               d.actor_name as "actorName", d.surface, d.operation, d.record_type as "recordType",
               d.field_group as "fieldGroup", d.record_ids as "recordIds", d.count, d.filter, d.request_id as "requestId",
               d.address
          from scanned join disclosures d on d.tenant_id = ${tenantId} and d.month = scanned.month and d.id = scanned.id
         where true
           ${entityType === undefined ? empty : sql`and d.record_type = ${entityType}`}
           ${actorId === undefined ? empty : sql`and d.actor_id = ${actorId}::uuid`}
           ${since === undefined ? empty : sql`and d.occurred_at >= ${since}::timestamptz`}
           ${until === undefined ? empty : sql`and d.occurred_at < ${until}::timestamptz`}
         order by d.id desc limit ${literal(limit + 1)}
      ) shown on true
     order by shown.id desc`,
    maxBytes,
  )
  const found = rows.filter(({ id }) => id !== null)
  const records = found.slice(0, limit).map(toItem)
  const first = rows[0]
  const isCut = found.length > limit
  const goesOn = isCut ? (records.at(-1)?.id ?? null) : (first?.scanned ?? 0) >= window ? (first?.last ?? null) : null
  return { records, page, limit, nextCursor: goesOn === null ? null : getCursor(page + 1, goesOn) }
}

/**
 * The names of a record in entries: its id, and its code in the Resource API. Null without a filter; empty for an
 * unknown record.
 */
async function findNames(
  database: Database,
  tenantId: string,
  { entityId, externalId, code }: DisclosureQuery,
): Promise<string[] | null> {
  if (entityId === undefined && externalId === undefined && code === undefined) return null
  const ofRow = (column: 'student_code' | 'application_code' | 'code') => sql`tenant_id = ${tenantId}
    ${entityId === undefined ? empty : sql`and id = ${entityId}::uuid`}
    ${externalId === undefined || column === 'code' ? empty : sql`and external_id = ${externalId}`}
    ${externalId !== undefined && column === 'code' ? sql`and false` : empty}
    ${code === undefined ? empty : column === 'student_code' ? sql`and student_code = ${code}` : column === 'code' ? sql`and code = ${code}` : sql`and application_code = ${code}`}`
  const others =
    externalId === undefined || code !== undefined || entityId !== undefined
      ? empty
      : sql`
    union all select id::text, null from payments where tenant_id = ${tenantId} and external_id = ${externalId}
    union all select id::text, null from documents where tenant_id = ${tenantId} and external_id = ${externalId}
    union all select id::text, null from document_requests where tenant_id = ${tenantId} and external_id = ${externalId}`
  const rows = await database.readSlowly<{ id: string; code: string | null }>(
    tenantId,
    sql`
    select id::text as id, student_code as code from students where ${ofRow('student_code')}
    union all select id::text, application_code from admission_applications where ${ofRow('application_code')}
    union all select id::text, code from contacts where ${ofRow('code')} ${others}`,
    maxBytes,
  )
  // A deleted record is still found by its id.
  const own = entityId !== undefined && externalId === undefined ? [entityId.toLowerCase()] : []
  return [...new Set([...own, ...rows.flatMap((row) => (row.code === null ? [row.id] : [row.id, row.code]))])]
}

function toItem({ actorType, actorId, actorName, ...row }: DisclosureRow & Partial<Looked>): DisclosureItem {
  const { scanned: _, last: __, ...reported } = row
  return { ...reported, actor: { type: actorType, id: actorId, name: actorName } }
}

function parseCursor(cursor = '*'): { page: number; before: string | null } {
  if (cursor === '*') return { page: 1, before: null }
  const [page, id] = partsOfCursor(cursor, [isPage, isUuid])
  return { page: Number(page), before: id as string }
}
