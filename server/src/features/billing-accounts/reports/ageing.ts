import type { AgeingRow, Static } from '@matricula/contract'
import { type Database, type Sql, sql } from '../../../database/index.ts'
import { todayIn } from '../../../tenancy/index.ts'

type AgeingRecord = Static<typeof AgeingRow>
export type AgeingBy = 'account' | 'student' | 'group' | 'program' | 'year'

/** What was open at the end of a day: `account_id`, `student_id`, `fee`, `currency`, `due_on` and `open`. */
function selectOpen(tenantId: string, asOf: string, today: string): Sql {
  if (asOf >= today) {
    return sql`
      select o.account_id, p.student_id, o.fee, p.currency, o.due_on, o.open_amount as open
        from obligations o join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
       where o.tenant_id = ${tenantId} and o.open_amount <> 0`
  }
  return sql`
    select o.account_id, p.student_id, o.fee, p.currency, o.due_on,
           p.amount - coalesce(paid.amount, 0) - coalesce(adjusted.amount, 0) as open
      from obligations o
      join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
      left join lateral (
        select sum(l.amount) as amount from billing_receipt_allocations l
          join billing_receipts r on r.tenant_id = l.tenant_id and r.id = l.receipt_id
         where l.tenant_id = o.tenant_id and l.payment_id = o.payment_id and r.received_on <= ${asOf}::date
           and (r.reversed_on is null or r.reversed_on > ${asOf}::date)) as paid on true
      left join lateral (
        select sum(j.applied) as amount from billing_adjustments j
         where j.tenant_id = o.tenant_id and j.payment_id = o.payment_id and j.posted_on <= ${asOf}::date
        ) as adjusted on true
     where o.tenant_id = ${tenantId} and o.posted_on <= ${asOf}::date
       and (o.closed_on is null or o.closed_on > ${asOf}::date)`
}

/** What each row is of an open amount `w`: joins that give `id` and `name` of the alias `g`. */
function selectOwners(tenantId: string, by: AgeingBy): Sql {
  switch (by) {
    case 'account':
      return sql`
        join (select a.id, coalesce(a.name, s.full_name) as name, a.id as key
                from billing_accounts a
                left join students s on s.tenant_id = a.tenant_id and s.id = a.student_id
               where a.tenant_id = ${tenantId}) g on g.key = w.account_id`
    case 'student':
      return sql`
        join (select s.id, s.full_name as name, s.id as key from students s where s.tenant_id = ${tenantId}) g
          on g.key = w.student_id`
    case 'group':
      return sql`
        join (select distinct t.id, t.name, s.id as key
                from student_groups t
                join student_groups_students m on m.tenant_id = t.tenant_id and m.parent_id = t.id and m.active = 1
                join students s on s.tenant_id = t.tenant_id and s.student_code = m.student
               where t.tenant_id = ${tenantId} and t.disabled = 0) g on g.key = w.student_id`
    case 'program':
      // By the program of the fee, as the report of fees by program: a student may pay for several.
      return sql`
        left join fees f on f.tenant_id = ${tenantId} and f.name = w.fee
        left join programs charged on charged.tenant_id = ${tenantId} and charged.name = f.program
        left join students s on s.tenant_id = ${tenantId} and s.id = w.student_id
        join programs g on g.tenant_id = ${tenantId} and g.id = coalesce(charged.id, s.program_id)`
    case 'year':
      return sql`
        join (select y.id, y.name, y.year_start_date as begins,
                     lead(y.year_start_date) over (order by y.year_start_date, y.name) as next
                from academic_years y where y.tenant_id = ${tenantId}) g
          on w.due_on >= g.begins and (g.next is null or w.due_on < g.next)`
  }
}

/** What is open by the days since it was due, a row for each currency, by name. */
export function listAgeing(
  database: Database,
  tenant: { readonly id: string; readonly timeZone: string },
  { asOf, by = 'account' }: { readonly asOf?: string; readonly by?: AgeingBy },
): Promise<AgeingRecord[]> {
  const today = todayIn(tenant.timeZone)
  const day = asOf ?? today
  const between = (from: number, to: number) =>
    sql`coalesce(sum(w.open) filter (where ${day}::date - w.due_on between ${from} and ${to}), 0)`
  return database.readSlowly<AgeingRecord>(
    tenant.id,
    sql`
      select g.id, g.name, w.currency,
             coalesce(sum(w.open) filter (where w.due_on >= ${day}::date), 0) as "notDue",
             ${between(1, 30)} as "days1To30", ${between(31, 60)} as "days31To60", ${between(61, 90)} as "days61To90",
             coalesce(sum(w.open) filter (where ${day}::date - w.due_on > 90), 0) as "over90", sum(w.open) as total
        from (${selectOpen(tenant.id, day, today)}) w
        ${selectOwners(tenant.id, by)}
       where w.open <> 0
       group by g.id, g.name, w.currency
       order by g.name, g.id, w.currency`,
  )
}
