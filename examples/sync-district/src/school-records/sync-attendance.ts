import type { Place } from '../files/csv-rows.ts'
import type { AttendanceEvent, SchoolFiles } from '../files/school-files.ts'
import { difference, type Fields } from '../run/difference.ts'
import { syncRows } from '../run/run.ts'
import type { Student } from '../run/tenant-records.ts'
import { type RecordRun, send } from './record-run.ts'
import { read } from './school-records.ts'
import { findStatus, getSchoolGroup } from './wanted-records.ts'

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
  const wanted = events.flatMap((event) => getWanted(run, event, students))
  run.report.count('attendance', 'left out', eventsLeftOut + events.length - wanted.length)
  const groups = [...new Set(wanted.map(({ group }) => group))]
  const stored =
    groups.length === 0
      ? new Map()
      : await read(
          run.records,
          'Student Attendance',
          ['student', 'student_group', 'date', 'status'],
          ({ student, student_group: group, date }) => getKey(String(student), String(group), String(date)),
          [['student_group', 'in', groups]],
        )
  const getStored = ({ student, group, date }: WantedAttendance) => stored.get(getKey(student, group, date))
  const findChange = (attendance: WantedAttendance): Fields | null => {
    const before = getStored(attendance)
    const { student, group, date, status } = attendance
    if (before !== undefined) return difference({ status, docstatus: submitted }, before)
    return { student, student_group: group, date, status, docstatus: submitted }
  }
  const isInStep = (attendance: WantedAttendance) => findChange(attendance) === null
  await syncRows(run, 'attendance', wanted, isInStep, async (attendance) => {
    const { student, group, date } = attendance
    await send(run, 'attendance', 'Student Attendance', getStored(attendance), findChange(attendance) ?? {}, [
      ['student', '=', student],
      ['student_group', '=', group],
      ['date', '=', date],
      ['docstatus', '=', submitted],
    ])
  })
}

/** The attendance of an event, or none where that cannot be, which is told. */
function getWanted(
  { report }: RecordRun,
  event: AttendanceEvent,
  students: ReadonlyMap<string, Student>,
): WantedAttendance[] {
  const { place: location, studentId, date, category } = event
  const student = students.get(studentId)
  const status = findStatus(category)
  if (student === undefined) report.fail(location, 'no_student', `the tenant has no student ${studentId}`)
  if (status === null)
    report.fail(location, 'unknown_category', `${category} is no kind of attendance that is known here`)
  if (student === undefined || status === null) return []
  return [{ place: location, student: student.studentCode, group: getSchoolGroup(event), date, status }]
}

function getKey(student: string, group: string, date: string): string {
  return JSON.stringify([student, group, date])
}
