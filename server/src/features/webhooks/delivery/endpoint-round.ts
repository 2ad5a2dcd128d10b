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

/** What deliveries are made with. */
export interface DeliveryContext extends SendingContext {
  readonly database: Database
  readonly log: DeliveryLog
}

export interface DeliveryLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** For how long nobody else delivers to an endpoint, in seconds: longer than a round lasts with the slowest attempts in it. */
const leaseSeconds = 30

/** How long a turn begins rounds, in milliseconds. */
const turnMilliseconds = 5_000

/** How many deliveries of each kind a round takes at most. */
const roundSize = 100

/** How many events are queued at once where fewer deliveries wait than a round takes. */
const queuedAtOnce = 500

/** What a round knows of its endpoint. */
interface Round {
  readonly endpoint: Endpoint
  readonly position: number
  readonly failingSince: string | null
  readonly due: readonly Due[]
}

/**
 * Delivers to one endpoint for a while, by itself among all processes, until nothing is due or others should have their turn.
 * What was sent and could not be noted, because the process ended, is sent again.
 */
export async function takeTurn(context: DeliveryContext, tenantId: string, webhookId: string): Promise<void> {
  const lease = randomUUID()
  const turn = { ...context, tenantId, webhookId, lease }
  const end = performance.now() + turnMilliseconds
  for (;;) {
    const round = await beginRound(turn)
    if (round === null) break
    const queued = round.due.length < roundSize && (await queueNew(turn, round))
    if (round.due.length > 0) await deliver(turn, round)
    const isOver = round.due.length === 0 && !queued
    if (isOver || performance.now() > end || context.stopping.aborted) break
  }
  await endTurn(turn)
}

interface Turn extends DeliveryContext {
  readonly tenantId: string
  readonly webhookId: string
  readonly lease: string
}

/** Takes the endpoint, or keeps it, and reads what is due of it. Null where it is in other hands, disabled, at rest or gone. */
async function beginRound({ database, tenantId, webhookId, lease }: Turn): Promise<Round | null> {
  return database.transaction(tenantId, async (tx) => {
    const held = tx.query<{ position: number; failingSince: string | null }>(sql`
      update webhook_states
         set lease = ${lease}, leased_until = now() + make_interval(secs => ${literal(leaseSeconds)}), turn_at = now()
       where tenant_id = ${tenantId} and webhook_id = ${webhookId}
         and (lease = ${lease} or leased_until is null or leased_until <= now())
         and (resume_at is null or resume_at <= now())
      returning position, failing_since as "failingSince"`)
    const endpoints = tx.query<Endpoint>(endpointsStatement(tenantId, sql`and w.id = ${webhookId}`))
    const due = tx.query<DueRow>(dueStatement(tenantId, webhookId))
    const [state] = await held
    const [endpoint] = await endpoints
    const rows = await due
    if (state === undefined || endpoint?.isEnabled !== true) return null
    return { ...state, endpoint, due: inTurns(rows.map((row) => toDue(row, endpoint))) }
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

/** What was never tried, in the order of events, and what is to be tried again, the longest due first. */
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
  // What was queued before the endpoint's types, or whoever answers for them, changed is not sent to where it goes now.
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

/** What a ping tells: that the endpoint is there. */
export function getPing(webhookId: string, id: string, occurredAt: string): DeliveredEvent {
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

/** First attempts and others by turns, so that neither keeps the other waiting. */
function inTurns(due: readonly Due[]): Due[] {
  const first = due.filter(({ tried }) => tried === 0)
  const again = due.filter(({ tried }) => tried > 0)
  return Array.from({ length: Math.max(first.length, again.length) }, (_, position) => [
    first[position],
    again[position],
  ])
    .flat()
    .filter((each) => each !== undefined)
}

/**
 * Queues what happened after the endpoint's position, and moves it on, in one transaction: no event is left out and none queued
 * twice. Answers whether it moved.
 */
async function queueNew(
  { database, tenantId, webhookId, lease }: Turn,
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
    if (events.length > 0) await queueDeliveries(tx, webhookId, events, { again: false })
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
    const part = await readEvents(database, tenantId, { after, limit: queuedAtOnce, selection: getSelection(endpoint) })
    return { events: part.events.map((event) => ({ ...event, position: Number(event.position) })), next: part.next }
  }
  try {
    return await read(position)
  } catch (error) {
    if (!(error instanceof PositionUnknown)) throw error
    // Forgotten: on from the oldest. Never given, because the database was put back to an earlier state: on from there.
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

/** Sends what is due, and notes how it went. */
async function deliver(turn: Turn, round: Round): Promise<void> {
  const { attempts, forgotten } = await sendRound(turn, round.endpoint, round.due, round.failingSince !== null)
  if (attempts.length + forgotten.length > 0) await note(turn, round, attempts, forgotten)
}

async function note(
  { database, tenantId, webhookId, log }: Turn,
  { endpoint, failingSince }: Round,
  attempts: readonly RecordedAttempt[],
  forgotten: readonly string[],
): Promise<void> {
  const { state, error } = await database.transaction(tenantId, async (tx) => {
    const context = await systemContext(tx)
    const state = await recordAttempts(tx, context, webhookId, { failingSince }, attempts)
    giveUp(tx, forgotten) // behind the locks of the endpoint and its state, as everybody takes them
    return { state, error: attempts.at(-1)?.outcome.error }
  })
  const facts = { tenant: endpoint.tenantSlug, webhook: webhookId, error }
  if (state.disabledReason !== null) {
    log.warn({ ...facts, reason: state.disabledReason }, 'a webhook was disabled')
  } else if (failingSince === null && state.failingSince !== null) log.warn(facts, 'a webhook fails')
  else if (failingSince !== null && state.failingSince === null) log.info(facts, 'a webhook works again')
}

/** Gives up what tells of events that are kept no longer, or that the endpoint does not get any more. */
function giveUp(tx: Transaction, deliveryIds: readonly string[]): void {
  if (deliveryIds.length === 0) return
  tx.send(sql`
    update webhook_deliveries set status = 'failed', next_attempt_at = null, updated_at = current_stamp()
     where tenant_id = ${tx.tenantId} and id = any (${deliveryIds}::uuid[])`)
}

/** In whose name endpoints are disabled. */
async function systemContext(tx: Transaction): Promise<ChangeContext> {
  const [row] = await tx.query<{ timeZone: string; currency: string }>(
    sql`select time_zone as "timeZone", currency from tenants where id = ${tx.tenantId}`,
  )
  const { timeZone = 'UTC', currency = 'USD' } = row ?? {}
  const actor = { type: 'system', id: null, name: 'webhooks' } as const
  return { tenant: { id: tx.tenantId, timeZone, currency }, actor, requestId: null, address: null }
}

/** Gives the endpoint out of hand, and notes when something is due next. */
async function endTurn({ database, tenantId, webhookId, lease }: Turn): Promise<void> {
  await database.transaction(tenantId, async (tx) => {
    // Locked first and looked at afterwards, so that nothing that is queued meanwhile is overlooked.
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
