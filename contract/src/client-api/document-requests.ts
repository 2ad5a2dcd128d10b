import { Type } from 'typebox'
import {
  body,
  CreatedAt,
  described,
  EmailInput,
  ExternalId,
  flag,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  Stamp,
  StampOrDateInput,
  type Static,
  text,
  UpdatedAt,
  Uuid,
} from '../schema.ts'
import { documentTypeExample, OwnerType } from './documents.ts'

export const requestStatuses = ['open', 'partially_completed', 'completed', 'expired', 'revoked'] as const
export type RequestStatus = (typeof requestStatuses)[number]
export const RequestStatus = oneOf(requestStatuses, 'Where the request stands.')

export const requestItemStatuses = ['pending', 'uploaded', 'accepted', 'rejected'] as const
export type RequestItemStatus = (typeof requestItemStatuses)[number]

/** The languages of public pages and mails. */
export const publicLocales = ['en', 'es', 'fr', 'pt'] as const
export type PublicLocale = (typeof publicLocales)[number]

/** How long a document request lives, in days. */
export const requestDays = { minimum: 1, maximum: 90, default: 14 } as const

/** The maximum documents that one request names. */
export const mostRequestItems = 50

const recipientExample = { contactId: null, name: 'Carmen Dyer', email: 'carmen@example.org', phone: null }
const studentId = '01985b2e-5a00-7000-8000-000000000001'

const requestExample = {
  id: '01985b2e-5a00-7000-8000-000000000301',
  externalId: 'REQ-604821',
  entityType: 'student' as const,
  entityId: studentId,
  entityLabel: 'Tyrone Dyer',
  title: 'Documents for enrolment',
  message: 'Please hand these in before the first day.',
  recipient: recipientExample,
  status: 'open' as const,
  items: [
    {
      id: '01985b2e-5a00-7000-8000-000000000302',
      documentTypeId: documentTypeExample.id,
      label: 'Birth certificate',
      instructions: '',
      isRequired: true,
      status: 'pending' as const,
      rejectionReason: null,
      documentId: null,
    },
  ],
  publicUrl: null,
  expiresAt: '2026-02-15T08:00:00.000Z',
  revokedAt: null,
  revokedReason: null,
  completedAt: null,
  firstViewedAt: null,
  lastViewedAt: null,
  submittedAt: null,
  createdAt: '2026-02-01T08:00:00.000Z',
  updatedAt: '2026-02-01T08:00:00.000Z',
}

