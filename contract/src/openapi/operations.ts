import { type DoorKind, idempotencyRetentionHours, isDomainWrite, type Operation } from '../operation.ts'
import type { JsonObject, TSchema } from '../schema.ts'
import { answersOf } from './answers.ts'
import { csrfTokenReference, parametersOf } from './parameters.ts'
import type { PublishedSchemas } from './schemas.ts'

/** An operation as an Operation Object. The `x-` members repeat what its description says of access and repetition. */
export function operationObject(
  id: string,
  operation: Operation,
  schemas: PublishedSchemas,
  door: DoorKind = 'token',
): JsonObject {
  const { tag, summary, scope, modules, idempotency, events } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: describe(operation, door),
    security: [door === 'session' ? { session: [] } : { bearerToken: scope === null ? [] : [scope] }],
    'x-scope': scope,
    'x-modules': [...modules],
    'x-domain': isDomainWrite(operation) ? operation.domain : null,
    'x-idempotency': idempotency,
    'x-events': [...events],
    parameters: [
      ...parametersOf(operation, schemas),
      ...(door === 'session' && operation.method !== 'GET' ? [csrfTokenReference] : []),
    ],
    ...(operation.body !== undefined && {
      requestBody: requestBody(operation, operation.documentedBody ?? operation.body, schemas),
    }),
    ...(operation.file !== undefined && { requestBody: fileBody(operation.file) }),
    responses: answersOf(operation, schemas, door),
  }
}

function requestBody(operation: Operation, body: TSchema, schemas: PublishedSchemas): JsonObject {
  const { description, examples } = body as { description?: string; examples?: JsonObject[] }
  const content = { schema: schemas.publish(body, 'request'), example: examples?.[0] ?? {} }
  return {
    description: description ?? '',
    required: operation.bodyRequired !== false,
    content: {
      'application/json': content,
      ...(operation.method === 'PATCH' && { 'application/merge-patch+json': content }),
    },
  }
}

function fileBody({ types, maxBytes, description }: NonNullable<Operation['file']>): JsonObject {
  const schema = { type: 'string', format: 'binary', maxLength: maxBytes }
  return {
    description,
    required: true,
    content: Object.fromEntries(types.map((type) => [type, { schema, example: 'The bytes of the file.' }])),
  }
}

function describe(operation: Operation, door: DoorKind): string {
  const facts = [
    door === 'session' ? accessOfPeople(operation) : access(operation),
    domain(operation),
    repetition(operation),
    events(operation),
  ]
  return [operation.description, behaviour(operation), facts.filter((fact) => fact !== '').join('\n')]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n')
}

function behaviour(operation: Operation): string {
  if (operation.shape === 'page') return 'Ordered by `createdAt`, then `id`. HEAD gives the headers alone.'
  if (operation.shape === 'walk')
    return 'Newest first, walked by `cursor`; nothing is counted. HEAD gives the headers alone.'
  if (operation.mayCreate && operation.file === undefined) {
    return 'Creates the record when none has this `externalId` (201), else changes it (200); two at once make one record. An absent field stays as it is, and fields that a create requires are required only then. An `externalId` in the body must equal the one of the path.'
  }
  if (operation.method === 'PATCH') {
    return 'An absent field stays as it is; `null` clears a field that may be null. `{}`, or values equal to the stored ones, change nothing: no new `updatedAt`, no event.'
  }
  return operation.method === 'GET' ? 'HEAD gives the headers alone.' : ''
}

function access({ scope, modules }: Operation): string {
  const needed = modules.map((module) => `\`${module}\``).join(' and ')
  return [
    scope === null ? '- **Scope:** none.' : `- **Scope:** \`${scope}\`.`,
    needed === '' ? '- **Modules:** none.' : `- **Modules:** ${needed}.`,
  ].join('\n')
}

function accessOfPeople({ scope, roles, modules }: Operation): string {
  const named = roles === undefined ? 'anybody of the staff' : ['System Manager', ...roles].join(', ')
  const needed = modules.map((module) => `\`${module}\``).join(' and ')
  return [
    scope === null ? `- **For:** ${named}.` : `- **For:** roles that open \`${scope}\`.`,
    needed === '' ? '- **Modules:** none.' : `- **Modules:** ${needed}.`,
  ].join('\n')
}

function domain(operation: Operation): string {
  if (!isDomainWrite(operation)) return ''
  return `- **Domain:** \`${operation.domain}\`. The token’s master domains must hold it, and the tenant’s system of record for it must be \`integration\` or \`shared\`.`
}

function repetition({ idempotency, method, file }: Operation): string {
  if (idempotency === 'required') {
    return `- **Idempotency:** \`required\`. The call must carry an \`Idempotency-Key\`; its outcome is kept ${idempotencyRetentionHours} hours.`
  }
  if (idempotency === 'natural' && file !== undefined) {
    return '- **Idempotency:** `natural`. The bytes of the file are the key: repeating the call is safe, and an `Idempotency-Key` is ignored.'
  }
  if (idempotency === 'natural') {
    return '- **Idempotency:** `natural`. The path is the key: repeating the call is safe, and an `Idempotency-Key` is ignored.'
  }
  return method === 'GET'
    ? '- **Idempotency:** `none`. Reading changes nothing.'
    : '- **Idempotency:** `none`. An `Idempotency-Key` is ignored; `If-Match` tells whether a repeated call came too late.'
}

function events(operation: Operation): string {
  if (operation.method === 'GET') return ''
  return `- **Events:** ${operation.events.map((event) => `\`${event}\``).join(', ')}.`
}
