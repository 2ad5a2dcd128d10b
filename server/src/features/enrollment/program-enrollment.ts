import { academicYear, courseEnrollment, program, programEnrollment, student } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { defineRecord, newRow, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { requireTermOfYear } from '../calendar/index.ts'
import { chargeEnrollment, recountSchedulesOf, setFeeAmounts } from '../fees/index.ts'
import { recordEntry, removeEntries, withdrawEntry } from './enrollment-history.ts'

type Enrollment = RecordOf<typeof programEnrollment>

const courseRows = programEnrollment.fields.courses.rows

async function requireOneEnrollment(document: Enrollment, work: RecordWork): Promise<void> {
  const { name, student: enrolled, program: taken, academic_year, academic_term } = document
  await takeAdvisoryLock(work.tx, `enrolment of ${enrolled}`)
  const [other] = await work.select(
    programEnrollment,
    sql`r.student = ${enrolled} and r.program = ${taken} and r.academic_year = ${academic_year}
        and coalesce(r.academic_term, '') = ${academic_term ?? ''} and r.docstatus < 2 and r.name <> ${name}`,
    sql`limit 1`,
  )
  if (other === undefined) return
  throw new RecordError(
    'ValidationError',
    `The student is already enrolled in ${taken} for this year and term${(await work.mayRead(programEnrollment, other.name)) ? `: ${other.name}` : ''}. Change that enrolment, or cancel it first.`,
  )
}

async function requireDateInYear(
  { enrollment_date: date, academic_year }: Enrollment,
  work: RecordWork,
): Promise<void> {
  const year = await work.linked(academicYear, academic_year)
  if (year === null || date === null) return
  const { year_start_date: start, year_end_date: end } = year
  if ((start === null || date >= start) && (end === null || date <= end)) return
  throw new RecordError(
    'ValidationError',
    `The Enrollment Date ${date} is outside the Academic Year ${year.name} (${start} to ${end}). Correct the date or the year.`,
  )
}

/** The enrolment dates the student's joining, which birth comes before. */
async function requireBirthBefore(
  { student: name, enrollment_date: day }: Enrollment,
  work: RecordWork,
): Promise<void> {
  const born = (await work.linked(student, name))?.date_of_birth ?? null
  if (born === null || day === null || born < day) return
  throw new RecordError(
    'ValidationError',
    `The Enrollment Date ${day} is not after the Date of Birth of ${name}, ${born}. Correct one of the dates.`,
  )
}

/** The courses that everybody in the program takes, each once, though a program may list one twice. */
async function requiredCourses(document: Enrollment, work: RecordWork): Promise<string[]> {
  const taken = document.program ? await work.find(program, document.program) : null
  const required = (taken?.courses ?? []).filter((row) => row.required === 1)
  return [...new Set(required.map(({ course }) => course as string))]
}

async function fillCourses(document: Enrollment, work: RecordWork): Promise<void> {
  if (document.courses.length > 0) return
  const courses = await requiredCourses(document, work)
  document.courses = courses.map((course) => newRow(courseRows, { course, course_name: course }))
}

function requireCoursesOnce({ courses }: Enrollment): void {
  const known = new Set<string | null>()
  for (const { idx, course } of courses) {
    if (known.has(course)) {
      throw new RecordError('ValidationError', `Row #${idx}: the course ${course} is listed already. Remove the row.`)
    }
    known.add(course)
  }
}

/** Sets the joining date of a student from the first enrolment that is not cancelled; where none is left it stays. */
async function setJoiningDate(document: Enrollment, work: RecordWork): Promise<void> {
  const [first] = await work.select(
    programEnrollment,
    sql`r.student = ${document.student} and r.enrollment_date is not null and r.docstatus < 2`,
    sql`order by r.enrollment_date limit 1`,
  )
  if (first === undefined) return
  await work.put(student, document.student as string, { joining_date: first.enrollment_date })
}

async function enrollInCourses(document: Enrollment, work: RecordWork): Promise<void> {
  const { name, student: enrolled, enrollment_date } = document
  const stored = await work.select(courseEnrollment, sql`r.program_enrollment = ${name} and r.student = ${enrolled}`)
  const known = new Set(stored.map(({ course }) => course))
  for (const { course } of document.courses) {
    if (known.has(course)) continue
    known.add(course)
    await work.insert(courseEnrollment, { student: enrolled, course, program_enrollment: name, enrollment_date })
  }
}

/** Deletes the course enrolments of a cancelled enrolment, unless the student has activity in a course. */
async function removeCourseEnrollments(document: Enrollment, work: RecordWork): Promise<void> {
  for (const { name } of await work.select(courseEnrollment, sql`r.program_enrollment = ${document.name}`)) {
    await work.remove(courseEnrollment, name)
  }
}

/** The record type of program enrolments. */
export const programEnrollmentRecord = defineRecord(programEnrollment, {
  rules: {
    validate: [
      requireTermOfYear,
      requireDateInYear,
      requireBirthBefore,
      requireOneEnrollment,
      fillCourses,
      requireCoursesOnce,
      setFeeAmounts,
    ],
    afterSubmit: [setJoiningDate, recordEntry, chargeEnrollment, enrollInCourses, recountSchedulesOf],
    afterCancel: [setJoiningDate, removeCourseEnrollments, withdrawEntry, recountSchedulesOf],
    beforeDelete: [removeEntries],
  },
  methods: {
    get_courses: async (document, work) => (await requiredCourses(document, work)).map((course) => ({ course })),
  },
})
