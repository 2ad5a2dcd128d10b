import type { Database, Transaction } from '../../../database/index.ts'
import type { Versioned } from '../../../entities/index.ts'
import type { SecretSeal } from '../../../identity/index.ts'
import { orderEvents } from '../../events/index.ts'
import type { DeliverySender } from '../delivery/delivery-sender.ts'
import {
  type Asker,
  type Conditions,
  type CreateWebhookBody,
  createWebhook,
  requireTypesReadable,
  requireValid,
  typesErrors,
  type UpdateWebhookBody,
  updateWebhook,
  type WebhookWithSealedSecret,
} from '../webhooks.ts'
import { addressErrors } from './webhook-address.ts'
import type { WebhookRecord } from './webhook-store.ts'

/** The sender of deliveries and the encryption of their secrets. */
export interface WebhookPlatform {
  readonly sender: DeliverySender
  readonly seal: SecretSeal
}

type Write<Item> = (tx: Transaction) => Promise<Versioned<Item>>

/**
 * Validates a new endpoint, DNS look-up included, before the transaction that creates it.
 *
 * @throws Problem `validation_failed` and `insufficient_scope`
 */
export async function prepareCreate(
  { sender, seal }: WebhookPlatform,
  database: Database,
  asker: Asker,
  body: CreateWebhookBody,
): Promise<Write<WebhookWithSealedSecret>> {
  requireValid([...(await addressErrors(sender.guard, body.url)), ...typesErrors(body.types)])
  requireTypesReadable(body.types, asker.scopes)
  await orderEvents(database, asker.context.tenant.id)
  return (tx) => createWebhook(tx, asker, body, seal)
}

/**
 * Validates a change of an endpoint before its transaction.
 *
 * @throws Problem `validation_failed` and `insufficient_scope`
 */
export async function prepareUpdate(
  { sender }: WebhookPlatform,
  database: Database,
  asker: Asker,
  id: string,
  body: UpdateWebhookBody,
  conditions: Conditions,
): Promise<Write<WebhookRecord>> {
  const { url, types = [] } = body
  requireValid([...(url === undefined ? [] : await addressErrors(sender.guard, url)), ...typesErrors(types)])
  requireTypesReadable(types, asker.scopes)
  if (body.enabled === true) await orderEvents(database, asker.context.tenant.id)
  return (tx) => updateWebhook(tx, asker, id, body, conditions)
}
