import { Type } from 'typebox'
import { DocumentRequest, mostRequestItems, publicLocales } from '../client-api/document-requests.ts'
import { OwnerType } from '../client-api/documents.ts'
import { operation } from '../operation.ts'
import {
  body,
  described,
  flag,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  type Static,
  text,
  Uuid,
} from '../schema.ts'

/** How many students or applications a preview tells of at most. */
export const mostAsked = 300

const studentId = '01985b2e-5a00-7000-8000-000000000001'

const ids = (description: string, maxItems: number) =>
  Type.Unsafe<string[]>({ ...listOf(Uuid, description), minItems: 1, maxItems })

const PreviewBody = body(
  'RequestPreviewBody',
  'Who would be asked for which documents: exactly one of `entityIds` and `names`, and of `documentTypeIds` and `fromRequirements`.',
  {
    entityType: OwnerType,
    entityIds: optional(ids('Ids of the students or the applications.', mostAsked)),
    names: optional(
      Type.Unsafe<string[]>({
        ...listOf(
          text('Name of a record.', 140, 1),
          'Their names on the Resource API, which are the codes of students and applications, instead of ids.',
        ),
        minItems: 1,
        maxItems: mostAsked,
      }),
    ),
    documentTypeIds: optional(ids('Ids of active document types.', mostRequestItems)),
    fromRequirements: optional(flag('True asks for what is missing of each.')),
    locale: optional(
      oneOf(
        publicLocales,
        'The language of all mails; of each the recipient’s own when absent, as far as it is known, or that of the institution.',
      ),
    ),
  },
  null,
  { entityType: 'student', entityIds: [studentId], fromRequirements: true },
)

const Asked = Type.Object(
  {
    entityId: described(Uuid, 'Id of the student or the application.'),
    entityLabel: label('Full name of the student or the applicant.'),
    recipientName: label('Who would be asked; empty when no name is known.'),
    recipientEmail: nullable(label('Where the mail would go; null when no address is known.')),
    locale: oneOf(publicLocales, 'The language of the mail.'),
    asks: listOf(label('What is asked for.'), 'What would be asked for, in order; empty when nothing is missing.'),
    isAsked: flag('Whether requests that are open ask for all of these kinds already.'),
  },
  { additionalProperties: false, description: 'Somebody who would be asked.' },
)

/** Who would be asked for what, and in which language. */
export const RequestPreview = record(
  'RequestPreview',
  'Who would be asked for what, without asking.',
  {
    locale: oneOf(publicLocales, 'The language of the mails where nothing is known of somebody’s own.'),
    asked: listOf(Asked, 'One for each id, in the order in which they were sent.'),
  },
  {
    locale: 'en',
    asked: [
      {
        entityId: studentId,
        entityLabel: 'Tyrone Dyer',
        recipientName: 'Carmen Dyer',
        recipientEmail: 'carmen@example.org',
        locale: 'es',
        asks: ['Birth certificate'],
        isAsked: false,
      },
    ],
  },
)

/** What a preview answers. */
export type RequestPreview = Static<typeof RequestPreview>

const group = { tag: 'Requests to families', modules: ['staff_vault'], domain: null } as const

export const requestOperations = {
  previewDocumentRequests: operation(group, {
    method: 'POST',
    path: '/request-previews',
    scope: 'vault:read',
    idempotency: 'natural',
    summary: 'Tell who would be asked for which documents',
    description:
      'Nothing is changed and nobody is asked: as `createDocumentRequest` would do it for each, now. It needs `students:read` or `admissions:read` besides, by whom it is about.',
    body: PreviewBody,
    shape: 'record',
    record: RequestPreview,
    status: 200,
    errors: ['reference_not_found', 'rule_violated'],
    events: [],
  }),
  remindOfDocumentRequest: operation(group, {
    method: 'POST',
    path: '/vault/requests/{id}/reminders',
    scope: 'vault:write',
    idempotency: 'required',
    summary: 'Remind of a document request',
    description: 'Sends the mail with the link once more, as long as the request takes documents.',
    shape: 'record',
    record: DocumentRequest,
    status: 200,
    errors: ['resource_not_found', 'state_conflict', 'rule_violated'],
    events: [],
  }),
}
