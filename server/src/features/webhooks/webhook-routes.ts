import { webhookOperations } from '@matricula/contract'
import type { Database, Transaction } from '../../database/index.ts'
import { implement, type Route } from '../../http/implement.ts'
import { readPage } from '../../platform/lists.ts'
import { readOne } from '../../platform/reading.ts'
import type { RequestContext } from '../../platform/request-context.ts'
import type { SecretSeal } from '../../platform/sealed-secrets.ts'
import { orderEvents } from '../events/index.ts'
import { deliveriesOf, redeliver, redeliveryFaults } from './deliveries.ts'
import type { DeliverySender } from './delivery-sender.ts'
import { pingEndpoint } from './ping.ts'
import { addressFaults } from './webhook-address.ts'
import { openSecret } from './webhook-secrets.ts'
import { listWebhooks, requireEndpoint, webhooks } from './webhook-store.ts'
import {
  createWebhook,
  deleteWebhook,
  requireFaultless,
  requireTypesReadable,
  rotateSecret,
  typesFaults,
  updateWebhook,
} from './webhooks.ts'

/** What the operations of webhooks need of the service. */
export interface WebhookPlatform {
  readonly sender: DeliverySender
  readonly seal: SecretSeal
}

/** The operations of endpoints and their deliveries. */
export function webhookRoutes({ sender, seal }: WebhookPlatform): Route[] {
  // Only its sealed form is kept, for replays too; it is opened where the answer is sent.
  const revive = <Item extends { readonly id: string; readonly secret: string }>(
    record: Item,
    { context }: { readonly context: RequestContext },
  ): Item => ({ ...record, secret: openSecret(seal, context.tenant.id, record.id, record.secret) })
  const askerOf = (context: RequestContext) => ({ context, scopes: context.caller.scopes })
  return implement(webhookOperations, {
    createWebhook: {
      prepare: async (database, { context, body }) => {
        requireFaultless([...(await addressFaults(sender.guard, body.url)), ...typesFaults(body.types)])
        requireTypesReadable(body.types, context.caller.scopes)
        await orderEvents(database, context.tenant.id)
        return (tx) => createWebhook(tx, askerOf(context), body, seal)
      },
      revive,
    },
    listWebhooks: (database, { context }) => listWebhooks(database, context.tenant.id),
    getWebhook: (database, { context, params }) => readOne(database, context.tenant.id, webhooks, params.id),
    updateWebhook: {
      prepare: async (database, { context, params, body }) => {
        const { url, types = [] } = body
        requireFaultless([...(url === undefined ? [] : await addressFaults(sender.guard, url)), ...typesFaults(types)])
        requireTypesReadable(types, context.caller.scopes)
        if (body.enabled === true) await orderEvents(database, context.tenant.id)
        return (tx) => updateWebhook(tx, askerOf(context), params.id, body, context)
      },
    },
    deleteWebhook: (tx, { context, params }) => deleteWebhook(tx, context, params.id, context.ifMatch),
    rotateWebhookSecret: {
      prepare:
        async (_database, { context, params, body }) =>
        (tx) =>
          rotateSecret(tx, context, params.id, body?.overlapHours, seal),
      revive,
    },
    testWebhook: {
      prepare: async (database, { context, params }) => {
        const endpoint = await requireEndpoint(database, context.tenant.id, params.id)
        return pingEndpoint(sender, endpoint, context)
      },
    },
    listDeliveries: async (database: Database, { context, params, query }) => {
      const { record } = await readOne(database, context.tenant.id, webhooks, params.id)
      return readPage(database, context.tenant.id, deliveriesOf(record.id), query)
    },
    redeliver: {
      prepare: async (_database, { context, params, body }) => {
        requireFaultless(redeliveryFaults(body))
        return async (tx: Transaction) => {
          const queued = await redeliver(tx, context, params.id, body)
          return { record: { queued }, entityTag: null }
        }
      },
    },
  })
}
