import { identifier, type Sql, sql } from '../../database/index.ts'
import type { RecordWork } from '../../record-engine/index.ts'
import { localTime } from '../../tenancy/index.ts'

/** The aliases of a row of a group's students and of its group in a statement. */
interface MembershipAliases {
  readonly member?: string
  readonly group?: string
}

/**
 * The first day on which a member is there no more, whatever the membership says; null while there is none: the student's date of
 * leaving, every day where a student is disabled without one, or the day on which the last enrolment in the group's year and
 * program was cancelled.
 */
export function leftOn({ caller, today }: RecordWork, { member = 'm', group = 'g' }: MembershipAliases = {}): Sql {
  const m = identifier(member)
  const g = identifier(group)
  return sql`least(
    (select case when person.enabled = 1 then person.date_of_leaving
                 when person.date_of_leaving is null then '-infinity' else least(person.date_of_leaving, ${today}::date) end
       from student_records person where person.tenant_id = ${m}.tenant_id and person.name = ${m}.student),
    (select case when bool_and(enrolment.docstatus = 2)
                 then (${localTime(sql`max(enrolment.updated_at)`, caller.tenant.timeZone)})::date end
       from program_enrollments enrolment
      where enrolment.tenant_id = ${m}.tenant_id and enrolment.student = ${m}.student and enrolment.docstatus > 0
        and enrolment.academic_year = ${g}.academic_year
        and (coalesce(${g}.program, '') = '' or enrolment.program = ${g}.program)))`
}

/** The condition for a row of a group's students to be of somebody who is in the group on a day, a `date`. */
export function isMemberOn(work: RecordWork, day: Sql, aliases: MembershipAliases = {}): Sql {
  const m = identifier(aliases.member ?? 'm')
  return sql`(${m}.active = 1 and coalesce(${m}.from_date <= ${day}, true) and coalesce(${m}.to_date >= ${day}, true)
              and coalesce(${leftOn(work, aliases)} > ${day}, true))`
}
