import type { Application, admissionOperations, JsonObject, Static } from '@matricula/contract'
import { type Sql, sql, table } from '../../database/index.ts'
import type { FiltersOf, ListDefinition } from '../../platform/lists.ts'
import { likeAnywhere } from '../../platform/search-text.ts'
import { type LinkedContact, linkedContacts, toContactFields } from '../contacts/index.ts'
import { type ProgramRefRow, programRefColumns, toProgramFields } from '../programs/index.ts'

export type ApplicationRecord = Static<typeof Application>

/** The fields that an application's row keeps, by column. */
export const applicationColumns = {
  externalId: 'external_id',
  applicationCode: 'application_code',
  fullName: 'full_name',
  givenNames: 'given_names',
  familyNames: 'family_names',
  programId: 'program_id',
  program: 'program',
  status: 'status',
  email: 'email',
  phone: 'phone',
  country: 'country',
  stateProvince: 'state_province',
  city: 'city',
  address: 'address',
  academicYear: 'academic_year',
  academicPeriod: 'academic_period',
  photoUrl: 'photo_url',
  studentId: 'student_id',
  customFields: 'custom_fields',
  searchText: 'search_text',
  modifiedBy: 'modified_by',
} as const

export const applicationTable = table('admission_applications', applicationColumns)

interface ApplicationRow extends ProgramRefRow {
  id: string
  total: number
  external_id: string | null
  application_code: string
  full_name: string
  given_names: string | null
  family_names: string | null
  status: string
  email: string | null
  phone: string | null
  country: string | null
  state_province: string | null
  city: string | null
  address: string | null
  academic_year: string | null
  academic_period: string | null
  photo_url: string | null
  student_id: string | null
  contacts: LinkedContact[] | null
  custom_fields: JsonObject
  version: number
  created_at: string
  updated_at: string
}

/** The applications of a tenant that meet a condition on `a`, with their program and their contacts. */
function selectApplications(tenantId: string, condition: Sql): Sql {
  return sql`
    select a.id, a.external_id, a.application_code, a.full_name, a.given_names, a.family_names,
           a.program_id, a.program, ${programRefColumns}, a.status, a.email, a.phone,
           a.country, a.state_province, a.city, a.address, a.academic_year, a.academic_period, a.photo_url, a.student_id,
           ${linkedContacts('application_contacts', tenantId, sql`a.id`)} as contacts,
           a.custom_fields, a.version, a.created_at, greatest(a.updated_at, p.shown_at) as updated_at
      from admission_applications a
      left join programs p on p.tenant_id = a.tenant_id and p.id = a.program_id
     where a.tenant_id = ${tenantId} and ${condition}`
}

export const applications: ListDefinition<ApplicationRow, ApplicationRecord> = {
  entityType: 'admission_application',
  noun: 'application',
  table: 'admission_applications',
  isCountedByStatus: true,
  tellsDeletions: true,
  alias: 'a',
  select: selectApplications,
  toRecord: toApplication,
  versions: (row) => [row.version, row.program_version],
  shows: [sql`join programs shown on shown.tenant_id = a.tenant_id and shown.id = a.program_id`],
  filters: {
    programId: (programId) => sql`a.program_id = ${programId}`,
    studentId: (studentId) => sql`a.student_id = ${studentId}`,
    contactId: (contactId) => sql`exists (
      select from application_contacts l
       where l.tenant_id = a.tenant_id and l.application_id = a.id and l.contact_id = ${contactId})`,
    externalId: (externalId) => sql`a.external_id = ${externalId}`,
    academicYear: (academicYear) => sql`a.academic_year = ${academicYear}`,
    academicPeriod: (academicPeriod) => sql`a.academic_period = ${academicPeriod}`,
    search: (search) => sql`a.search_text like ${likeAnywhere(search)}`,
  } satisfies FiltersOf<(typeof admissionOperations)['listApplications']>,
}

function toApplication(row: ApplicationRow): ApplicationRecord {
  const contactFields = toContactFields(row.contacts)
  return {
    id: row.id,
    externalId: row.external_id,
    applicationCode: row.application_code,
    fullName: row.full_name,
    ...toProgramFields(row),
    status: row.status,
    givenNames: row.given_names,
    familyNames: row.family_names,
    email: row.email,
    phone: row.phone,
    country: row.country,
    stateProvince: row.state_province,
    city: row.city,
    address: row.address,
    academicYear: row.academic_year,
    academicPeriod: row.academic_period,
    photoUrl: row.photo_url,
    studentId: row.student_id,
    contactId: contactFields.primaryContact?.contactId ?? null,
    ...contactFields,
    customFields: row.custom_fields,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
