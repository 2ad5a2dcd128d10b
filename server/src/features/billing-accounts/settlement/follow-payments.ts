import type { ChangeContext } from '../../../changes/index.ts'
import { lockRows } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { Problem } from '../../../errors/index.ts'
import { sumExactly } from '../../../money/index.ts'
import { getDay, todayIn } from '../../../tenancy/index.ts'
import type { PaymentFollower, PaymentRecord } from '../../payments/index.ts'
import { loadBooks, requireOpenBooks } from '../obligations/books.ts'
import { chargePayment, computeRest, postCharge } from '../obligations/charge.ts'
import { isAmong, loadObligations, type ObligationState, writeSums } from '../obligations/obligation-rows.ts'
import { findPayer } from '../obligations/payers.ts'
import { storeOutstanding } from '../obligations/statuses.ts'
import { postReceipt } from '../receipts/post-receipt.ts'
import { loadReceiptsFor, reverseReceiptsFor } from '../receipts/reverse-receipt.ts'
import { chargeOlder } from './charge-older.ts'

/**
 * What follows when payments are made or changed by their own operations: obligations, receipts and ledger say the same
 * as the payment does.
 */
export const paymentFollower: PaymentFollower = {
  created: async (tx, context, payment) => {
    await chargePayment(tx, context, payment)
    if (payment.status === 'paid') await payRest(tx, context, payment)
  },
  changed: followChange,
}

async function followChange(
  tx: Transaction,
  context: ChangeContext,
  before: PaymentRecord,
  after: PaymentRecord,
): Promise<void> {
  const current = await lockObligation(tx, context, before)
  await requireFeeInForce(tx, current, before)
  if (after.dueDate !== before.dueDate) {
    const dueOn = getDay(after.dueDate, context.tenant.timeZone)
    tx.send(sql`
      update obligations set updated_at = current_stamp(), due_on = ${dueOn} where tenant_id = ${tx.tenantId} and payment_id = ${after.id}`)
  }
  const hasOtherPrice = after.amount !== before.amount || after.currency !== before.currency
  if (hasOtherPrice) await changePrice(tx, context, current, before, after)
  else if (before.status === 'paid' && after.status !== 'paid') await reverseReceiptsFor(tx, context, after.id)
  if (after.status !== before.status) await changeStanding(tx, context, before, after)
  if (after.status === 'paid') await payRest(tx, context, after)
  await storeOutstanding(tx, context, [current.fee])
}

/** The obligation of a payment that is locked, with its account locked; made where an earlier version made the payment. */
async function lockObligation(
  tx: Transaction,
  context: ChangeContext,
  before: PaymentRecord,
): Promise<ObligationState> {
  const [known] = await loadObligations(tx, isAmong([before.id]))
  if (known === undefined) await chargeOlder(tx, context, [before])
  const [found] = known === undefined ? await loadObligations(tx, isAmong([before.id])) : [known]
  if (found === undefined) throw new Error(`the payment ${before.id} has no obligation`)
  await lockRows(tx, 'billing_accounts', [found.accountId])
  return (await loadObligations(tx, isAmong([before.id])))[0] as ObligationState
}

async function requireFeeInForce(tx: Transaction, { fee }: ObligationState, { status }: PaymentRecord): Promise<void> {
  if (fee === null) return
  const [row] = await tx.query<{ docstatus: number }>(
    sql`select docstatus from fees where tenant_id = ${tx.tenantId} and name = ${fee}`,
  )
  if (row?.docstatus !== 2) return
  const detail = `The fee ${fee} is cancelled, and its payment with it. Make another fee instead.`
  throw new Problem('state_conflict', detail, { currentState: status })
}

