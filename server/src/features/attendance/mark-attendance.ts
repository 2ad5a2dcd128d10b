import { courseSchedule, student, studentAttendance } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import {
  type RecordEngine,
  RecordError,
  requireFewItems,
  requireOwn,
  requireRightOver,
} from '../../record-engine/index.ts'
import { requireOwnGroup } from '../groups/index.ts'
import { getAttendanceLock } from './student-attendance.ts'

/** The date and the group or lesson of a roll call. */
export interface RollCall {
  readonly course_schedule: string | null
  readonly student_group: string | null
  readonly date: string | null
}

type Status = 'Present' | 'Absent'

/**
 * Marks a student, or corrects what is marked, so that a call may be repeated. Who is away with a leave, or has one for the
 * whole day, stays so: that is the office's to take back.
 */
async function mark(
  engine: RecordEngine,
  student: string,
  status: Status,
  context: RollCall,
  { known, leave }: { readonly known: Marked | undefined; readonly leave: string | undefined },
): Promise<void> {
  await requireRightOver(engine, studentAttendance.name, student, 'create')
  if (known === undefined) {
    const away = leave === undefined ? { status } : ({ status: 'Leave', leave_application: leave } as const)
    const { name } = await engine.insert(studentAttendance, { student, ...away, ...context, docstatus: 1 })
    return requireOwn(engine, studentAttendance, name, 'create')
  }
  await requireOwn(engine, studentAttendance, known.name, 'create')
  if (known.status === 'Leave') return
  await engine.change(studentAttendance, known.name, (attendance) => {
    Object.assign(attendance, { status, docstatus: 1 })
  })
}

/** An attendance that is not cancelled. */
interface Marked {
  readonly name: string
  readonly status: string
}

/** The attendance of students in a lesson, or of a group on a day, by student. */
async function loadMarked(
  { tx }: RecordEngine,
  students: readonly string[],
  { course_schedule, student_group, date }: RollCall,
): Promise<ReadonlyMap<string, Marked>> {
  const same = course_schedule
    ? sql`course_schedule = ${course_schedule}`
    : sql`student_group = ${student_group} and date = ${date} and coalesce(course_schedule, '') = ''`
  const rows = await tx.query<Marked & { student: string }>(sql`
    select student, name, status from student_attendances
     where tenant_id = ${tx.tenantId} and student = any(${students}::text[]) and ${same} and docstatus < 2`)
  return new Map(rows.map((row) => [row.student, row]))
}

/** The leaves for the whole day, by student. */
async function loadLeaves(
  { tx }: RecordEngine,
  students: readonly string[],
  { course_schedule, date }: RollCall,
): Promise<ReadonlyMap<string, string>> {
  const day = course_schedule
    ? sql`(select schedule_date from course_schedules where tenant_id = ${tx.tenantId} and name = ${course_schedule})`
    : sql`${date}::date`
  const rows = await tx.query<{ student: string; name: string }>(sql`
    select student, name from student_leave_applications
     where tenant_id = ${tx.tenantId} and student = any(${students}::text[]) and docstatus = 1
       and coalesce(attendance_based_on, '') <> 'Course Schedule' and mark_as_present = 0
       and ${day} between from_date and to_date`)
  return new Map(rows.map(({ student, name }) => [student, name]))
}

function requireMayMark(engine: RecordEngine): void {
  engine.require(studentAttendance, 'create')
  engine.require(studentAttendance, 'submit')
}

/** Takes the advisory locks of all students in lock order, and reads the students. */
async function prepareToMark(engine: RecordEngine, students: readonly string[]): Promise<void> {
  await takeAdvisoryLock(engine.tx, ...students.map(getAttendanceLock))
  await engine.prefetch(student, students)
}

/** Throws when a student is listed twice. */
function requireOnce(students: readonly string[]): void {
  const seen = new Set<string>()
  const twice = students.find((student) => seen.has(student) || !seen.add(student))
  if (twice === undefined) return
  throw new RecordError('ValidationError', `The student ${twice.slice(0, 140)} is named twice. Name everybody once.`)
}

/** The length of a list. */
const getLength = (rows: object) => (Array.isArray(rows) ? rows.length : 0)

/** The students in a list of objects. */
function getStudents(name: string, rows: object): string[] {
  if (Array.isArray(rows)) {
    const students = rows.map((row: unknown) => (row as { student?: unknown } | null)?.student)
    if (students.every((student) => typeof student === 'string' && student !== '')) return students as string[]
  }
  throw new RecordError('FrappeTypeError', `The argument ${name} must be a list of objects with a student.`)
}

/**
 * Creates and submits, or corrects, the attendance of every listed student. The first rejection rolls back all.
 *
 * @throws RecordError `DataError` for more than 1000 students.
 */
export async function markAttendance(
  engine: RecordEngine,
  present: object,
  absent: object,
  context: RollCall,
): Promise<void> {
  requireMayMark(engine)
  requireFewItems('students_present and students_absent together', getLength(present) + getLength(absent))
  if (context.course_schedule) await requireOwn(engine, courseSchedule, context.course_schedule)
  else await requireOwnGroup(engine, context.student_group ?? '')
  const lists = [
    ['Present', getStudents('students_present', present)],
    ['Absent', getStudents('students_absent', absent)],
  ] as const
  const named = lists.flatMap(([, students]) => students)
  requireOnce(named)
  await prepareToMark(engine, named)
  const marked = await loadMarked(engine, named, context)
  const leaves = await loadLeaves(engine, named, context)
  for (const [status, students] of lists) {
    for (const student of students) {
      await mark(engine, student, status, context, { known: marked.get(student), leave: leaves.get(student) })
    }
  }
  engine.messages.push({ message: 'Attendance has been marked successfully.', indicator: 'green' })
}
