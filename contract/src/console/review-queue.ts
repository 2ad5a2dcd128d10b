import { Type } from 'typebox'
import { Document, documentExample } from '../client-api/documents.ts'
import { operation, pageBounds } from '../operation.ts'
import { body, described, flag, label, nullable, optional, record, Stamp, text, Uuid } from '../schema.ts'

/** For how long somebody has a version of a document to judge, in minutes. */
export const reviewClaimMinutes = 5

const claimFields = {
  documentId: described(Uuid, 'Id of the document.'),
  versionId: described(Uuid, 'Id of the version under review.'),
  by: label('Who looks at it.'),
  isMine: flag('Whether that is the caller.'),
  expiresAt: described(Stamp, 'Until when nobody else judges it. RFC 3339, UTC, milliseconds.'),
}

const claimExample = {
  documentId: documentExample.id,
  versionId: '01985b2e-5a00-7000-8000-000000000d11',
  by: 'officer@grand-bend.example',
  isMine: true,
  expiresAt: '2026-02-03T10:20:00.000Z',
}

/** That somebody looks at a version of a document. */
export const ReviewClaim = record(
  'ReviewClaim',
  `That somebody looks at a version of a document: nobody else judges it for ${reviewClaimMinutes} minutes.`,
  claimFields,
  claimExample,
)

const ClaimBody = body(
  'ReviewClaimBody',
  'What somebody begins to look at.',
  { documentId: claimFields.documentId, versionId: claimFields.versionId },
  null,
  { documentId: claimExample.documentId, versionId: claimExample.versionId },
)

/** A document that waits for somebody to review it. */
export const ReviewItem = record(
  'ReviewItem',
  'A document that waits to be reviewed, with what asked for it.',
  {
    document: Document,
    entityTag: label('Its version, to be sent as If-Match with the judgement.'),
    requirement: nullable(
      Type.Object(
        {
          id: nullable(described(Uuid, 'Id of the requirement; null where a request alone asked for it.')),
          label: label('What was asked for.'),
          instructions: label('What was said about it; empty when nothing was.'),
        },
        { additionalProperties: false, description: 'What asks for the document.' },
      ),
    ),
    request: nullable(
      Type.Object(
        {
          id: described(Uuid, 'Id of the request.'),
          title: label('Its title.'),
          locale: nullable(label('The language in which the family reads it.')),
          expiresAt: described(Stamp, 'Until when the family can answer it. RFC 3339, UTC, milliseconds.'),
        },
        { additionalProperties: false, description: 'The request that it answers.' },
      ),
    ),
    claim: nullable(
      Type.Object(claimFields, { additionalProperties: false, description: 'Who looks at it at this moment.' }),
    ),
  },
  {
    document: documentExample,
    entityTag: '"2.1.1.0"',
    requirement: { id: '01985b2e-5a00-7000-8000-000000000e01', label: 'Birth certificate', instructions: '' },
    request: null,
    claim: null,
  },
)

const group = { tag: 'Review queue', modules: ['staff_vault'], domain: null } as const

export const reviewOperations = {
  listReviewQueue: operation(group, {
    method: 'GET',
    path: '/review-queue',
    scope: 'vault:read',
    idempotency: 'none',
    summary: 'List documents that wait to be reviewed',
    description:
      'The oldest first, with the requirement and the request that each answers, and who looks at it already.',
    query: Type.Object(
      {
        documentTypeId: optional(described(Uuid, 'Only documents of this type.')),
        limit: optional(
          Type.Unsafe<number>({ type: 'integer', ...pageBounds.limit, description: 'Documents of one answer.' }),
        ),
        cursor: optional(text('`*` or nothing first, then each answer’s Next-Cursor.', 200, 1)),
      },
      { additionalProperties: false },
    ),
    shape: 'walk',
    record: ReviewItem,
    status: 200,
    errors: [],
    events: [],
  }),
  claimReview: operation(group, {
    method: 'POST',
    path: '/review-queue/claims',
    scope: 'vault:write',
    idempotency: 'natural',
    summary: 'Begin to look at a document',
    description: `For ${reviewClaimMinutes} minutes nobody else who is logged in can approve or reject it. Whoever has it already has it anew. A judgement ends it.`,
    body: ClaimBody,
    shape: 'record',
    record: ReviewClaim,
    status: 200,
    errors: ['resource_not_found', 'state_conflict'],
    events: [],
  }),
  releaseReview: operation(group, {
    method: 'DELETE',
    path: '/review-queue/claims/{documentId}',
    scope: 'vault:write',
    idempotency: 'natural',
    summary: 'Leave a document to others',
    description: 'Ends one’s own claim. There being none is as good.',
    shape: 'record',
    record: ReviewClaim,
    status: 204,
    errors: [],
    events: [],
  }),
}
