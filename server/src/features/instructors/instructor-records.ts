import { academicTerm, instructor, studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import {
  defineRecord,
  loadNamingDay,
  nextOfSeries,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { loadEducationSettings } from '../settings/index.ts'

type Instructor = RecordOf<typeof instructor>

/** What an instructor is named after is a setting of the institution, which has two sets of words for the same. */
async function loadName(document: Instructor, work: RecordWork): Promise<string> {
  const { instructor_created_by: namedBy } = await loadEducationSettings(work)
  switch (namedBy) {
    case 'Full Name':
    case 'User':
      // Without a name the record is refused, by what says that a name is required.
      return document.instructor_name || nextOfInstructors(document, work)
    case 'Naming Series':
    case 'Instructor':
      return nextOfInstructors(document, work)
    case 'Employee':
      return document.employee || nextOfInstructors(document, work)
    case 'Employee Number':
      if (document.employee) return document.employee
      throw new RecordError('ValidationError', 'Set the Employee: instructors are named after their employee.')
    default:
      throw new RecordError(
        'ValidationError',
        'Set up the naming of instructors first: Instructor Records to be created by in Education Settings.',
      )
  }
}

async function nextOfInstructors(document: Instructor, work: RecordWork): Promise<string> {
  const series = document.naming_series || instructor.fields.naming_series.options[0]
  return nextOfSeries(work.tx, series, await loadNamingDay(work), document)
}

async function requireEmployeeFree({ name, employee }: Instructor, work: RecordWork): Promise<void> {
  if (!employee) return
  const [other] = await work.select(instructor, sql`r.employee = ${employee} and r.name <> ${name}`, sql`limit 1`)
  if (other === undefined) return
  throw new RecordError(
    'ValidationError',
    `The employee ${employee} is already linked with ${(await work.mayRead(instructor, other.name)) ? `the instructor ${other.name}` : 'another instructor'}. Choose another employee.`,
  )
}

/** What somebody taught was in a term of its year, and in a group of that year. */
async function requireLogOfYear({ instructor_log: rows }: Instructor, work: RecordWork, before: Instructor | null) {
  const known = new Map(before?.instructor_log.map((row) => [row.name, row]))
  for (const row of rows) {
    const { idx, name, academic_year: year, academic_term: term, student_group } = row
    const stored = known.get(name)
    const isSame = ['academic_year', 'academic_term', 'student_group'].every(
      (field) => stored?.[field as 'academic_year'] === row[field as 'academic_year'],
    )
    if (stored !== undefined && isSame) continue
    const ofTerm = (await work.linked(academicTerm, term))?.academic_year ?? year
    const ofGroup = (await work.linked(studentGroup, student_group))?.academic_year ?? year
    if (ofTerm === year && ofGroup === year) continue
    const [named, other] =
      ofTerm === year ? [`Student Group ${student_group}`, ofGroup] : [`Academic Term ${term}`, ofTerm]
    throw new RecordError(
      'ValidationError',
      `Row #${idx}: the ${named} is of the Academic Year ${other}, not of ${year}. Correct one of them.`,
    )
  }
}

/** Those who teach. */
export const instructorRecords: readonly RecordDefinition[] = [
  defineRecord(instructor, { rules: { name: loadName, validate: [requireEmployeeFree, requireLogOfYear] } }),
]
