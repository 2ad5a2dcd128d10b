import type { EventType } from '@matricula/contract'

/** A table whose rows are people, and how they are named. */
export interface PersonTable {
  readonly table: string
  /** The kind of person in commands. */
  readonly kind: 'student' | 'application' | 'guardian' | 'user' | 'document'
  /** The column of the code. */
  readonly code: string
  /** The record type in the Resource and Method API. */
  readonly recordType: string
  /** The column of the person's user, which is a person too. */
  readonly userColumn: string | null
}

export const personTables: readonly PersonTable[] = [
  { table: 'students', kind: 'student', code: 'student_code', recordType: 'Student', userColumn: 'user_name' },
  {
    table: 'admission_applications',
    kind: 'application',
    code: 'application_code',
    recordType: 'Student Applicant',
    userColumn: null,
  },
  { table: 'contacts', kind: 'guardian', code: 'code', recordType: 'Guardian', userColumn: 'user_name' },
  { table: 'users', kind: 'user', code: 'name', recordType: 'User', userColumn: null },
]

/** The columns whose values identify a person wherever they are written. */
export const identifyingColumns: Readonly<
  Record<string, Readonly<Partial<Record<'name' | 'email' | 'phone' | 'text', readonly string[]>>>>
> = {
  students: { name: ['full_name'], email: ['email'], phone: ['phone'], text: ['document_number', 'address'] },
  admission_applications: { name: ['full_name'], email: ['email'], phone: ['phone'], text: ['address'] },
  contacts: { name: ['display_name'], email: ['email'], phone: ['phone', 'alternate_number'], text: ['work_address'] },
  users: { name: ['full_name'], email: ['email', 'name'], phone: ['mobile_no'], text: ['username'] },
}

/** Tables that name a payer without a foreign key, and what in the same row identifies whoever has that name. */
export const payerTables: readonly {
  readonly table: string
  readonly name: string
  /** The column of the student whose own account it is. */
  readonly student: string | null
  readonly columns: Readonly<Partial<Record<'email' | 'phone' | 'text' | 'iban', readonly string[]>>>
}[] = [
  {
    table: 'billing_accounts',
    name: 'name',
    student: 'student_id',
    columns: { email: ['email'], phone: ['phone'], text: ['address', 'tax_id'], iban: ['mandate_iban'] },
  },
  { table: 'direct_debit_transactions', name: 'debtor_name', student: null, columns: { iban: ['debtor_iban'] } },
  { table: 'bank_statement_lines', name: 'name', student: null, columns: { iban: ['iban'] } },
]

/** Columns that are emptied together once one of them names the person: half a mandate is none. */
export const clearedWith: Readonly<Record<string, readonly string[]>> = {
  'billing_accounts.mandate_iban': ['mandate_id', 'mandate_iban', 'mandate_signed_at', 'mandate_sequence'],
}

/** Members of the audit of a person's record with former values of these. */
export const formerValues = {
  name: ['fullName', 'full_name', 'displayName', 'display_name', 'guardian_name', 'student_name'],
  email: ['email', 'email_address', 'student_email_id'],
  phone: ['phone', 'mobile_number', 'student_mobile_number', 'alternate_number', 'mobile_no'],
  text: ['documentNumber', 'address', 'address_line_1', 'work_address'],
} as const

/** Tables whose JSON is a copy of records: an object in it with the id or code of a person is about that person. */
export const recordCopyTables: ReadonlySet<string> = new Set([
  'audit_entries',
  'bulk_job_items',
  'bulk_jobs',
  'idempotency_keys',
  'import_changes',
])

/** Tables that are not searched for a person's values, with the reason. */
export const unsearchedTables: Readonly<Record<string, string>> = {
  custom_field_values: 'triggers keep it as the records are',
  employees: 'a record of the employer, kept as the law of work says',
  instructors: 'a record of the employer, kept as the law of work says',
  instructors_instructor_log: 'a record of the employer, kept as the law of work says',
  search_entries: 'made anew from the records that changed',
  search_waiting: 'made anew from the records that changed',
}

