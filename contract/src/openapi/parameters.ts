import {
  idempotencyRetentionHours,
  type Operation,
  type PathParameter,
  pathParameters,
  takesIfMatch,
} from '../operation.ts'
import type { Json, JsonObject, TSchema } from '../schema.ts'
import type { PublishedSchemas } from './schemas.ts'

/** The parameters of an operation: of its path and query, and references to the headers that it takes. */
export function parametersOf(operation: Operation, schemas: PublishedSchemas): JsonObject[] {
  const example = (operation.record as { examples?: JsonObject[] }).examples?.[0] ?? {}
  const path = pathParameters(operation.path).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    ...published(schemas, schema),
    example: exampleOf(name, example),
  }))
  const query = Object.entries(operation.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: operation.query?.required?.includes(name) ?? false,
    ...published(schemas, schema),
    ...shownExample(schema),
  }))
  const headers: HeaderParameter[] = []
  if (operation.idempotency === 'required') headers.push('Idempotency-Key')
  if (takesIfMatch(operation)) headers.push('If-Match')
  if (isConditionalRead(operation)) headers.push('If-None-Match')
  return [...path, ...query, ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` }))]
}

/** The example of a query parameter, for those that have one: what must be sent needs one. */
function shownExample({ examples }: TSchema & { readonly examples?: readonly Json[] }): JsonObject {
  return examples?.[0] === undefined ? {} : { example: examples[0] }
}

/** The example id of a record whose id the response does not contain. */
const someId = '01985b2e-5a00-7000-8000-000000000c01'

/** The value of a path parameter in the example of the record that it leads to. */
function exampleOf(name: PathParameter, record: JsonObject): Json {
  const firstOf = (children: Json | undefined) => (children as JsonObject[])[0]?.id as Json
  const document = (record.document ?? record) as JsonObject
  switch (name) {
    case 'linkId':
      return firstOf(record.contacts)
    case 'documentId':
      return document.id as Json
    case 'versionId':
      return firstOf(document.versions)
    default:
      return (record[name] ?? record.versionId ?? someId) as Json
  }
}

/** Whether a read may be answered with 304 (RFC 9110 §13.1.2). */
export function isConditionalRead(operation: Operation): boolean {
  return operation.hasEntityTag === true && operation.method === 'GET'
}

/** The description of a parameter stands beside its schema, not in it. */
function published(schemas: PublishedSchemas, schema: TSchema): JsonObject {
  const { description, ...rest } = schemas.publish(schema, 'request')
  return { description: description as Json, schema: rest }
}

/** The request headers that operations take, by name, for `components/parameters`. */
export const headerParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      `Makes a repetition harmless: a key of your choosing, such as a UUID, new for every creation and the same on every retry. 1 to 255 printable ASCII characters, bare or as a quoted string of Structured Fields (RFC 9651). ` +
      `Within ${idempotencyRetentionHours} hours the same request with the same key gets the first one’s answer again, marked with \`Idempotent-Replayed\`. While the first is still being processed the answer is 409 \`idempotency_key_in_use\`; another operation, path or body with the key is 422 \`idempotency_key_reused\`.`,
    schema: {
      type: 'string',
      minLength: 1,
      pattern: '^(?:[!#-~](?:[ -~]{0,253}[!-~])?|"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){1,255}")$',
    },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the version that the change is based on (RFC 9110 §13.1.1). When the record has changed since, nothing is written and the answer is 412 `precondition_failed`. Without the header the change is made whatever the version.',
    schema: { type: 'string', minLength: 1 },
    example: '"4"',
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` that you have (RFC 9110 §13.1.2). When it is still the current one, the answer is 304.',
    schema: { type: 'string', minLength: 1 },
    example: '"4"',
  },
} as const satisfies Record<string, JsonObject>

type HeaderParameter = keyof typeof headerParameters

/** The headers of every write with a session. */
export const csrfToken = {
  'X-Frappe-CSRF-Token': {
    name: 'X-Frappe-CSRF-Token',
    in: 'header',
    required: true,
    description: 'The token of the session against forged requests, as `frappe.sessions.get_csrf_token` tells it.',
    schema: { type: 'string', minLength: 1 },
    example: 'Ah0p2Xh3V1m3zPq0',
  },
} as const satisfies Record<string, JsonObject>

export const csrfTokenReference = { $ref: '#/components/parameters/X-Frappe-CSRF-Token' } as const
