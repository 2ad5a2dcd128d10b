import { Type } from 'typebox'
import { operation, pageBounds } from '../operation.ts'
import {
  described,
  ExternalId,
  freeObject,
  label,
  listOf,
  nullable,
  optional,
  record,
  Stamp,
  StampOrDateInput,
  text,
  Uuid,
} from '../schema.ts'
import { Actor } from './events.ts'

export const AuditEntry = record(
  'AuditEntry',
  'An action that was done, or rejected, and by whom. Entries are added and never changed.',
  {
    id: described(Uuid, 'Id of the entry. Later entries have greater ones.'),
    occurredAt: described(Stamp, 'When it was done. RFC 3339, UTC, milliseconds.'),
    action: label(
      'What was done, `noun.past_verb`: the types of events, and what leaves no event, such as `user.logged_in`.',
    ),
    entityType: label('The kind of record that it was done with.'),
    entityId: nullable(described(Uuid, 'Id of the record; null where it was done with none.')),
    externalId: nullable(label('The key that the record had in the integrator’s own system.')),
    actor: Actor,
    before: nullable(freeObject('The record before; null where it came into being, or was not changed.')),
    after: nullable(freeObject('The record after, or what is known of what was done; null where the record is gone.')),
    changed: listOf(label('Name of a field.'), 'The fields that differ between both; none where nothing was changed.'),
    requestId: nullable(described(Uuid, 'Id of the request, as in its Request-Id; null outside of requests.')),
    address: nullable(label('The network address that it was asked from; null outside of requests.')),
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000aa1',
    occurredAt: '2026-02-03T10:15:00.000Z',
    action: 'payment.status_changed',
    entityType: 'payment',
    entityId: '01985b2e-5a00-7000-8000-000000000101',
    externalId: 'INV-2026-0042',
    actor: { type: 'api_key', id: '01985b2e-5a00-7000-8000-00000000000b', name: 'ERP sync' },
    before: { status: 'pending', paidAt: null },
    after: { status: 'paid', paidAt: '2026-02-03T10:14:00.000Z' },
    changed: ['status', 'paidAt'],
    requestId: '01985b2e-5a00-7000-8000-0000000000ff',
    address: '192.0.2.17',
  },
)

export const auditOperations = {
  listAuditEntries: operation(
    { tag: 'Audit', modules: ['platform_integrations'], domain: null },
    {
      method: 'GET',
      path: '/audit',
      scope: 'audit:read',
      idempotency: 'none',
      summary: 'List what was done, and by whom',
      description:
        'Every change of a record, newest first, with what it was before and after; and what changes none: refused writes into a domain, downloads of documents, log-ins and those that failed, a key that is used from a new address, commands of the operator.',
      query: Type.Object(
        {
          limit: optional(
            Type.Unsafe<number>({ type: 'integer', ...pageBounds.limit, description: 'Entries of one answer.' }),
          ),
          cursor: optional(text('`*` or nothing first, then each answer’s Next-Cursor.', 200, 1)),
          entityType: optional(text('Only what was done with records of this kind.', 140, 1)),
          entityId: optional(described(Uuid, 'Only what was done with this record.')),
          externalId: optional(described(ExternalId, 'Only what was done with records that had this key then.')),
          action: optional(text('Only this action, such as `user.log_in_failed`.', 200, 1)),
          actorId: optional(described(Uuid, 'Only what this key or user did.')),
          since: optional(
            described(StampOrDateInput, 'Only what was done at or after this moment. RFC 3339, or a date.'),
          ),
          until: optional(described(StampOrDateInput, 'Only what was done before this moment. RFC 3339, or a date.')),
        },
        { additionalProperties: false },
      ),
      shape: 'walk',
      record: AuditEntry,
      status: 200,
      errors: [],
      events: [],
    },
  ),
}
