import type { Statement, Static } from '@matricula/contract'
import { type Database, type Sql, sql } from '../../../database/index.ts'
import { notFoundProblem, validationProblem } from '../../../errors/index.ts'
import { subtract, sumExactly } from '../../../money/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { isUuid } from '../../../values/index.ts'

export type StatementRecord = Static<typeof Statement>
type Line = StatementRecord['lines'][number]

/** What stands on an account: a row for each document and day, with what it adds to the debt and takes off it. */
function selectDocuments(tenantId: string, accountId: string): Sql {
  return sql`
    select o.posted_on as date, 1 as rank, 'invoice' as kind, o.invoice_number as number, sum(p.amount) as debit,
           0::numeric as credit
      from obligations o join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
     where o.tenant_id = ${tenantId} and o.account_id = ${accountId}
     group by o.posted_on, o.invoice_number
    union all
    select o.closed_on, 5, 'cancellation', o.invoice_number, 0, sum(p.amount - o.adjusted_amount - o.paid_amount)
      from obligations o join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
     where o.tenant_id = ${tenantId} and o.account_id = ${accountId} and o.closed_on is not null
     group by o.closed_on, o.invoice_number
    union all
    select r.received_on, 2, 'receipt', r.receipt_number, case when r.method = 'credit' then r.amount else 0 end, r.amount
      from billing_receipts r where r.tenant_id = ${tenantId} and r.account_id = ${accountId}
    union all
    select r.reversed_on, 3, 'reversal', r.receipt_number, r.amount, case when r.method = 'credit' then r.amount else 0 end
      from billing_receipts r
     where r.tenant_id = ${tenantId} and r.account_id = ${accountId} and r.reversed_on is not null
    union all
    select j.posted_on, 4, j.kind, j.number, 0, j.amount
      from billing_adjustments j where j.tenant_id = ${tenantId} and j.account_id = ${accountId}
    union all
    select w.paid_on, 6, 'payout', w.payout_number, w.amount, 0
      from billing_payouts w where w.tenant_id = ${tenantId} and w.account_id = ${accountId}
    union all
    select w.reversed_on, 7, 'payout_reversal', w.payout_number, 0, w.amount
      from billing_payouts w
     where w.tenant_id = ${tenantId} and w.account_id = ${accountId} and w.reversed_on is not null`
}

/**
 * The statement of an account between two days, both included. Throws `resource_not_found` for the account, and
 * `validation_failed` where the first day is after the last.
 */
export async function readStatement(
  database: Database,
  tenant: { readonly id: string; readonly timeZone: string },
  accountId: string,
  { from = '0001-01-01', to = todayIn(tenant.timeZone) }: { readonly from?: string; readonly to?: string },
): Promise<StatementRecord> {
  requireSpan(from, to)
  if (!isUuid(accountId)) throw notFoundProblem('billing account')
  const [known] = await database.read(
    tenant.id,
    sql`select 1 as found from billing_accounts where tenant_id = ${tenant.id} and id = ${accountId}`,
  )
  if (known === undefined) throw notFoundProblem('billing account')
  const rows = await database.readSlowly<Omit<Line, 'balance'> & { isBefore: boolean }>(
    tenant.id,
    sql`
      select d.date, d.kind, d.number, d.debit, d.credit, d.date < ${from}::date as "isBefore"
        from (${selectDocuments(tenant.id, accountId)}) d
       where d.date <= ${to}::date
       order by d.date, d.rank, d.number`,
  )
  const toBalance = (before: number, { debit, credit }: Pick<Line, 'debit' | 'credit'>) =>
    subtract(sumExactly(before, debit), credit)
  const openingBalance = rows.filter(({ isBefore }) => isBefore).reduce(toBalance, 0)
  let balance = openingBalance
  const lines = rows
    .filter(({ isBefore }) => !isBefore)
    .map(({ date, kind, number, debit, credit }): Line => {
      balance = toBalance(balance, { debit, credit })
      return { date, kind, number, debit, credit, balance }
    })
  return { openingBalance, lines, closingBalance: balance }
}

/** Throws `validation_failed` where the first day is after the last. */
export function requireSpan(from: string, to: string): void {
  if (from <= to) return
  throw validationProblem([{ in: 'query', name: 'from', code: 'inconsistent', detail: 'must not be after to' }])
}
