import type { Json } from '@matricula/contract'
import { academicTerm, academicYear, department, instructor, studentGroup } from '@matricula/contract/record-types'
import { Problem } from '../../../errors/index.ts'
import type { RecordEngine } from '../../../record-engine/index.ts'
import { getFields, textField } from '../import-fields.ts'
import type { ImportKind } from './import-kind.ts'
import { asTheyAre, type DeclaredKind, toKind, toProgram, toStudent } from './record-kinds.ts'
import { missingReference, type Reference, References, toDepartment } from './references.ts'

type Values = Record<string, Json>

const toTerm: Reference = {
  column: 'academicTermExternalId',
  field: 'academic_term',
  table: 'academic_terms',
  key: 'external_id',
  value: 'name',
  noun: 'academic term',
  importedKind: 'academic-terms',
}
const toCourse: Reference = {
  column: 'courseExternalId',
  field: 'course',
  table: 'courses',
  key: 'external_id',
  value: 'name',
  noun: 'course',
}
const toInstructor: Reference = {
  column: 'instructors',
  field: 'instructor',
  table: 'instructors',
  key: 'external_id',
  value: 'name',
  noun: 'instructor',
  importedKind: 'instructors',
}

const declared: readonly DeclaredKind[] = [
  {
    name: 'academic-years',
    type: academicYear,
    nameColumn: 'name',
    references: [],
    fields: getFields(academicYear, ['academic_year_name', 'year_start_date', 'year_end_date']),
    toFields: asTheyAre,
  },
  {
    name: 'academic-terms',
    type: academicTerm,
    nameColumn: 'name',
    references: [],
    fields: getFields(academicTerm, ['academic_year', 'term_name', 'term_start_date', 'term_end_date']),
    toFields: asTheyAre,
  },
  {
    name: 'departments',
    type: department,
    nameColumn: 'name',
    references: [{ ...toDepartment, column: 'parentExternalId', field: 'parent_department' }],
    isNested: true,
    fields: getFields(department, ['department_name', 'parent_department', 'is_school']),
    toFields: asTheyAre,
  },
  {
    name: 'instructors',
    type: instructor,
    nameColumn: 'name',
    references: [toDepartment],
    fields: getFields(instructor, ['instructor_name', 'email', 'department', 'gender', 'status']),
    toFields: asTheyAre,
  },
  {
    name: 'groups',
    type: studentGroup,
    nameColumn: 'name',
    references: [toTerm, toProgram, toCourse],
    fields: [
      ...getFields(studentGroup, [
        'student_group_name',
        'academic_year',
        'academic_term',
        'group_based_on',
        'program',
        'course',
        'batch',
        'max_strength',
      ]),
      { ...textField('students'), type: 'list', isNullable: false },
      { ...textField('instructors'), type: 'list', isNullable: false },
    ],
    toFields: toGroup,
  },
]

/** A row with the members of a group, whom its lists name by their externalIds. */
async function toGroup({ tx }: RecordEngine, values: Readonly<Values>): Promise<Values> {
  const { students, instructors, ...fields } = values
  const references = new References(tx)
  const find = async (reference: Reference, list: Json | undefined) => {
    if (!Array.isArray(list)) return null
    const keys = list.map(String)
    const found = await references.find(reference, keys)
    const missing = keys.find((key) => !found.has(key))
    if (missing === undefined) return keys.map((key) => found.get(key) as string)
    const { detail } = missingReference(reference, missing)
    const errors = [{ in: 'body', pointer: `#/${reference.column}`, code: 'inconsistent', detail }]
    throw new Problem('reference_not_found', detail, { errors })
  }
  const members = await find({ ...toStudent, column: 'students' }, students)
  const teachers = await find(toInstructor, instructors)
  return {
    ...fields,
    ...(members !== null && { students: members.map((student) => ({ student, active: 1 })) }),
    ...(teachers !== null && { instructors: teachers.map((each) => ({ instructor: each })) }),
  }
}

/** The kinds of which an institution is made, brought in by the record engine. */
export const setupRecordKinds: readonly ImportKind[] = declared.map(toKind)
