import type { ChangeContext } from '../../../changes/index.ts'
import { together } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { findMany, nextNames } from '../../../entities/index.ts'
import { Problem } from '../../../errors/index.ts'
import { sumExactly } from '../../../money/index.ts'
import { getDay, todayIn } from '../../../tenancy/index.ts'
import { reverse } from '../../ledger/index.ts'
import { createFeePayment, isOpen, payments, storePayment } from '../../payments/index.ts'
import { postAdjustment } from '../obligations/adjustments.ts'
import { loadBooks } from '../obligations/books.ts'
import { insertObligation } from '../obligations/charge.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import type { ObligationState } from '../obligations/obligation-rows.ts'
import { ensureOwnAccounts, ownKey } from '../obligations/payers.ts'
import { postReceipt } from '../receipts/post-receipt.ts'
import { chargeOlder } from './charge-older.ts'
import { cutIntoInstalments, findTerms, loadPayers, type Payers, shareFee } from './fee-shares.ts'

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
 * Makes the payments of a fee, one for each account and instalment, with their obligations; returns what each account
 * owes, which the fee posts.
 */
export async function chargeFee(tx: Transaction, context: ChangeContext, fee: ChargedFee): Promise<FeeDebt[]> {
  const { currency, postedOn, dueOn, studentCode } = fee
  const payers = await loadPayers(tx, studentCode)
  const totals = shareFee(payers, fee.components, currency, postedOn)
  const isOwn = totals.some(({ accountId }) => accountId === null)
  // Also where it is not needed, so that fees that are charged at once go on together, and their numbers are in their order.
  const own = await findOwn(tx, context, payers, currency, isOwn)
  const debts = totals.map(({ accountId, total }) => ({ accountId: accountId ?? (own as string), amount: total }))
  const { isGapless } = await loadBooks(tx)
  const numbers = isGapless ? await nextNames(tx, `INV-${postedOn.slice(0, 4)}-`, debts.length) : []
  for (const [position, { accountId, amount: total }] of debts.entries()) {
    const invoiceNumber = numbers[position] ?? (debts.length > 1 ? `${fee.name}-${position + 1}` : fee.name)
    const instalments = cutIntoInstalments(total, findTerms(payers, accountId), { currency, postedOn, dueOn })
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
      await insertObligation(tx, context, { payment, accountId, postedOn, invoiceNumber, fee })
    }
  }
  return debts
}

/** The student's own account in a currency, made where there is none and it is needed; else null. */
function findOwn(
  tx: Transaction,
  context: ChangeContext,
  { studentId, own }: Payers,
  currency: string,
  isNeeded: boolean,
): Promise<string | null> {
  const known = own.find((account) => account.currency === currency)?.id ?? null
  const isMade = isNeeded && known === null
  return together(tx, 'own accounts', { context, studentId, currency, isMade, known }, async (all, whole) => {
    const made = new Map<string, string>()
    const wanted = all.filter((one) => one.isMade)
    for (const each of new Set(wanted.map((one) => one.context))) {
      const those = wanted.filter((one) => one.context === each)
      for (const [key, id] of await ensureOwnAccounts(whole, each, those)) made.set(key, id)
    }
    return all.map((one) => (one.isMade ? (made.get(ownKey(one)) as string) : one.known))
  })
}

/** Locks the obligations of a fee, which is locked; makes them where an earlier version charged it. */
async function lockFeeObligations(tx: Transaction, context: ChangeContext, fee: string): Promise<ObligationState[]> {
  const found = await lockObligations(tx, sql`o.fee = ${fee}`)
  if (found.length > 0) return found
  const older = await findMany(tx, payments, sql`p.fee = ${fee}`)
  if (older.length === 0) return []
  await chargeOlder(tx, context, older)
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
  tx.send(sql`
    update obligations set open_amount = 0, closed_on = ${today}::date, updated_at = current_stamp()
     where tenant_id = ${tx.tenantId} and fee = ${fee}`)
  const adjusted = obligations.filter((each) => each.adjusted > 0)
  if (adjusted.length > 0) await reverseAdjustments(tx, context, fee, adjusted)
}

/**
 * Posts the opposite of what was written off and credited of the obligations of a fee. What a credit note gave beyond what
 * was open stays credit of the account.
 */
async function reverseAdjustments(
  tx: Transaction,
  context: ChangeContext,
  fee: string,
  obligations: readonly ObligationState[],
): Promise<void> {
  const today = todayIn(context.tenant.timeZone)
  const ids = obligations.map(({ paymentId }) => paymentId)
  const adjustments = await tx.query<{ number: string; paymentId: string; credit: number }>(sql`
    select number, payment_id as "paymentId", amount - applied as credit from billing_adjustments
     where tenant_id = ${tx.tenantId} and payment_id = any(${ids}::uuid[]) order by number`)
  for (const { number, paymentId, credit: amount } of adjustments) {
    const voucher = { type: 'Journal Entry', name: number, isPlain: true } as const
    await reverse(tx, context, { ...voucher, postingDate: today, remarks: `Cancellation of ${fee}` })
    if (amount === 0) continue
    const obligation = obligations.find((each) => each.paymentId === paymentId) as ObligationState
    await postAdjustment(tx, context, obligation, { kind: 'credit_note', amount, number, today })
  }
}

/** What a card processor captured. */
export interface Captured {
  readonly amount: number
  readonly paidAt: string
  readonly processorPaymentIntentId: string
  /** Of a fee that accounts share, the invoice that is paid; null: the whole fee. */
  readonly invoice: string | null
}

/**
 * Pays what is open of a fee, which is locked, or of one of its invoices, by card. False where it does not ask for exactly this amount any more;
 * then nothing changes.
 */
export async function payFeeByCard(
  tx: Transaction,
  context: ChangeContext,
  fee: string,
  { amount, invoice, ...captured }: Captured,
): Promise<boolean> {
  const obligations = await lockFeeObligations(tx, context, fee)
  const open = obligations.filter((each) => each.open > 0 && (invoice ?? each.invoiceNumber) === each.invoiceNumber)
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
