import { lockInOrder } from '../../../concurrency/index.ts'
import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import { loadObligations, type ObligationState } from './obligation-rows.ts'

/**
 * Locks what changes with obligations: their fees, their accounts and their payments, in this order; then reads them as
 * they are. Further accounts may be named. What came to meet the condition meanwhile is locked as well.
 */
export async function lockObligations(
  tx: Transaction,
  condition: Sql,
  furtherAccounts: readonly string[] = [],
): Promise<ObligationState[]> {
  const rows = await tx.query<{ paymentId: string; accountId: string; feeId: string | null }>(sql`
    select o.payment_id as "paymentId", o.account_id as "accountId", f.id as "feeId"
      from obligations o
      left join fees f on f.tenant_id = ${tx.tenantId} and f.name = o.fee
     where o.tenant_id = ${tx.tenantId} and ${condition}`)
  const accounts = [...new Set([...furtherAccounts, ...rows.map(({ accountId }) => accountId)])]
  await lockInOrder(tx, [
    ...rows.flatMap(({ feeId }) => (feeId === null ? [] : [{ kind: 'fees', key: feeId }])),
    ...accounts.map((key) => ({ kind: 'billing_accounts', key })),
    ...rows.map(({ paymentId }) => ({ kind: 'payments', key: paymentId })),
  ])
  const found = await loadObligations(tx, condition)
  const known = new Set(rows.map(({ paymentId }) => paymentId))
  return found.every(({ paymentId }) => known.has(paymentId)) ? found : lockObligations(tx, condition, furtherAccounts)
}
