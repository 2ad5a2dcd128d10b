import { courseSchedule, studentAttendance, studentLeaveApplication } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { type Sql, sql } from '../../database/index.ts'
import {
  addDays,
  daysBetween,
  defineRecord,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { findMemberships } from '../groups/index.ts'
import { requireNotFrozen } from './attendance-dates.ts'
import { institutionHolidays } from './holidays.ts'
import { getAttendanceLock } from './student-attendance.ts'

type Leave = RecordOf<typeof studentLeaveApplication>
type Attendance = RecordOf<typeof studentAttendance>

/** The maximum length of a leave, in days; each day is an attendance of its own. */
export const maxDays = 366

/** The name of the advisory lock on a student's leaves. */
export const getLeaveLock = (student: string | null) => `leave of ${student}`

async function countDays(document: Leave, work: RecordWork): Promise<void> {
  const holidays = await institutionHolidays(work)
  const { from_date: from, to_date: to } = document
  if (from === null || to === null) return
  const inRange = [...holidays].filter((day) => day >= from && day <= to)
  const days = daysBetween(from, to) + 1 - inRange.length
  document.total_leave_days = document.half_day === 1 ? days / 2 : days
}

async function requireNoOtherLeave(document: Leave, work: RecordWork): Promise<void> {
  const { name, student, from_date: from, to_date: to } = document
  if (from === null || to === null) return
  await takeAdvisoryLock(work.tx, getLeaveLock(student))
  const lesson = isByLesson(document) ? document.course_schedule : null
  const [other] = await work.select(
    studentLeaveApplication,
    sql`r.student = ${student} and r.docstatus < 2 and r.name <> ${name}
        and r.from_date <= ${to} and r.to_date >= ${from}
        and (${lesson}::text is null or coalesce(r.attendance_based_on, '') <> 'Course Schedule'
             or coalesce(r.course_schedule, '') = ${lesson})`,
    sql`order by r.from_date limit 1`,
  )
  if (other === undefined) return
  const named = (await work.mayRead(studentLeaveApplication, other.name))
    ? `Leave application ${other.name} (${other.from_date} to ${other.to_date})`
    : 'A leave application for some of these days'
  throw new RecordError(
    'ValidationError',
    `${named} already exists against the student ${student}. Choose other days, or change that one.`,
    { title: 'Duplicate Entry' },
  )
}

/** A leave from a lesson is on the day of that lesson. */
async function requireDayOfLesson(document: Leave, work: RecordWork): Promise<void> {
  const { from_date: from, to_date: to, course_schedule } = document
  const lesson = isByLesson(document) ? await work.linked(courseSchedule, course_schedule) : null
  const day = lesson?.schedule_date ?? null
  if (day === null || from === null || to === null || (from <= day && day <= to)) return
  throw new RecordError(
    'InvalidDates',
    `The lesson ${course_schedule} is on ${day}, and the leave from ${from} to ${to}. Choose the day of the lesson.`,
  )
}

function requireDatesInOrder({ from_date: from, to_date: to, half_day }: Leave): void {
  if (from === null || to === null) return
  if (to < from) {
    throw new RecordError(
      'InvalidDates',
      `To Date cannot be before From Date: ${to} is before ${from}. Correct one of them.`,
    )
  }
  if (half_day === 1 && to !== from) {
    const text = `A Half Day is of one day, not of ${from} to ${to}: set To Date to From Date, or enter a leave of its own for that day.`
    throw new RecordError('InvalidDates', text)
  }
  if (daysBetween(from, to) < maxDays) return
  throw new RecordError(
    'InvalidDates',
    `A leave has at most ${maxDays} days, and from ${from} to ${to} are more. Divide it.`,
  )
}

/**
 * On each day that is no holiday the student is away, or there in spite of it: in whatever was marked of the day before, in groups
 * and lessons, and in the leave's own group.
 */
async function markDays(document: Leave, work: RecordWork): Promise<void> {
  const { name, student, student_group, from_date: from, to_date: to, mark_as_present } = document
  if (from === null || to === null) return
  const status = mark_as_present === 1 ? 'Present' : 'Leave'
  await takeAdvisoryLock(work.tx, getAttendanceLock(student ?? ''))
  if (isByLesson(document)) return markLesson(document, status, work)
  const holidays = await institutionHolidays(work)
  // Which lessons fall into half a day is not known: their rolls say who was there.
  const marked = await work.select(
    studentAttendance,
    sql`r.student = ${student} and r.date between ${from} and ${to} and r.docstatus < 2
        and (${document.half_day === 0}::boolean or coalesce(r.course_schedule, '') = '')`,
    sql`order by r.date, r.created_at, r.id`,
  )
  const replaced = marked.filter(({ date }) => date !== null && !holidays.has(date))
  const half_day = status === 'Leave' ? document.half_day : 0
  for (const attendance of replaced) await replace(work, attendance, { status, half_day, leave_application: name })
  // A day that is marked in another group stays without a second entry where the leave names no group.
  const isOwn = (day: string) =>
    replaced.some(
      ({ date, course_schedule, student_group: group }) =>
        date === day && (student_group === null || (!course_schedule && group === student_group)),
    )
  const memberships = student_group
    ? await findMemberships(work, student ?? '', { from, to, group: student_group })
    : []
  // A leave may begin before a move to another group, or end after it; only where no day is left the group is wrong.
  const isElsewhere = (day: string) =>
    memberships.length > 0 && !memberships.some((days) => days.from <= day && day <= days.to)
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (holidays.has(day) || isOwn(day) || isElsewhere(day)) continue
    await work.insert(studentAttendance, {
      ...{ student, student_group, date: day, status, half_day },
      ...{ leave_application: name, docstatus: 1 },
    })
  }
}

