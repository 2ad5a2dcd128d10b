import { Type } from 'typebox'
import { disclosureSurfaces, fieldGroups } from '../disclosures.ts'
import { operation, pageBounds } from '../operation.ts'
import {
  count,
  described,
  ExternalId,
  freeObject,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  Stamp,
  StampOrDateInput,
  text,
  Uuid,
} from '../schema.ts'
import { Actor } from './events.ts'

export const Disclosure = record(
  'Disclosure',
  'That somebody read records about people. Entries are added and never changed.',
  {
    id: described(Uuid, 'Id of the entry. Later entries have greater ones.'),
    occurredAt: described(Stamp, 'When it was read. RFC 3339, UTC, milliseconds.'),
    actor: Actor,
    surface: oneOf(disclosureSurfaces, 'Where it was read.'),
    operation: label('The operation, method or command that read it.'),
    recordType: label('The kind of record.'),
    fieldGroup: oneOf(fieldGroups, 'What the record says of a person.'),
    recordIds: listOf(
      label('An id, or a name in the Resource API.'),
      'The records that were read, and the people whom they are about.',
    ),
    count: count('How many records were read.'),
    filter: nullable(freeObject('How the list was asked for; null for a single record.')),
    requestId: nullable(
      described(
        Uuid,
        'Id of the request, as in its Request-Id; null outside of requests, and where an entry stands for several.',
      ),
    ),
    address: nullable(label('The network address that it was asked from; null outside of requests.')),
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000dd1',
    occurredAt: '2026-02-03T10:15:00.000Z',
    actor: { type: 'api_key', id: '01985b2e-5a00-7000-8000-00000000000b', name: 'ERP sync' },
    surface: 'client_api',
    operation: 'listStudents',
    recordType: 'student',
    fieldGroup: 'identity',
    recordIds: ['01985b2e-5a00-7000-8000-000000000101'],
    count: 1,
    filter: { status: 'active', limit: 20 },
    requestId: '01985b2e-5a00-7000-8000-0000000000ff',
    address: '192.0.2.17',
  },
)

export const disclosureOperations = {
  listDisclosures: operation(
    { tag: 'Audit', modules: ['platform_integrations'], domain: null },
    {
      method: 'GET',
      path: '/disclosures',
      scope: 'audit:read',
      idempotency: 'none',
      summary: 'List who read records about people',
      description:
        'Every read of records about people by the staff, by tokens, keys and assistants, newest first, with exports and downloads; a list that was read is one entry with all its records. Single records that a caller reads by the same operation within a second are one entry. What was read appears within seconds. Students and guardians who read their own records are not listed, nor are reads of an institution that records none.',
      query: Type.Object(
        {
          limit: optional(
            Type.Unsafe<number>({ type: 'integer', ...pageBounds.limit, description: 'Entries of one answer.' }),
          ),
          cursor: optional(text('`*` or nothing first, then each answer’s Next-Cursor.', 200, 1)),
          entityType: optional(text('Only records of this kind.', 140, 1)),
          entityId: optional(described(Uuid, 'Only reads that showed this record, or a record about this person.')),
          externalId: optional(
            described(ExternalId, 'Only reads that showed the record with this key, or a record about this person.'),
          ),
          actorId: optional(described(Uuid, 'Only what this key or user read.')),
          since: optional(
            described(StampOrDateInput, 'Only what was read at or after this moment. RFC 3339, or a date.'),
          ),
          until: optional(described(StampOrDateInput, 'Only what was read before this moment. RFC 3339, or a date.')),
        },
        { additionalProperties: false },
      ),
      shape: 'walk',
      record: Disclosure,
      status: 200,
      errors: [],
      events: [],
    },
  ),
}
