import { Type } from 'typebox'
import { eventTypes } from '../events.ts'
import { operation } from '../operation.ts'
import { described, label, listOf, nullable, optional, record, Stamp, Uuid } from '../schema.ts'

/** Whoever did something, as events and the audit name them. */
export const Actor = Type.Object(
  {
    type: label('`api_key`, `user`, `operator` (the command line), `system` (a job) or `link` (a public page).'),
    id: nullable(
      described(Uuid, 'Id of the key, the user or the record of the public page; null where there is none.'),
    ),
    name: label('What it is called.'),
  },
  { title: 'Actor', additionalProperties: false, description: 'Who did it.' },
)

export const Event = record(
  'Event',
  'Something that happened to a record. It says what changed and not what it is now: that is read by the record’s own operation.',
  {
    position: label('Position in the feed: digits, to be stored unchanged and sent as `after`.'),
    id: described(Uuid, 'Id of the event, the same in the feed and in webhooks.'),
    type: Type.Unsafe<string>({
      type: 'string',
      description: 'What happened, `noun.past_verb`. Types may be added: pass over those that you do not know.',
      'x-extensible-enum': Object.keys(eventTypes),
    }),
    occurredAt: described(Stamp, 'When it happened. RFC 3339, UTC, milliseconds.'),
    entityType: label('The kind of record.'),
    entityId: described(Uuid, 'Id of the record.'),
    externalId: nullable(label('The key of the record in the integrator’s own system.')),
    changed: listOf(label('Name of a field.'), 'The fields that differ from before; of a new record all of them.'),
    actor: Actor,
    requestId: nullable(
      described(Uuid, 'Id of the request that did it, as in its Request-Id; null outside of requests.'),
    ),
  },
  {
    position: '20417',
    id: '01985b2e-5a00-7000-8000-000000000ee1',
    type: 'payment.status_changed',
    occurredAt: '2026-02-03T10:15:00.000Z',
    entityType: 'payment',
    entityId: '01985b2e-5a00-7000-8000-000000000101',
    externalId: 'INV-2026-0042',
    changed: ['status', 'paidAt'],
    actor: { type: 'api_key', id: '01985b2e-5a00-7000-8000-00000000000b', name: 'ERP sync' },
    requestId: '01985b2e-5a00-7000-8000-0000000000ff',
  },
)

/** Bounds of what the feed is asked for. */
export const feedBounds = {
  limit: { minimum: 1, maximum: 1000, default: 100 },
  wait: { minimum: 0, maximum: 30, default: 0 },
  /** The maximum types that one request may name. */
  types: 50,
} as const

/** The retention of events, in days. */
export const eventDays = 400

const wholeNumber = (bounds: { minimum: number; maximum: number; default: number }, description: string) =>
  Type.Unsafe<number>({ type: 'integer', ...bounds, description })

export const eventOperations = {
  listEvents: operation(
    { tag: 'Events', modules: ['platform_integrations'], domain: null },
    {
      method: 'GET',
      path: '/events',
      scope: 'events:read',
      idempotency: 'none',
      summary: 'Follow what happens',
      description: `What happened in the tenant, oldest first, for a reader that keeps the last \`next\` and sends it as \`after\`: it sees every event exactly once, those of one record in their order, whatever is written meanwhile. Events of resources whose read scope the token lacks are left out. They are kept ${eventDays} days.

With \`Accept: text/event-stream\` the same events come as a stream that stays open (WHATWG HTML, server-sent events): \`id\` is the position, \`data\` the event, \`Last-Event-ID\` resumes after it, and a comment every 15 seconds shows that the connection lives. The stream ends when the token does; connect again with the last id.`,
      query: Type.Object(
        {
          after: optional(
            Type.Unsafe<string>({
              type: 'string',
              pattern: '^(latest|[0-9]{1,18})$',
              description:
                'Only events after this position. Absent: from the oldest retained event. `latest`: no events, only the current position.',
            }),
          ),
          limit: optional(wholeNumber(feedBounds.limit, 'The most events of one answer.')),
          types: optional(
            Type.Unsafe<string>({
              type: 'string',
              minLength: 1,
              maxLength: 4000,
              description: `Only events of these types, separated by commas; \`payment.*\` stands for all of a resource. At most ${feedBounds.types}.`,
            }),
          ),
          wait: optional(
            wholeNumber(
              feedBounds.wait,
              'Seconds to wait for an event where there is none yet. It changes nothing of a stream.',
            ),
          ),
        },
        { additionalProperties: false },
      ),
      shape: 'feed',
      record: Event,
      status: 200,
      errors: ['insufficient_scope', 'position_expired'],
      events: [],
    },
  ),
}
