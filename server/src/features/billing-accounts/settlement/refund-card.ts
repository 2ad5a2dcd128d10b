import type { ChangeContext } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { storePayment } from '../../payments/index.ts'
import { isAmong, loadObligations } from '../obligations/obligation-rows.ts'
import { reverseReceipt } from '../receipts/reverse-receipt.ts'

/**
 * Reverses the posted receipts of a captured card payment, whose money went back; what they alone paid is refunded. False
 * where there are none.
 *
 * @param reference The number that the processor gave the payment
 * @throws Problem `rule_violated` (`books_closed`) where even today is closed
 */
export async function refundCardReceipts(tx: Transaction, context: ChangeContext, reference: string): Promise<boolean> {
  const receipts = await tx.query<{ id: string; receivedOn: string; paid: string[] }>(sql`
    select r.id, r.received_on as "receivedOn",
           array(select l.payment_id::text from billing_receipt_allocations l
                  where l.tenant_id = r.tenant_id and l.receipt_id = r.id) as paid
      from billing_receipts r
     where r.tenant_id = ${tx.tenantId} and r.reference = ${reference} and r.method = 'card' and r.status = 'posted'
     order by r.created_at, r.id`)
  const today = todayIn(context.tenant.timeZone)
  for (const { id, receivedOn, paid } of receipts) {
    const on = today < receivedOn ? receivedOn : today
    await reverseReceipt(tx, context, id, { reason: 'Refunded by the card processor', on, keepsStatuses: true })
    for (const { payment, paid: left } of await loadObligations(tx, isAmong(paid))) {
      if (payment.status !== 'paid') continue
      const status = left === 0 ? 'refunded' : 'pending'
      await storePayment(tx, context, payment, { ...payment, status, ...(left > 0 && { paidAt: null }) })
    }
  }
  return receipts.length > 0
}
