import type { PublicLocale } from '@matricula/contract'
import { messagesIn } from '@matricula/pages'
import { sql, type Transaction } from '../../database/index.ts'
import { type Composer, putOut } from '../../mail/index.ts'

/**
 * Queues a mail that informs an address that it is no longer on record for a person without an account.
 *
 * @param personId the record of the person
 * @param recipient the former address
 */
export async function putOutAddressReplaced(tx: Transaction, personId: string, recipient: string): Promise<void> {
  const [institution] = await tx.query<{ language: PublicLocale }>(
    sql`select language from tenants where id = ${tx.tenantId}`,
  )
  if (institution === undefined) return
  putOut(tx, { kind: 'address_replaced', entityId: personId, recipient, locale: institution.language })
}

/** Composes that mail. It names nobody, because the mailbox may belong to somebody else by now. */
export const addressMailComposers: Readonly<Record<'address_replaced', Composer>> = {
  address_replaced: async (_database, tenant, { recipient, locale }) => {
    const { subject, replaced, advice } = messagesIn(locale).mails.address
    return {
      to: { name: '', address: recipient },
      subject: subject(tenant.name).replace(/\s+/g, ' '),
      text: `${[replaced(tenant.name), advice(tenant.name)].join('\n\n')}\n`,
    }
  },
}
