import { type Static, Student, type studentOperations } from '@matricula/contract'
import { moment, quotedName, type Sql, sql } from '../../database/index.ts'
import { type StoredRow, storedTable, toRecordset } from '../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../listing/index.ts'
import { searchPatterns } from '../../values/index.ts'
import { contactFields, type LinkedContactsRow, linkedContacts } from '../contacts/index.ts'
import { type ProgramRefRow, programRefColumns, programReferenceFields } from '../programs/index.ts'

export type StudentRecord = Static<typeof Student>

/** The fields that a student's row keeps, by column. */
export const studentColumns = {
  externalId: 'external_id',
  studentCode: 'student_code',
  fullName: 'full_name',
  givenNames: 'given_names',
  familyNames: 'family_names',
  preferredName: 'preferred_name',
  status: 'status',
  email: 'email',
  phone: 'phone',
  dateOfBirth: 'date_of_birth',
  gender: 'gender',
  nationality: 'nationality',
  documentType: 'document_type',
  documentNumber: 'document_number',
  country: 'country',
  stateProvince: 'state_province',
  city: 'city',
  address: 'address',
  postalCode: 'postal_code',
  photoUrl: 'photo_url',
  programId: 'program_id',
  program: 'program',
  academicYear: 'academic_year',
  academicPeriod: 'academic_period',
  enrolledAt: 'enrolled_at',
  withdrawnAt: 'withdrawn_at',
  customFields: 'custom_fields',
  searchText: 'search_text',
  modifiedBy: 'modified_by',
} as const

export const studentTable = storedTable(Student, {
  table: 'students',
  alias: 's',
  stored: studentColumns,
  nameField: 'studentCode',
})

export type StudentRow = StoredRow<StudentRecord, typeof studentColumns> & ProgramRefRow & LinkedContactsRow

/** The students of a tenant that meet a condition on `s`, with their program and their contacts. */
function selectStudents(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${studentTable.selected}, ${programRefColumns},
           ${linkedContacts('student_contacts', tenantId, sql`s.id`)} as contacts,
           greatest(s.updated_at, p.shown_at) as updated_at
      from students s
      left join programs p on p.tenant_id = s.tenant_id and p.id = s.program_id
     where s.tenant_id = ${tenantId} and ${condition}`
}

/**
 * Inserts many students and returns them as they read, in one statement: those whose externalId and code are not taken.
 * They have no contacts yet.
 */
export function insertStudentRows(tenantId: string, students: readonly object[]): Sql {
  return sql`
    with s as (
      insert into students (tenant_id, id, ${studentTable.inserted}, created_at, updated_at)
      select ${tenantId}, id, ${studentTable.values(quotedName, {})}, stamp, stamp
        from jsonb_to_recordset(${toRecordset(students)}::jsonb) as item (id uuid, ${studentTable.recordset}), ${moment}
      on conflict do nothing
      returning *
    )
    select ${studentTable.selected}, ${programRefColumns}, null::jsonb as contacts,
           greatest(s.updated_at, p.shown_at) as updated_at
      from s
      left join programs p on p.tenant_id = ${tenantId} and p.id = s.program_id`
}

export const students: ListDefinition<StudentRow, StudentRecord> = {
  entityType: 'student',
  noun: 'student',
  table: 'students',
  isCountedByStatus: true,
  tellsDeletions: true,
  alias: 's',
  select: selectStudents,
  toRecord: studentTable.reader<StudentRow>({ ...programReferenceFields, ...contactFields }),
  versions: (row) => [row.version, row.program_version],
  shows: [sql`join programs shown on shown.tenant_id = s.tenant_id and shown.id = s.program_id`],
  filters: {
    search: (search) => sql`s.search_text like all (${searchPatterns(search)}::text[])`,
    email: (email) => sql`s.email = ${email} collate any_case`,
    studentCode: (studentCode) => sql`s.student_code = ${studentCode}`,
    externalId: (externalId) => sql`s.external_id = ${externalId}`,
    programId: (programId) => sql`s.program_id = ${programId}`,
  } satisfies FiltersOf<(typeof studentOperations)['listStudents']>,
}
