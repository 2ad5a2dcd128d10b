import { Type } from 'typebox'
import {
  CreatedAt,
  count,
  described,
  flag,
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
import { DocumentStatus, documentExample, documentTypeExample, OwnerType } from './documents.ts'

export const requirementStatuses = [
  'missing',
  'requested',
  'uploaded',
  'in_review',
  'satisfied',
  'rejected',
  'expired',
  'waived',
] as const

const requirementId = '01985b2e-5a00-7000-8000-000000000201'
const profileId = '01985b2e-5a00-7000-8000-000000000200'

const Requirement = record('Requirement', 'A document that a profile asks for.', {
  id: Uuid,
  documentTypeId: described(Uuid, 'Id of the type of the document.'),
  documentType: record('RequiredDocumentType', 'The type of a document that is asked for.', {
    id: Uuid,
    key: label('Key of the type.'),
    name: label('Name of the type.'),
  }),
  label: label('What is asked for, in the words of the institution.'),
  instructions: label('What to mind; empty when there is nothing.'),
  isRequired: flag('Whether the profile is incomplete without it.'),
  minFiles: count('How many approved documents satisfy it.'),
  dueDays: nullable(count('Days from the creation of the record until it is due.')),
  position: count('Place in the profile.'),
})

export const RequirementProfile = record(
  'RequirementProfile',
  'Which documents the institution requires, and from whom.',
  {
    id: Uuid,
    key: label('Key of the profile, unique in the tenant.'),
    name: label('Name shown to people.'),
    description: label('Description; empty when there is none.'),
    appliesTo: OwnerType,
    conditions: record('RequirementConditions', 'Whom it concerns: each list that is not empty must hold the value.', {
      programIds: listOf(Uuid, 'Ids of programs.'),
      educationLevels: listOf(label('A level.'), 'Education levels of the program.'),
      statuses: listOf(label('A status.'), 'Statuses of the record.'),
      countries: listOf(label('A country.'), 'Countries of the record.'),
    }),
    requirements: listOf(Requirement, 'What it asks for, in order.'),
    isActive: flag('Whether it is in use.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  {
    id: profileId,
    key: 'elementary_admission',
    name: 'Admission to elementary school',
    description: '',
    appliesTo: 'application',
    conditions: { programIds: [], educationLevels: ['elementary'], statuses: [], countries: [] },
    requirements: [
      {
        id: requirementId,
        documentTypeId: documentTypeExample.id,
        documentType: documentExample.documentType,
        label: 'Birth certificate',
        instructions: 'Both sides.',
        isRequired: true,
        minFiles: 1,
        dueDays: 30,
        position: 1,
      },
    ],
    isActive: true,
    createdAt: '2026-01-15T09:30:00.000Z',
    updatedAt: '2026-01-15T09:30:00.000Z',
  },
)

export const requirementsQuery = Type.Object(
  {
    entityType: optional(OwnerType),
    entityId: optional(described(Uuid, 'Id of the student or the application, with `entityType`.')),
    studentId: optional(described(Uuid, 'Id of a student, instead of the other two.')),
    applicationId: optional(described(Uuid, 'Id of an application, instead of the other two.')),
  },
  { additionalProperties: false },
)

export const Requirements = record(
  'Requirements',
  'The documents that the institution asks of a student or an application, and how each of them stands.',
  {
    entityType: OwnerType,
    entityId: described(Uuid, 'Id of the student or the application.'),
    profiles: listOf(
      record('RequirementProfileRef', 'A profile that concerns the record.', { id: Uuid, name: label('Its name.') }),
      'The profiles that concern the record.',
    ),
    summary: record('RequirementSummary', 'How many requirements stand where.', {
      total: count('All of them.'),
      required: count('Those without which the record is incomplete.'),
      satisfied: count('Those with enough approved documents.'),
      missing: count('Those that are missing or requested.'),
      inReview: count('Those that are uploaded or in review.'),
      rejected: count('Those whose document was rejected.'),
      expired: count('Those whose document has expired.'),
      waived: count('Those that the record is excused from.'),
      isComplete: flag('Whether every required one is satisfied or waived.'),
    }),
    requirements: listOf(
      record('RequirementItem', 'How one requirement stands. Only approved, unexpired documents satisfy it.', {
        requirementId: Uuid,
        profileId: described(Uuid, 'Id of the profile that asks for it.'),
        documentTypeId: described(Uuid, 'Id of the type of the document.'),
        label: label('What is asked for.'),
        instructions: label('What to mind.'),
        isRequired: flag('Whether the record is incomplete without it.'),
        status: oneOf(requirementStatuses, 'How it stands.'),
        rejectionReason: nullable(label('Why the last document was rejected.')),
        dueAt: nullable(
          described(Stamp, 'When it is due; without a date of its own, when the open request for it expires.'),
        ),
        documents: listOf(
          record('RequirementDocument', 'A document of the record that is of the type.', {
            id: Uuid,
            status: DocumentStatus,
            versionNumber: nullable(count('Number of the current version; null before its upload is complete.')),
            expiresAt: nullable(described(Stamp, 'When it ceases to be valid.')),
          }),
          'The documents of this type, oldest first; archived ones do not count.',
        ),
        requestId: nullable(described(Uuid, 'Id of the open document request that asks for it.')),
      }),
      'Every requirement, in the order of the profiles.',
    ),
  },
  {
    entityType: 'student',
    entityId: '01985b2e-5a00-7000-8000-000000000001',
    profiles: [{ id: profileId, name: 'Admission to elementary school' }],
    summary: {
      total: 1,
      required: 1,
      satisfied: 0,
      missing: 0,
      inReview: 1,
      rejected: 0,
      expired: 0,
      waived: 0,
      isComplete: false,
    },
    requirements: [
      {
        requirementId,
        profileId,
        documentTypeId: documentTypeExample.id,
        label: 'Birth certificate',
        instructions: 'Both sides.',
        isRequired: true,
        status: 'uploaded',
        rejectionReason: null,
        dueAt: '2026-03-03T08:00:00.000Z',
        documents: [{ id: documentExample.id, status: 'uploaded', versionNumber: 1, expiresAt: null }],
        requestId: null,
      },
    ],
  },
)
