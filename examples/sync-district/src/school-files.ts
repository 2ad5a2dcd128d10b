import { FileError, type Place, type Row, readRows } from './csv-rows.ts'
import { byId, type Remark } from './interchange.ts'

/** A session of a school. */
export type SchoolSession = Row<(typeof sessionColumns)[number]>
export type CourseRow = Row<'course_code' | 'title' | 'academic_subject'>
export type StaffRow = Row<'staff_id' | 'first_name' | 'middle_name' | 'last_surname' | 'sex'>

/** A section of a course, in a session that the files have. */
export interface Section {
  readonly place: Place
  readonly sectionId: string
  readonly courseCode: string
  readonly session: SchoolSession['values']
  /** Who teaches it: the ids of staff.csv. */
  readonly staffIds: readonly string[]
}

/** That a student was absent, or late, on a day; the first of that day that the files tell. */
export interface AttendanceEvent {
  readonly place: Place
  readonly studentId: string
  /** `2021-08-31`. */
  readonly date: string
  readonly category: string
  readonly schoolId: string
  readonly session: SchoolSession['values']
}

/** What the files say of teaching. */
export interface SchoolFiles {
  readonly sessions: readonly SchoolSession[]
  readonly courses: ReadonlyMap<string, CourseRow>
  readonly staff: ReadonlyMap<string, StaffRow>
  readonly sections: readonly Section[]
  readonly events: readonly AttendanceEvent[]
  /** How many rows of attendance.csv are no event of their own, each told as a fault or a note. */
  readonly eventsLeftOut: number
  readonly faults: readonly Remark[]
  readonly notes: readonly Remark[]
}

const sessionColumns = ['session_name', 'school_year', 'term', 'begin_date', 'end_date', 'school_id'] as const
const sectionColumns = ['section_id', 'course_code', 'school_id', 'session_name'] as const
const eventColumns = ['student_id', 'date', 'category', 'school_id', 'session_name'] as const

type Sessions = ReadonlyMap<string, SchoolSession['values']>

/** Reads what the files say of teaching. Throws `FileError` when a file as a whole cannot be trusted. */
export async function readSchoolFiles(folder: string): Promise<SchoolFiles> {
  const [sessions, courses, staff, sections, teaching, events] = await Promise.all([
    readRows(folder, 'sessions.csv', sessionColumns),
    readRows(folder, 'courses.csv', ['course_code', 'title', 'academic_subject']),
    readRows(folder, 'staff.csv', ['staff_id', 'first_name', 'middle_name', 'last_surname', 'sex']),
    readRows(folder, 'sections.csv', sectionColumns),
    readRows(folder, 'staff_sections.csv', ['staff_id', 'section_id']),
    readRows(folder, 'attendance.csv', eventColumns),
  ])
  // Rows that are missing altogether would look like teachers who left.
  if (sections.length > 0 && teaching.length === 0) throw new FileError('staff_sections.csv has no rows.')
  const faults: Remark[] = []
  const notes: Remark[] = []
  const known = sessionsByName(sessions, faults)
  const staffById = byId(staff, 'staff_id', faults)
  const staffOf = teachersOf(teaching, staffById, faults)
  const kept = eventsOf(events, known, faults, notes)
  return {
    sessions: sessions.filter(isWhole),
    courses: byId(courses, 'course_code', faults),
    staff: staffById,
    sections: sectionsOf(sections, known, staffOf, faults),
    events: kept,
    eventsLeftOut: events.length - kept.length,
    faults,
    notes,
  }
}

function sessionsByName(rows: readonly SchoolSession[], faults: Remark[]): Sessions {
  for (const { place, values } of rows.filter((row) => !isWhole(row))) {
    faults.push({ place, code: 'missing_value', detail: `${emptyOf(values)} is empty` })
  }
  return new Map(rows.filter(isWhole).map(({ values }) => [keyOf(values), values]))
}

/** The teachers of each section, each once. */
function teachersOf(
  rows: readonly Row<'staff_id' | 'section_id'>[],
  staff: ReadonlyMap<string, StaffRow>,
  faults: Remark[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { place, values } of rows) {
    const { staff_id: staffId, section_id: sectionId } = values
    if (staffId === null || sectionId === null || !staff.has(staffId)) {
      faults.push({ place, code: 'unknown_staff', detail: `staff.csv has no ${staffId}` })
    } else found.set(sectionId, (found.get(sectionId) ?? new Set()).add(staffId))
  }
  return found
}

function sectionsOf(
  rows: readonly Row<(typeof sectionColumns)[number]>[],
  sessions: Sessions,
  staffOf: ReadonlyMap<string, ReadonlySet<string>>,
  faults: Remark[],
): Section[] {
  const seen = new Set<string>()
  return rows.flatMap(({ place, values }) => {
    const { section_id: sectionId, course_code: courseCode } = values
    const session = sessions.get(keyOf(values))
    const key = `${sectionId} ${courseCode}`
    const fault = faultOf(values, session) ?? (seen.has(key) ? repeated(key) : null)
    if (fault !== null || sectionId === null || courseCode === null || session === undefined) {
      if (fault !== null) faults.push({ place, ...fault })
      return []
    }
    seen.add(key)
    return [{ place, sectionId, courseCode, session, staffIds: [...(staffOf.get(sectionId) ?? [])] }]
  })
}

/** One event of a student, a school, a session and a day: the service keeps one attendance of those. */
function eventsOf(
  rows: readonly Row<(typeof eventColumns)[number]>[],
  sessions: Sessions,
  faults: Remark[],
  notes: Remark[],
): AttendanceEvent[] {
  const lines = new Map<string, number>()
  return rows.flatMap(({ place, values }) => {
    const { student_id: studentId, date, category, school_id: schoolId } = values
    const session = sessions.get(keyOf(values))
    const fault = faultOf(values, session)
    if (fault !== null) faults.push({ place, ...fault })
    if (fault !== null || !studentId || !date || !category || !schoolId || session === undefined) return []
    const key = [studentId, date, keyOf(values)].join(' ')
    const earlier = lines.get(key)
    if (earlier !== undefined) {
      const detail = `${category} of ${studentId} on ${date} is left out: one attendance is kept of a day, that of line ${earlier}`
      notes.push({ place, code: 'second_event_of_day', detail })
      return []
    }
    lines.set(key, place.line)
    return [{ place, studentId, date, category, schoolId, session }]
  })
}

function faultOf(
  values: Readonly<Record<string, string | null>>,
  session: object | undefined,
): Pick<Remark, 'code' | 'detail'> | null {
  const empty = emptyOf(values)
  if (empty !== null) return { code: 'missing_value', detail: `${empty} is empty` }
  if (session !== undefined) return null
  return { code: 'unknown_session', detail: `sessions.csv has no ${values.session_name} of school ${values.school_id}` }
}

const repeated = (key: string) => ({ code: 'repeated_id', detail: `${key} stands in an earlier row` })

function emptyOf(values: Readonly<Record<string, string | null>>): string | null {
  return Object.entries(values).find(([, value]) => value === null)?.[0] ?? null
}

function isWhole({ values }: SchoolSession): boolean {
  return emptyOf(values) === null
}

function keyOf({ school_id, session_name }: Readonly<Record<'school_id' | 'session_name', string | null>>): string {
  return `${school_id} ${session_name}`
}
