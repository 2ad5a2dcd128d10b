import { courseSchedule, studentAttendance, studentLeaveApplication } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { isCalendarDate } from '../../http/index.ts'
import { addDays, daysBetween, type RecordEngine, RecordError, requireRightOver } from '../../record-engine/index.ts'
import { findMemberships, type Membership } from '../groups/index.ts'
import { loadEducationSettings } from '../settings/index.ts'
import { institutionHolidays } from './holidays.ts'
import { getAttendanceLock } from './student-attendance.ts'
import { getLeaveLock, maxDays } from './student-leave.ts'

interface LeaveAsked {
  readonly student: string
  readonly from: string
  readonly to: string
  readonly reason: string | null
  /** A leave of one day, for half of it. */
  readonly halfDay: 0 | 1
}

/**
 * Creates and submits a student's leave application, and marks the absence: in each unmarked lesson of the program
 * within its days, or on each day in each of the student's groups in it, as the institution records attendance.
 * Existing attendance stays. Half a day is away in the groups: which lessons fall into it, their rolls say.
 *
 * @throws RecordError `FrappeTypeError`, `InvalidDates` and `ValidationError` for invalid input, `PermissionError`.
 */
export async function applyLeave(engine: RecordEngine, sent: object, program: string): Promise<string> {
  const leave = leaveAsked(sent)
  // The attendances follow from the leave: a caller who may apply for leave need not be allowed to mark attendance.
  await requireRightOver(engine, studentLeaveApplication.name, leave.student, 'create')
  await takeAdvisoryLock(engine.tx, getAttendanceLock(leave.student), getLeaveLock(leave.student))
  const memberships = await findMemberships(engine, leave.student, { program, from: leave.from, to: leave.to })
  const { attendance_based_on_course_schedule: byLesson } = await loadEducationSettings(engine)
  const mark = byLesson === 1 && leave.halfDay === 0 ? leaveLessons : leaveGroups
  return mark(engine, leave, program, memberships)
}

function leaveAsked(sent: object): LeaveAsked {
  const { student, from_date: from, to_date: to, reason, half_day } = sent as Readonly<Record<string, unknown>>
  if (typeof student !== 'string' || typeof from !== 'string' || typeof to !== 'string') {
    throw new RecordError('FrappeTypeError', 'The argument leave_data must have student, from_date and to_date.')
  }
  if (reason !== undefined && reason !== null && typeof reason !== 'string') {
    throw new RecordError('FrappeTypeError', 'The reason in leave_data must be a text.')
  }
  const halfDay = readHalfDay(half_day)
  const areDates = isCalendarDate(from) && isCalendarDate(to)
  const days = areDates ? daysBetween(from, to) + 1 : 0
  if (days <= 0 || days > maxDays) {
    throw new RecordError(
      'InvalidDates',
      `A leave is from from_date to to_date, as YYYY-MM-DD in their order, and has at most ${maxDays} days; this one is from ${from.slice(0, 40)} to ${to.slice(0, 40)}.`,
    )
  }
  if (halfDay === 1 && from !== to) {
    throw new RecordError(
      'InvalidDates',
      `Half a day is of one day, not of ${from} to ${to}: send the same from_date and to_date.`,
    )
  }
  return { student, from, to, reason: reason?.trim() || null, halfDay }
}

function readHalfDay(sent: unknown): 0 | 1 {
  if (sent === undefined || sent === null || sent === '') return 0
  if (sent === 1 || sent === '1' || sent === true) return 1
  if (sent === 0 || sent === '0' || sent === false) return 0
  throw new RecordError('FrappeTypeError', 'half_day in leave_data must be 0 or 1.')
}

async function leaveGroups(
  engine: RecordEngine,
  { student, from, to, reason, halfDay: half_day }: LeaveAsked,
  program: string,
  memberships: readonly Membership[],
): Promise<string> {
  const [first] = memberships
  if (first === undefined) {
    const text = `${student} is in no student group of ${program} on these days. Ask the institution to add the student to one.`
    throw new RecordError('ValidationError', text)
  }
  const [marked] = await engine.select(
    studentAttendance,
    sql`r.student = ${student} and r.date between ${from} and ${to} and r.docstatus < 2
        and (${half_day === 0}::boolean or coalesce(r.course_schedule, '') = '')`,
    sql`order by r.date limit 1`,
  )
  if (marked !== undefined) {
    const text = `The attendance of ${marked.date} is marked already. Choose other days, or ask the institution to change it.`
    throw new RecordError('ValidationError', text, { title: 'Duplicate Entry' })
  }
  const application = await engine.insert(studentLeaveApplication, {
    student,
    from_date: from,
    to_date: to,
    reason,
    attendance_based_on: 'Student Group',
    student_group: first.group,
    half_day,
    docstatus: 1,
  })
  const holidays = await institutionHolidays(engine)
  for (const { group: student_group, ...days } of memberships.filter(({ group }) => group !== first.group)) {
    for (let date = days.from; date <= days.to; date = addDays(date, 1)) {
      if (!holidays.has(date)) await markAway(engine, student, application.name, { student_group, date, half_day })
    }
  }
  return application.name
}

async function leaveLessons(
  engine: RecordEngine,
  { student, from, to, reason }: LeaveAsked,
  program: string,
  memberships: readonly Membership[],
): Promise<string> {
  const holidays = await institutionHolidays(engine)
  const planned = await engine.select(
    courseSchedule,
    sql`r.program = ${program} and r.schedule_date between ${from} and ${to} and r.student_group = any(${memberships.map(({ group }) => group)}::text[])`,
    sql`order by r.schedule_date, r.from_time, r.name`,
  )
  const lessons = planned.filter(
    ({ schedule_date: day, student_group }) =>
      day !== null &&
      !holidays.has(day) &&
      memberships.some(({ group, from, to }) => group === student_group && from <= day && day <= to),
  )
  if (lessons.length === 0) {
    throw new RecordError(
      'ValidationError',
      `There are no classes in the leave period from ${from} to ${to}. Choose other days.`,
    )
  }
  const marked = await engine.select(
    studentAttendance,
    sql`r.student = ${student} and r.course_schedule = any(${lessons.map(({ name }) => name)}::text[]) and r.docstatus < 2`,
  )
  const known = new Set(marked.map(({ course_schedule }) => course_schedule))
  const [first, ...others] = lessons.map(({ name }) => name).filter((name) => !known.has(name))
  if (first === undefined) {
    const text = 'The attendance of each class in the leave period is marked already. Ask the institution to change it.'
    throw new RecordError('ValidationError', text, { title: 'Duplicate Entry' })
  }
  const application = await engine.insert(studentLeaveApplication, {
    student,
    from_date: from,
    to_date: to,
    reason,
    attendance_based_on: 'Course Schedule',
    course_schedule: first,
    docstatus: 1,
  })
  for (const course_schedule of others) await markAway(engine, student, application.name, { course_schedule })
  return application.name
}

async function markAway(engine: RecordEngine, student: string, leave_application: string, context: object) {
  await engine.insert(studentAttendance, { student, status: 'Leave', leave_application, ...context, docstatus: 1 })
}
