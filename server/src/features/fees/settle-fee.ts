import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { lockRow } from '../../concurrency/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { getDay, todayIn } from '../../tenancy/index.ts'
import type { PaymentRecord } from '../payments/index.ts'
import { loadOutstanding, post, reverse } from './ledger.ts'

interface SettledFee {
  id: string
  name: string
  student: string
  company: string
  currency: string
  receivable_account: string
  bank_account: string | null
  outstanding_amount: number
  docstatus: number
}

/**
 * Posts the payment of a fee: once it is paid the ledger records the money and nothing is outstanding; when it is no
 * longer paid, this is reversed. Throws `state_conflict` when the fee and its payment are cancelled.
 */
export async function settleFee(
  tx: Transaction,
  context: ChangeContext,
  fee: string,
  before: PaymentRecord,
  after: PaymentRecord,
): Promise<void> {
  const wasPaid = before.status === 'paid'
  const isPaid = after.status === 'paid'
  if (before.status === after.status) return
  await lockRow(tx, 'fees', 'f', sql`f.name = ${fee}`)
  const [settled] = await tx.query<SettledFee>(sql`
    select f.id, f.name, f.student, f.company, f.currency, f.receivable_account, f.outstanding_amount, f.docstatus,
           coalesce(c.default_bank_account, c.default_cash_account) as bank_account
      from fees f
      join companies c on c.tenant_id = f.tenant_id and c.name = f.company
     where f.tenant_id = ${tx.tenantId} and f.name = ${fee}`)
  if (settled === undefined) return
  if (settled.docstatus === 2) {
    const detail = `The fee ${fee} is cancelled, and its payment with it. Make another fee instead.`
    throw new Problem('state_conflict', detail, { currentState: before.status })
  }
  if (wasPaid === isPaid) return
  const { timeZone } = context.tenant
  const day = after.paidAt === null ? todayIn(timeZone) : getDay(after.paidAt, timeZone)
  const voucher = { type: 'Payment', name: after.id, postingDate: day, remarks: `Payment of ${fee}` }
  if (isPaid) await takeIn(tx, context, settled, after, voucher)
  else await reverse(tx, context, { ...voucher, postingDate: todayIn(timeZone) })
  const outstanding = await loadOutstanding(tx, fee, settled.receivable_account)
  await tx.query(sql`
    update fees
       set outstanding_amount = ${outstanding}, version = version + 1, modified_by = ${context.actor.name},
           updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${settled.id}`)
  recordChanges(tx, context, [
    {
      type: 'fee.updated',
      entityType: 'fee',
      entityId: settled.id,
      before: { name: fee, outstanding_amount: settled.outstanding_amount },
      after: { name: fee, outstanding_amount: outstanding },
    },
  ])
}

function takeIn(
  tx: Transaction,
  context: ChangeContext,
  { receivable_account: receivable, bank_account: bank, company, currency, student, name }: SettledFee,
  { amount }: PaymentRecord,
  voucher: { type: string; name: string; postingDate: string; remarks: string },
): Promise<void> {
  const shared = { costCenter: null, debit: 0, credit: 0, party: null, fee: null }
  return post(tx, context, { ...voucher, company, currency }, [
    { ...shared, account: bank ?? receivable, debit: amount, against: student },
    { ...shared, account: receivable, credit: amount, against: bank ?? '', party: student, fee: name },
  ])
}
