import type { Body, directDebitOperations } from '@matricula/contract'
import { type RequestContext, requireMatch } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { readBack, requireLocked, type Versioned } from '../../../entities/index.ts'
import { referenceProblem } from '../../../errors/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { loadBooks } from '../obligations/books.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import { reverseReceipt } from '../receipts/reverse-receipt.ts'
import { type DirectDebitRecord, directDebits } from './direct-debit-store.ts'

type ReturnDebitsBody = Body<(typeof directDebitOperations)['returnDirectDebits']>
type DebitReturn = ReturnDebitsBody['returns'][number]

/**
 * Takes returned debits of a run back, all or none, by reversing their receipts: on the day of the return, on the
 * collection date where the bank refused before it, or today where the books of that day are closed. Those that are
 * returned already stay as they are. Throws `resource_not_found`, `reference_not_found` for a debit that the run does
 * not have, and `rule_violated` (`books_closed`).
 */
export async function returnDebits(
  tx: Transaction,
  context: RequestContext,
  id: string,
  { returns }: ReturnDebitsBody,
): Promise<Versioned<DirectDebitRecord>> {
  const run = await requireLocked(tx, directDebits, id)
  requireMatch(context, run.entityTag)
  const wanted = findCollected(run.record, returns)
  if (wanted.size === 0) return run
  await lockPaid(tx, [...wanted.keys()])
  const { closedUntil } = await loadBooks(tx)
  const { collectionDate } = run.record
  for (const [receiptId, { reasonCode, returnedOn }] of wanted) {
    const day = returnedOn < collectionDate ? collectionDate : returnedOn
    const on = closedUntil !== null && day <= closedUntil ? todayIn(context.tenant.timeZone) : day
    await reverseReceipt(tx, context, receiptId, { reason: reasonCode, on })
  }
  return readBack(tx, directDebits, run.record.id)
}

/** What is returned of what still counts as collected, by receipt. Throws `reference_not_found`. */
function findCollected(
  { debits }: DirectDebitRecord,
  returns: readonly DebitReturn[],
): ReadonlyMap<string, DebitReturn> {
  const byId = new Map(debits.map((debit) => [debit.endToEndId, debit]))
  const wanted = new Map<string, DebitReturn>()
  for (const [index, each] of returns.entries()) {
    const debit = byId.get(each.endToEndId)
    if (debit === undefined) throw referenceProblem(`returns/${index}/endToEndId`, 'debit of this run')
    if (debit.status === 'collected' && !wanted.has(debit.receiptId)) wanted.set(debit.receiptId, each)
  }
  return wanted
}

/** Locks all that the receipts pay, and their accounts, at once. */
async function lockPaid(tx: Transaction, receiptIds: readonly string[]): Promise<void> {
  const ids = [...receiptIds]
  await lockObligations(
    tx,
    sql`o.payment_id in (
      select l.payment_id from billing_receipt_allocations l
       where l.tenant_id = ${tx.tenantId} and l.receipt_id = any(${ids}::uuid[]))`,
  )
}
