import { sql, type Transaction } from '@matricula/server/database/index'
import { type AcademicFacts, guardianLogIn, studentLogIn } from './load-academics.ts'

/**
 * Sets what names the loaded records: the current year and term, that a student gets no log-in by being saved, the holidays
 * of the company, who has a log-in, and the numbers from which the series go on.
 */
export function recordFacts(tx: Transaction, facts: AcademicFacts): void {
  const { company, year, term, holidayList, lastNumbers, logIns } = facts
  tx.send(sql`
    insert into education_settings (tenant_id, id, name, current_academic_year, current_academic_term,
                                    instructor_created_by, sales_invoice_posting_date_fee_schedule,
                                    sales_order_transaction_date_fee_schedule, user_creation_skip)
    values (${tx.tenantId}, new_uuid7(), 'Education Settings', ${year}, ${term}, 'Full Name', 1, 1, 1)
    on conflict on constraint education_settings_name_key
    do update set current_academic_year = excluded.current_academic_year,
                  current_academic_term = excluded.current_academic_term,
                  user_creation_skip = excluded.user_creation_skip`)
  tx.send(sql`
    update companies set default_holiday_list = ${holidayList} where tenant_id = ${tx.tenantId} and name = ${company}`)
  tx.send(sql`
    insert into naming_series (tenant_id, prefix, current)
    select ${tx.tenantId}, s.key, s.value::integer from jsonb_each_text(${JSON.stringify(Object.fromEntries(lastNumbers))}::jsonb) s
    on conflict on constraint naming_series_pkey
    do update set current = greatest(naming_series.current, excluded.current)`)
  if (logIns === null) return
  tx.send(sql`
    update students set user_name = ${studentLogIn} where tenant_id = ${tx.tenantId} and id = ${logIns.student}`)
  if (logIns.relative === null) return
  tx.send(sql`
    update contacts set user_name = ${guardianLogIn} where tenant_id = ${tx.tenantId} and id = ${logIns.relative}`)
}
