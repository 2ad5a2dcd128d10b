import { courseSchedule, studentAttendance } from '@matricula/contract/record-types'
import { findBatched, takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { defineRecord, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { requireMember } from '../groups/index.ts'
import { requireInGroupYear, requireNotFrozen } from './attendance-dates.ts'
import { institutionHolidays } from './holidays.ts'
import { clearMarkDetails, setMarkDetails } from './mark-details.ts'

type Attendance = RecordOf<typeof studentAttendance>

function requirePlace({ student_group, course_schedule }: Attendance): void {
  if (student_group || course_schedule) return
  throw new RecordError('ValidationError', 'Student Group or Course Schedule is mandatory. Name one of them.', {
    title: 'Mandatory Fields',
  })
}

/** Takes date and group from the lesson. */
async function takeFromLesson(document: Attendance, work: RecordWork): Promise<void> {
  const lesson = await work.linked(courseSchedule, document.course_schedule)
  if (lesson === null) return
  document.date = lesson.schedule_date
  document.student_group = lesson.student_group
}

async function requireOpenDay(document: Attendance, work: RecordWork, before: Attendance | null): Promise<void> {
  await requireNotFrozen(work, document.date, before?.date)
  const { date, student_group } = document
  if (date !== null && student_group) await requireInGroupYear(work, date, student_group)
}

async function requireInGroup(document: Attendance, work: RecordWork): Promise<void> {
  const { student, student_name, student_group: group, date: day } = document
  await requireMember(work, { student, student_name, group, day }, 'ValidationError')
}

/** The name of the advisory lock on a student's attendance. */
export const getAttendanceLock = (student: string) => `attendance of ${student}`

async function requireOneAttendance(document: Attendance, work: RecordWork): Promise<void> {
  const { name, student, course_schedule: lesson, student_group: group, date } = document
  await takeAdvisoryLock(work.tx, getAttendanceLock(student ?? ''))
  const place = { name, student, lesson: lesson || null, group, date }
  const other = await findBatched(work.tx, 'other attendance', place, (places) => findOthers(work, places))
  if (other === null) return
  throw new RecordError(
    'ValidationError',
    `Student ${student} already has ${(await work.mayRead(studentAttendance, other)) ? `the attendance record ${other}` : 'an attendance record'} for ${lesson ? `the lesson ${lesson}` : `${date} in ${group}`}. Change that one.`,
    { title: 'Duplicate Entry' },
  )
}

/** What an attendance is of. */
interface MarkedPlace {
  readonly name: string
  readonly student: string | null
  readonly lesson: string | null
  readonly group: string | null
  readonly date: string | null
}

/** For each of some attendances the name of another one of the same, or null, by one statement. */
async function findOthers({ tx }: RecordWork, places: readonly MarkedPlace[]): Promise<(string | null)[]> {
  const rows = JSON.stringify(places.map((each, position) => ({ ...each, position })))
  const found = await tx.query<{ position: number; other: string }>(sql`
    select p.position, min(r.name) as other
      from jsonb_to_recordset(${rows}::jsonb)
             p (position integer, name text, student text, lesson text, "group" text, date date)
      join student_attendances r
        on r.tenant_id = ${tx.tenantId} and r.student = p.student and r.docstatus < 2 and r.name <> p.name
       and case when p.lesson is not null then r.course_schedule = p.lesson
                else r.student_group = p."group" and r.date = p.date and coalesce(r.course_schedule, '') = '' end
     group by p.position`)
  const byPosition = new Map(found.map(({ position, other }) => [position, other]))
  return places.map((_, position) => byPosition.get(position) ?? null)
}

async function requireNoHoliday({ date }: Attendance, work: RecordWork): Promise<void> {
  if (date === null || !(await institutionHolidays(work)).has(date)) return
  throw new RecordError(
    'ValidationError',
    `Attendance cannot be marked for ${date}: it is a holiday. Choose another day, or correct the Holiday List.`,
  )
}

const requireStillOpen = ({ date }: Attendance, work: RecordWork) => requireNotFrozen(work, date)

/** The record type of attendance. */
export const studentAttendanceRecord = defineRecord(studentAttendance, {
  noun: 'attendance',
  indexes: [['date'], ['student', 'date']],
  rules: {
    validate: [
      requirePlace,
      takeFromLesson,
      setMarkDetails,
      requireOpenDay,
      requireInGroup,
      requireOneAttendance,
      requireNoHoliday,
    ],
    afterChange: [requireStillOpen, clearMarkDetails],
    beforeCancel: [requireStillOpen],
    beforeDelete: [requireStillOpen],
  },
})
