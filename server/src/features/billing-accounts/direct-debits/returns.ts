import type { Body, directDebitOperations } from '@matricula/contract'
import { type ChangeContext, type RequestContext, recordChanges, requireMatch } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { readBack, requireLocked, type Versioned } from '../../../entities/index.ts'
import { referenceProblem } from '../../../errors/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { loadBooks } from '../obligations/books.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import { reverseReceipt } from '../receipts/reverse-receipt.ts'
import { type DirectDebitRecord, directDebits } from './direct-debit-store.ts'

type ReturnDebitsBody = Body<(typeof directDebitOperations)['returnDirectDebits']>

/** A debit that the bank gave back: by what, and on which day. */
export type DebitReturn = ReturnDebitsBody['returns'][number]

/**
 * Takes returned debits of a run back, all or none; those that are returned already stay as they are. Throws
 * `resource_not_found`, `reference_not_found` for a debit that the run does not have, and `rule_violated` where the
 * books are closed today.
 */
export async function returnDebits(
  tx: Transaction,
  context: RequestContext,
  id: string,
  { returns }: ReturnDebitsBody,
): Promise<Versioned<DirectDebitRecord>> {
  const run = await requireLocked(tx, directDebits, id)
  requireMatch(context, run.entityTag)
  return reverseDebits(tx, context, run, returns)
}

/**
 * Reverses the receipts of debits of a run that is locked: on the day of the return, or the collection date where the
 * bank refused before it, or today where the books of that day are closed.
 */
export async function reverseDebits(
  tx: Transaction,
  context: ChangeContext,
  { record: before, entityTag }: Versioned<DirectDebitRecord>,
  returns: readonly DebitReturn[],
): Promise<Versioned<DirectDebitRecord>> {
  const byId = new Map(before.debits.map((debit) => [debit.endToEndId, debit]))
  const wanted = new Map<string, DebitReturn>()
  for (const [index, each] of returns.entries()) {
    const debit = byId.get(each.endToEndId)
    if (debit === undefined) throw referenceProblem(`returns/${index}/endToEndId`, 'debit of this run')
    if (debit.status === 'collected' && !wanted.has(debit.receiptId)) wanted.set(debit.receiptId, each)
  }
  if (wanted.size === 0) return { record: before, entityTag }
  await lockPaid(tx, [...wanted.keys()])
  const { closedUntil } = await loadBooks(tx)
  const today = todayIn(context.tenant.timeZone)
  for (const [receiptId, { reasonCode, returnedOn }] of wanted) {
    const day = returnedOn < before.collectionDate ? before.collectionDate : returnedOn
    const on = closedUntil !== null && day <= closedUntil ? today : day
    await reverseReceipt(tx, context, receiptId, { reason: reasonCode, on })
  }
  await tx.query(sql`
    update direct_debits set version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${before.id}`)
  const after = await readBack(tx, directDebits, before.id)
  recordChanges(tx, context, [
    { type: 'direct_debit.returned', list: directDebits, entityId: before.id, before, after: after.record },
  ])
  return after
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
