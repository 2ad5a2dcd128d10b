import { Type } from 'typebox'
import { Actor } from '../client-api/events.ts'
import { operation, pageBounds } from '../operation.ts'
import { described, type Json, label, listOf, nullable, oneOf, optional, record, Stamp, text, Uuid } from '../schema.ts'

/** The kinds of records that have a timeline and no record type, each with the scope that reads it. */
export const timelineKinds = {
  payment: 'payments:read',
  vault_document: 'vault:read',
  vault_request: 'vault:read',
  form_submission: 'forms:read',
  form_template: 'forms:read',
} as const

export type TimelineKind = keyof typeof timelineKinds

const Value = (description: string) =>
  Type.Unsafe<Json>({ type: ['string', 'number', 'boolean', 'object', 'array', 'null'], description })

const FieldChange = Type.Object(
  {
    field: label('Name of the field.'),
    label: label('What people call it.'),
    from: Value('What it was; null where it was not set.'),
    to: Value('What it is since; null where it is not set.'),
  },
  { additionalProperties: false, description: 'What became of a field.' },
)

/** Something that was done with a record, as its page tells it. */
export const TimelineEntry = record(
  'TimelineEntry',
  'Something that was done with a record: who, when, and which field became what.',
  {
    id: described(Uuid, 'Id of the entry of the audit.'),
    occurredAt: described(Stamp, 'When it was done. RFC 3339, UTC, milliseconds.'),
    action: label('What was done, `noun.past_verb`.'),
    actor: Actor,
    changes: listOf(FieldChange, 'The fields that changed, as far as the caller may read them.'),
    requestId: nullable(described(Uuid, 'Id of the request, as in its Request-Id; null outside of requests.')),
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000aa1',
    occurredAt: '2026-02-03T10:15:00.000Z',
    action: 'student.updated',
    actor: { type: 'user', id: '01985b2e-5a00-7000-8000-00000000000c', name: 'registrar@grand-bend.example' },
    changes: [{ field: 'city', label: 'City', from: 'Hillside', to: 'Grand Bend' }],
    requestId: '01985b2e-5a00-7000-8000-0000000000ff',
  },
)

export const timelineOperations = {
  readTimeline: operation(
    { tag: 'Timeline', modules: [], domain: null },
    {
      method: 'GET',
      path: '/timeline',
      scope: null,
      idempotency: 'none',
      summary: 'Read what was done with a record',
      description:
        'Newest first, from the audit: who changed which field from what to what, and by which request. A record of a type of the Resource API is named by `type` and `name`, anything else by `kind` and `id`. Who may read the record reads its timeline; of a type of which somebody sees only some records, it tells who did what and when, without the values.',
      query: Type.Object(
        {
          type: optional(text('The record type.', 140, 1)),
          name: optional(text('The name of the record.', 140, 1)),
          kind: optional(
            oneOf(Object.keys(timelineKinds) as TimelineKind[], 'What it is, where it has no record type.'),
          ),
          id: optional(described(Uuid, 'Its id.')),
          limit: optional(
            Type.Unsafe<number>({ type: 'integer', ...pageBounds.limit, description: 'Entries of one answer.' }),
          ),
          cursor: optional(text('`*` or nothing first, then each answer’s Next-Cursor.', 200, 1)),
        },
        { additionalProperties: false },
      ),
      shape: 'walk',
      record: TimelineEntry,
      status: 200,
      errors: ['resource_not_found'],
      events: [],
    },
  ),
}
