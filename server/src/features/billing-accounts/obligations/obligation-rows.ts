import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import { findMany } from '../../../entities/index.ts'
import { subtract } from '../../../money/index.ts'
import { type PaymentRecord, payments } from '../../payments/index.ts'

/** What is kept of an obligation beside its payment. */
interface ObligationRow {
  readonly paymentId: string
  readonly accountId: string
  readonly fee: string | null
  readonly reference: string
  readonly invoiceNumber: string
  readonly company: string | null
  readonly receivable: string | null
  readonly income: string | null
  readonly costCenter: string | null
  readonly postedOn: string
  readonly dueOn: string
  readonly closedOn: string | null
  readonly paid: number
  readonly adjusted: number
  readonly open: number
}

/** An obligation with its payment. */
export interface ObligationState extends ObligationRow {
  readonly payment: PaymentRecord
}

/** The columns of an obligation `o`. */
const columns = sql`
  o.payment_id as "paymentId", o.account_id as "accountId", o.fee, o.reference, o.invoice_number as "invoiceNumber",
  o.company, o.receivable_account as receivable, o.income_account as income, o.cost_center as "costCenter",
  o.posted_on as "postedOn", o.due_on as "dueOn", o.closed_on as "closedOn", o.paid_amount as paid,
  o.adjusted_amount as adjusted, o.open_amount as open`

/** The obligations that meet a condition on `o`, with their payments, by due date, then creation. */
export async function loadObligations(tx: Transaction, condition: Sql): Promise<ObligationState[]> {
  const rows = await tx.query<ObligationRow>(sql`
    select ${columns} from obligations o where o.tenant_id = ${tx.tenantId} and ${condition}`)
  if (rows.length === 0) return []
  const ids = rows.map(({ paymentId }) => paymentId)
  const found = await findMany(tx, payments, sql`p.id = any(${ids}::uuid[])`)
  const byId = new Map(found.map((payment) => [payment.id, payment]))
  return rows.map((row) => ({ ...row, payment: byId.get(row.paymentId) as PaymentRecord })).sort(byDueDate)
}

/** The condition that an obligation `o` is of one of these payments. */
export function isAmong(ids: readonly string[]): Sql {
  return sql`o.payment_id = any(${[...ids]}::uuid[])`
}

function byDueDate(one: ObligationState, other: ObligationState): number {
  const key = ({ dueOn, payment }: ObligationState) => `${dueOn} ${payment.createdAt} ${payment.id}`
  return key(one) < key(other) ? -1 : 1
}

/** What the row of an obligation is to have. */
export interface ObligationSums {
  readonly paymentId: string
  readonly paid: number
  readonly adjusted: number
  readonly open: number
}

/** Writes what is paid, adjusted and open of obligations whose account is locked. */
export function writeSums(tx: Transaction, changed: readonly ObligationSums[]): void {
  if (changed.length === 0) return
  tx.send(sql`
    update obligations o set paid_amount = c.paid, adjusted_amount = c.adjusted, open_amount = c.open,
           updated_at = current_stamp()
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
           as c ("paymentId" uuid, paid numeric, adjusted numeric, open numeric)
     where o.tenant_id = ${tx.tenantId} and o.payment_id = c."paymentId"`)
}

/** An obligation after a part of it was paid; a negative part takes it back. */
export function withPaid(obligation: ObligationState, amount: number): ObligationState {
  return {
    ...obligation,
    paid: subtract(obligation.paid, -amount),
    open: subtract(obligation.open, amount),
  }
}
