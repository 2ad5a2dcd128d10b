import { Type } from 'typebox'
import { eventScopes, eventTypes } from '../events.ts'
import type { JsonObject } from '../schema.ts'
import { described, label, listOf, nullable, record, Stamp, Uuid } from '../schema.ts'
import type { PublishedSchemas } from './schemas.ts'

const WebhookBody = record(
  'WebhookBody',
  'What is delivered of an event: which record it is about, and which of its fields changed. The record is read by its own operation.',
  {
    type: label('What happened.'),
    timestamp: described(Stamp, 'When it happened. RFC 3339, UTC, milliseconds.'),
    data: Type.Object(
      {
        id: described(Uuid, 'Id of the record.'),
        externalId: nullable(label('The key of the record in the integrator’s own system.')),
        entityType: label('The kind of record.'),
        changed: listOf(label('Name of a field.'), 'The fields that differ from before.'),
        position: nullable(label('Position of the event in the feed; null of a ping.')),
        tenant: label('The slug of the tenant.'),
      },
      { additionalProperties: false, description: 'What the event is about.' },
    ),
  },
)

const header = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

/** The headers of a delivery (Standard Webhooks 1.0.0) by name, for `components/parameters`. */
export const webhookHeaders = {
  'webhook-id': header(
    'webhook-id',
    'Id of the event, the same at every attempt: what came twice has it twice.',
    '01985b2e-5a00-7000-8000-000000000ee1',
  ),
  'webhook-timestamp': header('webhook-timestamp', 'When this attempt left, in seconds since 1970.', '1770113701'),
  'webhook-signature': header(
    'webhook-signature',
    'Signatures, separated by spaces: `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64. While a secret is being replaced there are two.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
} as const satisfies JsonObject

/** The responses of an endpoint, for `components/responses`. */
export const webhookAnswers = {
  WebhookArrived: { description: 'It has arrived. Answer within 15 seconds, and do what takes long afterwards.' },
  WebhookGone: { description: 'The endpoint is gone for good: it is disabled at once.' },
  WebhookFailed: {
    description:
      'Everything else, a redirect too, is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and not sooner than `Retry-After` says. An endpoint that nothing has reached for five days is disabled.',
  },
} as const satisfies JsonObject

const answerTo = (name: keyof typeof webhookAnswers) => ({ $ref: `#/components/responses/${name}` })

/** What is sent to the endpoints of a tenant, by type of event, and the ping. */
export function webhooksObject(schemas: PublishedSchemas): JsonObject {
  const body = schemas.publish(WebhookBody, 'answer')
  const types = [...Object.entries(eventTypes), ['webhook.ping', null] as const]
  return Object.fromEntries(types.map(([type, scope]) => [type, { post: delivery(type, scope, body) }]))
}

function delivery(type: string, scope: string | null, body: JsonObject): JsonObject {
  const [noun = '', verb = ''] = type.split('.')
  const isPing = type === 'webhook.ping'
  const needs = scope === null ? '' : ` Sent to endpoints whose maker has the scope \`${scope}\`.`
  return {
    operationId: `on_${type.replace('.', '_')}`,
    tags: ['Webhooks'],
    summary: type,
    description: isPing
      ? 'Sent by POST /webhooks/{id}/test, to try an endpoint. It is no event of the feed.'
      : `Sent when it happened, to endpoints that asked for \`${type}\` or \`${noun}.*\`.${needs}`,
    security: [],
    parameters: Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      description: 'The event.',
      content: {
        'application/json': {
          schema: {
            allOf: [
              body,
              { type: 'object', properties: { type: { type: 'string', const: type, description: 'What happened.' } } },
            ],
          },
          example: {
            type,
            timestamp: '2026-02-03T10:15:00.000Z',
            data: {
              id: '01985b2e-5a00-7000-8000-000000000101',
              externalId: isPing || eventScopes.get(noun) === 'audit:read' ? null : 'T-604821-2021F',
              entityType: noun,
              changed: isPing || verb === 'deleted' ? [] : verb === 'created' ? ['id', 'createdAt'] : ['status'],
              position: isPing ? null : '20417',
              tenant: 'grand-bend',
            },
          },
        },
      },
    },
    responses: {
      '2XX': answerTo('WebhookArrived'),
      '410': answerTo('WebhookGone'),
      default: answerTo('WebhookFailed'),
    },
  }
}
