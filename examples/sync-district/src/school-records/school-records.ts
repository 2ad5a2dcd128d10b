import type { ListRow, RecordClient, RecordFilter } from './record-client.ts'
import { termKey } from './wanted-records.ts'

/** A record of the Resource and Method API, as far as the files are about it. */
export type StoredDocument = ListRow & { readonly name: string }
export type StoredDocuments = Map<string, StoredDocument>

/** What the tenant has, by what tells the records of a type apart. */
export interface SchoolRecords {
  readonly years: StoredDocuments
  readonly terms: StoredDocuments
  readonly courses: StoredDocuments
  readonly instructors: StoredDocuments
  readonly groups: StoredDocuments
  /** Names of the instructors of each group, in their order. */
  readonly teachersOf: ReadonlyMap<string, readonly string[]>
  /** Names of the students of each group. */
  readonly membersOf: ReadonlyMap<string, readonly string[]>
}

/** Reads everything that the files can be about, but attendance. */
export async function readSchoolRecords(records: RecordClient): Promise<SchoolRecords> {
  const byName = ({ name }: ListRow) => String(name)
  const [years, terms, courses, instructors, groups, teachers, members] = await Promise.all([
    read(records, 'Academic Year', ['academic_year_name', 'year_start_date', 'year_end_date'], byName),
    read(
      records,
      'Academic Term',
      ['academic_year', 'term_name', 'term_start_date', 'term_end_date'],
      ({ academic_year: year, term_name: term }) => termKey(year, term),
    ),
    read(records, 'Course', ['course_name', 'description'], byName),
    read(records, 'Instructor', ['instructor_name', 'gender'], ({ instructor_name: name }) => String(name)),
    read(
      records,
      'Student Group',
      ['student_group_name', 'group_based_on', 'academic_year', 'academic_term', 'course'],
      byName,
    ),
    records.list('Student Group', ['name', 'instructors.instructor']),
    records.list('Student Group', ['name', 'students.student']),
  ])
  const teachersOf = getRows(teachers, 'instructor')
  const membersOf = getRows(members, 'student')
  return { years, terms, courses, instructors, groups, teachersOf, membersOf }
}

/** The records of a type that are not cancelled, by key. */
export async function read(
  records: RecordClient,
  type: string,
  fields: readonly string[],
  keyOf: (row: ListRow) => string,
  filters: RecordFilter[] = [],
): Promise<StoredDocuments> {
  const rows = await records.list(type, ['name', 'docstatus', ...fields], [['docstatus', '!=', 2], ...filters])
  return new Map(rows.map((row) => [keyOf(row), { ...row, name: String(row.name) }]))
}

/** The rows of a table, by record; a record without rows has one of nulls in such a list. */
function getRows(list: readonly ListRow[], field: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { name, [field]: value } of list) {
    const rows = found.get(String(name)) ?? []
    if (typeof value === 'string') rows.push(value)
    found.set(String(name), rows)
  }
  return found
}
