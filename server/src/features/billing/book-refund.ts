import { paymentRecord } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import type { RecordWork } from '../../record-engine/index.ts'
import { refundCardReceipts } from '../billing-accounts/index.ts'
import { lockOrder } from './book-capture.ts'

/** The outcome of booking a refund. */
export type Refund = 'refunded' | 'not applied' | 'unknown payment'

/**
 * Books that a processor gave back the whole of a captured payment: its receipts are reversed today, and the payments that
 * they paid are refunded. Idempotent. Money that paid nothing stays where the staff booked it.
 *
 * @throws Problem `service_unavailable` where the capture is not booked yet, so that the processor tells it again
 */
export async function bookRefund(
  work: RecordWork,
  { paymentId, orderId }: { readonly paymentId: string; readonly orderId: string },
): Promise<Refund> {
  if ((await lockOrder(work, orderId)) === null) return 'unknown payment'
  const [known] = await work.select(paymentRecord, sql`r.payment_id = ${paymentId} and r.status = 'Captured'`)
  if (known === undefined) {
    const detail = 'The payment that was refunded is not booked yet. Send the event again.'
    throw new Problem('service_unavailable', detail, {}, { 'retry-after': '60' })
  }
  return (await refundCardReceipts(work.tx, work.caller, paymentId)) ? 'refunded' : 'not applied'
}
