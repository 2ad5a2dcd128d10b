import type { ChangeContext } from '../../../changes/index.ts'
import { lockRows } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { getDay, todayIn } from '../../../tenancy/index.ts'
import type { PaymentRecord } from '../../payments/index.ts'
import { insertObligation } from '../obligations/charge.ts'
import { isAmong, loadObligations } from '../obligations/obligation-rows.ts'
import { findPayer } from '../obligations/payers.ts'
import { postReceipt } from '../receipts/post-receipt.ts'

interface FeeOfPayment {
  readonly id: string
  readonly name: string
  readonly company: string
  readonly receivable: string
  readonly income: string
  readonly costCenter: string | null
  readonly postedOn: string
  readonly docstatus: number
}

/**
 * Makes the obligations of payments that an earlier version made, with their accounts and postings. What is paid gets
 * the receipt that the earlier version did not write; the ledger of fees, which it did write, becomes that receipt's.
 */
export async function chargeOlder(
  tx: Transaction,
  context: ChangeContext,
  payments: readonly PaymentRecord[],
): Promise<void> {
  const fees = await loadFees(
    tx,
    payments.map(({ id }) => id),
  )
  for (const payment of payments) {
    const fee = fees.get(payment.id) ?? null
    const postedOn = fee?.postedOn ?? getDay(payment.createdAt, context.tenant.timeZone)
    const { studentId, currency } = payment
    const accountId = await findPayer(tx, context, { studentId, currency, day: postedOn })
    await insertObligation(tx, context, { payment, accountId, postedOn, fee, isOlder: true })
    if (fee !== null) await adoptFee(tx, payment, fee, accountId)
    if (payment.status === 'paid') await payOlder(tx, context, payment, accountId, fee !== null)
  }
}

async function loadFees(tx: Transaction, ids: readonly string[]): Promise<Map<string, FeeOfPayment>> {
  const rows = await tx.query<FeeOfPayment & { paymentId: string }>(sql`
    select p.id as "paymentId", f.id, f.name, f.company, f.receivable_account as receivable, f.income_account as income,
           f.cost_center as "costCenter", coalesce(f.posting_date, p.created_at::date) as "postedOn", f.docstatus
      from payments p join fees f on f.tenant_id = p.tenant_id and f.name = p.fee
     where p.tenant_id = ${tx.tenantId} and p.id = any(${[...ids]}::uuid[])`)
  return new Map(rows.map((row) => [row.paymentId, row]))
}

/** Lets the ledger of a fee say whose debt it is; nothing is open of a cancelled fee. */
async function adoptFee(tx: Transaction, payment: PaymentRecord, fee: FeeOfPayment, accountId: string): Promise<void> {
  tx.send(sql`
    update gl_entries set billing_account_id = ${accountId}
     where tenant_id = ${tx.tenantId} and against_voucher_type = 'Fees' and against_voucher = ${fee.name}`)
  if (fee.docstatus !== 2) return
  await tx.query(sql`
    update obligations set updated_at = current_stamp(), open_amount = 0, closed_on = posted_on
     where tenant_id = ${tx.tenantId} and payment_id = ${payment.id}`)
}

async function payOlder(
  tx: Transaction,
  context: ChangeContext,
  payment: PaymentRecord,
  accountId: string,
  isPosted: boolean,
): Promise<void> {
  await lockRows(tx, 'billing_accounts', [accountId])
  const [obligation] = await loadObligations(tx, isAmong([payment.id]))
  if (obligation === undefined || obligation.open === 0) return
  const today = todayIn(context.tenant.timeZone)
  const day = getDay(payment.paidAt ?? payment.createdAt, context.tenant.timeZone)
  await postReceipt(tx, context, {
    accountId,
    receivedOn: day > today ? today : day,
    method: payment.processorPaymentIntentId === null ? 'other' : 'card',
    reference: payment.processorPaymentIntentId,
    amount: payment.amount,
    currency: payment.currency,
    parts: [{ obligation, amount: obligation.open }],
    voucherNo: payment.id,
    older: { isPosted },
  })
}
