import { attendanceCode, courseSchedule, student, studentAttendance } from '@matricula/contract/record-types'
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
import { statusByMeaning } from './attendance-codes.ts'
import { type ListedStudent, noDetails, readListedStudents } from './listed-students.ts'
import { getAttendanceLock } from './student-attendance.ts'

/** The date and the group or lesson of a roll call. */
export interface RollCall {
  readonly course_schedule: string | null
  readonly student_group: string | null
  readonly date: string | null
}

type Status = 'Present' | 'Absent'

/** Refuses a code that counts as the other of present and absent. */
async function requireCodeFits(engine: RecordEngine, status: Status, { student, details }: ListedStudent) {
  const code = await engine.linked(attendanceCode, details?.attendance_code ?? null)
  if (code === null || statusByMeaning[code.counts_as ?? ''] === status) return
  throw new RecordError(
    'ValidationError',
    `${student}: the Attendance Code ${code.name} counts as ${code.counts_as}. List the student with those who are ${status === 'Present' ? 'absent' : 'present'}.`,
  )
}

/** What a student is marked as: away by a leave for the whole day, and excused from lessons of a day of which half is one. */
function getMark(status: Status, { details }: ListedStudent, { course_schedule }: RollCall, leave: Leave | undefined) {
  if (leave === undefined) return { status, ...details }
  const { name: leave_application, half_day } = leave
  if (half_day === 0 || !course_schedule) return { status: 'Leave', leave_application, half_day }
  return { status, ...(status === 'Absent' && { excused: 1 }), ...details }
}

/**
 * Marks a student, or corrects what is marked, so that a call may be repeated. Who is away with a leave, or has one for the
 * whole day, stays so: that is the office's to take back. A mark that stays what it was keeps its code and its details.
 */
async function mark(
  engine: RecordEngine,
  listed: ListedStudent,
  status: Status,
  context: RollCall,
  { known, leave }: { readonly known: Marked | undefined; readonly leave: Leave | undefined },
): Promise<void> {
  const { student, details } = listed
  await requireRightOver(engine, studentAttendance.name, student, 'create')
  await requireCodeFits(engine, status, listed)
  if (known === undefined) {
    const marked = getMark(status, listed, context, leave)
    const { name } = await engine.insert(studentAttendance, { student, ...marked, ...context, docstatus: 1 })
    return requireOwn(engine, studentAttendance, name, 'create')
  }
  await requireOwn(engine, studentAttendance, known.name, 'create')
  if (known.status === 'Leave') return
  await engine.change(studentAttendance, known.name, (attendance) => {
    const isNew = attendance.status !== status || details !== null
    Object.assign(attendance, { status, docstatus: 1, ...(isNew && { ...noDetails, ...details }) })
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

/** A leave that covers a day, or half of it. */
interface Leave {
  readonly name: string
  readonly half_day: 0 | 1
}

/** The leaves of a day that are of no single lesson, by student. */
async function loadLeaves(
  { tx }: RecordEngine,
  students: readonly string[],
  { course_schedule, date }: RollCall,
): Promise<ReadonlyMap<string, Leave>> {
  const day = course_schedule
    ? sql`(select schedule_date from course_schedules where tenant_id = ${tx.tenantId} and name = ${course_schedule})`
    : sql`${date}::date`
  const rows = await tx.query<Leave & { student: string }>(sql`
    select student, name, half_day from student_leave_applications
     where tenant_id = ${tx.tenantId} and student = any(${students}::text[]) and docstatus = 1
       and coalesce(attendance_based_on, '') <> 'Course Schedule' and mark_as_present = 0
       and ${day} between from_date and to_date`)
  return new Map(rows.map((row) => [row.student, row]))
}

/** The maximum number of concurrent insertions: more would need more prepared statements. */
const maxConcurrent = 20

/**
 * Inserts with pipelined statements. Waits for all of them before it throws the error of the first, so that no statement follows the
 * transaction.
 */
async function inserted(inserts: readonly (() => Promise<void>)[]): Promise<void> {
  for (let done = 0; done < inserts.length; done += maxConcurrent) {
    const settled = await Promise.allSettled(inserts.slice(done, done + maxConcurrent).map((insert) => insert()))
    const rejected = settled.find((each) => each.status === 'rejected')
    if (rejected !== undefined) throw rejected.reason
  }
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
    ['Present', readListedStudents('students_present', present)],
    ['Absent', readListedStudents('students_absent', absent)],
  ] as const
  const named = lists.flatMap(([, listed]) => listed.map(({ student }) => student))
  requireOnce(named)
  await prepareToMark(engine, named)
  const marked = await loadMarked(engine, named, context)
  const leaves = await loadLeaves(engine, named, context)
  const calls = lists.flatMap(([status, listed]) => listed.map((each) => ({ status, each })))
  const run = ({ status, each }: (typeof calls)[number]) =>
    mark(engine, each, status, context, { known: marked.get(each.student), leave: leaves.get(each.student) })
  const isKnown = ({ each }: (typeof calls)[number]) => marked.has(each.student)
  await inserted(calls.filter((each) => !isKnown(each)).map((each) => () => run(each)))
  for (const known of calls.filter(isKnown)) await run(known)
  engine.messages.push({ message: 'Attendance has been marked successfully.', indicator: 'green' })
}