/** Columns with the name of a person whom the same row refers to. */
export const shownNameColumns: ReadonlySet<string> = new Set([
  'examiner_name',
  'instructor_name',
  'student_name',
  'supervisor_name',
])

/**
 * A row that refers to a person by a foreign key is about that person, and so are rows that belong to it. These only
 * mention the person: they are exported, lose what these columns say, and stay otherwise.
 */
export const mentionColumns: Readonly<Record<string, readonly string[]>> = {
  'admission_applications.amended_from': [],
  'admission_applications.student_id': [],
  'contacts.user_name': [],
  'document_request_items.document_id': [],
  'documents.request_id': [],
  'document_requests.recipient_contact_id': ['recipient_name', 'recipient_email', 'recipient_phone'],
  'students.user_name': [],
  'students_siblings.student': ['full_name', 'date_of_birth'],
}

/** The tables whose rows belong to a user. Other rows only name the user as actor or responsible person. */
export const userTables: ReadonlySet<string> = new Set([
  'issuer_accounts',
  'log_in_steps',
  'one_time_codes',
  'passkeys',
  'password_resets',
  'recovery_codes',
  'removed_issuers',
  'sessions',
  'user_preferences',
  'users_roles',
])

/**
 * Tables whose rows about a person are deleted; in others the texts are erased and the rows stay, for the ledger and
 * statistics.
 */
export const deletedTables: ReadonlySet<string> = new Set([
  'bulk_job_items',
  'application_contacts',
  'form_drafts',
  'guardians_interests',
  'import_changes',
  'imported_records',
  'issuer_accounts',
  'log_in_steps',
  'one_time_codes',
  'passkeys',
  'password_resets',
  'recovery_codes',
  'removed_issuers',
  'sessions',
  'student_contacts',
  'student_logs',
  'students_siblings',
  'user_preferences',
  'users_roles',
])

/** Columns without personal data, which stay in any row. */
export const retainedColumns: ReadonlySet<string> = new Set([
  'academic_period',
  'academic_term',
  'academic_year',
  'account_number',
  'actor_type',
  'blocked_reason',
  'code',
  'company',
  'cost_center',
  'country',
  'currency',
  'deliver_by',
  'docstatus',
  'entity_type',
  'external_id',
  'fee',
  'field_key',
  'from_status',
  'gender',
  'income_account',
  'invoice_number',
  'kind',
  'label',
  'language',
  'locale',
  'method',
  'mime_type',
  'modified_by',
  'name',
  'naming_series',
  'number',
  'owner',
  'payment_terms',
  'payout_number',
  'program',
  'receipt_number',
  'receivable_account',
  'role',
  'source',
  'status',
  'to_status',
  'voucher_no',
])

/** Tables that name people without a foreign key; `person-rows.ts` finds their rows. */
export const unreferencedTables: ReadonlySet<string> = new Set([
  'stored_files', // before the files that refer to them
  'audit_entries',
  'bulk_job_items',
  'comments',
  'custom_field_values',
  'deleted_records',
  'email_group_members',
  'events',
  'files',
  'gl_entries',
  'idempotency_keys',
  'import_changes',
  'imported_records',
  'outgoing_mails',
  'program_enrollment_tools_students',
  'report_card_prints',
  'roster_deletions',
  'roster_ids',
  'tag_links',
  'todos',
])

