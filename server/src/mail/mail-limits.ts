import { takeAdvisoryLock } from '../concurrency/index.ts'
import { sql, type Transaction } from '../database/index.ts'
import { type OutgoingMail, putOut } from './outgoing-mails.ts'

/** Maximum number of mails per hour to one address that public pages cause. */
const maxAnHour = 3

/** Queues a mail to an unverified address, at most a few per hour. Returns whether it was queued. */
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
