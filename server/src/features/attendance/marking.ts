import { attendanceCode, courseSchedule, student, studentAttendance } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { type RecordEngine, RecordError, requireOwn, requireRightOver } from '../../record-engine/index.ts'
import { requireOwnGroup } from '../groups/index.ts'
import { statusByMeaning } from './attendance-codes.ts'
import { type ListedStudent, type MarkDetails, noDetails } from './listed-students.ts'
import { getAttendanceLock } from './student-attendance.ts'

/** The date and the group or lesson of a roll call. */
export interface RollCall {
  readonly course_schedule: string | null
  readonly student_group: string | null
  readonly date: string | null
}

/** A student of a roll call with what is said of the student. */
export interface CalledStudent extends ListedStudent {
  readonly status: 'Present' | 'Absent'
}

/** An attendance that is not cancelled. */
export interface Marked extends MarkDetails {
  readonly name: string
  readonly status: 'Present' | 'Absent' | 'Leave'
  readonly version: number
}

/** A leave that covers a day, or half of it. */
export interface Leave {
  readonly name: string
  readonly half_day: 0 | 1
}

/** A roll whose students nobody else marks meanwhile, with what is marked of them and their leaves, by student. */
export interface LockedRoll {
  readonly call: RollCall
  readonly marked: ReadonlyMap<string, Marked>
  readonly leaves: ReadonlyMap<string, Leave>
}

/**
 * Takes the advisory locks of students in lock order, and reads what is marked of them.
 *
 * @throws RecordError `PermissionError` for a group or lesson that the caller does not reach, and without the right to mark.
 */
export async function lockRoll(engine: RecordEngine, students: readonly string[], call: RollCall): Promise<LockedRoll> {
  engine.require(studentAttendance, 'create')
  engine.require(studentAttendance, 'submit')
  if (call.course_schedule) await requireOwn(engine, courseSchedule, call.course_schedule)
  else await requireOwnGroup(engine, call.student_group ?? '')
  await takeAdvisoryLock(engine.tx, ...students.map(getAttendanceLock))
  await engine.prefetch(student, students)
  return { call, marked: await loadMarked(engine, call, students), leaves: await loadLeaves(engine, call, students) }
}

/** Marks the students of a locked roll, or corrects what is marked. The first rejection rolls back all. */
export async function markStudents(
  engine: RecordEngine,
  roll: LockedRoll,
  called: readonly CalledStudent[],
): Promise<void> {
  const isKnown = ({ student }: CalledStudent) => roll.marked.has(student)
  const known = called.filter(isKnown)
  await engine.lockAll(
    known.map(({ student }) => ({ type: studentAttendance, name: roll.marked.get(student)?.name ?? '' })),
  )
  for (const group of [called.filter((each) => !isKnown(each)), known]) {
    await pipelined(group.map((each) => () => mark(engine, each, roll)))
  }
}

/** The attendance of students in a lesson, or of a group on a day, by student. */
export async function loadMarked(
  { tx }: RecordEngine,
  { course_schedule, student_group, date }: RollCall,
  students: readonly string[],
): Promise<ReadonlyMap<string, Marked>> {
  const same = course_schedule
    ? sql`course_schedule = ${course_schedule}`
    : sql`student_group = ${student_group} and date = ${date} and coalesce(course_schedule, '') = ''`
  const rows = await tx.query<Marked & { student: string }>(sql`
    select student, name, status, version::integer as version, attendance_code, minutes_late, excused, half_day
      from student_attendances
     where tenant_id = ${tx.tenantId} and student = any(${students}::text[]) and ${same} and docstatus < 2`)
  return new Map(rows.map((row) => [row.student, row]))
}

/** The leaves of a day that are of no single lesson, by student. */
export async function loadLeaves(
  { tx }: RecordEngine,
  { course_schedule, date }: RollCall,
  students: readonly string[],
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

/** Refuses a code that counts as the other of present and absent. */
async function requireCodeFits(engine: RecordEngine, { student, status, details }: CalledStudent) {
  const code = await engine.linked(attendanceCode, details?.attendance_code ?? null)
  if (code === null || statusByMeaning[code.counts_as ?? ''] === status) return
  throw new RecordError(
    'ValidationError',
    `${student}: the Attendance Code ${code.name} counts as ${code.counts_as}. List the student with those who are ${status === 'Present' ? 'absent' : 'present'}.`,
  )
}

/** What a student is marked as: away by a leave for the whole day, and excused from lessons of a day of which half is one. */
function getMark({ status, details }: CalledStudent, { course_schedule }: RollCall, leave: Leave | undefined) {
  if (leave === undefined) return { status, ...details }
  const { name: leave_application, half_day } = leave
  if (half_day === 0 || !course_schedule) return { status: 'Leave', leave_application, half_day }
  return { status, ...(status === 'Absent' && { excused: 1 }), ...details }
}

/**
 * Marks a student, or corrects what is marked, so that a call may be repeated. Who is away with a leave, or has one for the
 * whole day, stays so: that is the office's to take back. A mark that stays what it was keeps its code and its details.
 */
async function mark(engine: RecordEngine, called: CalledStudent, { call, marked, leaves }: LockedRoll): Promise<void> {
  const { student, status, details } = called
  const known = marked.get(student)
  await requireRightOver(engine, studentAttendance.name, student, 'create')
  await requireCodeFits(engine, called)
  if (known === undefined) {
    const made = getMark(called, call, leaves.get(student))
    const { name } = await engine.insert(studentAttendance, { student, ...made, ...call, docstatus: 1 })
    return requireOwn(engine, studentAttendance, name, 'create')
  }
  await requireOwn(engine, studentAttendance, known.name, 'create')
  if (known.status === 'Leave') return
  await engine.change(studentAttendance, known.name, (attendance) => {
    const isNew = attendance.status !== status || details !== null
    Object.assign(attendance, { status, docstatus: 1, ...(isNew && { ...noDetails, ...details }) })
  })
}

/** How many students are marked at once: what they have in common is asked for by one statement. */
const maxConcurrent = 100

/**
 * Works with pipelined statements. Waits for all of them before it throws the error of the first, so that no statement follows the
 * transaction.
 */
async function pipelined(works: readonly (() => Promise<void>)[]): Promise<void> {
  for (let done = 0; done < works.length; done += maxConcurrent) {
    const settled = await Promise.allSettled(works.slice(done, done + maxConcurrent).map((work) => work()))
    const rejected = settled.find((each) => each.status === 'rejected')
    if (rejected !== undefined) throw rejected.reason
  }
}
