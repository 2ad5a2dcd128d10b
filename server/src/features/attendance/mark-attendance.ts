import { student, studentAttendance } from '@matricula/contract/record-types'
import { takeTurn } from '../../platform/locks.ts'
import { type RecordEngine, RecordError, requireRightOver } from '../../records/index.ts'
import { attendanceOf } from './student-attendance.ts'

/** Where and when students were, or were not. */
export interface RollCall {
  readonly course_schedule: string | null
  readonly student_group: string | null
  readonly date: string | null
}

type Status = 'Present' | 'Absent'

async function mark(engine: RecordEngine, student: string, status: Status, place: RollCall): Promise<void> {
  await requireRightOver(engine, studentAttendance.name, student, 'create')
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
