import type { AttendanceCode, CalledStudent, Mark, RollStudent } from '../../calls/academics/roll-call-api.ts'

/** What somebody tapped, by student. */
export type Marks = ReadonlyMap<string, Mark>

const present: Mark = { status: 'Present', code: null, minutesLate: 0, excused: false, halfDay: false }

/** Everybody is present until something else is said. */
export const presentMark = present

/** What is known of a student: what is marked, or that everybody is present. Null for who is away with a leave. */
export function knownMark(student: RollStudent): Mark | null {
  const { status, code, minutesLate, excused, halfDay } = student
  if (status === 'Leave') return null
  return status === null ? initialMark(student) : { status, code, minutesLate, excused, halfDay }
}

/** Who has a leave for the whole day becomes *on leave* by the roll, whatever is tapped. */
const initialMark = ({ leave }: RollStudent): Mark | null => (leave !== null && !leave.halfDay ? null : present)

const isSame = (one: Mark, other: Mark) =>
  one.status === other.status &&
  one.code === other.code &&
  one.minutesLate === other.minutesLate &&
  one.excused === other.excused &&
  one.halfDay === other.halfDay

/** Whether a student has to be sent: nothing is marked yet, or something else was tapped. */
export function isOpen(student: RollStudent, mark: Mark | undefined): boolean {
  if (student.status === null) return true
  const known = knownMark(student)
  return known !== null && mark !== undefined && !isSame(known, mark)
}

/** The students that are to be sent, with the versions that were read. */
export function openStudents(students: readonly RollStudent[], marks: Marks): CalledStudent[] {
  return students.flatMap((student) => {
    const mark = marks.get(student.student)
    if (!isOpen(student, mark)) return []
    return [{ student: student.student, ...(mark ?? knownMark(student) ?? present), version: student.version }]
  })
}

/** The other of present and absent, without details, which go with what was there. */
export function toggled(mark: Mark): Mark {
  return { ...present, status: mark.status === 'Present' ? 'Absent' : 'Present' }
}

/** Late by so many minutes, or on time with 0: with the code that the institution has for it, where it has one. */
export function withMinutes(mark: Mark, minutesLate: number, codes: readonly AttendanceCode[]): Mark {
  const known = codes.find(({ code }) => code === mark.code)
  const late = known?.countsAs === 'Late' ? known : codes.find(({ countsAs }) => countsAs === 'Late')
  return { ...present, minutesLate, code: minutesLate > 0 ? (late?.code ?? null) : null }
}

/** What a code says of a student; without one the status alone. */
export function withCode(mark: Mark, code: AttendanceCode | undefined): Mark {
  if (code === undefined) return { ...present, status: mark.status }
  const { countsAs, minutes } = code
  if (countsAs === 'Present') return { ...present, code: code.code }
  if (countsAs === 'Late') return { ...present, code: code.code, minutesLate: mark.minutesLate || minutes }
  const halfDay = mark.status === 'Absent' && mark.halfDay
  return { ...present, status: 'Absent', code: code.code, excused: countsAs === 'Excused', halfDay }
}

/** How late somebody is at the first tap, in minutes, where the institution says nothing else. */
const usualMinutes = 5

/** How late somebody is at the first tap, in minutes: as the code for it says. */
export function firstMinutes(codes: readonly AttendanceCode[]): number {
  return codes.find(({ countsAs }) => countsAs === 'Late')?.minutes || usualMinutes
}
