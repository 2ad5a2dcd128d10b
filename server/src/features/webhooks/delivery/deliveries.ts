import {
  type Body,
  type Delivery,
  type Fault,
  mostRedelivered,
  type Static,
  type webhookOperations,
} from '@matricula/contract'
import type { ChangeContext } from '../../../changes/index.ts'
import { recordAccess } from '../../../changes/index.ts'
import { empty, sql, type Transaction } from '../../../database/index.ts'
import { requireLocked } from '../../../entities/index.ts'
import { notFoundProblem, Problem } from '../../../errors/index.ts'
import type { FiltersOf, ListDefinition } from '../../../listing/index.ts'
import { isUuid, newId } from '../../../values/index.ts'
import { selectedEvents } from '../../events/index.ts'
import { type Endpoint, endpointsStatement, webhooks } from '../endpoints/webhook-store.ts'
import { getSelection, requireValid } from '../webhooks.ts'

export type DeliveryRecord = Static<typeof Delivery>
export type RedeliveryBody = Body<(typeof webhookOperations)['redeliver']>

interface DeliveryRow {
  id: string
  total: number
  event_id: string
  type: string
  position: number | null
  status: DeliveryRecord['status']
  attempts: DeliveryRecord['attempts']
  next_attempt_at: string | null
  created_at: string
}

/** The list of deliveries of an endpoint. */
export function deliveryList(webhookId: string): ListDefinition<DeliveryRow, DeliveryRecord> {
  return {
    entityType: 'webhook',
    noun: 'delivery',
    table: 'webhook_deliveries',
    alias: 'd',
    within: sql`d.webhook_id = ${webhookId}`,
    select: (tenantId, condition) => sql`
      select d.id, d.event_id, d.type, d.position, d.status, d.attempts, d.created_at,
             case when w.status = 'enabled' then d.next_attempt_at end as next_attempt_at
        from webhook_deliveries d
        join webhooks w on w.tenant_id = ${tenantId} and w.id = d.webhook_id
       where d.tenant_id = ${tenantId} and d.webhook_id = ${webhookId} and ${condition}`,
    toRecord: (row) => ({
      id: row.id,
      eventId: row.event_id,
      type: row.type,
      position: row.position === null ? null : String(row.position),
      status: row.status,
      attempts: row.attempts,
      nextAttemptAt: row.next_attempt_at,
      createdAt: row.created_at,
    }),
    versions: () => [],
    filters: {
      type: (type) => sql`d.type = ${type}`,
    } satisfies FiltersOf<(typeof webhookOperations)['listDeliveries']>,
  }
}

/** An event to deliver. */
export interface QueuedEvent {
  readonly id: string
  readonly type: string
  readonly position: number
}

/**
 * Queues events for an endpoint. An event that already has its delivery keeps it; with `isRedelivery` it is sent once more,
 * with a new retry schedule. Returns how many deliveries were queued.
 */
export async function queueDeliveries(
  tx: Transaction,
  webhookId: string,
  events: readonly QueuedEvent[],
  { isRedelivery }: { readonly isRedelivery: boolean },
): Promise<number> {
  const rows = await tx.query(sql`
    insert into webhook_deliveries as d (tenant_id, id, webhook_id, event_id, type, position)
    select ${tx.tenantId}, queued.id, ${webhookId}, queued.event_id, queued.type, queued.position
      from unnest(${events.map(() => newId())}::uuid[], ${events.map(({ id }) => id)}::uuid[],
                  ${events.map(({ type }) => type)}::text[], ${events.map(({ position }) => position)}::bigint[])
           as queued (id, event_id, type, position)
    on conflict (tenant_id, webhook_id, event_id)
      ${isRedelivery ? sql`do update set ${restarted}` : sql`do nothing`}
    returning 1 as queued`)
  return rows.length
}

const restarted = sql`
  status = 'pending', tried = 0, next_attempt_at = current_stamp(), updated_at = greatest(current_stamp(), d.updated_at)`

