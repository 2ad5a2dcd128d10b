import type { ChangeContext } from '../../changes/index.ts'
import { together } from '../../concurrency/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { findMany, versioned } from '../../entities/index.ts'
import { newId } from '../../values/index.ts'
import { insertPayments, type NewPayment, type PaymentRecord, type PaymentRow, payments } from './payment-store.ts'
import { recordPaymentChange } from './payments.ts'

/** A payment of a fee or an invoice: the whole of it, or a part. */
export interface FeePayment {
  /** The id that it is to have; absent: a new one. */
  readonly id?: string
  /** Null for one that no fee asks for. */
  readonly fee: string | null
  readonly studentCode: string
  readonly amount: number
  readonly currency: string
  readonly description: string
  /** A day, `YYYY-MM-DD`. */
  readonly dueDate: string
}

/** Makes a payment of a fee or an invoice, which waits to be paid. */
export async function createFeePayment(
  tx: Transaction,
  context: ChangeContext,
  asked: FeePayment,
): Promise<PaymentRecord> {
  const { studentCode, fee, id = newId(), ...values } = asked
  const payment: NewPayment = {
    ...values,
    ...(fee !== null && { fee }),
    id,
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

/** Whether a payment waits to be paid. */
export function isOpen({ status }: Pick<PaymentRecord, 'status'>): boolean {
  return status === 'pending' || status === 'overdue'
}

/** The payments of a fee, by due date: one for each account and instalment. */
export async function loadFeePayments(tx: Transaction, fee: string): Promise<PaymentRecord[]> {
  const found = await findMany(tx, payments, sql`p.fee = ${fee}`)
  return found.sort((one, other) => (one.dueDate < other.dueDate ? -1 : 1))
}

/** Makes a payment that is a part of another one: of its student, its description and its fee, with an amount of its own. */
export async function insertPaymentPart(
  tx: Transaction,
  context: ChangeContext,
  { studentId, currency, description }: PaymentRecord,
  fee: string | null,
  part: Pick<PaymentRecord, 'amount' | 'dueDate' | 'status'>,
): Promise<PaymentRecord> {
  const values = { id: newId(), externalId: null, student: { id: studentId }, currency, description, ...part }
  const [row] = await tx.query<PaymentRow>(
    insertPayments(tx.tenantId, [{ ...values, paidAt: null, isPaidNow: false, ...(fee !== null && { fee }) }]),
  )
  if (row === undefined) throw new Error('the part of a payment could not be made')
  const { record } = versioned(payments, row)
  recordPaymentChange(tx, context, null, record)
  return record
}
