import { joined } from '../client-records/wanted.ts'
import type { Place } from '../files/csv-rows.ts'
import type { Remark } from '../files/interchange.ts'
import type {
  AttendanceEvent,
  CourseRow,
  SchoolFiles,
  SchoolSession,
  Section,
  StaffRow,
} from '../files/school-files.ts'
import type { Fields } from '../run/difference.ts'

/** A record as the files want it. */
export interface WantedRecord {
  readonly place: Place
  /** Tells the records of a type apart; a field of the record has it, or some fields together. */
  readonly key: string
  readonly fields: Fields
}

/** A group, with the people that the files put into it. */
export interface WantedGroup extends WantedRecord {
  /** Names of those who teach it; null where the files say nothing about its teachers. */
  readonly teachers: readonly string[] | null
  /** Ids of the files of students who belong to it. */
  readonly members: readonly string[]
}

/** The school years, each from the first day of its first session to the last day of its last. */
export function wantedYears({ sessions }: SchoolFiles): WantedRecord[] {
  return spans(sessions, ({ school_year: year }) => year).map(([first, start, end]) => ({
    place: first.place,
    key: String(first.values.school_year),
    fields: { academic_year_name: first.values.school_year, year_start_date: start, year_end_date: end },
  }))
}

/** The terms. Where schools keep different days, a term is from the first of them to the last. */
export function wantedTerms({ sessions }: SchoolFiles): WantedRecord[] {
  return spans(sessions, getTerm).map(([first, start, end]) => ({
    place: first.place,
    key: getTerm(first.values),
    fields: {
      academic_year: first.values.school_year,
      term_name: first.values.term,
      term_start_date: start,
      term_end_date: end,
    },
  }))
}

/** The courses, named after their codes: two courses may have one title. */
export function wantedCourses({ courses }: SchoolFiles): WantedRecord[] {
  return [...courses].map(([code, { place: location, values }]) => ({
    place: location,
    key: code,
    fields: { course_name: code, description: findDescription(values) },
  }))
}

/** The teachers. An instructor has no field for an id, so the name is what tells them apart. */
export function wantedInstructors({ staff }: SchoolFiles, validationErrors: Remark[]): WantedRecord[] {
  const found = new Map<string, WantedRecord>()
  for (const { place: location, values } of staff.values()) {
    const name = nameOfStaff(values)
    if (name === null)
      validationErrors.push({ place: location, code: 'missing_name', detail: `staff ${values.staff_id} has no name` })
    else if (found.has(name)) {
      validationErrors.push({
        place: location,
        code: 'repeated_name',
        detail: `${name} stands in an earlier row, and instructors have no id`,
      })
    } else found.set(name, { place: location, key: name, fields: { instructor_name: name, gender: values.sex } })
  }
  return [...found.values()]
}

/** A group for each section, with its teachers; and one for each school and session, of those who have events there. */
export function wantedGroups({ sections, events, staff }: SchoolFiles): WantedGroup[] {
  const teachers = (section: Section) =>
    section.staffIds.flatMap((id) => nameOfStaff((staff.get(id) as StaffRow).values) ?? [])
  const ofSections = sections.map((section) => ({
    place: section.place,
    key: `${section.sectionId} ${section.courseCode}`,
    fields: groupFields('Course', section.session, section.courseCode),
    teachers: teachers(section),
    members: [],
  }))
  const ofSchools = grouped(events, getSchoolGroup).map(([key, [first, ...others]]) => ({
    place: first.place,
    key,
    fields: groupFields('Activity', first.session, null),
    teachers: null,
    members: [...new Set([first, ...others].map(({ studentId }) => studentId))],
  }))
  return [...ofSections, ...ofSchools].map(({ fields, ...group }) => ({
    ...group,
    fields: { student_group_name: group.key, ...fields },
  }))
}

/** The group in which a student's day is kept: that of the school and the session. */
export function getSchoolGroup({ schoolId, session }: AttendanceEvent): string {
  return `${schoolId} ${session.session_name}`
}

/** What the words of the files mean in the service. Who came late, or left early, was there. */
const statuses: Readonly<Record<string, string>> = {
  'Excused Absence': 'Leave',
  'Unexcused Absence': 'Absent',
  Tardy: 'Present',
  Partial: 'Present',
}

/** The status of an attendance for the category of an event; null for a word that means nothing here. */
export function findStatus(category: string): string | null {
  return statuses[category] ?? null
}

/** What tells terms apart. */
export function termKey(year: unknown, term: unknown): string {
  return `${year} (${term})`
}

function getTerm({ school_year: year, term }: SchoolSession['values']): string {
  return termKey(year, term)
}

function groupFields(basis: 'Course' | 'Activity', session: SchoolSession['values'], course: string | null): Fields {
  return { group_based_on: basis, academic_year: session.school_year, academic_term: getTerm(session), course }
}

function findDescription({ title, academic_subject: subject }: CourseRow['values']): string | null {
  return [title, subject].filter((text) => text !== null).join('\n') || null
}

function nameOfStaff({ first_name: first, middle_name: middle, last_surname: last }: StaffRow['values']) {
  return joined(first, middle, last)
}

/** Sessions that belong together: the first of them, and their first and last day. */
function spans(
  sessions: readonly SchoolSession[],
  keyOf: (session: SchoolSession['values']) => string | null,
): [SchoolSession, string, string][] {
  return grouped(sessions, ({ values }) => String(keyOf(values))).map(([, members]) => {
    const days = members.flatMap(({ values }) => [values.begin_date, values.end_date]).filter((day) => day !== null)
    const [start, end] = [days.toSorted().at(0), days.toSorted().at(-1)] as [string, string]
    return [members[0], start, end]
  })
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, [Item, ...Item[]]][] {
  const groups = new Map<string, [Item, ...Item[]]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return [...groups]
}
