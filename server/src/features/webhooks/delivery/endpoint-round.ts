import { randomUUID } from 'node:crypto'
import type { ChangeContext } from '../../../changes/index.ts'
import type { Database, Transaction } from '../../../database/index.ts'
import { literal, sql } from '../../../database/index.ts'
import { isSelected, PositionUnknown, readEvents } from '../../events/index.ts'
import { type Endpoint, endpointsStatement } from '../endpoints/webhook-store.ts'
import { getSelection } from '../webhooks.ts'
import { type QueuedEvent, queueDeliveries } from './deliveries.ts'
import type { DeliveredEvent } from './delivery-sender.ts'
import { type RecordedAttempt, recordAttempts } from './record-attempts.ts'
import { type Due, type SendingContext, sendRound } from './send-round.ts'

/** Dependencies of deliveries. */
export interface DeliveryContext extends SendingContext {
  readonly database: Database
  readonly log: DeliveryLog
}

export interface DeliveryLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** The lease of an endpoint, in seconds: longer than a round with its slowest attempts. */
const leaseSeconds = 30

/** How long a run starts rounds, in milliseconds. */
const runMs = 5_000

/** The maximum number of deliveries of each kind in a round. */
const roundSize = 100

/** The maximum number of events queued at once, when fewer deliveries are due than a round takes. */
const maxQueuedAtOnce = 500

/** The state of an endpoint in a round. */
interface Round {
  readonly endpoint: Endpoint
  readonly position: number
  readonly failingSince: string | null
  readonly due: readonly Due[]
}

/**
 * Delivers to one endpoint under a lease, so that one process does at a time, until nothing is due or its time is over.
 * Attempts whose outcome was not recorded, because the process ended, are sent again (at-least-once delivery).
 */
export async function runEndpoint(context: DeliveryContext, tenantId: string, webhookId: string): Promise<void> {
  const lease = randomUUID()
  const run = { ...context, tenantId, webhookId, lease }
  const end = performance.now() + runMs
  for (;;) {
    const round = await startRound(run)
    if (round === null) break
    const queued = round.due.length < roundSize && (await queueNew(run, round))
    if (round.due.length > 0) await deliver(run, round)
    const isOver = round.due.length === 0 && !queued
    if (isOver || performance.now() > end || context.shutdown.aborted) break
  }
  await releaseEndpoint(run)
}

interface EndpointRun extends DeliveryContext {
  readonly tenantId: string
  readonly webhookId: string
  readonly lease: string
}

/**
 * Takes or renews the lease of the endpoint and reads its due deliveries. Null when another process holds the lease, or
 * the endpoint is disabled, paused or deleted.
 */
async function startRound({ database, tenantId, webhookId, lease }: EndpointRun): Promise<Round | null> {
  return database.transaction(tenantId, async (tx) => {
    const leased = tx.query<{ position: number; failingSince: string | null }>(sql`
      update webhook_states
         set lease = ${lease}, leased_until = now() + make_interval(secs => ${literal(leaseSeconds)}), turn_at = now()
       where tenant_id = ${tenantId} and webhook_id = ${webhookId}
         and (lease = ${lease} or leased_until is null or leased_until <= now())
         and (resume_at is null or resume_at <= now())
      returning position, failing_since as "failingSince"`)
    const endpoints = tx.query<Endpoint>(endpointsStatement(tenantId, sql`and w.id = ${webhookId}`))
    const due = tx.query<DueRow>(dueStatement(tenantId, webhookId))
    const [state] = await leased
    const [endpoint] = await endpoints
    const rows = await due
    if (state === undefined || endpoint?.isEnabled !== true) return null
    return { ...state, endpoint, due: interleave(rows.map((row) => toDue(row, endpoint))) }
  })
}

interface DueRow {
  id: string
  tried: number
  type: string
  position: number | null
  created_at: string
  event_id: string
  occurred_at: string | null
  entity_type: string
  entity_id: string
  external_id: string | null
  changed: string[]
}

