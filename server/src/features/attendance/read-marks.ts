import { type Sql, sql } from '../../database/index.ts'
import type { RecordWork } from '../../record-engine/index.ts'
import { loadEducationSettings } from '../settings/index.ts'
import type { DayRule, Mark } from './day-totals.ts'

/** A mark with whose it is. */
export interface StudentMark extends Mark {
  readonly student: string
}

/**
 * The submitted marks that meet a condition on the alias `a`, by student and day. An absence within a leave that counts as present
 * is present.
 */
export function marksWhere({ tx }: RecordWork, condition: Sql): Sql {
  return sql`
    select a.student, a.date, a.excused, a.half_day, a.minutes_late,
           case when coalesce(a.course_schedule, '') <> '' then coalesce(c.from_time::text, '') end as from_time,
           case when exists (
                  select from student_leave_applications l
                   where l.tenant_id = a.tenant_id and l.student = a.student and l.docstatus = 1
                     and l.mark_as_present = 1 and a.date between l.from_date and l.to_date)
                then 'Present' else a.status end as status
      from student_attendances a
      left join course_schedules c on c.tenant_id = a.tenant_id and c.name = a.course_schedule
     where a.tenant_id = ${tx.tenantId} and a.docstatus = 1 and ${condition}
     order by a.student, a.date`
}

/** The rule by which the institution computes the total of a day. */
export async function loadDayRule(work: RecordWork): Promise<DayRule> {
  const { attendance_total_based_on: rule } = await loadEducationSettings(work)
  return (rule || 'Daily Roll') as DayRule
}
