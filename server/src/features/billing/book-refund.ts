import { paymentRecord } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import type { RecordWork } from '../../record-engine/index.ts'
import { refundCardReceipts } from '../billing-accounts/index.ts'

/** The outcome of booking a refund. */
export type Refund = 'refunded' | 'not applied' | 'unknown payment'

/**
 * Books that a processor gave back the whole of a captured payment: its receipts are reversed today, and the payments that
 * they paid are refunded. Idempotent. Money that paid nothing stays where the staff booked it.
 */
export async function bookRefund(work: RecordWork, paymentId: string): Promise<Refund> {
  const [known] = await work.select(paymentRecord, sql`r.payment_id = ${paymentId} and r.status = 'Captured'`)
  if (known === undefined) return 'unknown payment'
  await takeAdvisoryLock(work.tx, `card payments of ${known.against_invoice}`)
  return (await refundCardReceipts(work.tx, work.caller, paymentId)) ? 'refunded' : 'not applied'
}