/** Deliveries without an attempt, in the order of their events, and retries, the longest due first. */
function dueStatement(tenantId: string, webhookId: string) {
  const ofEndpoint = sql`d.tenant_id = ${tenantId} and d.webhook_id = ${webhookId} and d.status = 'pending'`
  return sql`
    with due as materialized (
      (select d.id, d.tried, d.type, d.position, d.event_id, d.created_at, row_number() over (order by d.position) as place
         from webhook_deliveries d where ${ofEndpoint} and d.tried = 0
        order by d.position limit ${literal(roundSize)})
      union all
      (select d.id, d.tried, d.type, d.position, d.event_id, d.created_at, row_number() over (order by d.next_attempt_at)
         from webhook_deliveries d where ${ofEndpoint} and d.tried > 0 and d.next_attempt_at <= now()
        order by d.next_attempt_at limit ${literal(roundSize)})
    )
    select due.*, e.occurred_at, e.entity_type, e.entity_id, e.external_id, e.changed
      from due
      left join event_positions p on p.tenant_id = ${tenantId} and p.position = due.position
      left join events e on e.tenant_id = ${tenantId} and e.position = p.written and e.id = due.event_id
     order by due.place`
}

function toDue(row: DueRow, endpoint: Endpoint): Due {
  const { id, tried, type, position } = row
  // What was queued before the endpoint's types or readers changed is not sent to its new selection.
  if (row.occurred_at === null || !isSelected(getSelection(endpoint), type)) return { id, tried, event: null }
  const { event_id, occurred_at, entity_type, entity_id, external_id, changed } = row
  const event = {
    id: event_id,
    type,
    occurredAt: occurred_at,
    entityType: entity_type,
    entityId: entity_id,
    externalId: external_id,
    changed,
    position,
  }
  return { id, tried, event }
}

/** The event of a ping. */
export function buildPing(webhookId: string, id: string, occurredAt: string): DeliveredEvent {
  return {
    id,
    type: 'webhook.ping',
    occurredAt,
    entityType: 'webhook',
    entityId: webhookId,
    externalId: null,
    changed: [],
    position: null,
  }
}

/** Alternates first attempts and retries, so that neither delays the other. */
function interleave(due: readonly Due[]): Due[] {
  const first = due.filter(({ tried }) => tried === 0)
  const retries = due.filter(({ tried }) => tried > 0)
  return Array.from({ length: Math.max(first.length, retries.length) }, (_, position) => [
    first[position],
    retries[position],
  ])
    .flat()
    .filter((each) => each !== undefined)
}

/**
 * Queues the events after the endpoint's position and moves it, in one transaction: no event is lost or queued twice.
 * Returns whether it moved.
 */
async function queueNew(
  { database, tenantId, webhookId, lease }: EndpointRun,
  { endpoint, position }: Round,
): Promise<boolean> {
  const { events, next } = await eventsAfter(database, tenantId, endpoint, position)
  if (next === position) return false
  return database.transaction(tenantId, async (tx) => {
    const moved = await tx.query(sql`
      update webhook_states set position = ${next}, due_at = current_stamp()
       where tenant_id = ${tenantId} and webhook_id = ${webhookId} and position = ${position} and lease = ${lease}
      returning 1 as moved`)
    if (moved.length === 0) return false
    if (events.length > 0) await queueDeliveries(tx, webhookId, events, { isRedelivery: false })
    return true
  })
}

async function eventsAfter(
  database: Database,
  tenantId: string,
  endpoint: Endpoint,
  position: number,
): Promise<{ events: QueuedEvent[]; next: number }> {
  const read = async (after: number | null) => {
    const part = await readEvents(database, tenantId, {
      after,
      limit: maxQueuedAtOnce,
      selection: getSelection(endpoint),
    })
    return { events: part.events.map((event) => ({ ...event, position: Number(event.position) })), next: part.next }
  }
  try {
    return await read(position)
  } catch (error) {
    if (!(error instanceof PositionUnknown)) throw error
    // Expired: continue from the oldest. Beyond the newest, after a restore of the database: continue from the newest.
    return error.earliest === null ? { events: [], next: await lastPosition(database, tenantId) } : read(null)
  }
}

