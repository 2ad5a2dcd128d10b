import { FileError, type Place, type Row, readRows } from './csv-rows.ts'
import { readParents } from './parents.ts'

/** A student of the files, with the people who belong to it. */
export interface StudentRow {
  readonly place: Place
  readonly studentId: string
  readonly title: string | null
  readonly firstName: string | null
  readonly middleName: string | null
  readonly lastSurname: string | null
  readonly generationSuffix: string | null
  readonly preferredFirstName: string | null
  readonly birthDate: string | null
  /** Null when a row about them is faulty: then nobody is linked or unlinked on its word. */
  readonly parents: readonly ParentRow[] | null
}

/** Somebody's mother, father or other contact. */
export interface ParentRow {
  readonly place: Place
  readonly contactId: string
  readonly relation: string | null
  readonly isPrimary: boolean
  readonly livesWith: boolean | null
  readonly emergencyContact: boolean | null
  readonly person: PersonRow
}

export type PersonRow = Row<(typeof contactColumns)[number]>['values']
export type SessionRow = Row<'session_name' | 'begin_date' | 'school_id'>['values']
export type AttendanceRow = Row<'student_id' | 'school_id' | 'session_name'>['values']

/** What is wrong with a row. */
export interface Remark {
  readonly place: Place
  readonly code: string
  readonly detail: string
}

export interface Interchange {
  readonly students: readonly StudentRow[]
  readonly sessions: readonly SessionRow[]
  readonly attendance: readonly AttendanceRow[]
  /** Rows that say what cannot be, and are left out. */
  readonly faults: readonly Remark[]
  /** Values that are kept as they are, and are good for nothing else. */
  readonly notes: readonly Remark[]
}

const contactColumns = [
  'contact_id',
  'first_name',
  'middle_name',
  'last_surname',
  'telephone',
  'email',
  'street',
  'city',
  'state',
  'postal_code',
] as const
const linkColumns = [
  'student_id',
  'contact_id',
  'relation',
  'primary_contact',
  'lives_with',
  'emergency_contact',
] as const
const studentColumns = [
  'student_id',
  'title',
  'first_name',
  'middle_name',
  'last_surname',
  'generation_suffix',
  'preferred_first_name',
  'birth_date',
] as const

export type LinkRow = Row<(typeof linkColumns)[number]>

/**
 * Reads the files of a district. A faulty row is told and left out, the rest stands. Throws `FileError` when a file as a
 * whole cannot be trusted.
 */
export async function readInterchange(folder: string): Promise<Interchange> {
  const [students, contacts, links, sessions, attendance] = await Promise.all([
    readRows(folder, 'students.csv', studentColumns),
    readRows(folder, 'contacts.csv', contactColumns),
    readRows(folder, 'student_contacts.csv', linkColumns),
    readRows(folder, 'sessions.csv', ['session_name', 'begin_date', 'school_id']),
    readRows(folder, 'attendance.csv', ['student_id', 'school_id', 'session_name']),
  ])
  // Rows that are missing altogether would look like people who left.
  const empty = Object.entries({ students, contacts, student_contacts: links }).find(([, rows]) => rows.length === 0)
  if (empty !== undefined) throw new FileError(`${empty[0]}.csv has no rows.`)
  const validationErrors: Remark[] = []
  const people = byId(contacts, 'contact_id', validationErrors)
  const rows = byId(students, 'student_id', validationErrors)
  const linksOf = new Map<string, LinkRow[]>([...rows.keys()].map((studentId) => [studentId, []]))
  for (const link of links) {
    const owner = linksOf.get(link.values.student_id ?? '')
    const detail = `students.csv has no ${link.values.student_id}`
    if (owner === undefined) validationErrors.push({ place: link.place, code: 'unknown_student', detail })
    else owner.push(link)
  }
  return {
    students: [...rows].map(([studentId, { place: location, values }]) => ({
      place: location,
      studentId,
      title: values.title,
      firstName: values.first_name,
      middleName: values.middle_name,
      lastSurname: values.last_surname,
      generationSuffix: values.generation_suffix,
      preferredFirstName: values.preferred_first_name,
      birthDate: values.birth_date,
      parents: readParents(linksOf.get(studentId) ?? [], people, validationErrors),
    })),
    sessions: sessions.map(({ values }) => values),
    attendance: attendance.map(({ values }) => values),
    faults: validationErrors,
    notes: [...people.values()].filter(hasUselessEmail).map(({ place: location, values }) => ({
      place: location,
      code: 'not_an_address',
      detail: `the e-mail ${values.email} is kept in the metadata of the link only`,
    })),
  }
}

function hasUselessEmail({ values }: { values: PersonRow }): boolean {
  return values.email !== null && !isEmailAddress(values.email)
}

/** The rows by id; one without an id, or with that of an earlier row, is a fault. */
export function byId<Column extends string>(
  rows: Row<Column>[],
  column: NoInfer<Column>,
  validationErrors: Remark[],
): Map<string, Row<Column>> {
  const found = new Map<string, Row<Column>>()
  for (const row of rows) {
    const id = row.values[column]
    if (id === null) validationErrors.push({ place: row.place, code: 'missing_id', detail: `${column} is empty` })
    else if (found.has(id))
      validationErrors.push({ place: row.place, code: 'repeated_id', detail: `${id} stands in an earlier row` })
    else found.set(id, row)
  }
  return found
}

/** Whether mail can be sent there, as far as its form tells: the files have addresses with a blank inside. */
export function isEmailAddress(text: string | null): boolean {
  return text !== null && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
}
