import { type AuditEntry, eventTypes, pageBounds, recordVerbs, type Static } from '@matricula/contract'
import type { Actor } from '../../changes/index.ts'
import { changedFields } from '../../changes/index.ts'
import { type Database, empty, literal, type Sql, sql } from '../../database/index.ts'
import type { WalkPage } from '../../listing/index.ts'
import { getCursor, isPage, partsOfCursor } from '../../listing/index.ts'
import { isUuid } from '../../values/index.ts'

/** An audit entry of the API. */
export type AuditItem = Static<typeof AuditEntry>

/** The filters of audit entries. Timestamps are RFC 3339. */
export interface AuditQuery {
  readonly limit?: number
  /** `*` or absent for the newest, else the cursor of the page before. */
  readonly cursor?: string
  readonly entityType?: string
  readonly entityId?: string
  readonly externalId?: string
  readonly action?: string
  readonly actorId?: string
  /** At or after this moment. */
  readonly since?: string
  /** Before this moment. */
  readonly until?: string
}

interface AuditRow {
  matched: number
  scanned: number
  last_scanned: string | null
  id: string
  occurred_at: string
  action: string
  entity_type: string
  entity_id: string | null
  external_id: string | null
  actor_type: Actor['type']
  actor_id: string | null
  actor_name: string
  before: AuditItem['before']
  after: AuditItem['after']
  request_id: string | null
  address: string | null
}

/** The maximum size of the records on a page, in bytes; a page has at least one entry. */
const bytesOfPart = 4 * 1024 * 1024

/** The maximum size of a result in memory, in bytes: an entry has a record twice, each up to 8 MiB. */
const maxBytes = 20 * 1024 * 1024

/** The maximum number of entries that one statement scans for conditions without an index. */
const window = 20_000

/** The maximum difference between the time in an id and that of its entry, in milliseconds. */
const idSlack = 24 * 3600 * 1000

/**
 * The audit entries that meet all conditions, newest first. With rare matches a page may have fewer entries, or none,
 * and still have a next page. Throws `validation_failed` for an invalid cursor.
 */
export async function readAudit(database: Database, tenantId: string, query: AuditQuery): Promise<WalkPage<AuditItem>> {
  const { limit = pageBounds.limit.default } = query
  const { page, before } = parseCursor(query.cursor)
  const rows = await database.readSlowly<AuditRow>(tenantId, auditStatement(tenantId, query, before, limit), maxBytes)
  const found = rows.filter(({ id }) => id !== null)
  const entries = found.slice(0, limit)
  const { matched = 0, scanned = 0, last_scanned: lastScanned = null } = rows[0] ?? {}
  const isCut = matched > entries.length
  const goesOn = isCut ? (entries.at(-1)?.id ?? null) : scanned >= getWindow(query, limit) ? lastScanned : null
  return {
    records: entries.map(toEntry),
    page,
    limit,
    nextCursor: goesOn === null ? null : getCursor(page + 1, goesOn),
  }
}

/** The statement of a page of the audit, below an id where given. */
export function auditStatement(tenantId: string, query: AuditQuery, before: string | null, limit: number): Sql {
  const { entityType, entityId, externalId, action, actorId, since, until } = query
  return sql`
    with scanned as materialized (
      select id, action, entity_type, occurred_at from audit_entries
       where tenant_id = ${tenantId}
         ${before === null ? empty : sql`and id < ${before}::uuid`}
         ${entityId === undefined ? empty : sql`and entity_id = ${entityId}::uuid`}
         ${externalId === undefined ? empty : sql`and external_id = ${externalId}`}
         ${actorId === undefined ? empty : sql`and actor_id = ${actorId}::uuid`}
         ${since === undefined ? empty : sql`and id >= ${getFirstId(Date.parse(since) - idSlack)}::uuid`}
         ${until === undefined ? empty : sql`and id < ${getFirstId(Date.parse(until) + idSlack)}::uuid`}
       order by id desc limit ${literal(getWindow(query, limit))}
    ), matched as materialized (
      select id from scanned
       where true
         ${entityType === undefined ? empty : sql`and entity_type = ${entityType}`}
         ${action === undefined ? empty : sql`and action = ${action}`}
         ${since === undefined ? empty : sql`and occurred_at >= ${since}::timestamptz`}
         ${until === undefined ? empty : sql`and occurred_at < ${until}::timestamptz`}
       order by id desc limit ${literal(limit + 1)}
    ), sized as (
      select a.*, row_number() over (order by a.id desc) as place,
             sum(coalesce(octet_length(a.before::text), 0) + coalesce(octet_length(a.after::text), 0))
               over (order by a.id desc) as bytes
        from audit_entries a
       where a.tenant_id = ${tenantId} and a.id = any (array(select id from matched))
    )
    select looked.*, shown.id, shown.occurred_at, shown.action, shown.entity_type, shown.entity_id, shown.external_id,
           shown.actor_type, shown.actor_id, shown.actor_name, shown.before, shown.after, shown.request_id, shown.address
      from (select (select count(*) from matched) as matched, (select count(*) from scanned) as scanned,
                   (select id from scanned order by id limit 1) as last_scanned) looked
      left join sized shown on shown.place = 1 or shown.bytes <= ${literal(bytesOfPart)}
     order by shown.id desc`
}

/** The number of entries to scan: the page size when an index covers all conditions. */
function getWindow({ entityType, action, since, until }: AuditQuery, limit: number): number {
  const isFiltered = [entityType, action, since, until].some((value) => value !== undefined)
  return isFiltered ? window : limit + 1
}

/** The smallest id of a time in milliseconds since 1970: UUID version 7 (RFC 9562 §5.7). */
function getFirstId(milliseconds: number): string {
  const time = Math.min(Math.max(0, milliseconds), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** The last segments of actions that change something. */
const verbs: ReadonlySet<string> = new Set([...recordVerbs, ...Object.keys(eventTypes).map(getVerb)])

function getVerb(action: string): string {
  return action.slice(action.lastIndexOf('.') + 1)
}

function toEntry(row: AuditRow): AuditItem {
  const { action, before, after } = row
  return {
    id: row.id,
    occurredAt: row.occurred_at,
    action,
    entityType: row.entity_type,
    entityId: row.entity_id,
    externalId: row.external_id,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    before,
    after,
    changed: verbs.has(getVerb(action)) ? changedFields(before, after) : [],
    requestId: row.request_id,
    address: row.address,
  }
}

function parseCursor(cursor = '*'): { page: number; before: string | null } {
  if (cursor === '*') return { page: 1, before: null }
  const [page, id] = partsOfCursor(cursor, [isPage, isUuid])
  return { page: Number(page), before: id as string }
}
