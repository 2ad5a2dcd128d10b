import { Type } from 'typebox'
import { DocumentRequest, mostRequestItems, publicLocales } from '../client-api/document-requests.ts'
import { OwnerType } from '../client-api/documents.ts'
import { operation } from '../operation.ts'
import {
  body,
  count,
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
import { BulkAnyFilters, BulkFilters, BulkJob, bulkBounds } from './bulk-jobs.ts'

/** The maximum students or applications that a preview lists. */
export const mostAsked = 300

const studentId = '01985b2e-5a00-7000-8000-000000000001'

const someOf = (item: typeof Uuid | ReturnType<typeof text>, description: string, maxItems: number) =>
  Type.Unsafe<string[]>({ ...listOf(item, description), minItems: 1, maxItems })

/** Up to so many students or applications, by id or by name. */
const owners = (most: number) => ({
  entityType: OwnerType,
  entityIds: optional(someOf(Uuid, 'Ids of the students or the applications.', most)),
  names: optional(
    someOf(
      text('Name of a record.', 140, 1),
      'Their names on the Resource API, which are the codes of students and applications, instead of ids.',
      most,
    ),
  ),
})

const whatIsAsked = {
  documentTypeIds: optional(someOf(Uuid, 'Ids of active document types.', mostRequestItems)),
  fromRequirements: optional(flag('True asks for what is missing of each.')),
  locale: optional(
    oneOf(
      publicLocales,
      'The language of all mails; of each the recipient’s own when absent, as far as it is known, or that of the institution.',
    ),
  ),
}

const PreviewBody = body(
  'RequestPreviewBody',
  'Who would be asked for which documents: exactly one of `entityIds` and `names`, and of `documentTypeIds` and `fromRequirements`.',
  { ...owners(mostAsked), ...whatIsAsked },
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

const jobSelection = {
  ...owners(bulkBounds.records),
  filters: optional(BulkFilters),
  orFilters: optional(BulkAnyFilters),
  status: optional(text('All applications of this status of the pipeline.', 140, 1)),
  ...whatIsAsked,
}

const jobExample = { entityType: 'application' as const, status: 'new', fromRequirements: true }

const JobPreviewBody = body(
  'RequestJobPreviewBody',
  'Whose families would be asked: exactly one of `entityIds`, `names`, `filters` and `status`, and of `documentTypeIds` and `fromRequirements`.',
  jobSelection,
  null,
  jobExample,
)

const CreateJobBody = body(
  'CreateRequestJobBody',
  'Whose families are asked for which documents.',
  {
    ...jobSelection,
    message: optional(text('What else the family reads.', 4000)),
    expectedTotal: optional(count('The number of families in the preview: where it has changed, no request is sent.')),
  },
  null,
  { ...jobExample, expectedTotal: 812 },
)

/** Who would be asked by mail of all that are meant, and who would not be. */
export const RequestJobPreview = record(
  'RequestJobPreview',
  'How many families would be asked by mail, without asking.',
  {
    locale: oneOf(publicLocales, 'The language of the mails where nothing is known of somebody’s own.'),
    matched: count('How many are meant, exactly.'),
    total: count('How many of them would be asked by mail, exactly.'),
    complete: count('Of how many nothing is missing.'),
    alreadyAsked: count('How many are asked for all of it by requests that are open.'),
    unreached: count(
      'The number without an e-mail address: a job skips these, since their links are shown to the user who creates them.',
    ),
    unreachedIds: listOf(Uuid, `Ids of the first ${mostAsked} of these.`),
    first: listOf(Asked, 'The first of those who would be asked by mail.'),
  },
  {
    locale: 'en',
    matched: 900,
    total: 812,
    complete: 40,
    alreadyAsked: 46,
    unreached: 2,
    unreachedIds: [studentId],
    first: [],
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
  previewRequestJob: operation(group, {
    method: 'POST',
    path: '/request-jobs/preview',
    scope: 'vault:read',
    idempotency: 'natural',
    summary: 'Tell how many families would be asked',
    description:
      'Nothing is changed and nobody is asked. The number is exact, and can be sent as `expectedTotal` with the job. It needs `students:read` or `admissions:read` besides.',
    body: JobPreviewBody,
    shape: 'record',
    record: RequestJobPreview,
    status: 200,
    errors: ['reference_not_found', 'rule_violated', 'insufficient_role'],
    events: [],
  }),
  createRequestJob: operation(group, {
    method: 'POST',
    path: '/request-jobs',
    scope: 'vault:write',
    idempotency: 'required',
    summary: 'Ask many families for documents',
    description:
      'Makes a bulk job, which is followed and cancelled as such. It asks one family after the other by mail, each in a transaction of its own with its own audit and event, also where the service is killed meanwhile. Who has no address, of whom nothing is missing and who is asked already is left out.',
    body: CreateJobBody,
    shape: 'record',
    record: BulkJob,
    status: 201,
    location: '/bulk-jobs/{id}',
    errors: ['reference_not_found', 'rule_violated', 'insufficient_role', 'state_conflict'],
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
  restoreDocumentRequest: operation(group, {
    method: 'POST',
    path: '/vault/requests/{id}/restore',
    scope: 'vault:write',
    idempotency: 'natural',
    summary: 'Take back the revocation of a document request',
    description: 'The link works again until it expires. A request that is not revoked stays as it is.',
    shape: 'record',
    record: DocumentRequest,
    status: 200,
    errors: ['resource_not_found'],
    events: ['vault_request.updated', 'vault_request.completed'],
  }),
}