/** The validation errors of a redelivery request. */
export function redeliveryErrors({ deliveryId, after, until }: RedeliveryBody): Fault[] {
  const fault = (pointer: string, code: Fault['code'], detail: string): Fault => ({ in: 'body', pointer, code, detail })
  if (deliveryId !== undefined) {
    const other = after !== undefined ? 'after' : until !== undefined ? 'until' : null
    return other === null ? [] : [fault(`#/${other}`, 'inconsistent', 'cannot be used together with deliveryId')]
  }
  if (after === undefined && until === undefined) {
    return [fault('#/deliveryId', 'required', 'is required, unless positions are given by after and until')]
  }
  if (after === undefined) return [fault('#/after', 'required', 'is required together with until')]
  if (until === undefined) return [fault('#/until', 'required', 'is required together with after')]
  const span = Number(until) - Number(after)
  if (span < 0) return [fault('#/until', 'inconsistent', 'must not be smaller than after')]
  if (span <= mostRedelivered) return []
  return [
    fault(
      '#/until',
      'too_large',
      `must be at most ${mostRedelivered} greater than after: send the rest by another call`,
    ),
  ]
}

/**
 * Redelivers one delivery, or every event between two positions of the feed, also events that were never sent. Returns
 * how many were queued.
 *
 * @throws Problem `resource_not_found`; `state_conflict` when the endpoint is disabled; `position_expired`;
 * `validation_failed`
 */
export async function redeliver(
  tx: Transaction,
  context: ChangeContext,
  webhookId: string,
  body: RedeliveryBody,
): Promise<number> {
  requireValid(redeliveryErrors(body))
  const { record } = await requireLocked(tx, webhooks, webhookId)
  if (record.status === 'disabled') {
    throw new Problem('state_conflict', 'This endpoint is disabled. Enable it first.', { currentState: record.status })
  }
  // The common lock order: the state before its deliveries.
  await tx.query(sql`
    select from webhook_states where tenant_id = ${tx.tenantId} and webhook_id = ${record.id} for no key update`)
  const queued =
    body.deliveryId === undefined
      ? await redeliverBetween(tx, record.id, Number(body.after), Number(body.until))
      : await redeliverOne(tx, record.id, body.deliveryId)
  tx.send(sql`
    update webhook_states set due_at = current_stamp() where tenant_id = ${tx.tenantId} and webhook_id = ${record.id}`)
  recordAccess(tx, context, {
    action: 'webhook.redelivered',
    entityType: 'webhook',
    entityId: record.id,
    facts: { ...body, queued },
  })
  return queued
}

/** Pings, and events that the endpoint no longer selects, are not redelivered. */
async function redeliverOne(tx: Transaction, webhookId: string, deliveryId: string): Promise<number> {
  if (!isUuid(deliveryId)) throw notFoundProblem('delivery of this webhook')
  const [endpoint] = await tx.query<Endpoint>(endpointsStatement(tx.tenantId, sql`and w.id = ${webhookId}`))
  const selected = endpoint === undefined ? empty : selectedEvents(getSelection(endpoint), sql`d.type`)
  const rows = await tx.query(sql`
    update webhook_deliveries d set ${restarted}
     where d.tenant_id = ${tx.tenantId} and d.webhook_id = ${webhookId} and d.id = ${deliveryId}
       and d.type <> 'webhook.ping' ${selected}
    returning 1 as queued`)
  if (rows.length === 0) throw notFoundProblem('delivery of this webhook')
  return rows.length
}

async function redeliverBetween(tx: Transaction, webhookId: string, after: number, until: number): Promise<number> {
  const [feed] = await tx.query<{ last: number; forgotten: number }>(sql`
    select last_position as last, forgotten_position as forgotten from event_feeds where tenant_id = ${tx.tenantId}`)
  const { last, forgotten } = feed ?? { last: 0, forgotten: 0 }
  if (after < forgotten) {
    const detail = `Events after the position ${after} have been deleted. Events after ${forgotten} are available.`
    throw new Problem('position_expired', detail, { earliest: String(forgotten) })
  }
  if (until > last) {
    const detail = 'is beyond the newest position. If the database was restored from a backup, start over.'
    requireValid([{ in: 'body', pointer: '#/until', code: 'too_large', detail }])
  }
  const [endpoint] = await tx.query<Endpoint>(endpointsStatement(tx.tenantId, sql`and w.id = ${webhookId}`))
  const events = await tx.query<QueuedEvent>(sql`
    select e.id, e.type, p.position
      from event_positions p
      join events e on e.tenant_id = p.tenant_id and e.position = p.written
     where p.tenant_id = ${tx.tenantId} and p.position > ${after} and p.position <= ${until}
       ${endpoint === undefined ? empty : selectedEvents(getSelection(endpoint))}
     order by p.position`)
  return queueDeliveries(tx, webhookId, events, { isRedelivery: true })
}
