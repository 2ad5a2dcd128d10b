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
  const validationErrors: Remark[] = []
  const notes: Remark[] = []
  const known = sessionsByName(sessions, validationErrors)
  const staffById = byId(staff, 'staff_id', validationErrors)
  const staffOf = getTeachers(teaching, staffById, validationErrors)
  const stored = getEvents(events, known, validationErrors, notes)
  return {
    sessions: sessions.filter(isWhole),
    courses: byId(courses, 'course_code', validationErrors),
    staff: staffById,
    sections: getSections(sections, known, staffOf, validationErrors),
    events: stored,
    eventsLeftOut: events.length - stored.length,
    faults: validationErrors,
    notes,
  }
}

function sessionsByName(rows: readonly SchoolSession[], validationErrors: Remark[]): Sessions {
  for (const { place: location, values } of rows.filter((row) => !isWhole(row))) {
    validationErrors.push({ place: location, code: 'missing_value', detail: `${findEmpty(values)} is empty` })
  }
  return new Map(rows.filter(isWhole).map(({ values }) => [getKey(values), values]))
}

/** The teachers of each section, each once. */
function getTeachers(
  rows: readonly Row<'staff_id' | 'section_id'>[],
  staff: ReadonlyMap<string, StaffRow>,
  validationErrors: Remark[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { place: location, values } of rows) {
    const { staff_id: staffId, section_id: sectionId } = values
    if (staffId === null || sectionId === null || !staff.has(staffId)) {
      validationErrors.push({ place: location, code: 'unknown_staff', detail: `staff.csv has no ${staffId}` })
    } else found.set(sectionId, (found.get(sectionId) ?? new Set()).add(staffId))
  }
  return found
}

function getSections(
  rows: readonly Row<(typeof sectionColumns)[number]>[],
  sessions: Sessions,
  staffOf: ReadonlyMap<string, ReadonlySet<string>>,
  validationErrors: Remark[],
): Section[] {
  const seen = new Set<string>()
  return rows.flatMap(({ place: location, values }) => {
    const { section_id: sectionId, course_code: courseCode } = values
    const session = sessions.get(getKey(values))
    const key = `${sectionId} ${courseCode}`
    const validationError = findError(values, session) ?? (seen.has(key) ? repeated(key) : null)
    if (validationError !== null || sectionId === null || courseCode === null || session === undefined) {
      if (validationError !== null) validationErrors.push({ place: location, ...validationError })
      return []
    }
    seen.add(key)
    return [{ place: location, sectionId, courseCode, session, staffIds: [...(staffOf.get(sectionId) ?? [])] }]
  })
}

/** One event of a student, a school, a session and a day: the service keeps one attendance of those. */
function getEvents(
  rows: readonly Row<(typeof eventColumns)[number]>[],
  sessions: Sessions,
  validationErrors: Remark[],
  notes: Remark[],
): AttendanceEvent[] {
  const lines = new Map<string, number>()
  return rows.flatMap(({ place: location, values }) => {
    const { student_id: studentId, date, category, school_id: schoolId } = values
    const session = sessions.get(getKey(values))
    const validationError = findError(values, session)
    if (validationError !== null) validationErrors.push({ place: location, ...validationError })
    if (validationError !== null || !studentId || !date || !category || !schoolId || session === undefined) return []
    const key = [studentId, date, getKey(values)].join(' ')
    const earlier = lines.get(key)
    if (earlier !== undefined) {
      const detail = `${category} of ${studentId} on ${date} is left out: one attendance is kept of a day, that of line ${earlier}`
      notes.push({ place: location, code: 'second_event_of_day', detail })
      return []
    }
    lines.set(key, location.line)
    return [{ place: location, studentId, date, category, schoolId, session }]
  })
}

function findError(
  values: Readonly<Record<string, string | null>>,
  session: object | undefined,
): Pick<Remark, 'code' | 'detail'> | null {
  const empty = findEmpty(values)
  if (empty !== null) return { code: 'missing_value', detail: `${empty} is empty` }
  if (session !== undefined) return null
  return { code: 'unknown_session', detail: `sessions.csv has no ${values.session_name} of school ${values.school_id}` }
}

const repeated = (key: string) => ({ code: 'repeated_id', detail: `${key} stands in an earlier row` })

function findEmpty(values: Readonly<Record<string, string | null>>): string | null {
  return Object.entries(values).find(([, value]) => value === null)?.[0] ?? null
}

function isWhole({ values }: SchoolSession): boolean {
  return findEmpty(values) === null
}

function getKey({ school_id, session_name }: Readonly<Record<'school_id' | 'session_name', string | null>>): string {
  return `${school_id} ${session_name}`
}
