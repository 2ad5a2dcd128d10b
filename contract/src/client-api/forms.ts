import { Type } from 'typebox'
import { FormKey, FormSection, formEntityTypes, formFieldProperties, formTemplateStatuses } from '../form-definition.ts'
import { operation, pagedQuery } from '../operation.ts'
import {
  CreatedAt,
  count,
  described,
  flag,
  freeObject,
  type Json,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  Stamp,
  UpdatedAt,
  Uuid,
} from '../schema.ts'

export const formSubmissionStatuses = ['submitted', 'processed', 'withdrawn'] as const
export const formSubmissionSources = ['public_form', 'staff', 'import'] as const

const TemplateStatus = oneOf(formTemplateStatuses, 'Whether it is being made, in use, or no longer in use.')
const SubmissionStatus = oneOf(formSubmissionStatuses, 'Where the submission stands.')
const EntityType = oneOf(formEntityTypes, 'What kind of record a submission belongs to; `none` for no record.')

export const FormField = record('FormField', 'A question of a form.', {
  id: described(Uuid, 'Id, the same in every version of the template.'),
  ...formFieldProperties,
  position: count('Place in the form.'),
})

const templateId = '01985b2e-5a00-7000-8000-000000000301'
const applicationId = '01985b2e-5a00-7000-8000-0000000000f1'
const documentId = '01985b2e-5a00-7000-8000-0000000000d5'

