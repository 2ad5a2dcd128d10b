import { type RecordEngine, RecordError, requireFewItems } from '../../record-engine/index.ts'
import { readListedStudents } from './listed-students.ts'
import { type CalledStudent, lockRoll, markStudents, type RollCall } from './marking.ts'

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
  call: RollCall,
): Promise<void> {
  requireFewItems('students_present and students_absent together', getLength(present) + getLength(absent))
  const called = [
    ...readListedStudents('students_present', present).map((each): CalledStudent => ({ ...each, status: 'Present' })),
    ...readListedStudents('students_absent', absent).map((each): CalledStudent => ({ ...each, status: 'Absent' })),
  ]
  const students = called.map(({ student }) => student)
  requireOnce(students)
  await markStudents(engine, await lockRoll(engine, students, call), called)
  engine.messages.push({ message: 'Attendance has been marked successfully.', indicator: 'green' })
}
