import { column, type Sql, sql } from '../../database/index.ts'

/**
 * Who is somewhere on a day, for whoever calls a roll, counts a group or charges it. A folder of its own, because fees are
 * below enrolments, and groups above them.
 */

/**
 * The condition that a row of a group's students names a member of the group on a day.
 *
 * @param row The alias of `student_groups_students`.
 */
export function isMemberOn(row: string, _day: string | null): Sql {
  return sql`${column(row)}.active = 1`
}

/**
 * The condition that a student has not left the program of an enrolment on or before a day. Who never entered by a record
 * of the history, as before there was one, has not.
 *
 * @param enrollment The alias of `program_enrollments`.
 */
export function isInProgramOn(enrollment: string, day: string | null): Sql {
  const alias = column(enrollment)
  return sql`(
    exists (select 1 from enrollment_history h
             where h.tenant_id = ${alias}.tenant_id and h.student = ${alias}.student and h.program = ${alias}.program
               and (h.exit_date is null or h.exit_date > ${day}::date))
    or not exists (select 1 from enrollment_history h
                    where h.tenant_id = ${alias}.tenant_id and h.student = ${alias}.student
                      and h.program = ${alias}.program))`
}

/**
 * The condition that a student is at the institution on a day: enabled, and not left on or before it.
 *
 * @param student The alias of `student_records`.
 */
export function isStudentOn(student: string, day: string | null): Sql {
  const alias = column(student)
  return sql`${alias}.enabled = 1 and (${alias}.date_of_leaving is null or ${alias}.date_of_leaving > ${day}::date)`
}
