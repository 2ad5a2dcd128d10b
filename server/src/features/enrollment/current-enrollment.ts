import { programEnrollment } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { RecordError, type RecordWork } from '../../record-engine/index.ts'
import { loadEducationSettings } from '../settings/index.ts'

/**
 * The name of the given academic year, or the institution's current one.
 *
 * @throws RecordError `ValidationError` without either.
 */
export async function requireYear(work: RecordWork, year: string | null): Promise<string> {
  const yearName = year || (await loadEducationSettings(work)).current_academic_year
  if (yearName) return yearName
  throw new RecordError(
    'ValidationError',
    'Name the academic_year, or set the current academic year in Education Settings.',
  )
}

/**
 * The academic year that somebody means who asks for a student and names none: the institution's current one where the student
 * is enrolled in it, else the last in which the student was, as for those who have left.
 *
 * @throws RecordError `ValidationError` where the student has no submitted enrolment and the institution no current year.
 */
export async function findYearOfStudent(work: RecordWork, student: string): Promise<string> {
  const { current_academic_year: current } = await loadEducationSettings(work)
  const [last] = await work.tx.query<{ academic_year: string }>(sql`
    select e.academic_year
      from program_enrollments e
      join academic_years y on y.tenant_id = e.tenant_id and y.name = e.academic_year
     where e.tenant_id = ${work.tx.tenantId} and e.student = ${student} and e.docstatus = 1
     order by (e.academic_year is not distinct from ${current}) desc, y.year_start_date desc, y.name desc limit 1`)
  return last?.academic_year ?? requireYear(work, current)
}

/**
 * The first enrolment of a student in a year, or in the institution's current one, whatever became of it; null when there is
 * none. Throws `ValidationError` where there is no year at all.
 */
export async function findCurrentEnrollment(work: RecordWork, student: string, year: string | null) {
  const yearName = await requireYear(work, year)
  const [found] = await work.select(
    programEnrollment,
    sql`r.student = ${student} and r.academic_year = ${yearName}`,
    sql`order by r.created_at, r.id limit 1`,
  )
  if (found === undefined) return null
  const { name, student_name, program, student_batch_name, student_category, academic_term, academic_year } = found
  return {
    program_enrollment: name,
    student_name,
    program,
    student_batch: student_batch_name,
    student_category,
    academic_term,
    academic_year,
  }
}
