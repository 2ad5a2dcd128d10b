import type { Operation } from '../operation.ts'
import { type ProblemCode, problems } from '../problems.ts'
import type { JsonObject } from '../schema.ts'

const word = { type: 'string' } as const
const wholeNumber = { type: 'integer', minimum: 0 } as const

/** The headers of answers by name, for `components/headers`. */
export const headerComponents = {
  'Request-Id': {
    description: 'Id of this request, new for every one. Give it when you report a fault.',
    schema: word,
    example: '01985b2e-5a00-7000-8000-0000000000ff',
  },
  ETag: {
    description: 'The version of the record (RFC 9110 §8.8.3), for `If-Match` and `If-None-Match`.',
    schema: word,
    example: '"4"',
  },
  Location: {
    description: 'The path of the record that was created.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/payments/01985b2e-5a00-7000-8000-000000000101',
  },
  Link: {
    description: 'The pages `first`, `prev`, `next` and `last` (RFC 8288); of a cursor walk only `next`.',
    schema: word,
    example: '<https://matricula.example/v1/payments?page=2>; rel="next"',
  },
  'Next-Cursor': {
    description: 'In a cursor walk, the cursor of the next page; absent at the end.',
    schema: word,
    example: 'MiAxNzY5OTMyODAwMDAw',
  },
  'Sync-Watermark': {
    description:
      'The stamp to send as `updatedSince` in the next sweep. Keep the one of a sweep’s first page: it is bounded by the oldest write still open, so nothing is skipped.',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-02-01T08:00:00.000Z',
  },
  'RateLimit-Policy': {
    description: 'The token’s quota `q` in a window of `w` seconds (IETF draft).',
    schema: word,
    example: '"default";q=600;w=60',
  },
  RateLimit: {
    description: 'Requests `r` left in this window, which ends in `t` seconds (IETF draft).',
    schema: word,
    example: '"default";r=587;t=42',
  },
  'X-RateLimit-Limit': { description: 'Requests per minute of the token.', schema: wholeNumber, example: 600 },
  'X-RateLimit-Remaining': { description: 'Requests left in this window.', schema: wholeNumber, example: 587 },
  'X-RateLimit-Reset': { description: 'Seconds until the window ends.', schema: wholeNumber, example: 42 },
  'Retry-After': {
    description: 'Whole seconds to wait before the request is sent again.',
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    schema: word,
    example: 'Bearer realm="matricula", error="invalid_token"',
  },
} as const satisfies JsonObject

type HeaderName = keyof typeof headerComponents

const quotaHeaders: readonly HeaderName[] = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

/** Statuses of problems that are stored with their Idempotency-Key and replayed. */
const keptRefusals: readonly number[] = [404, 409, 412, 422]

/** The headers of a response with this success status, or with 304, as references. */
export function answerHeaders(operation: Operation, status: Operation['status'] | 304): JsonObject {
  const names: HeaderName[] = ['Request-Id', ...quotaHeaders]
  if (operation.hasEntityTag) names.push('ETag')
  if (status === 201 && operation.location !== undefined) names.push('Location')
  if (operation.shape === 'page') names.push('Sync-Watermark', 'Link', 'Next-Cursor')
  if (operation.shape === 'walk') names.push('Link', 'Next-Cursor')
  if (operation.idempotency === 'required') names.push('Idempotent-Replayed')
  return references(names)
}

/** The headers of a refusal of an operation, as references. */
export function refusalHeaders(operation: Operation, codes: readonly ProblemCode[]): JsonObject {
  const names: HeaderName[] = ['Request-Id']
  const { status } = problems[codes[0] as ProblemCode]
  if (status === 401) names.push('WWW-Authenticate')
  else if (status < 500) names.push(...quotaHeaders)
  if (codes.some((code) => waits.includes(code))) names.push('Retry-After')
  if (codes.includes('precondition_failed')) names.push('ETag')
  if (operation.idempotency === 'required' && keptRefusals.includes(status)) names.push('Idempotent-Replayed')
  return references(names)
}

const waits: readonly ProblemCode[] = [
  'idempotency_key_in_use',
  'rate_limit_exceeded',
  'authentication_throttled',
  'service_unavailable',
]

function references(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
