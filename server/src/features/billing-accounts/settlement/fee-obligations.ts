import type { ChangeContext } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { findMany, nextNames } from '../../../entities/index.ts'
import { Problem } from '../../../errors/index.ts'
import { sumExactly } from '../../../money/index.ts'
import { getDay, todayIn } from '../../../tenancy/index.ts'
import { reverse } from '../../ledger/index.ts'
import { createFeePayment, isOpen, payments, storePayment } from '../../payments/index.ts'
import { loadBooks } from '../obligations/books.ts'
import { insertObligation } from '../obligations/charge.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import { type ObligationState, writeSums } from '../obligations/obligation-rows.ts'
import { ensureOwnAccounts } from '../obligations/payers.ts'
import { postReceipt } from '../receipts/post-receipt.ts'
import { chargeOlder } from './charge-older.ts'
import { cutIntoInstalments, loadPayers, shareFee, type Term } from './fee-shares.ts'

/** A fee that is charged. */
export interface ChargedFee {
  readonly name: string
  readonly studentCode: string
  readonly description: string
  readonly currency: string
  readonly company: string
  readonly receivable: string
  readonly income: string
  readonly costCenter: string | null
  readonly postedOn: string
  readonly dueOn: string
  readonly components: readonly { readonly category: string | null; readonly amount: number }[]
}

/** What an account owes of a fee. */
export interface FeeDebt {
  readonly accountId: string
  readonly amount: number
}

/**
 * Makes the payments of a fee, one for each account and instalment, with their obligations; answers what each account
 * owes, which the fee posts.
 */
export async function chargeFee(tx: Transaction, context: ChangeContext, fee: ChargedFee): Promise<FeeDebt[]> {
  const { currency, postedOn, dueOn, studentCode } = fee
  const payers = await loadPayers(tx, studentCode)
  const totals = shareFee(payers, fee.components, currency, postedOn)
  const debts: FeeDebt[] = []
  const { isGapless } = await loadBooks(tx)
  for (const { accountId: named, total } of totals) {
    const accountId = named ?? (await ownAccount(tx, context, payers.studentId, currency))
    debts.push({ accountId, amount: total })
    const instalments = cutIntoInstalments(total, await loadTerms(tx, accountId), { currency, postedOn, dueOn })
    const numbers = isGapless ? await nextNames(tx, `INV-${postedOn.slice(0, 4)}-`, 1) : []
    for (const [index, { amount, dueOn: due }] of instalments.entries()) {
      const part = instalments.length > 1 ? ` (${index + 1}/${instalments.length})` : ''
      const payment = await createFeePayment(tx, context, {
        fee: fee.name,
        studentCode,
        amount,
        currency,
        description: fee.description + part,
        dueDate: due,
      })
      await insertObligation(tx, context, {
        payment,
        accountId,
        postedOn,
        fee: { ...fee, ...(numbers[0] !== undefined && { invoiceNumber: numbers[0] }) },
      })
    }
  }
  return debts
}

async function ownAccount(
  tx: Transaction,
  context: ChangeContext,
  studentId: string,
  currency: string,
): Promise<string> {
  const [known] = await tx.query<{ id: string }>(sql`
    select id from billing_accounts
     where tenant_id = ${tx.tenantId} and student_id = ${studentId} and currency = ${currency}`)
  if (known !== undefined) return known.id
  const made = await ensureOwnAccounts(tx, context, [{ studentId, currency }])
  return made.get(`${studentId} ${currency}`) as string
}

function loadTerms(tx: Transaction, accountId: string): Promise<Term[]> {
  return tx.query<Term>(sql`
    select d.invoice_portion as portion, coalesce(d.due_date_based_on, '') as "basedOn", d.credit_days as days
      from billing_accounts a
      join payment_terms_templates t on t.tenant_id = a.tenant_id and t.name = a.payment_terms
      join payment_terms_templates_terms d on d.tenant_id = t.tenant_id and d.parent_id = t.id
     where a.tenant_id = ${tx.tenantId} and a.id = ${accountId}
     order by d.idx`)
}

/** Locks the obligations of a fee, which is locked; makes those that an earlier version did not. */
async function lockFeeObligations(tx: Transaction, context: ChangeContext, fee: string): Promise<ObligationState[]> {
  const older = await findMany(
    tx,
    payments,
    sql`p.fee = ${fee} and not exists (
      select from obligations o where o.tenant_id = p.tenant_id and o.payment_id = p.id)`,
  )
  if (older.length > 0) await chargeOlder(tx, context, older)
  return lockObligations(tx, sql`o.fee = ${fee}`)
}

/**
 * Cancels the payments of a fee that is cancelled and locked: nothing is open of it any more. Throws `state_conflict`
 * with the payment in `paymentId` where money was received.
 */
export async function cancelFeeObligations(tx: Transaction, context: ChangeContext, fee: string): Promise<void> {
  const obligations = await lockFeeObligations(tx, context, fee)
  const received = obligations.find(({ paid }) => paid > 0)
  if (received !== undefined) {
    const detail = `because its payment ${received.paymentId} is ${received.payment.status === 'paid' ? 'paid' : 'partly paid'}. Refund the payment or set it back to pending first.`
    throw new Problem('state_conflict', detail, { currentState: received.payment.status })
  }
  const today = todayIn(context.tenant.timeZone)
  for (const { payment } of obligations) {
    if (payment.status === 'cancelled' || payment.status === 'refunded') continue
    await storePayment(tx, context, payment, { ...payment, status: 'cancelled' })
  }
  await writeSums(
    tx,
    obligations.map((each) => ({ ...each, open: 0 })),
  )
  tx.send(sql`
    update obligations set updated_at = current_stamp(), closed_on = ${today}::date where tenant_id = ${tx.tenantId} and fee = ${fee}`)
  const adjustments = await tx.query<{ number: string }>(sql`
    select j.number from billing_adjustments j
      join obligations o on o.tenant_id = j.tenant_id and o.payment_id = j.payment_id
     where j.tenant_id = ${tx.tenantId} and o.fee = ${fee} order by j.number`)
  for (const { number } of adjustments) {
    const voucher = { type: 'Journal Entry', name: number, isPlain: true } as const
    await reverse(tx, context, { ...voucher, postingDate: today, remarks: `Cancellation of ${fee}` })
  }
}

/** What a card processor captured. */
export interface Captured {
  readonly amount: number
  readonly paidAt: string
  readonly processorPaymentIntentId: string
}

/**
 * Pays what is open of a fee, which is locked, by card. False where it does not ask for exactly this amount any more;
 * then nothing changes.
 */
export async function payFeeByCard(
  tx: Transaction,
  context: ChangeContext,
  fee: string,
  { amount, ...captured }: Captured,
): Promise<boolean> {
  const open = (await lockFeeObligations(tx, context, fee)).filter((each) => each.open > 0)
  if (open.length === 0 || !open.every(({ payment }) => isOpen(payment))) return false
  if (sumExactly(...open.map((each) => each.open)) !== amount) return false
  for (const accountId of new Set(open.map((each) => each.accountId))) {
    const own = open.filter((each) => each.accountId === accountId)
    await postReceipt(tx, context, {
      accountId,
      receivedOn: getDay(captured.paidAt, context.tenant.timeZone),
      method: 'card',
      reference: captured.processorPaymentIntentId,
      amount: sumExactly(...own.map((each) => each.open)),
      currency: (own[0] as ObligationState).payment.currency,
      parts: own.map((obligation) => ({ obligation, amount: obligation.open })),
      ...(own.length === 1 && { voucherNo: (own[0] as ObligationState).paymentId }),
      captured,
    })
  }
  return true
}
