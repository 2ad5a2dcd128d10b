import type { AnyImportKind, Json } from '@matricula/contract'
import {
  assessmentPlan,
  assessmentResult,
  guardian,
  programEnrollment,
  type RecordType,
  studentAttendance,
} from '@matricula/contract/record-types'
import { lockTenantExclusive } from '../../../concurrency/index.ts'
import { identifier, sql } from '../../../database/index.ts'
import { type AnyDocument, getTable, type RecordEngine, updateRecord } from '../../../record-engine/index.ts'
import { getFields, type ImportField, textField } from '../import-fields.ts'
import { linkContactRow, unlinkContactOfRun } from './contact-links.ts'
import type { ImportKind, ImportSession } from './import-kind.ts'
import { type RecordKind, RecordWriter } from './record-writer.ts'
import type { Reference } from './references.ts'

type Values = Record<string, Json>

export const toStudent: Reference = {
  column: 'studentExternalId',
  field: 'student',
  table: 'students',
  key: 'external_id',
  value: 'student_code',
  noun: 'student',
}
const studentReferences: readonly Reference[] = [
  toStudent,
  { ...toStudent, column: 'studentId', key: 'id' },
  { ...toStudent, column: 'studentCode', key: 'student_code' },
  { ...toStudent, column: 'student', key: 'student_code' },
]
export const toProgram: Reference = {
  column: 'programExternalId',
  field: 'program',
  table: 'programs',
  key: 'external_id',
  value: 'name',
  noun: 'program',
}
const programReferences: readonly Reference[] = [toProgram, { ...toProgram, column: 'programId', key: 'id' }]
const toApplication: Reference = {
  column: 'applicationExternalId',
  field: 'application',
  table: 'admission_applications',
  key: 'external_id',
  value: 'id',
  noun: 'application',
}
const applicationReferences: readonly Reference[] = [
  toApplication,
  { ...toApplication, column: 'applicationId', key: 'id' },
  { ...toApplication, column: 'applicationCode', key: 'application_code' },
]

const docstatus: ImportField = { ...textField('docstatus'), type: 'integer' }

/** The fields of a row as they are. */
export const asTheyAre = async (_: RecordEngine, values: Readonly<Values>) => ({ ...values })

const enrollmentFields = [
  'student',
  'program',
  'academic_year',
  'academic_term',
  'enrollment_date',
  'student_category',
  'student_batch_name',
  'school_house',
  'boarding_student',
]

/** The columns of contacts, by the fields of Guardian. */
const guardianFields: Readonly<Record<string, string>> = {
  displayName: 'guardian_name',
  email: 'email_address',
  phone: 'mobile_number',
  alternatePhone: 'alternate_number',
  dateOfBirth: 'date_of_birth',
  education: 'education',
  occupation: 'occupation',
  workAddress: 'work_address',
}

/** A kind that is brought in by the record engine, as it is declared. */
export interface DeclaredKind extends Omit<RecordKind, 'kind' | 'table'> {
  readonly name: AnyImportKind
  readonly table?: string
  readonly fields: readonly ImportField[]
  /** Takes back what a run has written of a record elsewhere, before the record is removed. */
  unlink?(session: ImportSession, engine: RecordEngine, id: string, name: string): Promise<void>
}

