import { type Sql, sql } from '../../../database/index.ts'
import type { ReadRows } from '../reports/document.ts'
import type { Overdue } from './levels.ts'

/** Where and on which day something is overdue. */
interface When {
  readonly tenantId: string
  readonly today: string
}

/** What is overdue on a day and not held, of the obligations `o` that meet a condition, by account, oldest first. */
export async function loadOverdue(
  read: ReadRows,
  { tenantId, today }: When,
  condition: Sql,
): Promise<Map<string, Overdue[]>> {
  const rows = await read<Overdue>(sql`
    select o.payment_id as "paymentId", o.account_id as "accountId", p.currency, o.open_amount as amount,
           ${today}::date - o.due_on as "daysOverdue", o.dunning_level as "sentLevel",
           ${today}::date - o.dunning_sent_on as "daysSinceSent",
           ${today}::date - last.sent_on as "daysSinceLast"
      from obligations o
      join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
      join billing_accounts a on a.tenant_id = o.tenant_id and a.id = o.account_id
      left join lateral (
        select max(sent.dunning_sent_on) as sent_on from obligations sent
         where sent.tenant_id = ${tenantId} and sent.account_id = o.account_id) as last on true
     where o.tenant_id = ${tenantId} and o.open_amount <> 0 and o.due_on < ${today}::date
       and p.status in ('pending', 'overdue') and o.dunning_hold is null and ${condition}
     order by a.number, o.due_on, p.created_at, p.id`)
  const byAccount = new Map<string, Overdue[]>()
  for (const row of rows) {
    const own = byAccount.get(row.accountId)
    if (own === undefined) byAccount.set(row.accountId, [row])
    else own.push(row)
  }
  return byAccount
}
