import { takeAdvisoryLock } from '../concurrency/index.ts'
import { sql, type Transaction } from '../database/index.ts'
import { type OutgoingMail, putOut } from './outgoing-mails.ts'

/** So many mails that visitors of public pages cause one address gets within an hour, whoever they are. */
const maxAnHour = 3

/**
 * Puts out a mail to an address that a visitor typed, who may be anybody: no more than a few an hour. Answers whether it is on its
 * way.
 */
export async function putOutUnasked(tx: Transaction, mail: Omit<OutgoingMail, 'id'>): Promise<boolean> {
  const recipient = mail.recipient.trim().toLowerCase()
  await takeAdvisoryLock(tx, `mail ${recipient}`)
  const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from outgoing_mails
     where tenant_id = ${tx.tenantId} and recipient = ${recipient} and created_at > now() - interval '1 hour'
       and kind in ('form_receipt', 'form_draft')`)
  if (count >= maxAnHour) return false
  putOut(tx, { ...mail, recipient })
  return true
}
