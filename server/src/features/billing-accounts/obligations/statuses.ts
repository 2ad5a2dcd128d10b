import { type ChangeContext, recordChanges } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { type PaymentRecord, storePaymentStatuses } from '../../payments/index.ts'
import type { ObligationState } from './obligation-rows.ts'

/**
 * The status that follows from what is open: `paid` when nothing is and money came, `cancelled` when nothing is and none
 * came; otherwise one that was settled is due again, and any other stays.
 */
async function findStatus(
  tx: Transaction,
  context: ChangeContext,
  { payment, open, paid, dueOn, closedOn }: ObligationState,
): Promise<PaymentRecord['status']> {
  const { status } = payment
  if (closedOn !== null) return status
  if (open === 0) return paid > 0 ? 'paid' : 'cancelled'
  if (status === 'pending' || status === 'overdue') return status
  if (status === 'refunded' && paid === 0) return status
  if (dueOn >= todayIn(context.tenant.timeZone)) return 'pending'
  // Where another system owns the payments, it alone says which are overdue.
  const [owned] = await tx.query<{ by: string }>(sql`select sor_payments as by from tenants where id = ${tx.tenantId}`)
  return owned?.by === 'integration' ? 'pending' : 'overdue'
}

/** Stores the statuses that follow from the sums of obligations, and what is outstanding of their fees, which are locked. */
export async function storeStatuses(
  tx: Transaction,
  context: ChangeContext,
  changed: readonly ObligationState[],
  paid: { readonly paidAt: string | null; readonly processorPaymentIntentId?: string },
): Promise<void> {
  const statuses = await Promise.all(changed.map((obligation) => findStatus(tx, context, obligation)))
  const stored = changed.flatMap(({ payment }, index) => {
    const status = statuses[index] as PaymentRecord['status']
    if (status === payment.status) return []
    const settled = status === 'paid' ? paid : { paidAt: null }
    return [{ before: payment, after: { ...payment, ...settled, status } }]
  })
  await storePaymentStatuses(tx, context, stored)
  await storeOutstanding(
    tx,
    context,
    changed.map(({ fee }) => fee),
  )
}

/** Sets what is outstanding of fees, which are locked, to what is open of their obligations. */
export async function storeOutstanding(
  tx: Transaction,
  context: ChangeContext,
  fees: readonly (string | null)[],
): Promise<void> {
  const names = [...new Set(fees.filter((fee) => fee !== null))]
  if (names.length === 0) return
  const changed = await tx.query<{ id: string; name: string; before: number; after: number }>(sql`
    with open as (
      select f.id, f.outstanding_amount as before,
             (select coalesce(sum(o.open_amount), 0) from obligations o
               where o.tenant_id = ${tx.tenantId} and o.fee = f.name) as after
        from fees f where f.tenant_id = ${tx.tenantId} and f.name = any(${names}::text[]))
    update fees f
       set outstanding_amount = open.after, version = version + 1, modified_by = ${context.actor.name},
           updated_at = greatest(current_stamp(), updated_at)
      from open
     where f.tenant_id = ${tx.tenantId} and f.id = open.id and open.before is distinct from open.after
    returning f.id, f.name, open.before, open.after`)
  recordChanges(
    tx,
    context,
    changed.map(({ id, name, before, after }) => ({
      type: 'fee.updated' as const,
      entityType: 'fee',
      entityId: id,
      before: { name, outstanding_amount: before },
      after: { name, outstanding_amount: after },
    })),
  )
}
