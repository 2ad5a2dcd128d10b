import { Type } from 'typebox'
import { eventTypes } from '../events.ts'
import {
  allOptional,
  body,
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
  text,
  UpdatedAt,
  Uuid,
} from '../schema.ts'
import { feedBounds } from './events.ts'

/** The maximum endpoints of a tenant. */
export const mostWebhooks = 20

/** The maximum attempts that a delivery shows: the last ones. */
export const attemptsShown = 20

/** The retention of deliveries, in days, after success and after failure. */
export const deliveryDays = { delivered: 7, failed: 30 } as const

/** The maximum positions that one redelivery may span. */
export const mostRedelivered = 10_000

/** For how many hours both secrets sign after a rotation. */
export const overlapHours = { minimum: 0, maximum: 168, default: 24 } as const

export const disabledReasons = ['manual', 'failing', 'gone'] as const

const fields = {
  id: Uuid,
  url: label('The address that deliveries are sent to.'),
  types: listOf(label('A type of event, or `noun.*`.'), 'The types that it gets, as they were asked for.'),
  description: label('What it is for.'),
  status: oneOf(['enabled', 'disabled'], 'Whether events are delivered to it.'),
  disabledReason: nullable(
    oneOf(
      disabledReasons,
      'Why it is disabled: `manual`: somebody did so; `failing`: nothing arrived for five days; `gone`: it answered 410.',
    ),
  ),
  lastSuccessAt: nullable(described(Stamp, 'When a delivery last arrived. RFC 3339, UTC, milliseconds.')),
  lastFailureAt: nullable(described(Stamp, 'When an attempt last failed. RFC 3339, UTC, milliseconds.')),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
}

const webhookExample = {
  id: '01985b2e-5a00-7000-8000-000000000c01',
  url: 'https://erp.example.org/hooks/matricula',
  types: ['payment.*', 'student.created'],
  description: 'Ledger of the district',
  status: 'enabled' as const,
  disabledReason: null,
  lastSuccessAt: '2026-02-03T10:15:01.000Z',
  lastFailureAt: null,
  createdAt: '2026-02-01T08:00:00.000Z',
  updatedAt: '2026-02-01T08:00:00.000Z',
}

export const Webhook = record(
  'Webhook',
  'An address that events are delivered to, signed as Standard Webhooks 1.0.0 says.',
  fields,
  webhookExample,
)

export const WebhookWithSecret = record(
  'WebhookWithSecret',
  'An endpoint with the secret that its deliveries are signed with. No other answer has the secret.',
  {
    ...fields,
    secret: label('`whsec_` and 32 bytes in base64: verify deliveries with it. Keep it; it is not shown again.'),
  },
  { ...webhookExample, lastSuccessAt: null, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfbRvO+cxo=' },
)

const writable = {
  url: Type.Unsafe<string>({
    type: 'string',
    minLength: 1,
    maxLength: 2048,
    description:
      'An https address on the public internet, without credentials; every address that its name stands for must be public. An operator may allow networks of their own (`WEBHOOK_ALLOWED_NETWORKS`).',
  }),
  types: Type.Unsafe<string[]>({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 100 },
    minItems: 1,
    maxItems: feedBounds.types,
    description: `Types of events; \`payment.*\` stands for all of a resource, \`["*"]\` for all that the token may read. At most ${feedBounds.types}. The token needs the read scope of each.`,
  }),
  description: text('What it is for.', 500),
  enabled: flag('Whether events are delivered to it.'),
}

export const CreateWebhookBody = body(
  'CreateWebhookBody',
  'A new endpoint.',
  {
    url: writable.url,
    types: writable.types,
    description: optional(writable.description),
    enabled: optional(Type.Unsafe<boolean>({ ...writable.enabled, default: true })),
  },
  null,
  {
    url: 'https://erp.example.org/hooks/matricula',
    types: ['payment.*', 'student.created'],
    description: 'Ledger of the district',
  },
)

export const UpdateWebhookBody = body(
  'UpdateWebhookBody',
  'Fields of an endpoint. An absent field stays as it is.',
  allOptional(writable),
  Webhook,
  { enabled: true },
)

