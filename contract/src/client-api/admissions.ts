import { Type } from 'typebox'
import { operation, pagedQuery } from '../operation.ts'
import {
  allOptional,
  body,
  CreatedAt,
  count,
  described,
  EmailInput,
  ExternalId,
  flag,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  PhotoUrl,
  personName,
  record,
  type Static,
  text,
  UpdatedAt,
  Uuid,
} from '../schema.ts'
import { batchOperation } from './batches.ts'
import { ContactLink, contactLinkExample, LinkContactBody, UpdateContactLinkBody } from './contacts.ts'
import { CustomFieldsInput, CustomFieldValues } from './custom-fields.ts'
import { deletedRecordsOperation } from './deleted-records.ts'
import { ProgramRef } from './programs.ts'

export const pipelineCategories = ['open', 'accepted', 'rejected', 'withdrawn', 'enrolled'] as const

const StatusKey = Type.Unsafe<string>({
  type: 'string',
  minLength: 2,
  maxLength: 64,
  pattern: '^[a-z][a-z0-9_-]*$',
  'x-pattern-in-words': 'a key, such as in_review; GET /v1/admissions/pipeline/statuses lists them',
  description: 'Key of a status of the tenant’s pipeline.',
})

export const PipelineStatus = record(
  'PipelineStatus',
  'A status of the tenant’s admission pipeline.',
  {
    id: Uuid,
    key: described(StatusKey, 'The value of `status` of an application.'),
    label: label('Name shown to people.'),
    description: label('Description; empty when there is none.'),
    category: oneOf(pipelineCategories, 'What the status means, whatever it is called.'),
    position: count('Place in the pipeline.'),
    color: label('Colour for people, `#rrggbb`.'),
    isInitial: flag('Whether new applications start here.'),
    isTerminal: flag('Whether applications end here.'),
    isActive: flag('Whether applications can be moved here.'),
    allowedNext: nullable(listOfKeys()),
    requiresComplete: flag('Whether every required document must be there first.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  {
    id: '01985b2e-5a00-7000-8000-0000000000e1',
    key: 'new',
    label: 'New',
    description: '',
    category: 'open',
    position: 1,
    color: '#5b8def',
    isInitial: true,
    isTerminal: false,
    isActive: true,
    allowedNext: null,
    requiresComplete: false,
    createdAt: '2026-01-15T09:30:00.000Z',
    updatedAt: '2026-01-15T09:30:00.000Z',
  },
)

function listOfKeys() {
  return listOf(StatusKey, 'The statuses that an application may move to from here; null permits any.')
}

const exampleWithoutContacts = {
  id: '01985b2e-5a00-7000-8000-0000000000f1',
  externalId: 'A-604821',
  applicationCode: 'EDU-APP-2026-00001',
  fullName: 'Tyrone Dyer',
  programId: null,
  program: 'Elementary School',
  programRef: null,
  status: 'new',
  givenNames: 'Tyrone',
  familyNames: 'Dyer',
  email: null,
  phone: null,
  country: null,
  stateProvince: 'TX',
  city: 'Grand Bend',
  address: '263 New Street',
  academicYear: '2021-2022',
  academicPeriod: null,
  photoUrl: null,
  studentId: null,
  contactId: null,
  primaryContact: null,
  contacts: [],
  customFields: {},
  createdAt: '2026-02-01T08:00:00.000Z',
  updatedAt: '2026-02-01T08:00:00.000Z',
}

export const Application = record(
  'AdmissionApplication',
  'An admission application.',
  {
    id: Uuid,
    externalId: nullable(ExternalId),
    applicationCode: label('Code of the application; the record name on the Resource API.'),
    fullName: label('Full name of the applicant.'),
    programId: nullable(described(Uuid, 'Id of the program; null without one.')),
    program: label('Name of the program; empty without one.'),
    programRef: nullable(ProgramRef),
    status: described(StatusKey, 'Key of a status of the tenant’s pipeline, in which the application is.'),
    givenNames: nullable(label('Given names.')),
    familyNames: nullable(label('Family names.')),
    email: nullable(label('E-mail address.')),
    phone: nullable(label('Telephone number.')),
    country: nullable(label('Country.')),
    stateProvince: nullable(label('State or province.')),
    city: nullable(label('City.')),
    address: nullable(label('Street address.')),
    academicYear: nullable(label('Academic year.')),
    academicPeriod: nullable(label('Academic period.')),
    photoUrl: nullable(label('Address of a photo.')),
    studentId: nullable(described(Uuid, 'The student that the applicant became.')),
    contactId: nullable(described(Uuid, 'The person of the primary contact.')),
    primaryContact: nullable(ContactLink),
    contacts: listOf(ContactLink, 'Every linked contact, oldest first.'),
    customFields: described(
      CustomFieldValues,
      'The fields that the institution has defined, each with its value or null, see `GET /me`; until it has defined one, whatever integrators keep here.',
    ),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  {
    ...exampleWithoutContacts,
    contactId: contactLinkExample.contactId,
    primaryContact: contactLinkExample,
    contacts: [contactLinkExample],
  },
  exampleWithoutContacts,
)

const writable = {
  externalId: nullable(ExternalId),
  fullName: personName('Full name; composed from the other two when absent.'),
  givenNames: nullable(text('Given names.')),
  familyNames: nullable(text('Family names.')),
  programId: nullable(described(Uuid, 'Id of the program; wins over `program`.')),
  program: text('Name of a program that has no record here.'),
  status: described(StatusKey, 'Key of a status of the tenant’s pipeline; the initial one when absent.'),
  email: EmailInput,
  phone: nullable(text('Telephone number.', 40)),
  country: nullable(text('Country.', 120)),
  stateProvince: nullable(text('State or province.', 120)),
  city: nullable(text('City.', 120)),
  address: nullable(text('Street address.', 500)),
  academicYear: nullable(text('Academic year.', 64)),
  academicPeriod: nullable(text('Academic period.', 64)),
  photoUrl: nullable(PhotoUrl),
  studentId: nullable(described(Uuid, 'The student that the applicant became.')),
  customFields: described(
    CustomFieldsInput,
    'The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. Until it has defined one, members of the integrator’s choosing, merged by RFC 7396.',
  ),
}

const contacts = optional(
  Type.Unsafe<Static<typeof LinkContactBody>[]>({
    type: 'array',
    maxItems: 50,
    items: LinkContactBody,
    description: 'Contacts to link to the new application, in this order.',
  }),
)

const example = {
  externalId: 'A-604821',
  givenNames: 'Tyrone',
  familyNames: 'Dyer',
  program: 'Elementary School',
  academicYear: '2021-2022',
  contacts: [
    { displayName: 'Carmen Dyer', phone: '(950) 342 7522', role: 'family' as const, relationshipLabel: 'Mother' },
  ],
}

const needsName = 'To create one a name is needed: `fullName`, or `givenNames` and/or `familyNames`.'

const CreateApplicationBody = body(
  'CreateApplicationBody',
  `Fields of a new application, and its contacts. ${needsName}`,
  { ...allOptional(writable), contacts },
  Application,
  example,
)

const UpsertApplicationBody = body(
  'UpsertApplicationBody',
  `Fields of an application; \`contacts\` are linked when it is created. ${needsName}`,
  { ...allOptional(writable), contacts },
  Application,
  example,
)

const UpdateApplicationBody = body(
  'UpdateApplicationBody',
  'Fields of an application. An absent field stays as it is.',
  allOptional(writable),
  Application,
  { status: 'in_review' },
)

const admissions = {
  tag: 'Admissions',
  modules: ['platform_integrations', 'staff_admissions'],
  domain: 'enrollment',
} as const

const applicationErrors = ['external_id_taken', 'reference_not_found', 'unknown_pipeline_status'] as const
const moveErrors = ['transition_not_allowed', 'requirements_incomplete'] as const

export const admissionOperations = {
  listPipelineStatuses: operation(admissions, {
    method: 'GET',
    path: '/admissions/pipeline/statuses',
    scope: 'admissions:read',
    idempotency: 'none',
    summary: 'List the configured pipeline statuses',
    shape: 'list',
    record: PipelineStatus,
    status: 200,
    errors: [],
    events: [],
  }),
  listApplications: operation(admissions, {
    method: 'GET',
    path: '/admissions/applications',
    scope: 'admissions:read',
    idempotency: 'none',
    summary: 'List admission applications',
    query: pagedQuery({
      status: optional(described(StatusKey, 'Only applications in this status of the pipeline.')),
      programId: optional(described(Uuid, 'Only applications for this program.')),
      studentId: optional(described(Uuid, 'Only applications that became this student.')),
      contactId: optional(described(Uuid, 'A person linked to the application in any role.')),
      externalId: optional(described(ExternalId, 'Only the application with this externalId.')),
      academicYear: optional(text('Only applications for this academic year.', 64, 1)),
      academicPeriod: optional(text('Only applications for this academic period.', 64, 1)),
      search: optional(text('Part of the name, code, e-mail or externalId, in any case, accents ignored.', 120, 1)),
    }),
    shape: 'page',
    record: Application,
    status: 200,
    errors: [],
    events: [],
  }),
  listDeletedApplications: deletedRecordsOperation(
    admissions,
    '/admissions/applications',
    'admissions:read',
    'admission applications',
  ),
  batchApplications: batchOperation(admissions, {
    path: '/admissions/applications',
    scope: 'admissions:write',
    title: 'BatchApplicationsBody',
    nouns: 'applications',
    example: { externalId: 'A-604821', fullName: 'Tyrone Dyer', email: 'tyrone@example.org' },
    events: [
      'admission_application.created',
      'admission_application.updated',
      'admission_application.status_changed',
      'admission_contact.linked',
    ],
  }),
  getApplication: operation(admissions, {
    method: 'GET',
    path: '/admissions/applications/{id}',
    scope: 'admissions:read',
    idempotency: 'none',
    summary: 'Read one admission application',
    shape: 'record',
    record: Application,
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
  createApplication: operation(admissions, {
    method: 'POST',
    path: '/admissions/applications',
    scope: 'admissions:write',
    idempotency: 'required',
    summary: 'Create an admission application',
    body: CreateApplicationBody,
    shape: 'record',
    record: Application,
    status: 201,
    location: '/admissions/applications/{id}',
    hasEntityTag: true,
    errors: [...applicationErrors, 'already_exists', 'requirements_incomplete'],
    events: ['admission_application.created', 'admission_contact.linked'],
  }),
  updateApplication: operation(admissions, {
    method: 'PATCH',
    path: '/admissions/applications/{id}',
    scope: 'admissions:write',
    idempotency: 'none',
    summary: 'Update fields of an admission application',
    body: UpdateApplicationBody,
    shape: 'record',
    record: Application,
    status: 200,
    hasEntityTag: true,
    errors: [...applicationErrors, ...moveErrors],
    events: ['admission_application.updated', 'admission_application.status_changed'],
  }),
  upsertApplicationByExternalId: operation(admissions, {
    method: 'PUT',
    path: '/admissions/applications/external/{externalId}',
    scope: 'admissions:write',
    idempotency: 'natural',
    summary: 'Create or update an admission application by externalId',
    body: UpsertApplicationBody,
    shape: 'record',
    record: Application,
    status: 200,
    mayCreate: true,
    location: '/admissions/applications/{id}',
    hasEntityTag: true,
    errors: [...applicationErrors, ...moveErrors, 'already_exists'],
    events: [
      'admission_application.created',
      'admission_application.updated',
      'admission_application.status_changed',
      'admission_contact.linked',
    ],
  }),
  linkApplicationContact: operation(admissions, {
    method: 'POST',
    path: '/admissions/applications/{id}/contacts',
    scope: 'admissions:write',
    idempotency: 'required',
    summary: 'Link a contact to an application',
    body: LinkContactBody,
    shape: 'record',
    record: Application,
    status: 201,
    location: '/admissions/applications/{id}',
    hasEntityTag: true,
    errors: ['already_exists', 'reference_not_found'],
    events: ['admission_contact.linked', 'admission_contact.updated'],
  }),
  updateApplicationContact: operation(admissions, {
    method: 'PATCH',
    path: '/admissions/applications/{id}/contacts/{linkId}',
    scope: 'admissions:write',
    idempotency: 'none',
    summary: 'Update the context of a linked contact',
    body: UpdateContactLinkBody,
    shape: 'record',
    record: Application,
    status: 200,
    hasEntityTag: true,
    errors: ['already_exists'],
    events: ['admission_contact.updated'],
  }),
  unlinkApplicationContact: operation(admissions, {
    method: 'DELETE',
    path: '/admissions/applications/{id}/contacts/{linkId}',
    scope: 'admissions:write',
    idempotency: 'none',
    summary: 'Remove the link of a contact',
    description: 'Removing the primary contact promotes nobody. A second delete is 404.',
    shape: 'record',
    record: Application,
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: ['admission_contact.unlinked'],
  }),
}
