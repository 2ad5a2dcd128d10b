import type { LoadedTable } from './copy.ts'

/** The tables that are loaded, in an order in which every link finds its target. */

export const programsTable = table('programs', [
  'id',
  'external_id',
  'code',
  'name',
  'description',
  'education_level',
  'organization_profile',
  'status',
  'modality',
  'start_date',
  'end_date',
  'search_text',
  'department',
  'program_abbreviation',
  'created_at',
  'updated_at',
])

export const coursesTable = table('courses', [
  'id',
  'external_id',
  'code',
  'name',
  'description',
  'credits',
  'hours',
  'status',
  'search_text',
  'department',
  'default_grading_scale',
  'created_at',
  'updated_at',
])

export const programCoursesTable = table('program_courses', [
  'id',
  'program_id',
  'course_id',
  'position',
  'is_required',
])

export const studentsTable = table('students', [
  'id',
  'external_id',
  'student_code',
  'full_name',
  'given_names',
  'family_names',
  'preferred_name',
  'status',
  'email',
  'phone',
  'date_of_birth',
  'gender',
  'nationality',
  'document_type',
  'document_number',
  'country',
  'state_province',
  'city',
  'address',
  'postal_code',
  'photo_url',
  'program_id',
  'program',
  'academic_year',
  'academic_period',
  'enrolled_at',
  'withdrawn_at',
  'joining_date',
  'date_of_leaving',
  'reason_for_leaving',
  'blood_group',
  'custom_fields',
  'search_text',
  'created_at',
  'updated_at',
])

export const contactsTable = table('contacts', [
  'id',
  'code',
  'display_name',
  'email',
  'phone',
  'phone_digits',
  'education',
  'occupation',
  'created_at',
  'updated_at',
])

const linkColumns = [
  'id',
  'contact_id',
  'role',
  'relationship_label',
  'is_primary',
  'source',
  'metadata',
  'created_at',
  'updated_at',
] as const

export const studentContactsTable = table('student_contacts', ['student_id', ...linkColumns])

export const applicationsTable = table('admission_applications', [
  'id',
  'external_id',
  'application_code',
  'full_name',
  'given_names',
  'family_names',
  'program_id',
  'program',
  'status',
  'email',
  'phone',
  'country',
  'state_province',
  'city',
  'address',
  'academic_year',
  'academic_period',
  'photo_url',
  'student_id',
  'application_date',
  'student_admission',
  'date_of_birth',
  'gender',
  'nationality',
  'postal_code',
  'custom_fields',
  'search_text',
  'created_at',
  'updated_at',
])

export const applicationContactsTable = table('application_contacts', ['application_id', ...linkColumns])

export const applicationMovesTable = table('application_moves', [
  'id',
  'application_id',
  'from_status',
  'to_status',
  'actor_type',
  'actor_id',
  'actor_name',
  'moved_at',
])

export const paymentsTable = table('payments', [
  'id',
  'external_id',
  'student_id',
  'amount',
  'currency',
  'status',
  'description',
  'processor_payment_intent_id',
  'due_date',
  'paid_at',
  'fee',
  'created_at',
  'updated_at',
])

function table<const Column extends string>(name: string, columns: readonly Column[]): LoadedTable<Column> {
  return { name, columns }
}