export const DocumentRequest = record(
  'DocumentRequest',
  'Documents that somebody is asked for, who hands them in on a public page.',
  {
    id: Uuid,
    externalId: nullable(ExternalId),
    entityType: OwnerType,
    entityId: described(Uuid, 'Id of the student or the application.'),
    entityLabel: label('Full name of the student or the applicant.'),
    title: label('Title, as the public page shows it.'),
    message: label('What is said to the recipient; empty when nothing.'),
    recipient: record('RequestRecipient', 'Who is asked.', {
      contactId: nullable(described(Uuid, 'Id of a person of the tenant.')),
      name: label('Name; empty when it is not known.'),
      email: nullable(label('E-mail address.')),
      phone: nullable(label('Telephone number.')),
    }),
    status: described(
      RequestStatus,
      'Where the request stands: `partially_completed` once a document is there, `completed` when every required one is accepted.',
    ),
    items: listOf(
      record('DocumentRequestItem', 'One of the documents that are asked for.', {
        id: Uuid,
        documentTypeId: described(Uuid, 'Id of the type of the document.'),
        label: label('What is asked for.'),
        instructions: label('What to mind; empty when there is nothing.'),
        isRequired: flag('Whether the request is incomplete without it.'),
        status: oneOf(requestItemStatuses, 'Where its document stands.'),
        rejectionReason: nullable(label('Why its document was rejected.')),
        documentId: nullable(described(Uuid, 'Id of the document that answers it.')),
      }),
      'What is asked for, in order.',
    ),
    publicUrl: nullable(
      label(
        'URL of the public page. Returned only in the response to the creation and its idempotent replay; null afterwards.',
      ),
    ),
    expiresAt: described(Stamp, 'When the page ceases to take files.'),
    revokedAt: nullable(described(Stamp, 'When it was revoked.')),
    revokedReason: nullable(label('Why it was revoked.')),
    completedAt: nullable(described(Stamp, 'When every required document was accepted.')),
    firstViewedAt: nullable(described(Stamp, 'When the page was first opened.')),
    lastViewedAt: nullable(described(Stamp, 'When the page was last opened, to the minute.')),
    submittedAt: nullable(described(Stamp, 'When the recipient said that everything is there.')),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  requestExample,
)

const RequestItemInput = body(
  'DocumentRequestItemInput',
  'A document to ask for: of a type, or for a requirement.',
  {
    documentTypeId: optional(described(Uuid, 'Id of an active document type.')),
    requirementId: optional(
      described(Uuid, 'Id of a requirement, which also gives label and instructions where they are absent.'),
    ),
    label: optional(text('What is asked for; the name of the document type when absent.', 255, 1)),
    instructions: optional(text('What to mind.', 2000)),
    isRequired: optional(flag('Whether the request is incomplete without it; true when absent.')),
  },
  null,
)

const RecipientInput = body(
  'RequestRecipientInput',
  'Who is asked. A person of the tenant by `contactId`, anybody else by name, e-mail and telephone number.',
  {
    contactId: optional(nullable(described(Uuid, 'Id of a person of the tenant, who fills in what is absent.'))),
    name: optional(text('Name.', 255)),
    email: optional(EmailInput),
    phone: optional(nullable(text('Telephone number.', 40))),
  },
  null,
)

export const CreateRequestBody = body(
  'CreateDocumentRequestBody',
  'Who is asked for which documents: exactly one of `items`, `documentTypeIds` and `fromRequirements`. The recipient is the primary contact of the student or the application when absent, or else the student or the applicant.',
  {
    externalId: optional(ExternalId),
    entityType: OwnerType,
    entityId: described(Uuid, 'Id of the student or the application.'),
    items: optional(
      Type.Unsafe<Static<typeof RequestItemInput>[]>({
        ...listOf(RequestItemInput, 'The documents to ask for, in order.'),
        minItems: 1,
        maxItems: mostRequestItems,
      }),
    ),
    documentTypeIds: optional(
      Type.Unsafe<string[]>({
        ...listOf(Uuid, 'Ids of active document types: one required document of each.'),
        minItems: 1,
        maxItems: mostRequestItems,
      }),
    ),
    fromRequirements: optional(
      flag('True asks for every requirement that is not satisfied, waived, or waiting for a review.'),
    ),
    recipient: optional(RecipientInput),
    title: optional(text('Title; a default in the locale when absent.', 255, 1)),
    message: optional(text('What is said to the recipient.', 4000)),
    expiresAt: optional(
      described(
        StampOrDateInput,
        `When the page ceases to take files, at most ${requestDays.maximum} days ahead; a bare date means midnight UTC.`,
      ),
    ),
    expiresInDays: optional(
      Type.Unsafe<number>({
        type: 'integer',
        minimum: requestDays.minimum,
        maximum: requestDays.maximum,
        default: requestDays.default,
        description: 'Days until the page ceases to take files, instead of `expiresAt`.',
      }),
    ),
    locale: optional(
      oneOf(
        publicLocales,
        'The language of the page and of the mail. When absent, the browser decides for the page, and the mail is in the language of the recipient’s user, or else of the institution.',
      ),
    ),
    notify: optional(flag('Whether the recipient gets an e-mail with the link; false when absent.')),
  },
  null,
  {
    entityType: 'student',
    entityId: studentId,
    documentTypeIds: [documentTypeExample.id],
    recipient: { name: 'Carmen Dyer', email: 'carmen@example.org' },
    title: 'Documents for enrolment',
    message: 'Please hand these in before the first day.',
    expiresInDays: 14,
  },
)

export const UpdateRequestBody = body(
  'UpdateDocumentRequestBody',
  'Either `status: "revoked"`, which closes the page, or another `expiresAt`, which also opens an expired one again.',
  {
    status: optional(RequestStatus),
    reason: optional(nullable(text('Why it is revoked.', 2000))),
    expiresAt: optional(
      described(StampOrDateInput, `When the page ceases to take files, at most ${requestDays.maximum} days ahead.`),
    ),
  },
  DocumentRequest,
  { status: 'revoked', reason: 'Handed in on paper.' },
)
