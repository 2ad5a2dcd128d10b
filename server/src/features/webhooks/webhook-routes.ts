import { webhookOperations } from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import { readOne } from '../../entities/index.ts'
import { implement, type Route } from '../../http/index.ts'
import { readPage } from '../../listing/index.ts'
import { deliveryList, redeliver, redeliveryErrors } from './delivery/deliveries.ts'
import { pingEndpoint } from './endpoints/ping.ts'
import { prepareCreate, prepareUpdate, type WebhookPlatform } from './endpoints/prepare-webhooks.ts'
import { openSecret } from './endpoints/webhook-secrets.ts'
import { listWebhooks, requireEndpoint, webhooks } from './endpoints/webhook-store.ts'
import { deleteWebhook, requireValid, rotateSecret } from './webhooks.ts'

/** The operations of webhook endpoints and their deliveries. */
export function webhookRoutes(platform: WebhookPlatform): Route[] {
  const { sender, seal } = platform
  // Only the encrypted secret is stored, for idempotent replays too; it is decrypted when the response is sent.
  const revive = <Item extends { readonly id: string; readonly secret: string }>(
    record: Item,
    { context }: { readonly context: RequestContext },
  ): Item => ({ ...record, secret: openSecret(seal, context.tenant.id, record.id, record.secret) })
  const toAsker = (context: RequestContext) => ({ context, scopes: context.caller.scopes })
  return implement(webhookOperations, {
    createWebhook: {
      prepare: (database, { context, body }) => prepareCreate(platform, database, toAsker(context), body),
      revive,
    },
    listWebhooks: (database, { context }) => listWebhooks(database, context.tenant.id),
    getWebhook: (database, { context, params }) => readOne(database, context.tenant.id, webhooks, params.id),
    updateWebhook: {
      prepare: (database, { context, params, body }) =>
        prepareUpdate(platform, database, toAsker(context), params.id, body, context),
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
      return readPage(database, context.tenant.id, deliveryList(record.id), query)
    },
    redeliver: {
      prepare: async (_database, { context, params, body }) => {
        requireValid(redeliveryErrors(body))
        return async (tx) => ({ record: { queued: await redeliver(tx, context, params.id, body) }, entityTag: null })
      },
    },
  })
}