export const RotateSecretBody = body(
  'RotateSecretBody',
  'How long the secret until now signs as well.',
  {
    overlapHours: optional(
      Type.Unsafe<number>({
        type: 'integer',
        ...overlapHours,
        description: 'Hours for which deliveries are signed with both secrets; 0 ends the one until now at once.',
      }),
    ),
  },
  null,
  { overlapHours: 24 },
)

/** What a failed attempt failed of. */
export const attemptFailures = [
  'http_status',
  'redirect',
  'timeout',
  'address_not_allowed',
  'name_not_found',
  'connection_refused',
  'connection_lost',
  'certificate',
  'tls',
  'answer_malformed',
  'answer_too_long',
  'secret_unreadable',
  'network',
] as const
export type AttemptFailure = (typeof attemptFailures)[number]

const Attempt = Type.Object(
  {
    at: described(Stamp, 'When it left. RFC 3339, UTC, milliseconds.'),
    httpStatus: nullable(count('The status that was answered; null where none was.')),
    durationMs: count('How long it took, in milliseconds.'),
    error: nullable(
      Type.Unsafe<string>({
        type: 'string',
        description:
          'Why it failed; null where it arrived. `http_status`: the answer was not 2xx; `redirect`: it was 3xx, which is not followed; `timeout`: the answer was not whole after 15 seconds; `address_not_allowed`: the name stands for an address that is not public.',
        'x-extensible-enum': [...attemptFailures],
      }),
    ),
  },
  { title: 'DeliveryAttempt', additionalProperties: false, description: 'One try to deliver.' },
)

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export const DeliveryStatus = oneOf(deliveryStatuses, 'Whether it arrived, is still tried, or was given up.')

export const DeliveryType = Type.Unsafe<string>({
  type: 'string',
  description: 'The type of the event.',
  'x-extensible-enum': [...Object.keys(eventTypes), 'webhook.ping'],
})

export const Delivery = record(
  'Delivery',
  'An event on its way to an endpoint, or arrived there.',
  {
    id: Uuid,
    eventId: described(Uuid, 'Id of the event: the `webhook-id` of every attempt.'),
    type: DeliveryType,
    position: nullable(label('Position of the event in the feed; null of a ping, which is none.')),
    status: DeliveryStatus,
    attempts: listOf(Attempt, `The attempts, oldest first: the last ${attemptsShown}.`),
    nextAttemptAt: nullable(
      described(Stamp, 'When it is tried next; null where it is not. RFC 3339, UTC, milliseconds.'),
    ),
    createdAt: CreatedAt,
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000d01',
    eventId: '01985b2e-5a00-7000-8000-000000000ee1',
    type: 'payment.status_changed',
    position: '20417',
    status: 'delivered',
    attempts: [
      { at: '2026-02-03T10:15:00.200Z', httpStatus: 503, durationMs: 41, error: 'http_status' },
      { at: '2026-02-03T10:15:05.900Z', httpStatus: 204, durationMs: 38, error: null },
    ],
    nextAttemptAt: null,
    createdAt: '2026-02-03T10:15:00.100Z',
  },
)

const Position = Type.Unsafe<string>({
  type: 'string',
  pattern: '^[0-9]{1,18}$',
  description: 'A position of the feed.',
})

export const RedeliveryBody = body(
  'RedeliveryBody',
  'One delivery, or the events between two positions.',
  {
    deliveryId: optional(described(Uuid, 'The delivery that is to be sent again. Not together with positions.')),
    after: optional(described(Position, 'Only events after this position of the feed. Together with `until`.')),
    until: optional(
      described(
        Position,
        `Only events up to this position of the feed, at most ${mostRedelivered} after the other one. Together with \`after\`.`,
      ),
    ),
  },
  null,
  { deliveryId: '01985b2e-5a00-7000-8000-000000000d01' },
)

export const Redelivery = record(
  'Redelivery',
  'How much is sent again.',
  { queued: count('How many deliveries wait now because of this call.') },
  { queued: 1 },
)
