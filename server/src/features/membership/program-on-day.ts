import { column, type Sql, sql } from '../../database/index.ts'

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
