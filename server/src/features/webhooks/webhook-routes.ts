import { webhookOperations } from '@matricula/contract'
import { implement, type Route } from '../../http/implement.ts'
import { readPage } from '../../platform/lists.ts'
import { readOne } from '../../platform/reading.ts'
import type { RequestContext } from '../../platform/request-context.ts'
import { deliveriesOf, redeliver, redeliveryFaults } from './deliveries.ts'
import { pingEndpoint } from './ping.ts'
import { prepareCreate, prepareUpdate, type WebhookPlatform } from './prepare-webhooks.ts'
import { openSecret } from './webhook-secrets.ts'
import { listWebhooks, requireEndpoint, webhooks } from './webhook-store.ts'
import { deleteWebhook, requireFaultless, rotateSecret } from './webhooks.ts'

/** The operations of endpoints and their deliveries. */
export function webhookRoutes(platform: WebhookPlatform): Route[] {
  const { sender, seal } = platform
  // Only its sealed form is kept, for replays too; it is opened where the answer is sent.
  const revive = <Item extends { readonly id: string; readonly secret: string }>(
    record: Item,
    { context }: { readonly context: RequestContext },
  ): Item => ({ ...record, secret: openSecret(seal, context.tenant.id, record.id, record.secret) })
  const askerOf = (context: RequestContext) => ({ context, scopes: context.caller.scopes })
  return implement(webhookOperations, {
    createWebhook: {
      prepare: (database, { context, body }) => prepareCreate(platform, database, askerOf(context), body),
      revive,
    },
    listWebhooks: (database, { context }) => listWebhooks(database, context.tenant.id),
    getWebhook: (database, { context, params }) => readOne(database, context.tenant.id, webhooks, params.id),
    updateWebhook: {
      prepare: (database, { context, params, body }) =>
        prepareUpdate(platform, database, askerOf(context), params.id, body, context),
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
      prepare: async (database, { context, params }) =>
        pingEndpoint(sender, await requireEndpoint(database, context.tenant.id, params.id), context),
    },
    listDeliveries: async (database, { context, params, query }) => {
      const { record } = await readOne(database, context.tenant.id, webhooks, params.id)
      return readPage(database, context.tenant.id, deliveriesOf(record.id), query)
    },
    redeliver: {
      prepare: async (_database, { context, params, body }) => {
        requireFaultless(redeliveryFaults(body))
        return async (tx) => ({ record: { queued: await redeliver(tx, context, params.id, body) }, entityTag: null })
      },
    },
  })
}
