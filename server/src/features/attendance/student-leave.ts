import { courseSchedule, studentAttendance, studentLeaveApplication } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import {
  addDays,
  daysBetween,
  defineRecord,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { requireNotFrozen } from './attendance-dates.ts'
import { institutionHolidays } from './holidays.ts'
import { getAttendanceLock } from './student-attendance.ts'

type Leave = RecordOf<typeof studentLeaveApplication>

/** The maximum length of a leave, in days; each day is an attendance of its own. */
export const maxDays = 366

/** The name of the advisory lock on a student's leaves. */
export const getLeaveLock = (student: string | null) => `leave of ${student}`

async function countDays(document: Leave, work: RecordWork): Promise<void> {
  const holidays = await institutionHolidays(work)
  const { from_date: from, to_date: to } = document
  if (from === null || to === null) return
  const inRange = [...holidays].filter((day) => day >= from && day <= to)
  document.total_leave_days = daysBetween(from, to) + 1 - inRange.length
}

async function requireNoOtherLeave(document: Leave, work: RecordWork): Promise<void> {
  const { name, student, from_date: from, to_date: to } = document
  if (from === null || to === null) return
  await takeAdvisoryLock(work.tx, getLeaveLock(student))
  const [other] = await work.select(
    studentLeaveApplication,
    sql`r.student = ${student} and r.docstatus < 2 and r.name <> ${name}
        and ((${from} > r.from_date and ${from} < r.to_date)
          or (${to} > r.from_date and ${to} < r.to_date)
          or (${from} <= r.from_date and ${to} >= r.to_date))`,
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

function requireDatesInOrder({ from_date: from, to_date: to }: Leave): void {
  if (from === null || to === null) return
  if (to < from) throw new RecordError('InvalidDates', 'To Date cannot be before From Date.')
  if (daysBetween(from, to) < maxDays) return
  throw new RecordError('InvalidDates', `A leave has at most ${maxDays} days. Divide it.`)
}

/** Marks each day that is no holiday, replacing earlier marks. */
async function markDays(document: Leave, work: RecordWork): Promise<void> {
  const { name, student, from_date: from, to_date: to, mark_as_present } = document
  if (from === null || to === null) return
  const status = mark_as_present === 1 ? 'Present' : 'Leave'
  await takeAdvisoryLock(work.tx, getAttendanceLock(student ?? ''))
  if (isByLesson(document)) return markLesson(document, status, work)
  const marked = new Map(
    (await attendancesWithin(document, work)).map((attendance) => [attendance.date, attendance.name]),
  )
  const holidays = await institutionHolidays(work)
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (holidays.has(day)) continue
    const known = marked.get(day)
    if (known === undefined) {
      const { student_group } = document
      const fields = { student, student_group, date: day, status, leave_application: name, docstatus: 1 }
      await work.insert(studentAttendance, fields)
    } else {
      await requireNotFrozen(work, day)
      await work.put(studentAttendance, known, { status, leave_application: name })
    }
  }
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
  await requireNotFrozen(work, known.date)
  await work.put(studentAttendance, known.name, { status, leave_application: name })
}

async function cancelDays(document: Leave, work: RecordWork): Promise<void> {
  await takeAdvisoryLock(work.tx, getAttendanceLock(document.student ?? ''))
  for (const { name, date } of await attendancesWithin(document, work)) {
    await requireNotFrozen(work, date)
    await work.put(studentAttendance, name, { docstatus: 2 })
  }
}

/**
 * The attendances of the leave's days that are not cancelled, the first of a day last. A leave from lessons has those
 * marked for it.
 */
function attendancesWithin(document: Leave, work: RecordWork) {
  const { name, student, from_date: from, to_date: to } = document
  const meant = isByLesson(document) ? sql`r.leave_application = ${name}` : sql`r.date between ${from} and ${to}`
  return work.select(
    studentAttendance,
    sql`r.student = ${student} and ${meant} and r.docstatus < 2`,
    sql`order by r.date, r.created_at desc, r.id desc`,
  )
}

/** The record type of leave applications. */
export const studentLeaveRecord = defineRecord(studentLeaveApplication, {
  rules: {
    validate: [countDays, requireNoOtherLeave, requireDatesInOrder],
    afterSubmit: [markDays],
    afterCancel: [cancelDays],
  },
})
