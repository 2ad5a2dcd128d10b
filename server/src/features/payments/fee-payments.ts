import type { ChangeContext } from '../../changes/index.ts'
import { together } from '../../concurrency/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { findOne, lockOne, versioned } from '../../entities/index.ts'
import { newId } from '../../values/index.ts'
import { insertPayments, type NewPayment, type PaymentRecord, type PaymentRow, payments } from './payment-store.ts'
import { lockAfterFee, recordPaymentChange, type Settle, storePayment } from './payments.ts'

/** What a submitted fee asks for. */
export interface FeeObligation {
  readonly fee: string
  readonly studentCode: string
  readonly amount: number
  readonly currency: string
  readonly description: string
  /** A day, `YYYY-MM-DD`. */
  readonly dueDate: string
}

/** Makes the payment of a fee, which waits to be paid. */
export async function createFeePayment(
  tx: Transaction,
  context: ChangeContext,
  obligation: FeeObligation,
): Promise<PaymentRecord> {
  const { studentCode, ...asked } = obligation
  const payment: NewPayment = {
    ...asked,
    id: newId(),
    externalId: null,
    student: { code: studentCode },
    status: 'pending',
    paidAt: null,
    isPaidNow: false,
  }
  const row = await together(tx, 'payments of fees', payment, async (made) => {
    const rows = await tx.query<PaymentRow>(insertPayments(tx.tenantId, made))
    const byId = new Map(rows.map((each) => [each.id, each]))
    return made.map(({ id }) => byId.get(id))
  })
  if (row === undefined) throw new Error('the payment of a fee could not be made')
  const { record } = versioned(payments, row)
  recordPaymentChange(tx, context, null, record)
  return record
}

/** The payment of a fee; null while it has none. */
export async function findFeePayment(tx: Transaction, fee: string): Promise<PaymentRecord | null> {
  return (await findOne(tx, payments, sql`p.fee = ${fee}`))?.record ?? null
}

/** Whether a payment waits to be paid. */
export function isOpen({ status }: Pick<PaymentRecord, 'status'>): boolean {
  return status === 'pending' || status === 'overdue'
}

/** The payment of a fee, locked; null while it has none. */
export async function lockFeePayment(tx: Transaction, fee: string): Promise<PaymentRecord | null> {
  return (await lockOne(tx, payments, sql`p.fee = ${fee}`))?.record ?? null
}

/** Cancels the payment of a fee that is cancelled itself, which the transaction has locked. One that was refunded stays so: that is what became of the money. */
export async function cancelFeePayment(tx: Transaction, context: ChangeContext, payment: PaymentRecord): Promise<void> {
  if (['cancelled', 'refunded'].includes(payment.status)) return
  await storePayment(tx, context, payment, { ...payment, status: 'cancelled' })
}

/**
 * Marks the payment of a fee as paid, at a moment and by the number that a card processor gave it. False where it does not wait
 * to be paid any more; then nothing changes.
 */
export async function payFee(
  tx: Transaction,
  context: ChangeContext,
  fee: string,
  paid: Pick<PaymentRecord, 'paidAt' | 'processorPaymentIntentId'>,
  settle: Settle,
): Promise<boolean> {
  const current = await lockAfterFee(tx, sql`p.fee = ${fee}`)
  if (current === null || !isOpen(current.record)) return false
  await storePayment(tx, context, current.record, { ...current.record, ...paid, status: 'paid' }, settle)
  return true
}
