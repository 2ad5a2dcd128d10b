import { fees, paymentRecord } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { inMinorUnits, ofMinorUnits } from '../../money/index.ts'
import type { RecordOf, RecordWork } from '../../record-engine/index.ts'
import { bookUnapplied, settleFee } from '../fees/index.ts'
import { payFee } from '../payments/index.ts'
import type { CapturedPayment } from './card-gateway.ts'
import { stopAsking } from './order-checks.ts'

type Order = RecordOf<typeof paymentRecord>

/** What became of money that the gateway captured. */
export type Booking = 'fee' | 'suspense' | 'known' | 'unknown order'

/** The first record of an order that was made here, which nobody else books until this work is done; null when there is none. */
export async function findOrder(work: RecordWork, orderId: string): Promise<Order | null> {
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
 * Books money that the gateway captured, whoever told of it and however often: to the fee of its order while it is open and asks
 * for just that, else to the account of unapplied payments, with an event and a task for the staff.
 */
export async function bookCapture(
  work: RecordWork,
  captured: CapturedPayment,
  details: Partial<Order> = {},
): Promise<Booking> {
  const order = await findOrder(work, captured.orderId)
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
  const feeName = order.against_invoice ?? ''
  const fee = await work.get(fees, feeName)
  const isWhole = captured.currency === fee.currency && captured.amount === inMinorUnits(fee.grand_total, fee.currency)
  const paidAt = captured.madeAt.toISOString()
  if (
    isWhole &&
    (await payFee(work.tx, work.caller, feeName, { processorPaymentIntentId: captured.id, paidAt }, settleFee))
  ) {
    return 'fee'
  }
  await bookUnapplied(work, fee, record, paidAt)
  return 'suspense'
}

/** Notes the payment in the record of its order, or beside it where another one has paid the order already. */
async function recordCapture(work: RecordWork, order: Order, facts: Partial<Order>): Promise<Order> {
  const captured = { ...facts, status: 'Captured', failure_description: null }
  if (order.status === 'Captured') {
    const { student, mobile, email, against_invoice, order_id } = order
    return work.insert(paymentRecord, { student, mobile, email, against_invoice, order_id, ...captured })
  }
  await work.put(paymentRecord, order.name, captured)
  await stopAsking(work, order.name)
  return { ...order, ...captured }
}
