import { programEnrollment } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { RecordError } from '../../records/record-error.ts'
import type { RecordWork } from '../../records/record-work.ts'
import { educationSettingsOf } from '../settings/index.ts'

/**
 * The name of the academic year that is meant: the one that is named, or the institution's current one.
 *
 * @throws RecordError `ValidationError` where there is neither.
 */
export async function requireYear(work: RecordWork, year: string | null): Promise<string> {
  const meant = year || (await educationSettingsOf(work)).current_academic_year
  if (meant) return meant
  throw new RecordError(
    'ValidationError',
    'Name the academic_year, or set the current academic year in Education Settings.',
  )
}

/**
 * The first enrolment of a student in a year, or in the institution's current one, whatever became of it; null when there is
 * none. Throws `ValidationError` where there is no year at all.
 */
export async function currentEnrollment(work: RecordWork, student: string, year: string | null) {
  const meant = await requireYear(work, year)
  const [found] = await work.select(
    programEnrollment,
    sql`r.student = ${student} and r.academic_year = ${meant}`,
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
