import { Application, type admissionOperations, type Static } from '@matricula/contract'
import { type Sql, sql } from '../../database/index.ts'
import { type StoredRow, storedTable } from '../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../listing/index.ts'
import { searchPatterns } from '../../values/index.ts'
import { contactFields, findPrimary, type LinkedContactsRow, linkedContacts } from '../contacts/index.ts'
import { type ProgramRefRow, programRefColumns, programReferenceFields } from '../programs/index.ts'

export type ApplicationRecord = Static<typeof Application>

/** The stored fields of an application, by column. */
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

export const applicationTable = storedTable(Application, {
  table: 'admission_applications',
  alias: 'a',
  stored: applicationColumns,
  nameField: 'applicationCode',
})

export type ApplicationRow = StoredRow<ApplicationRecord, typeof applicationColumns> & ProgramRefRow & LinkedContactsRow

/** Selects applications by a condition on `a`, with their program and contacts. */
function selectApplications(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${applicationTable.selected}, ${programRefColumns},
           ${linkedContacts('application_contacts', tenantId, sql`a.id`)} as contacts,
           greatest(a.updated_at, p.shown_at) as updated_at
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
  toRecord: applicationTable.reader<ApplicationRow>({
    ...programReferenceFields,
    ...contactFields,
    contactId: ({ contacts }) => findPrimary(contacts ?? [])?.contactId ?? null,
  }),
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
    search: (search) => sql`a.search_text like all (${searchPatterns(search)}::text[])`,
  } satisfies FiltersOf<(typeof admissionOperations)['listApplications']>,
}
