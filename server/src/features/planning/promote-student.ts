import {
  enrollmentHistory,
  programEnrollment,
  type studentPromotion,
  student as studentType,
} from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { findDayInYear } from '../calendar/index.ts'
import { recordExit } from '../enrollment/index.ts'

export type Promotion = RecordOf<typeof studentPromotion>
export type PromotedStudent = Promotion['students'][number]

/** The students of the program and year of a promotion, each once with the latest enrolment. */
export async function findStudentsToPromote(promotion: Promotion, work: RecordWork) {
  const { program, academic_year, academic_term, student_batch } = promotion
  return work.tx.query<{ student: string; student_name: string; program_enrollment: string }>(sql`
    select student, student_name, program_enrollment
      from (select distinct on (e.student) e.student, s.student_name, e.name as program_enrollment
              from program_enrollments e
              join student_records s on s.tenant_id = e.tenant_id and s.name = e.student and s.enabled = 1
             where e.tenant_id = ${work.tx.tenantId} and e.docstatus = 1
               and e.program = ${program} and e.academic_year = ${academic_year}
               and (coalesce(${academic_term}::text, '') = '' or e.academic_term = ${academic_term}::text)
               and (coalesce(${student_batch}::text, '') = '' or e.student_batch_name = ${student_batch}::text)
             order by e.student, e.enrollment_date desc, e.name desc) latest
     order by student_name, student`)
}

/** The day of the new enrolments. */
export function findPromotionDay({ enrollment_date, new_academic_year }: Promotion, work: RecordWork): Promise<string> {
  return enrollment_date !== null
    ? Promise.resolve(enrollment_date)
    : findDayInYear(work, work.today, new_academic_year)
}

/**
 * Does with one student what was decided, and gives what its row says then.
 *
 * @throws RecordError where the student left or is not enrolled as the row says, and by the rules of enrolments.
 */
export async function promoteStudent(
  promotion: Promotion,
  row: PromotedStudent,
  day: string,
  work: RecordWork,
): Promise<Partial<PromotedStudent>> {
  if (row.decision === 'Exclude') return { outcome: 'Excluded', message: null }
  const student = row.student as string
  const { enabled, date_of_leaving, joining_date } = await work.get(studentType, student)
  if (enabled !== 1 || (date_of_leaving !== null && date_of_leaving <= day)) {
    const since = date_of_leaving === null ? 'is disabled' : `has left on ${date_of_leaving}`
    throw new RecordError('ValidationError', `${student} ${since}. Exclude the student, or correct the record.`)
  }
  const source = await work.find(programEnrollment, row.program_enrollment ?? '')
  if (source === null || source.docstatus !== 1 || source.student !== student) {
    const named = row.program_enrollment ?? 'no enrollment'
    throw new RecordError('ValidationError', `${named} is no submitted enrollment of ${student}. Exclude the student.`)
  }
  if (row.decision === 'Graduate') {
    const ended = await endProgram(work, student, source.program as string, day, 'Graduation')
    return { outcome: 'Graduated', message: null, former_joining_date: joining_date, ...ended }
  }
  const isRetained = row.decision === 'Retain'
  const program = isRetained ? source.program : promotion.new_program
  const { new_academic_year: academic_year, new_academic_term: academic_term } = promotion
  const [known] = await work.select(
    programEnrollment,
    sql`r.student = ${student} and r.program = ${program} and r.academic_year = ${academic_year}
        and coalesce(r.academic_term, '') = ${academic_term ?? ''} and r.docstatus < 2`,
    sql`limit 1`,
  )
  if (known !== undefined) return { outcome: 'Already Enrolled', message: known.name }
  const isSubmitted = promotion.submit_enrollments === 1
  const moves = isSubmitted && program !== source.program
  const ended = moves ? await endProgram(work, student, source.program as string, day, 'Promotion') : {}
  const made = await work.insert(programEnrollment, {
    student,
    program,
    academic_year,
    academic_term,
    student_batch_name: (isRetained ? null : promotion.new_student_batch) || source.student_batch_name,
    student_category: source.student_category,
    school_house: source.school_house,
    boarding_student: source.boarding_student,
    enrollment_date: day,
    docstatus: isSubmitted ? 1 : 0,
  })
  return {
    outcome: isRetained ? 'Retained' : 'Promoted',
    message: null,
    new_enrollment: made.name,
    new_modified: made.modified,
    former_joining_date: joining_date,
    ...ended,
  }
}

async function endProgram(
  work: RecordWork,
  student: string,
  program: string,
  exit_date: string,
  exit_code: string,
): Promise<Pick<PromotedStudent, 'ended_history' | 'began_history'>> {
  const before = await work.select(enrollmentHistory, sql`r.student = ${student} and r.program = ${program}`)
  const [ended_history = null] = await recordExit({ student, program, exit_date, exit_code }, work)
  return { ended_history, began_history: before.some(({ name }) => name === ended_history) ? 0 : 1 }
}

/**
 * Takes back what was done with one student.
 *
 * @throws RecordError where the enrolment that was made has changed since, or another record names it.
 */
export async function undoStudent(row: PromotedStudent, work: RecordWork): Promise<Partial<PromotedStudent>> {
  const { new_enrollment, ended_history } = row
  if (new_enrollment !== null) {
    const made = await work.get(programEnrollment, new_enrollment)
    if (made.modified !== row.new_modified) {
      throw new RecordError(
        'TimestampMismatchError',
        `${new_enrollment} of ${row.student} was changed since. Cancel and delete it yourself, or take the change back.`,
      )
    }
    if (made.docstatus === 1) await work.cancel(programEnrollment, new_enrollment)
    await work.remove(programEnrollment, new_enrollment)
  }
  if (ended_history !== null) {
    if (row.began_history === 1) await work.remove(enrollmentHistory, ended_history)
    else await work.put(enrollmentHistory, ended_history, { exit_date: null, exit_code: '' })
  }
  if (new_enrollment !== null || ended_history !== null) {
    await work.put(studentType, row.student as string, { joining_date: row.former_joining_date })
  }
  const nothing = { new_enrollment: null, new_modified: null, ended_history: null, began_history: 0 }
  return { ...nothing, outcome: '', message: null, former_joining_date: null }
}