export const FormTemplate = record(
  'FormTemplate',
  'A form that the institution puts to people.',
  {
    id: Uuid,
    key: described(FormKey, 'Key of the template, unique in the tenant.'),
    name: label('Name shown to people.'),
    description: label('Description; empty when there is none.'),
    category: label('What it is for, in the words of the institution; empty when nothing is said.'),
    status: TemplateStatus,
    version: count('Number of the current version: a published one whose questions change is followed by another.'),
    entityType: EntityType,
    sections: listOf(FormSection, 'Its parts, in order.'),
    fields: listOf(FormField, 'Its questions, in order.'),
    isPublic: flag('Whether it has a page of its own, once published.'),
    publicUrl: nullable(label('Address of its page; null unless it is published and public.')),
    submissionCount: count('How many submissions there are, of all versions, exactly.'),
    publishedAt: nullable(described(Stamp, 'When the current version was published; null while it never was.')),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  {
    id: templateId,
    key: 'application_2026',
    name: 'Application for admission',
    description: 'For the school year 2026-2027.',
    category: 'admissions',
    status: 'published',
    version: 2,
    entityType: 'application',
    sections: [{ key: 'applicant', title: 'The applicant', position: 1 }],
    fields: [
      {
        id: '01985b2e-5a00-7000-8000-000000000311',
        key: 'full_name',
        label: 'Full name',
        type: 'text',
        isRequired: true,
        options: [],
        helpText: 'As in the birth certificate.',
        validation: { maxLength: 120 },
        visibleWhen: { all: [] },
        section: 'applicant',
        position: 1,
      },
      {
        id: '01985b2e-5a00-7000-8000-000000000312',
        key: 'needs_transport',
        label: 'Do you need the school bus?',
        type: 'select',
        isRequired: true,
        options: [
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ],
        helpText: '',
        validation: {},
        visibleWhen: { all: [] },
        section: 'applicant',
        position: 2,
      },
      {
        id: '01985b2e-5a00-7000-8000-000000000313',
        key: 'bus_stop',
        label: 'Nearest bus stop',
        type: 'text',
        isRequired: true,
        options: [],
        helpText: '',
        validation: {},
        visibleWhen: { field: 'needs_transport', equals: 'yes' },
        section: 'applicant',
        position: 3,
      },
    ],
    isPublic: true,
    publicUrl: 'https://matricula.example/f/hillside/application_2026',
    submissionCount: 128,
    publishedAt: '2026-01-20T08:00:00.000Z',
    createdAt: '2026-01-15T09:30:00.000Z',
    updatedAt: '2026-01-20T08:00:00.000Z',
  },
)

export const FormSubmission = record(
  'FormSubmission',
  'What somebody has submitted with a form.',
  {
    id: Uuid,
    templateId: described(Uuid, 'Id of the template.'),
    templateName: label('Name of the template.'),
    templateVersion: count('Number of the version that was answered.'),
    entityType: described(EntityType, 'What kind of record it belongs to; `none` when it belongs to none.'),
    entityId: nullable(described(Uuid, 'Id of the student or the application; null when it belongs to none.')),
    entityLabel: label('Full name of the student or the applicant; empty when it belongs to none.'),
    status: SubmissionStatus,
    answers: listOf(
      record('FormAnswer', 'An answer with its question as it was put.', {
        fieldKey: label('Key of the question.'),
        label: label('The question.'),
        type: formFieldProperties.type,
        value: Type.Unsafe<Json>({
          description:
            'A text; a number; a date, `YYYY-MM-DD`; true or false for a checkbox; a list of chosen values for a multiselect; a list of document ids for a file. Null when an optional question was not answered.',
        }),
      }),
      'The questions that were put, in order. Those that were hidden are not among them.',
    ),
    values: freeObject('The same answers, by the keys of their questions.'),
    files: listOf(
      record('FormSubmissionFile', 'A document that came with the form.', {
        documentId: described(Uuid, 'Id of the document in the vault.'),
        fieldKey: label('Key of the question that it answers.'),
      }),
      'The documents that came with the form.',
    ),
    submittedBy: record('FormSubmitter', 'Who submitted it, as far as they said.', {
      name: label('Name; empty when unknown.'),
      email: nullable(label('E-mail address.')),
    }),
    source: oneOf(formSubmissionSources, 'Where it came from.'),
    submittedAt: nullable(described(Stamp, 'When it was submitted.')),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000321',
    templateId,
    templateName: 'Application for admission',
    templateVersion: 2,
    entityType: 'application',
    entityId: applicationId,
    entityLabel: 'Tyrone Dyer',
    status: 'submitted',
    answers: [
      { fieldKey: 'full_name', label: 'Full name', type: 'text', value: 'Tyrone Dyer' },
      { fieldKey: 'needs_transport', label: 'Do you need the school bus?', type: 'select', value: 'no' },
      { fieldKey: 'certificate', label: 'Birth certificate', type: 'file', value: [documentId] },
    ],
    values: { full_name: 'Tyrone Dyer', needs_transport: 'no', certificate: [documentId] },
    files: [{ documentId, fieldKey: 'certificate' }],
    submittedBy: { name: 'Carmen Dyer', email: 'carmen@example.org' },
    source: 'public_form',
    submittedAt: '2026-02-01T08:00:00.000Z',
    createdAt: '2026-02-01T08:00:00.000Z',
    updatedAt: '2026-02-01T08:00:00.000Z',
  },
)

const forms = { tag: 'Forms', modules: ['platform_integrations', 'staff_forms'], domain: null } as const

export const formOperations = {
  listFormTemplates: operation(forms, {
    method: 'GET',
    path: '/forms/templates',
    scope: 'forms:read',
    idempotency: 'none',
    summary: 'List form templates',
    query: pagedQuery({ status: optional(TemplateStatus) }),
    shape: 'page',
    record: FormTemplate,
    status: 200,
    errors: [],
    events: [],
  }),
  listFormSubmissions: operation(forms, {
    method: 'GET',
    path: '/forms/submissions',
    scope: 'forms:read',
    idempotency: 'none',
    summary: 'List submissions, by template or record',
    query: pagedQuery({
      status: optional(SubmissionStatus),
      templateId: optional(described(Uuid, 'Id of a template.')),
      entityType: optional(described(EntityType, 'Submissions that belong to this kind of record, or to none.')),
      entityId: optional(described(Uuid, 'Id of a student or an application.')),
      studentId: optional(described(Uuid, 'Id of a student.')),
      applicationId: optional(described(Uuid, 'Id of an application.')),
    }),
    shape: 'page',
    record: FormSubmission,
    status: 200,
    errors: [],
    events: [],
  }),
}
