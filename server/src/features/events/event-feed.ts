import type { Event, Static } from '@matricula/contract'
import type { Actor } from '../../changes/index.ts'
import { type Database, literal, sql } from '../../database/index.ts'
import { type EventSelection, selectedEvents } from './event-types.ts'

/** An event of the API. */
export type EventItem = Static<typeof Event>

/** A query of the event feed. */
export interface FeedQuery {
  /** Only events after this position; null for all retained ones. */
  readonly after: number | null
  readonly limit: number
  readonly selection: EventSelection
}

/** A page of the feed: its events in order, and the next position, also without events. */
export interface FeedPart {
  readonly events: EventItem[]
  readonly next: number
  readonly hasMore: boolean
}

/** A position that cannot be read from: expired, or never assigned. */
export class PositionUnknown extends Error {
  /** The earliest readable position, when the requested one has expired. */
  readonly earliest: number | null

  constructor(earliest: number | null) {
    super(earliest === null ? 'no event has this position yet' : `events after ${earliest} are kept`)
    this.earliest = earliest
  }
}

/**
 * The maximum number of events that one statement scans, so that readers of rare events do not hold a connection for
 * long.
 */
const window = 2_000

/** The maximum time of a search for rare events, in milliseconds; the reader then continues from where it ended. */
const maxSearchMs = 300

/**
 * Reads the events after a position, in an order that never changes. Events committed before the call are included;
 * later ones get greater positions.
 *
 * @throws PositionUnknown
 */
export async function readEvents(database: Database, tenantId: string, query: FeedQuery): Promise<FeedPart> {
  const { limit, selection } = query
  const until = performance.now() + maxSearchMs
  const events: EventItem[] = []
  let after = query.after
  let isOrdered = false
  for (;;) {
    const part = await readWindow(database, tenantId, { after, limit: limit - events.length, selection })
    const mayHaveMore = part.isBehind && !isOrdered
    if (part.isKnown) {
      events.push(...part.events)
      after = part.next
      const isFull = events.length === limit || performance.now() > until
      if (isFull || !(part.hasMore || mayHaveMore)) {
        return { events, next: part.next, hasMore: part.hasMore || (isFull && mayHaveMore) }
      }
    } else if (part.earliest !== null || !mayHaveMore) throw new PositionUnknown(part.earliest)
    if (!part.isKnown || !part.hasMore) {
      await orderEvents(database, tenantId)
      isOrdered = true
    }
  }
}

/**
 * Assigns positions to new events of a tenant and returns the last one. Serialised per tenant. A feed that was never
 * read is ordered in batches, each in its own transaction.
 */
export async function orderEvents(database: Database, tenantId: string): Promise<number> {
  for (;;) {
    const { last, isPart } = await database.transaction(tenantId, async (tx) => {
      tx.send(sql`select order_events(${tenantId})`)
      const [feed] = await tx.query<{ last: number; isPart: boolean }>(
        sql`select last_position as last, seen is null as "isPart" from event_feeds where tenant_id = ${tenantId}`,
      )
      return feed as { last: number; isPart: boolean }
    })
    if (!isPart) return last
  }
}

/** The bounds of a tenant's feed: the last position, and the one after which all events are retained. */
export async function loadFeedBounds(
  database: Database,
  tenantId: string,
): Promise<{ last: number; earliest: number }> {
  const last = await orderEvents(database, tenantId)
  const [row] = await database.read<{ earliest: number }>(
    tenantId,
    sql`select forgotten_position as earliest from event_feeds where tenant_id = ${tenantId}`,
  )
  return { last, earliest: row?.earliest ?? 0 }
}

/** Whether events of a feed `f` may have no position yet, as `has_unordered_events` says: here it is part of what reads them. */
const hasUnordered = sql`
  (f.seen is null or f.seen_in is distinct from (select system_identifier from pg_control_system())
   or (select e.transaction_id from events e
        where e.tenant_id = f.tenant_id and e.transaction_id < pg_snapshot_xmax(pg_current_snapshot())
        order by e.transaction_id desc limit 1) >= pg_snapshot_xmax(f.seen)
   or exists (
        select from pg_snapshot_xip(f.seen) as was_open (id)
         where was_open.id = (select e.transaction_id from events e
                               where e.tenant_id = f.tenant_id and e.transaction_id >= was_open.id
                               order by e.transaction_id limit 1)))`

interface WindowRow {
  last: number
  forgotten: number
  is_behind: boolean
  position: number | null
  id: string
  type: string
  occurred_at: string
  entity_type: string
  entity_id: string
  external_id: string | null
  changed: string[]
  actor_type: Actor['type']
  actor_id: string | null
  actor_name: string
  request_id: string | null
}

interface Window extends FeedPart {
  /** False when the position has expired or was never assigned. */
  readonly isKnown: boolean
  readonly earliest: number | null
  /** Whether events wait for their positions. */
  readonly isBehind: boolean
}

async function readWindow(
  database: Database,
  tenantId: string,
  { after, limit, selection }: FeedQuery,
): Promise<Window> {
  const rows = await database.read<WindowRow>(
    tenantId,
    sql`
    with feed as materialized (
      select coalesce(f.last_position, 0) as last, coalesce(f.forgotten_position, 0) as forgotten,
             ${hasUnordered} as is_behind
        from (select ${tenantId}::uuid as id) as tenant
        left join event_feeds f on f.tenant_id = tenant.id
    )
    select feed.last, feed.forgotten, feed.is_behind, found.*
      from feed
      left join lateral (
        select p.position, e.id, e.type, e.occurred_at, e.entity_type, e.entity_id, e.external_id, e.changed,
               e.actor_type, e.actor_id, e.actor_name, e.request_id
          from event_positions p
          join events e on e.tenant_id = p.tenant_id and e.position = p.written
         where p.tenant_id = ${tenantId}
           and p.position > coalesce(${after}::bigint, feed.forgotten)
           and p.position <= coalesce(${after}::bigint, feed.forgotten) + ${literal(window)}
           ${selectedEvents(selection)}
         order by p.position
         limit ${literal(limit + 1)}) found on true
     order by found.position`,
  )
  const { last, forgotten, is_behind: isBehind } = rows[0] as WindowRow
  const start = after ?? forgotten
  const events = rows.filter((row) => row.position !== null).map(toEvent)
  const isCut = events.length > limit
  const stored = isCut ? events.slice(0, limit) : events
  const seen = isCut ? Number(stored.at(-1)?.position) : Math.min(start + window, Math.max(last, start))
  return {
    events: stored,
    next: seen,
    hasMore: isCut || seen < last,
    isKnown: start >= forgotten && start <= last,
    earliest: start < forgotten ? forgotten : null,
    isBehind,
  }
}

function toEvent(row: WindowRow): EventItem {
  return {
    position: String(row.position),
    id: row.id,
    type: row.type,
    occurredAt: row.occurred_at,
    entityType: row.entity_type,
    entityId: row.entity_id,
    externalId: row.external_id,
    changed: row.changed,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    requestId: row.request_id,
  }
}
