import { courseEnrollment, programEnrollment } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { defineRecord, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { findDayInYear } from '../calendar/index.ts'

async function requireOwnProgramEnrollment(
  { student, program_enrollment }: RecordOf<typeof courseEnrollment>,
  work: RecordWork,
  before: RecordOf<typeof courseEnrollment> | null,
): Promise<void> {
  if (before !== null) return
  const enrollment = await work.linked(programEnrollment, program_enrollment)
  if (enrollment === null) return
  if (enrollment.docstatus === 2) {
    throw new RecordError(
      'ValidationError',
      `The Program Enrollment ${enrollment.name} is cancelled. Name one that is not.`,
    )
  }
  if (enrollment.student === student) return
  throw new RecordError(
    'ValidationError',
    `The Program Enrollment ${enrollment.name} is not one of the student ${student}. Name an enrollment of the student.`,
  )
}

/** Nobody is enrolled in a course outside of the year of the program enrolment. */
async function requireDayInYear(
  { enrollment_date: day, program_enrollment }: RecordOf<typeof courseEnrollment>,
  work: RecordWork,
  before: RecordOf<typeof courseEnrollment> | null,
): Promise<void> {
  if (before !== null || day === null) return
  const enrollment = await work.linked(programEnrollment, program_enrollment)
  const nearest = await findDayInYear(work, day, enrollment?.academic_year ?? null)
  if (nearest === day) return
  throw new RecordError(
    'ValidationError',
    `The Enrollment Date ${day} is outside the Academic Year ${enrollment?.academic_year} of ${program_enrollment}, whose nearest day is ${nearest}. Correct the date.`,
  )
}

async function requireOneOfCourse(document: RecordOf<typeof courseEnrollment>, work: RecordWork): Promise<void> {
  const { name, student, course, program_enrollment } = document
  await takeAdvisoryLock(work.tx, `course enrolment of ${student}`)
  const [other] = await work.select(
    courseEnrollment,
    sql`r.student = ${student} and r.course = ${course} and r.program_enrollment = ${program_enrollment}
        and r.name <> ${name}`,
    sql`limit 1`,
  )
  if (other === undefined) return
  throw new RecordError(
    'ValidationError',
    `The student is already enrolled in the course ${course} by ${program_enrollment}${(await work.mayRead(courseEnrollment, other.name)) ? `: ${other.name}` : ''}.`,
    { title: 'Duplicate Entry' },
  )
}

/** The record type of course enrolments. */
export const courseEnrollmentRecord = defineRecord(courseEnrollment, {
  rules: { validate: [requireOwnProgramEnrollment, requireDayInYear, requireOneOfCourse] },
})
