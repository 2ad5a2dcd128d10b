import { FormSubmission, type formOperations, type Static } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'
import { type StoredRow, storedFields } from '../../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../../listing/index.ts'

export type FormSubmissionRecord = Static<typeof FormSubmission>
export type FormAnswer = FormSubmissionRecord['answers'][number]

/** The stored fields of a submission, by column. */
const submissionColumns = {
  templateId: 'template_id',
  templateVersion: 'template_version',
  status: 'status',
  answers: 'answers',
  source: 'source',
  submittedAt: 'submitted_at',
} as const

const submissionFields = storedFields(FormSubmission, 's', submissionColumns)

interface SubmissionRow extends StoredRow<FormSubmissionRecord, typeof submissionColumns> {
  readonly template_name: string
  readonly student_id: string | null
  readonly application_id: string | null
  readonly entity_label: string | null
  readonly files: FormSubmissionRecord['files'] | null
  readonly submitter_name: string
  readonly submitter_email: string | null
}

/** Selects submissions by a condition on `s`, with their student or application and their documents. */
function selectSubmissions(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${submissionFields.selected}, f.name as template_name, s.student_id, s.application_id,
           coalesce(t.full_name, a.full_name) as entity_label,
           (select json_agg(json_build_object('documentId', l.document_id, 'fieldKey', l.field_key) order by l.position)
              from form_submission_files l
             where l.tenant_id = ${tenantId} and l.submission_id = s.id) as files,
           s.submitter_name, s.submitter_email,
           greatest(s.updated_at, f.shown_at, t.shown_at, a.shown_at) as updated_at
      from form_submissions s
      join form_templates f on f.tenant_id = ${tenantId} and f.id = s.template_id
      left join students t on t.tenant_id = ${tenantId} and t.id = s.student_id
      left join admission_applications a on a.tenant_id = ${tenantId} and a.id = s.application_id
     where s.tenant_id = ${tenantId} and ${condition}`
}

const conditionByEntityType: Readonly<Record<string, Sql>> = {
  student: sql`s.student_id is not null`,
  application: sql`s.application_id is not null`,
  none: sql`s.student_id is null and s.application_id is null`,
}

export const submissions: ListDefinition<SubmissionRow, FormSubmissionRecord> = {
  entityType: 'form_submission',
  noun: 'form submission',
  table: 'form_submissions',
  isCountedByStatus: true,
  alias: 's',
  select: selectSubmissions,
  toRecord: submissionFields.reader<SubmissionRow>({
    templateName: (row) => row.template_name,
    entityType: (row) => (row.student_id !== null ? 'student' : row.application_id !== null ? 'application' : 'none'),
    entityId: (row) => row.student_id ?? row.application_id,
    entityLabel: (row) => row.entity_label ?? '',
    values: ({ answers }) => Object.fromEntries(answers.map(({ fieldKey, value }) => [fieldKey, value])),
    files: (row) => row.files ?? [],
    submittedBy: (row) => ({ name: row.submitter_name, email: row.submitter_email }),
  }),
  versions: (row) => [row.version],
  shows: [
    sql`join form_templates shown on shown.tenant_id = s.tenant_id and shown.id = s.template_id`,
    sql`join students shown on shown.tenant_id = s.tenant_id and shown.id = s.student_id`,
    sql`join admission_applications shown on shown.tenant_id = s.tenant_id and shown.id = s.application_id`,
  ],
  filters: {
    templateId: (templateId) => sql`s.template_id = ${templateId}`,
    entityType: (entityType) => conditionByEntityType[entityType] ?? sql`false`,
    entityId: (entityId) => sql`(s.student_id = ${entityId} or s.application_id = ${entityId})`,
    studentId: (studentId) => sql`s.student_id = ${studentId}`,
    applicationId: (applicationId) => sql`s.application_id = ${applicationId}`,
  } satisfies FiltersOf<(typeof formOperations)['listFormSubmissions']>,
}
