import { courseSchedule, student, studentAttendance } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { takeTurn } from '../../platform/locks.ts'
import {
  addDays,
  daysBetween,
  isCalendarDate,
  type RecordEngine,
  RecordError,
  requireReadableOf,
} from '../../records/index.ts'
import { groupsOfStudent } from '../groups/index.ts'
import { educationSettingsOf } from '../settings/index.ts'
import { attendanceOf } from './student-attendance.ts'

/** Where and when students were, or were not. */
export interface RollCall {
  readonly course_schedule: string | null
  readonly student_group: string | null
  readonly date: string | null
}

type Status = 'Present' | 'Absent' | 'Leave'

async function mark(engine: RecordEngine, student: string, status: Status, place: RollCall): Promise<void> {
  await requireReadableOf(engine, studentAttendance.name, student)
  await engine.insert(studentAttendance, { student, status, ...place, docstatus: 1 })
}

function requireMayMark(engine: RecordEngine): void {
  engine.require(studentAttendance, 'create')
  engine.require(studentAttendance, 'submit')
}

/** Holds at once, in their order, what is looked at of each student when the attendances are made, and reads the students. */
async function prepareToMark(engine: RecordEngine, students: readonly string[]): Promise<void> {
  await takeTurn(engine.tx, ...students.map(attendanceOf))
  await engine.foresee(student, students)
}

/** The students of a list of objects that name them. */
function studentsOf(name: string, rows: object): string[] {
  if (Array.isArray(rows)) {
    const students = rows.map((row: unknown) => (row as { student?: unknown } | null)?.student)
    if (students.every((student) => typeof student === 'string' && student !== '')) return students as string[]
  }
  throw new RecordError('FrappeTypeError', `The argument ${name} must be a list of objects with a student.`)
}

/** Makes and submits an attendance of everybody; the first that is refused undoes all. */
export async function markAttendance(
  engine: RecordEngine,
  present: object,
  absent: object,
  place: RollCall,
): Promise<void> {
  requireMayMark(engine)
  const lists = [
    ['Present', studentsOf('students_present', present)],
    ['Absent', studentsOf('students_absent', absent)],
  ] as const
  await prepareToMark(
    engine,
    lists.flatMap(([, students]) => students),
  )
  for (const [status, students] of lists) {
    for (const student of students) await mark(engine, student, status, place)
  }
  engine.messages.push({ message: 'Attendance has been marked successfully.', indicator: 'green' })
}

const longestLeaveInDays = 366

/**
 * Marks a student as away for the days of a leave: in each lesson of the program that nobody has marked for the student yet,
 * or on each day in each of the student's groups, as the institution keeps its attendance.
 */
export async function applyLeave(engine: RecordEngine, leave: object, program: string): Promise<void> {
  requireMayMark(engine)
  const { student, from_date: from, to_date: to } = leave as Readonly<Record<string, unknown>>
  if (typeof student !== 'string' || typeof from !== 'string' || typeof to !== 'string') {
    throw new RecordError('FrappeTypeError', 'The argument leave_data must have student, from_date and to_date.')
  }
  const areDates = isCalendarDate(from) && isCalendarDate(to)
  const days = areDates ? daysBetween(from, to) + 1 : 0
  if (days <= 0 || days > longestLeaveInDays) {
    throw new RecordError(
      'InvalidDates',
      `A leave is from from_date to to_date, as YYYY-MM-DD in their order, and has at most ${longestLeaveInDays} days.`,
    )
  }
  const groups = await groupsOfStudent(engine, student, program)
  const { attendance_based_on_course_schedule: byLesson } = await educationSettingsOf(engine)
  if (byLesson === 1) {
    await leaveLessons(engine, student, groups, { program, from, to })
    return
  }
  for (const student_group of groups) {
    for (let day = from; day <= to; day = addDays(day, 1)) {
      await mark(engine, student, 'Leave', { course_schedule: null, student_group, date: day })
    }
  }
}

async function leaveLessons(
  engine: RecordEngine,
  student: string,
  groups: readonly string[],
  leave: { readonly program: string; readonly from: string; readonly to: string },
): Promise<void> {
  const lessons = await engine.select(
    courseSchedule,
    sql`r.program = ${leave.program} and r.schedule_date between ${leave.from} and ${leave.to}
        and r.student_group = any(${groups}::text[])`,
    sql`order by r.schedule_date, r.from_time, r.name`,
  )
  if (lessons.length === 0) {
    throw new RecordError('ValidationError', 'There are no classes in the leave period. Choose other days.')
  }
  const marked = await engine.select(
    studentAttendance,
    sql`r.student = ${student} and r.course_schedule = any(${lessons.map(({ name }) => name)}::text[]) and r.docstatus = 1`,
  )
  const known = new Set(marked.map(({ course_schedule }) => course_schedule))
  for (const { name } of lessons) {
    if (known.has(name)) continue
    await mark(engine, student, 'Leave', { course_schedule: name, student_group: null, date: null })
  }
}