/** Marks an attendance for a leave, with what it was before, which a cancelled leave gives back. */
async function replace(
  work: RecordWork,
  known: Attendance,
  mark: Pick<Attendance, 'status' | 'half_day' | 'leave_application'>,
): Promise<void> {
  await requireNotFrozen(work, known.date)
  await work.put(studentAttendance, known.name, {
    ...mark,
    ...(known.leave_application === null && {
      status_before_leave: known.status,
      half_day_before_leave: known.half_day,
    }),
  })
}

const isByLesson = ({ attendance_based_on: basis }: Leave) => basis === 'Course Schedule'

/** Marks one lesson only; other lessons of the day stay. */
async function markLesson(document: Leave, status: 'Present' | 'Leave', work: RecordWork): Promise<void> {
  const { name, student, course_schedule, from_date } = document
  const lesson = await work.linked(courseSchedule, course_schedule)
  const date = lesson?.schedule_date ?? from_date
  if (date !== null && (await institutionHolidays(work)).has(date)) return
  const [known] = await work.select(
    studentAttendance,
    sql`r.student = ${student} and r.course_schedule = ${course_schedule} and r.docstatus < 2`,
    sql`order by r.created_at desc, r.id desc limit 1`,
  )
  if (known === undefined) {
    await work.insert(studentAttendance, {
      student,
      course_schedule,
      date,
      status,
      leave_application: name,
      docstatus: 1,
    })
    return
  }
  await replace(work, known, { status, half_day: 0, leave_application: name })
}

/**
 * Gives back what the leave replaced, and cancels the attendances that it made. What somebody marked differently since, of a
 * student who came in spite of it, stays.
 */
async function cancelDays({ name, student, mark_as_present }: Leave, work: RecordWork): Promise<void> {
  await takeAdvisoryLock(work.tx, getAttendanceLock(student ?? ''))
  const made = mark_as_present === 1 ? 'Present' : 'Leave'
  for (const attendance of await attendancesOfLeave(name, work, sql`r.docstatus < 2`)) {
    await requireNotFrozen(work, attendance.date)
    const { status_before_leave: status, half_day_before_leave: half_day } = attendance
    const nothing = { leave_application: null, status_before_leave: null, half_day_before_leave: 0 }
    const back = { status, half_day, ...nothing }
    const isMarkedSince = attendance.status !== made
    await work.put(studentAttendance, attendance.name, isMarkedSince ? nothing : status ? back : { docstatus: 2 })
  }
}

/** What a cancelled leave made is cancelled as well, and names it no more once the leave is deleted. */
async function releaseDays({ name }: Leave, work: RecordWork): Promise<void> {
  for (const attendance of await attendancesOfLeave(name, work, sql`r.docstatus = 2`)) {
    await work.put(studentAttendance, attendance.name, { leave_application: null })
  }
}

const attendancesOfLeave = (leave: string, work: RecordWork, state: Sql) =>
  work.select(
    studentAttendance,
    sql`r.leave_application = ${leave} and ${state}`,
    sql`order by r.date, r.created_at, r.id`,
  )

/** Days on which students are away. */
export const studentLeaveRecord = defineRecord(studentLeaveApplication, {
  rules: {
    validate: [countDays, requireDatesInOrder, requireDayOfLesson, requireNoOtherLeave],
    afterSubmit: [markDays],
    afterCancel: [cancelDays],
    beforeDelete: [releaseDays],
  },
})
