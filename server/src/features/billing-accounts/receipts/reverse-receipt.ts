import { type ChangeContext, recordChanges } from '../../../changes/index.ts'
import { lockRows } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { readBack, requireLocked, type Versioned } from '../../../entities/index.ts'
import { Problem } from '../../../errors/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { lockRunOfReceipt, recordReturn } from '../direct-debits/returned-debit.ts'
import { loadBooks, requireOpenBooks } from '../obligations/books.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import { type ObligationState, withPaid, writeSums } from '../obligations/obligation-rows.ts'
import { storeOutstanding, storeStatuses } from '../obligations/statuses.ts'
import { changeCredit, reverseMoney } from './post-receipt.ts'
import { type ReceiptRecord, receipts } from './receipt-store.ts'

/** Why and on which day a receipt is reversed. */
interface Reversal {
  readonly reason: string | null
  readonly on: string
  /** Whether the payments have their status by what was said of them, which the reversal follows. */
  readonly keepsStatuses?: true
}

/**
 * Reverses a receipt: the opposite is posted, and what it paid is open again. Throws `resource_not_found`,
 * `state_conflict` for one that is reversed or whose credit was used meanwhile, and `rule_violated` (`books_closed`).
 */
export async function reverseReceipt(
  tx: Transaction,
  context: ChangeContext,
  id: string,
  { reason, on, keepsStatuses }: Reversal,
): Promise<Versioned<ReceiptRecord>> {
  const runId = await lockRunOfReceipt(tx, id)
  const paid = await lockPaid(tx, id)
  const { record: before } = await requireLocked(tx, receipts, id)
  if (before.status === 'reversed') {
    const detail = `The receipt ${before.receiptNumber} is reversed already.`
    throw new Problem('state_conflict', detail, { currentState: 'reversed' })
  }
  requireOpenBooks(await loadBooks(tx), on)
  await takeBackCredit(tx, before)
  const byId = new Map(paid.map((obligation) => [obligation.paymentId, obligation]))
  const open = before.allocations.map(({ paymentId, amount }) =>
    withPaid(byId.get(paymentId) as ObligationState, -amount),
  )
  writeSums(tx, open)
  tx.send(sql`
    update billing_receipts
       set status = 'reversed', reversed_on = ${on}, reversal_reason = ${reason}, reversed_by = ${context.actor},
           version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${id}`)
  if (keepsStatuses === undefined) await storeStatuses(tx, context, open, { paidAt: await lastPaidAt(tx, open) })
  else {
    await storeOutstanding(
      tx,
      context,
      open.map(({ fee }) => fee),
    )
  }
  await reverseMoney(tx, context, before, on)
  if (runId !== null) await recordReturn(tx, context, runId, id)
  const reversed = await readBack(tx, receipts, id)
  recordChanges(tx, context, [
    { type: 'receipt.reversed', list: receipts, entityId: id, before, after: reversed.record },
  ])
  return reversed
}

async function lockPaid(tx: Transaction, id: string): Promise<ObligationState[]> {
  const [owner] = await tx.query<{ account_id: string }>(
    sql`select account_id from billing_receipts where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  const isPaid = sql`o.payment_id in (
    select l.payment_id from billing_receipt_allocations l
     where l.tenant_id = ${tx.tenantId} and l.receipt_id = ${id})`
  const paid = await lockObligations(tx, isPaid, owner === undefined ? [] : [owner.account_id])
  if (paid.length === 0 && owner !== undefined) await lockRows(tx, 'billing_accounts', [owner.account_id])
  return paid
}

/** When the last receipt came in that still pays them; null where they are paid by none. */
async function lastPaidAt(tx: Transaction, obligations: readonly ObligationState[]): Promise<string | null> {
  const ids = obligations.map(({ paymentId }) => paymentId)
  const [row] = await tx.query<{ day: string | null }>(sql`
    select max(r.received_on) as day from billing_receipt_allocations l
      join billing_receipts r on r.tenant_id = l.tenant_id and r.id = l.receipt_id and r.status = 'posted'
     where l.tenant_id = ${tx.tenantId} and l.payment_id = any(${ids}::uuid[])`)
  return row?.day == null ? null : `${row.day}T00:00:00.000Z`
}

async function takeBackCredit(
  tx: Transaction,
  { accountId, method, amount, unallocated, receiptNumber }: ReceiptRecord,
) {
  if (method === 'credit') return changeCredit(tx, accountId, amount)
  const [row] = await tx.query<{ credit: number }>(
    sql`select credit from billing_accounts where tenant_id = ${tx.tenantId} and id = ${accountId}`,
  )
  if (unallocated > (row?.credit ?? 0)) {
    const detail = `The credit of ${receiptNumber} was used meanwhile. Reverse the receipts that used it first.`
    throw new Problem('state_conflict', detail, { currentState: 'posted' })
  }
  return changeCredit(tx, accountId, -unallocated)
}

/**
 * Reverses all posted receipts of a payment today; the payment keeps its status. Throws `state_conflict` where one of them also pays other payments.
 */
export async function reverseReceiptsFor(tx: Transaction, context: ChangeContext, paymentId: string): Promise<void> {
  const found = await loadReceiptsFor(tx, paymentId)
  const shared = found.find(({ others }) => others > 0)
  if (shared !== undefined) {
    const detail = `The receipt ${shared.number} also pays other payments. Reverse it by itself.`
    throw new Problem('state_conflict', detail, { currentState: 'paid' })
  }
  const on = todayIn(context.tenant.timeZone)
  for (const { id, receivedOn } of found) {
    await reverseReceipt(tx, context, id, { reason: null, on: on < receivedOn ? receivedOn : on, keepsStatuses: true })
  }
}

/** A posted receipt of a payment. */
export interface ReceiptOfPayment {
  readonly id: string
  readonly number: string
  readonly method: string
  readonly receivedOn: string
  /** How many other payments it pays. */
  readonly others: number
}

/** The posted receipts of a payment, oldest first. */
export function loadReceiptsFor(tx: Transaction, paymentId: string): Promise<ReceiptOfPayment[]> {
  return tx.query<ReceiptOfPayment>(sql`
    select r.id, r.receipt_number as number, r.method, r.received_on as "receivedOn",
           (select count(*) from billing_receipt_allocations other
             where other.tenant_id = r.tenant_id and other.receipt_id = r.id and other.payment_id <> ${paymentId})::integer
             as others
      from billing_receipt_allocations l
      join billing_receipts r on r.tenant_id = l.tenant_id and r.id = l.receipt_id
     where l.tenant_id = ${tx.tenantId} and l.payment_id = ${paymentId} and r.status = 'posted'
     order by r.created_at, r.id`)
}