/** Tables without rows about taught people, with the reason. Mentions in their texts are found by the search. */
export const impersonalTables: Readonly<Record<string, readonly string[]>> = {
  'what programs and courses are': [
    'articles',
    'assessment_criteria',
    'assessment_criteria_groups',
    'assessment_groups',
    'assessment_plans',
    'assessment_plans_assessment_criteria',
    'course_schedules',
    'courses',
    'courses_assessment_criteria',
    'courses_topics',
    'grading_scales',
    'grading_scales_intervals',
    'marks_postings',
    'program_courses',
    'programs',
    'questions',
    'questions_options',
    'quizzes',
    'quizzes_question',
    'rooms',
    'topics',
    'topics_topic_content',
  ],
  'who read what: it names records by id alone, and stays for as long as the institution answers for it': [
    'disclosures',
  ],
  'what people are found by: it changes and goes with the rows that name them': ['search_entries', 'search_waiting'],
  'which files were imported, and how many records they held': ['import_runs'],
  'files that wait to be imported, which go after some days': ['import_jobs'],
  'how the staff look at lists and papers': ['bulk_jobs', 'review_claims', 'saved_views'],
  'the calendar and the groups, without who is in them': [
    'academic_terms',
    'academic_years',
    'email_groups',
    'holiday_lists',
    'holiday_lists_holidays',
    'school_houses',
    'student_admissions',
    'student_admissions_program_details',
    'student_batch_names',
    'student_categories',
    'student_groups',
    'student_groups_instructors',
    'student_languages',
  ],
  'what is asked for, not what was given': [
    'document_types',
    'form_submission_counts',
    'form_template_versions',
    'form_templates',
    'pipeline_statuses',
    'requirement_profiles',
    'requirements',
  ],
  'prices and accounts': [
    'accounts',
    'billing_settings',
    'companies',
    'cost_centers',
    'currencies',
    'dunning_runs',
    'direct_debits',
    'fee_categories',
    'fee_categories_item_defaults',
    'fee_schedule_progress',
    'fee_schedules',
    'fee_schedules_components',
    'fee_schedules_student_groups',
    'fee_structures',
    'fee_structures_components',
    'payment_terms_templates',
    'payment_terms_templates_terms',
  ],
  'the pages of printed report cards, which go with their print': ['report_card_print_parts'],
  'lists and settings': [
    'countries',
    'custom_fields',
    'departments',
    'disclosure_settings',
    'designations',
    'education_settings',
    'genders',
    'issuers',
    'languages',
    'removed_custom_fields',
    'required_factors',
    'role_limits',
    'roles',
    'session_settings',
  ],
  'forms that make records, and keep nothing of them': [
    'assessment_result_tools',
    'course_scheduling_tools',
    'program_enrollment_tools',
    'student_promotions',
    'student_attendance_tools',
    'student_group_creation_tools',
    'student_group_creation_tools_courses',
    'student_report_generation_tools',
  ],
  'people who work there: records of the employer, kept as the law of work says': [
    'employees',
    'instructors',
    'instructors_instructor_log',
  ],
  'how an institution appears in OneRoster': ['roster_settings'],
  'what the bank said, which stays with the books as the law of commerce says': [
    'bank_statement_entries',
    'bank_statement_lines',
    'bank_statements',
  ],
  'what codes of attendance mean': ['attendance_codes', 'attendance_codes_translations'],
  'keys, counts and positions of programs': [
    'api_key_addresses',
    'api_key_secrets',
    'api_keys',
    'attempt_counts',
    'card_gateway_events',
    'event_feeds',
    'oauth_consumer_secrets',
    'oauth_nonces',
    'event_positions',
    'naming_series',
    'rate_limit_windows',
    'record_counts',
    'used_tickets',
    'webhook_deliveries',
    'webhook_states',
    'webhooks',
  ],
}

/** The events of rows whose texts were erased. */
export const erasureEvents: Readonly<
  Record<string, { readonly entityType: string; readonly type: EventType | `${string}.updated` }>
> = {
  students: { entityType: 'student', type: 'student.updated' },
  admission_applications: { entityType: 'admission_application', type: 'admission_application.updated' },
  contacts: { entityType: 'guardian', type: 'guardian.updated' },
  users: { entityType: 'user', type: 'user.updated' },
  documents: { entityType: 'vault_document', type: 'vault_document.updated' },
  document_requests: { entityType: 'vault_request', type: 'vault_request.updated' },
  payments: { entityType: 'payment', type: 'payment.updated' },
}