/** Posts another amount or currency. What was paid by a change of status alone is paid anew; other receipts stay. */
async function changePrice(
  tx: Transaction,
  context: ChangeContext,
  current: ObligationState,
  before: PaymentRecord,
  after: PaymentRecord,
): Promise<void> {
  const received = await loadReceiptsFor(tx, after.id)
  const isOwn = received.every(({ method, others }) => method === 'other' && others === 0)
  const settled = sumExactly(current.paid, current.adjusted)
  if (isOwn) await reverseReceiptsFor(tx, context, after.id)
  else if (after.currency !== before.currency || after.amount < settled) {
    const detail = `Receipts have paid ${current.paid}. Reverse them before the amount or the currency changes.`
    throw new Problem('state_conflict', detail, { currentState: before.status })
  }
  const open = await reload(tx, after.id)
  if (open.closedOn !== null) return
  const day = await openDay(tx, context)
  await postCharge(tx, context, { ...open, payment: before }, -before.amount, day)
  const charged = { ...open, payment: after }
  if (after.currency !== before.currency) {
    charged.accountId = await findPayer(tx, context, { studentId: after.studentId, currency: after.currency, day })
    await tx.query(sql`
      update obligations set updated_at = current_stamp(), account_id = ${charged.accountId}
       where tenant_id = ${tx.tenantId} and payment_id = ${after.id}`)
  }
  await postCharge(tx, context, charged, after.amount, day)
  writeSums(tx, [{ ...open, open: computeRest({ ...open, payment: after }) }])
}

/** Closes or opens the charge of a payment that was made by itself and is cancelled, or no longer. */
async function changeStanding(
  tx: Transaction,
  context: ChangeContext,
  before: PaymentRecord,
  after: PaymentRecord,
): Promise<void> {
  const current = await reload(tx, after.id)
  if (before.status !== 'paid' && current.paid > 0 && ['cancelled', 'refunded'].includes(after.status)) {
    const detail = `Receipts have paid ${current.paid}. Reverse them first.`
    throw new Problem('state_conflict', detail, { currentState: before.status })
  }
  if (current.fee !== null) return
  const isClosed = current.closedOn !== null
  if (after.status === 'cancelled' && !isClosed) {
    const day = await openDay(tx, context)
    await postCharge(tx, context, current, -current.open, day)
    await setClosed(tx, after.id, day, 0)
  }
  if (after.status !== 'cancelled' && isClosed) {
    const open = computeRest({ ...current, payment: after })
    await postCharge(tx, context, { ...current, payment: after }, open, await openDay(tx, context))
    await setClosed(tx, after.id, null, open)
  }
}

async function setClosed(tx: Transaction, paymentId: string, day: string | null, open: number): Promise<void> {
  await tx.query(sql`
    update obligations set updated_at = current_stamp(), closed_on = ${day}::date, open_amount = ${open}::numeric
     where tenant_id = ${tx.tenantId} and payment_id = ${paymentId}`)
}

/** Pays what is open of a payment that is said to be paid, by a receipt of no known method. */
async function payRest(tx: Transaction, context: ChangeContext, payment: PaymentRecord): Promise<void> {
  const obligation = await reload(tx, payment.id)
  if (obligation.open === 0) return
  const { accountId, open: amount } = obligation
  await lockRows(tx, 'billing_accounts', [accountId])
  const today = todayIn(context.tenant.timeZone)
  const day = payment.paidAt === null ? today : getDay(payment.paidAt, context.tenant.timeZone)
  await postReceipt(tx, context, {
    accountId,
    receivedOn: day > today ? today : day,
    method: 'other',
    reference: payment.processorPaymentIntentId,
    amount,
    currency: payment.currency,
    parts: [{ obligation, amount }],
    voucherNo: payment.id,
  })
}

async function reload(tx: Transaction, paymentId: string): Promise<ObligationState> {
  const [found] = await loadObligations(tx, isAmong([paymentId]))
  if (found === undefined) throw new Error(`the payment ${paymentId} has no obligation`)
  return found
}

/** Today, on which reversals of closed matters are posted. Throws `rule_violated` where even today is closed. */
async function openDay(tx: Transaction, context: ChangeContext): Promise<string> {
  const today = todayIn(context.tenant.timeZone)
  requireOpenBooks(await loadBooks(tx), today)
  return today
}