async function lastPosition(database: Database, tenantId: string): Promise<number> {
  const [feed] = await database.read<{ last: number }>(
    tenantId,
    sql`select last_position as last from event_feeds where tenant_id = ${tenantId}`,
  )
  return feed?.last ?? 0
}

/** Sends due deliveries and records the outcome. */
async function deliver(run: EndpointRun, round: Round): Promise<void> {
  const { attempts, forgotten } = await sendRound(run, round.endpoint, round.due, round.failingSince !== null)
  if (attempts.length + forgotten.length > 0) await recordRound(run, round, attempts, forgotten)
}

async function recordRound(
  { database, tenantId, webhookId, log }: EndpointRun,
  { endpoint, failingSince }: Round,
  attempts: readonly RecordedAttempt[],
  forgotten: readonly string[],
): Promise<void> {
  const { state, error } = await database.transaction(tenantId, async (tx) => {
    const context = await systemContext(tx)
    const state = await recordAttempts(tx, context, webhookId, { failingSince }, attempts)
    giveUp(tx, forgotten) // after the locks of the endpoint and its state: the common lock order
    return { state, error: attempts.at(-1)?.outcome.error }
  })
  const facts = { tenant: endpoint.tenantSlug, webhook: webhookId, error }
  if (state.disabledReason !== null) {
    log.warn({ ...facts, reason: state.disabledReason }, 'a webhook was disabled')
  } else if (failingSince === null && state.failingSince !== null) log.warn(facts, 'a webhook is failing')
  else if (failingSince !== null && state.failingSince === null) log.info(facts, 'a webhook has recovered')
}

/** Marks deliveries as failed whose events were deleted or are no longer selected by the endpoint. */
function giveUp(tx: Transaction, deliveryIds: readonly string[]): void {
  if (deliveryIds.length === 0) return
  tx.send(sql`
    update webhook_deliveries set status = 'failed', next_attempt_at = null, updated_at = current_stamp()
     where tenant_id = ${tx.tenantId} and id = any (${deliveryIds}::uuid[])`)
}

/** The actor that disables endpoints. */
async function systemContext(tx: Transaction): Promise<ChangeContext> {
  const [row] = await tx.query<{ timeZone: string; currency: string }>(
    sql`select time_zone as "timeZone", currency from tenants where id = ${tx.tenantId}`,
  )
  const { timeZone = 'UTC', currency = 'USD' } = row ?? {}
  const actor = { type: 'system', id: null, name: 'webhooks' } as const
  return { tenant: { id: tx.tenantId, timeZone, currency }, actor, requestId: null, address: null }
}

/** Releases the lease, and stores when the next delivery is due. */
async function releaseEndpoint({ database, tenantId, webhookId, lease }: EndpointRun): Promise<void> {
  await database.transaction(tenantId, async (tx) => {
    // Locked before it is read, so that nothing queued meanwhile is missed.
    await tx.query(sql`
      select from webhook_states
       where tenant_id = ${tenantId} and webhook_id = ${webhookId} and lease = ${lease} for no key update`)
    const ofEndpoint = sql`tenant_id = ${tenantId} and webhook_id = ${webhookId} and status = 'pending'`
    tx.send(sql`
      update webhook_states
         set lease = null, leased_until = null,
             due_at = least(
               (select current_stamp() from webhook_deliveries where ${ofEndpoint} and tried = 0 limit 1),
               (select next_attempt_at from webhook_deliveries where ${ofEndpoint} and tried > 0
                 order by next_attempt_at limit 1))
       where tenant_id = ${tenantId} and webhook_id = ${webhookId} and lease = ${lease}`)
  })
}
