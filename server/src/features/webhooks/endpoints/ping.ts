import type { ChangeContext } from '../../../changes/index.ts'
import { recordAccess } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { readBack, type Versioned } from '../../../entities/index.ts'
import { newId } from '../../../values/index.ts'
import { type DeliveryRecord, deliveryList } from '../delivery/deliveries.ts'
import type { DeliverySender } from '../delivery/delivery-sender.ts'
import { buildPing } from '../delivery/endpoint-round.ts'
import type { Endpoint } from './webhook-store.ts'

const never = new AbortController().signal

/**
 * Sends a ping to an endpoint, once, and returns the function that records the outcome. It is listed as a delivery, but
 * does not change the state of the endpoint.
 */
export async function pingEndpoint(
  sender: DeliverySender,
  endpoint: Endpoint,
  context: ChangeContext,
): Promise<(tx: Transaction) => Promise<Versioned<DeliveryRecord>>> {
  const { id: webhookId } = endpoint
  const event = buildPing(webhookId, newId(), new Date().toISOString())
  const { pauseSeconds: _, ...attempt } = await sender.send(endpoint, event, never)
  const hasArrived = attempt.error === null
  return async (tx) => {
    const id = newId()
    tx.send(sql`
      insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, type, status, tried, next_attempt_at, attempts, created_at)
      values (${tx.tenantId}, ${id}, ${webhookId}, ${event.id}, ${event.type},
              ${hasArrived ? 'delivered' : 'failed'}, 1, null, ${JSON.stringify([attempt])}::jsonb, ${event.occurredAt})`)
    const stamp = hasArrived ? sql`last_success_at` : sql`last_failure_at`
    tx.send(sql`
      update webhook_states set ${stamp} = greatest(${stamp}, ${attempt.at}::timestamptz)
       where tenant_id = ${tx.tenantId} and webhook_id = ${webhookId}`)
    const facts = { eventId: event.id, httpStatus: attempt.httpStatus, error: attempt.error }
    recordAccess(tx, context, { action: 'webhook.tested', entityType: 'webhook', entityId: webhookId, facts })
    return { ...(await readBack(tx, deliveryList(webhookId), id)), entityTag: null }
  }
}
