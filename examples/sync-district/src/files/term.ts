import type { AttendanceRow, SessionRow } from './interchange.ts'

/** The files have no such term. */
export class UnknownTermError extends Error {}

/**
 * When the tuition of a term is due, by student: on the day on which the term begins. Where every school begins on the same
 * day, that is the day for everybody. Where they differ, the student's school decides, and the only file that names it is
 * attendance: a student with no event in the term, or with events in two schools, has no known due date (null).
 */
export function dueDates(
  sessions: readonly SessionRow[],
  attendance: readonly AttendanceRow[],
  term: string,
): (studentId: string) => string | null {
  const ofTerm = sessions.filter((session) => session.session_name === term)
  if (ofTerm.length === 0) {
    const names = [...new Set(sessions.map((session) => session.session_name))]
    throw new UnknownTermError(`sessions.csv has no term "${term}". It has: ${names.join(', ')}.`)
  }
  const days = new Set(ofTerm.map((session) => session.begin_date))
  if (days.size === 1) return () => ofTerm[0]?.begin_date ?? null
  const dayOfSchool = new Map(ofTerm.map((session) => [session.school_id, session.begin_date]))
  const schoolsOf = new Map<string, Set<string | null>>()
  for (const event of attendance) {
    if (event.student_id === null || event.session_name !== term) continue
    schoolsOf.set(event.student_id, (schoolsOf.get(event.student_id) ?? new Set()).add(event.school_id))
  }
  return (studentId) => {
    const [school = null, ...others] = schoolsOf.get(studentId) ?? []
    return others.length > 0 ? null : (dayOfSchool.get(school) ?? null)
  }
}
