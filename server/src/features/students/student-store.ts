import type { JsonObject, Static, Student, studentOperations } from '@matricula/contract'
import { type Sql, sql, table } from '../../database/index.ts'
import type { FiltersOf, ListDefinition } from '../../platform/lists.ts'
import { likeAnywhere } from '../../platform/search-text.ts'
import { type LinkedContact, linkedContacts, toContactFields } from '../contacts/index.ts'
import { type ProgramRefRow, programRefColumns, toProgramFields } from '../programs/index.ts'

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

export const studentTable = table('students', studentColumns)

interface StudentRow extends ProgramRefRow {
  id: string
  total: number
  external_id: string | null
  student_code: string
  full_name: string
  given_names: string | null
  family_names: string | null
  preferred_name: string | null
  status: StudentRecord['status']
  email: string | null
  phone: string | null
  date_of_birth: string | null
  gender: string | null
  nationality: string | null
  document_type: string | null
  document_number: string | null
  country: string | null
  state_province: string | null
  city: string | null
  address: string | null
  postal_code: string | null
  photo_url: string | null
  academic_year: string | null
  academic_period: string | null
  enrolled_at: string | null
  withdrawn_at: string | null
  contacts: LinkedContact[] | null
  custom_fields: JsonObject
  version: number
  created_at: string
  updated_at: string
}

/** The students of a tenant that meet a condition on `s`, with their program and their contacts. */
function selectStudents(tenantId: string, condition: Sql): Sql {
  return sql`
    select s.id, s.external_id, s.student_code, s.full_name, s.given_names, s.family_names, s.preferred_name, s.status,
           s.email, s.phone, s.date_of_birth, s.gender, s.nationality, s.document_type, s.document_number,
           s.country, s.state_province, s.city, s.address, s.postal_code, s.photo_url,
           s.program_id, s.program, ${programRefColumns}, s.academic_year, s.academic_period,
           s.enrolled_at, s.withdrawn_at, ${linkedContacts('student_contacts', tenantId, sql`s.id`)} as contacts,
           s.custom_fields, s.version, s.created_at, greatest(s.updated_at, p.shown_at) as updated_at
      from students s
      left join programs p on p.tenant_id = s.tenant_id and p.id = s.program_id
     where s.tenant_id = ${tenantId} and ${condition}`
}

export const students: ListDefinition<StudentRow, StudentRecord> = {
  entityType: 'student',
  noun: 'student',
  table: 'students',
  isCountedByStatus: true,
  tellsDeletions: true,
  alias: 's',
  select: selectStudents,
  toRecord: toStudent,
  versions: (row) => [row.version, row.program_version],
  shows: [sql`join programs shown on shown.tenant_id = s.tenant_id and shown.id = s.program_id`],
  filters: {
    search: (search) => sql`s.search_text like ${likeAnywhere(search)}`,
    email: (email) => sql`s.email = ${email} collate any_case`,
    studentCode: (studentCode) => sql`s.student_code = ${studentCode}`,
    externalId: (externalId) => sql`s.external_id = ${externalId}`,
    programId: (programId) => sql`s.program_id = ${programId}`,
  } satisfies FiltersOf<(typeof studentOperations)['listStudents']>,
}

function toStudent(row: StudentRow): StudentRecord {
  return {
    id: row.id,
    externalId: row.external_id,
    studentCode: row.student_code,
    fullName: row.full_name,
    givenNames: row.given_names,
    familyNames: row.family_names,
    preferredName: row.preferred_name,
    status: row.status,
    email: row.email,
    phone: row.phone,
    dateOfBirth: row.date_of_birth,
    gender: row.gender,
    nationality: row.nationality,
    documentType: row.document_type,
    documentNumber: row.document_number,
    country: row.country,
    stateProvince: row.state_province,
    city: row.city,
    address: row.address,
    postalCode: row.postal_code,
    photoUrl: row.photo_url,
    ...toProgramFields(row),
    academicYear: row.academic_year,
    academicPeriod: row.academic_period,
    enrolledAt: row.enrolled_at,
    withdrawnAt: row.withdrawn_at,
    ...toContactFields(row.contacts),
    customFields: row.custom_fields,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
