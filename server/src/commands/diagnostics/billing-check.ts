import type { Check } from './check.ts'
import type { OwnerQuery } from './wrong-totals.ts'

/** What must be the same in every tenant, each with a statement that finds what differs. */
const comparisons: Readonly<Record<string, string>> = {
  'what is open of an obligation follows from its receipts and adjustments': `
    select 1 as wrong
      from obligations o
      join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
      left join lateral (
        select coalesce(sum(l.amount), 0) as amount from billing_receipt_allocations l
          join billing_receipts r on r.tenant_id = l.tenant_id and r.id = l.receipt_id and r.status = 'posted'
         where l.tenant_id = o.tenant_id and l.payment_id = o.payment_id) as paid on true
     where o.paid_amount <> paid.amount
        or (o.closed_on is null and o.open_amount <> p.amount - o.paid_amount - o.adjusted_amount)
        or (o.closed_on is not null and o.open_amount <> 0)
     limit 1`,
  'the ledger of an account is what is open less its credit': `
    select 1 as wrong
      from billing_accounts a
      left join lateral (
        select coalesce(sum(o.open_amount), 0) as amount from obligations o
         where o.tenant_id = a.tenant_id and o.account_id = a.id) as open on true
      left join lateral (
        select coalesce(sum(g.debit - g.credit), 0) as amount from gl_entries g
         where g.tenant_id = a.tenant_id and g.billing_account_id = a.id) as posted on true
     where open.amount - a.credit <> posted.amount
       and not exists (select from obligations o
                        where o.tenant_id = a.tenant_id and o.account_id = a.id and o.company is null)
     limit 1`,
}

/** Whether accounts, obligations, receipts and ledger agree, in all tenants. */
export async function checkBilling(query: OwnerQuery): Promise<Check> {
  const wrong: string[] = []
  for (const [rule, text] of Object.entries(comparisons)) {
    if ((await query(text, [])).length > 0) wrong.push(rule)
  }
  const name = 'billing'
  if (wrong.length === 0) return { name, status: 'ok', detail: 'accounts, obligations, receipts and ledger agree' }
  return { name, status: 'failure', detail: `not so in some tenant: ${wrong.join('; ')}. Please report this.` }
}
