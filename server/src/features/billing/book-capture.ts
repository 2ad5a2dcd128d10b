import { fees, paymentRecord } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { ofMinorUnits } from '../../money/index.ts'
import type { RecordOf, RecordWork } from '../../record-engine/index.ts'
import { findInvoiceOfFee, payFeeByCard } from '../billing-accounts/index.ts'
import { bookUnapplied } from '../fees/index.ts'
import type { CapturedPayment } from './card-processor.ts'
import { endChecks } from './order-checks.ts'

type Order = RecordOf<typeof paymentRecord>

/** The outcome of booking a captured payment. */
export type Booking = 'fee' | 'suspense' | 'known' | 'unknown order'

/** The first record of an order created here, locked until the transaction ends; null for none. */
export async function lockOrder(work: RecordWork, orderId: string): Promise<Order | null> {
  const [order] = await work.select(
    paymentRecord,
    sql`r.order_id = ${orderId} and r.against_invoice is not null`,
    sql`order by r.created_at, r.id limit 1`,
  )
  if (order === undefined) return null
  await takeAdvisoryLock(work.tx, `card payments of ${order.against_invoice}`)
  return work.find(paymentRecord, order.name)
}

/**
 * Books a captured payment, idempotently, whoever reported it: to the fee or the invoice of its order while it is open for exactly
 * this amount, else to the account of unapplied payments, with an event and a task for staff.
 */
export async function bookCapture(
  work: RecordWork,
  captured: CapturedPayment,
  details: Partial<Order> = {},
): Promise<Booking> {
  const order = await lockOrder(work, captured.orderId)
  if (order === null) return 'unknown order'
  const [known] = await work.select(paymentRecord, sql`r.payment_id = ${captured.id} and r.status = 'Captured'`)
  if (known !== undefined) return 'known'
  const amount = ofMinorUnits(captured.amount, captured.currency)
  const record = await recordCapture(work, order, {
    ...details,
    payment_id: captured.id,
    amount,
    currency: captured.currency,
  })
  const invoice = order.against_invoice ?? ''
  const part = await findInvoiceOfFee(work.tx, invoice)
  const fee = await work.get(fees, part?.fee ?? invoice)
  const isOfFee = captured.currency === fee.currency
  const paidAt = captured.madeAt.toISOString()
  const payment = { amount, paidAt, processorPaymentIntentId: captured.id, invoice: part === null ? null : invoice }
  if (isOfFee && (await payFeeByCard(work.tx, work.caller, fee.name, payment))) return 'fee'
  await bookUnapplied(work, fee, record, paidAt)
  return 'suspense'
}

/** Records the payment in the record of its order, or in a new one when another payment has paid the order. */
async function recordCapture(work: RecordWork, order: Order, facts: Partial<Order>): Promise<Order> {
  const captured = { ...facts, status: 'Captured', failure_description: null }
  if (order.status === 'Captured') {
    const { student, mobile, email, against_invoice, order_id } = order
    return work.insert(paymentRecord, { student, mobile, email, against_invoice, order_id, ...captured })
  }
  await work.put(paymentRecord, order.name, captured)
  await endChecks(work, order.name)
  return { ...order, ...captured }
}
