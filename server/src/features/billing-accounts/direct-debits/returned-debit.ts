import { type ChangeContext, recordChanges } from '../../../changes/index.ts'
import { lockRows } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { type DirectDebitRecord, debitAsJson, directDebits } from './direct-debit-store.ts'

/** Locks the run whose debit posted a receipt, before all that the receipt pays; its id, or null where there is none. */
export async function lockRunOfReceipt(tx: Transaction, receiptId: string): Promise<string | null> {
  const [found] = await tx.query<{ id: string }>(sql`
    select t.direct_debit_id as id from direct_debit_transactions t
     where t.tenant_id = ${tx.tenantId} and t.receipt_id = ${receiptId}`)
  if (found === undefined) return null
  await lockRows(tx, 'direct_debits', [found.id])
  return found.id
}

/** Records that a debit of a run, which is locked, was returned: its receipt was reversed by whatever. */
export async function recordReturn(
  tx: Transaction,
  context: ChangeContext,
  runId: string,
  receiptId: string,
): Promise<void> {
  await tx.query(sql`
    update direct_debits set version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${runId}`)
  const [row] = await tx.query<{ debit: DirectDebitRecord['debits'][number] }>(sql`
    select ${debitAsJson} as debit
      from direct_debit_transactions t
      join billing_receipts r on r.tenant_id = t.tenant_id and r.id = t.receipt_id
     where t.tenant_id = ${tx.tenantId} and t.receipt_id = ${receiptId}`)
  if (row === undefined) throw new Error('the debit of the receipt that was reversed is not there')
  recordChanges(tx, context, [
    {
      type: 'direct_debit.returned',
      list: directDebits,
      entityId: runId,
      before: { debits: [{ ...row.debit, status: 'collected', reasonCode: null }] },
      after: { debits: [row.debit] },
    },
  ])
}
