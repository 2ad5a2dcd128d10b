import { messagesIn } from '@matricula/pages'
import { readOne } from '../../../entities/index.ts'
import { Problem } from '../../../errors/index.ts'
import type { Composer } from '../../../mail/index.ts'
import { webhooks } from './webhook-store.ts'

/**
 * Writes the mail to administrators about an endpoint that the service has disabled; none once it is enabled or
 * deleted.
 */
export const webhookMailComposer: Composer = async (database, tenant, { entityId, recipient, locale }) => {
  const found = await readOne(database, tenant.id, webhooks, entityId).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
  const reason = found?.record.disabledReason
  if (found === null || (reason !== 'failing' && reason !== 'gone')) return null
  const { host } = new URL(found.record.url)
  const { greetingWithoutName, webhook } = messagesIn(locale).mails
  const { subject, advice, ...reasons } = webhook
  return {
    to: { name: recipient, address: recipient },
    subject: subject(tenant.name, host).replace(/\s+/g, ' '),
    text: `${[greetingWithoutName, reasons[reason](host), advice, `webhook ${found.record.id}`].join('\n\n')}\n`,
  }
}