const declared: readonly DeclaredKind[] = [
  {
    name: 'contacts',
    type: guardian,
    table: 'contacts',
    nameColumn: 'code',
    references: [...studentReferences.slice(0, 3), ...applicationReferences],
    fields: [
      ...Object.keys(guardianFields).map((name) => ({
        ...textField(name),
        type: name === 'dateOfBirth' ? ('date' as const) : ('text' as const),
        isNullable: name !== 'displayName',
      })),
      textField('role'),
      textField('relationshipLabel'),
      { ...textField('isPrimary'), type: 'boolean' },
    ],
    toFields: async (_, values) =>
      Object.fromEntries(
        Object.entries(guardianFields).flatMap(([column, field]) =>
          values[column] === undefined ? [] : [[field, values[column] as Json]],
        ),
      ),
    finish: linkContactRow,
    unlink: unlinkContactOfRun,
  },
  {
    name: 'enrollments',
    type: programEnrollment,
    nameColumn: 'name',
    references: [...studentReferences, ...programReferences],
    fields: [
      ...getFields(programEnrollment, enrollmentFields),
      { ...textField('courses'), type: 'list', isNullable: false },
      docstatus,
    ],
    toFields: async (_, { courses, ...values }) => ({
      ...values,
      ...(Array.isArray(courses) && { courses: courses.map((course) => ({ course })) }),
    }),
  },
  {
    name: 'attendance',
    type: studentAttendance,
    nameColumn: 'name',
    references: studentReferences,
    fields: [
      ...getFields(studentAttendance, ['student', 'date', 'status', 'student_group', 'course_schedule']),
      docstatus,
    ],
    toFields: asTheyAre,
  },
  {
    name: 'assessment-results',
    type: assessmentResult,
    nameColumn: 'name',
    references: studentReferences,
    fields: [
      ...getFields(assessmentResult, ['assessment_plan', 'student', 'comment']),
      { ...textField('score'), type: 'number' },
      textField('assessment_criteria'),
      { ...textField('scores'), type: 'object' },
      docstatus,
    ],
    toFields: toResult,
  },
]

/** A row with the scores of a result: one, of the plan's only criterion or of the one it names, or one for each column. */
async function toResult(engine: RecordEngine, values: Readonly<Values>, stored: AnyDocument | null): Promise<Values> {
  const { score, assessment_criteria: criterion, scores, ...fields } = values
  const given = new Map<string, Json>(Object.entries((scores ?? {}) as Values))
  if (score !== undefined) {
    const plan = String(fields.assessment_plan ?? stored?.assessment_plan ?? '')
    const criteria = (await engine.find(assessmentPlan, plan))?.assessment_criteria ?? []
    const only = criteria.length === 1 ? (criteria[0]?.assessment_criteria ?? '') : ''
    given.set(typeof criterion === 'string' && criterion !== '' ? criterion : only, score)
  }
  if (given.size === 0) return fields
  const rows = ((stored?.details ?? []) as Values[]).map(({ assessment_criteria, score: now }) => ({
    assessment_criteria,
    score: given.get(String(assessment_criteria)) ?? now,
  }))
  const known = new Set(rows.map(({ assessment_criteria }) => assessment_criteria))
  const added = [...given].filter(([name]) => !known.has(name))
  return {
    ...fields,
    details: [...rows, ...added.map(([name, each]) => ({ assessment_criteria: name, score: each }))] as Json,
  }
}

/** The kinds that are brought in by the record engine. */
export const recordKinds: readonly ImportKind[] = declared.map(toKind)

/** A kind as imports use it. */
export function toKind(kind: DeclaredKind): ImportKind {
  const { name, type, nameColumn, references, fields } = kind
  const table = kind.table ?? getTable(type)
  const named = new Set(fields.map((field) => field.name))
  const columns = references.map(({ column }) => column).filter((column) => !named.has(column))
  const find = async (session: ImportSession, id: string) => {
    const [row] = await session.tx.query<{ name: string }>(sql`
      select ${identifier(nameColumn)} as name from ${identifier(table)}
       where tenant_id = ${session.tx.tenantId} and id = ${id}`)
    return row?.name ?? null
  }
  return {
    name,
    fields: [textField('id'), textField('externalId'), ...fields, ...columns.map(textField)],
    references,
    table,
    domain: (type as RecordType).domain ?? null,
    open: (session) => new RecordWriter({ ...kind, kind: name, table }, session),
    remove: async (session, id) => {
      await lockTenantExclusive(session.tx)
      const found = await find(session, id)
      if (found === null) return
      const engine = session.makeEngine()
      await kind.unlink?.(session, engine, id, found)
      const document = await engine.get(type, found)
      if (document.docstatus === 1) await engine.cancel(type, found)
      await engine.remove(type, found)
    },
    restore: async (session, id, { id: _, ...before }) => {
      const found = await find(session, id)
      if (found !== null) await updateRecord(session.makeEngine(), type.name, found, before)
    },
  }
}
