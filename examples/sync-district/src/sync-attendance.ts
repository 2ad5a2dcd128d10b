import type { Place } from './csv-rows.ts'
import { difference, type Fields } from './difference.ts'
import { type RecordRun, send } from './record-run.ts'
import { syncRows } from './run.ts'
import type { AttendanceEvent, SchoolFiles } from './school-files.ts'
import { read } from './school-records.ts'
import type { Student } from './tenant-records.ts'
import { schoolGroupOf, statusOf } from './wanted-records.ts'

/** An attendance as the files want it. */
interface WantedAttendance {
  readonly place: Place
  readonly student: string
  readonly group: string
  readonly date: string
  readonly status: string
}

/** What is made of an attendance: it is submitted at once, so that no run ends between a draft and its submission. */
const submitted = 1

/** Brings attendance in step. One that the files no longer have stays: they do not say whether the student was there. */
export async function syncAttendance(
  run: RecordRun,
  { events, eventsLeftOut }: SchoolFiles,
  students: ReadonlyMap<string, Student>,
): Promise<void> {
  const wanted = events.flatMap((event) => wantedOf(run, event, students))
  run.report.count('attendance', 'left out', eventsLeftOut + events.length - wanted.length)
  const groups = [...new Set(wanted.map(({ group }) => group))]
  const stored =
    groups.length === 0
      ? new Map()
      : await read(
          run.records,
          'Student Attendance',
          ['student', 'student_group', 'date', 'status'],
          ({ student, student_group: group, date }) => keyOf(String(student), String(group), String(date)),
          [['student_group', 'in', groups]],
        )
  const storedOf = ({ student, group, date }: WantedAttendance) => stored.get(keyOf(student, group, date))
  const changeOf = (attendance: WantedAttendance): Fields | null => {
    const before = storedOf(attendance)
    const { student, group, date, status } = attendance
    if (before !== undefined) return difference({ status, docstatus: submitted }, before)
    return { student, student_group: group, date, status, docstatus: submitted }
  }
  const isInStep = (attendance: WantedAttendance) => changeOf(attendance) === null
  await syncRows(run, 'attendance', wanted, isInStep, async (attendance) => {
    const { student, group, date } = attendance
    await send(run, 'attendance', 'Student Attendance', storedOf(attendance), changeOf(attendance) ?? {}, [
      ['student', '=', student],
      ['student_group', '=', group],
      ['date', '=', date],
      ['docstatus', '=', submitted],
    ])
  })
}

/** The attendance of an event, or none where that cannot be, which is told. */
function wantedOf(
  { report }: RecordRun,
  event: AttendanceEvent,
  students: ReadonlyMap<string, Student>,
): WantedAttendance[] {
  const { place, studentId, date, category } = event
  const student = students.get(studentId)
  const status = statusOf(category)
  if (student === undefined) report.fail(place, 'no_student', `the tenant has no student ${studentId}`)
  if (status === null) report.fail(place, 'unknown_category', `${category} is no kind of attendance that is known here`)
  if (student === undefined || status === null) return []
  return [{ place, student: student.studentCode, group: schoolGroupOf(event), date, status }]
}

function keyOf(student: string, group: string, date: string): string {
  return JSON.stringify([student, group, date])
}
