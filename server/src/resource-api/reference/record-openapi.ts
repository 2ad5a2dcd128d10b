import { type Field, type RecordType, rowFields, standardFields } from '@matricula/contract/record-types'
import { getNoun, getTableFields } from '../../record-engine/index.ts'
import type { MethodDeclaration, Parameter } from '../protocol/record-method.ts'
import { withArticle } from './rule-words.ts'

type Json = Record<string, unknown>

const valueSchemas: Readonly<Record<string, Json>> = {
  Check: { type: 'integer', enum: [0, 1] },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Currency: { type: 'number' },
  Percent: { type: 'number' },
  Date: { type: ['string', 'null'], format: 'date' },
  Datetime: { type: ['string', 'null'], description: '`YYYY-MM-DD HH:MM:SS.ffffff`, in the time zone of the tenant.' },
  Time: { type: ['string', 'null'], description: '`HH:MM:SS`.' },
}

/** The name of the schema of a type, such as `StudentGroup`. */
function schemaName(type: RecordType): string {
  return type.name.replace(/[^A-Za-z]/g, '')
}

function fieldSchema(field: Field): Json {
  const described = (schema: Json, more = '') => ({
    ...schema,
    description: [`${field.label}.`, more, schema.description ?? ''].filter((part) => part !== '').join(' '),
  })
  switch (field.type) {
    case 'Table':
      return described({ type: 'array', items: { $ref: `#/components/schemas/${schemaName(field.rows)}` } })
    case 'Select':
      return described({ anyOf: [{ type: 'string', enum: [...new Set(field.options)] }, { type: 'null' }] })
    case 'Link':
      return described({ type: ['string', 'null'] }, `The name of ${withArticle(field.target)}.`)
    case 'Dynamic Link':
      return described(
        { type: ['string', 'null'] },
        `The name of a record of the type that \`${field.typeField}\` names.`,
      )
    default:
      return described(valueSchemas[field.type] ?? { type: ['string', 'null'] })
  }
}

function typeSchema(type: RecordType): Json {
  const base = { ...standardFields, ...(type.kind === 'child' && rowFields) } as Record<string, Field>
  return {
    type: 'object',
    description: type.summary,
    properties: {
      ...Object.fromEntries(Object.entries(base).map(([name, field]) => [name, fieldSchema(field)])),
      doctype: { type: 'string', const: type.name },
      ...Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, fieldSchema(field)])),
    },
  }
}

const text = (description: string, schema: Json = { type: 'string' }): Json => ({ description, schema })

const listParameters: readonly (readonly [name: string, meaning: string])[] = [
  ['fields', 'A JSON list of fields; `["name"]` when absent, `["*"]` for all.'],
  ['filters', 'A JSON object, or a list of `[field, operator, value]`; all must hold.'],
  ['or_filters', 'The same forms; one must hold.'],
  ['order_by', 'Such as `creation desc`.'],
  ['group_by', 'Fields separated by commas.'],
  ['limit_start', 'How many records to pass over.'],
  ['limit_page_length', 'How many records at most; 20 when absent, 0 for all.'],
]

const rejected = { $ref: '#/components/responses/Refused' }
const answered = (schema: Json, member = 'data', description = 'Done.') => ({
  description,
  content: { 'application/json': { schema: { type: 'object', properties: { [member]: schema } } } },
})

function typePaths(type: RecordType): Json {
  const record = { $ref: `#/components/schemas/${schemaName(type)}` }
  const noun = getNoun(type)
  const path = `/api/resource/${encodeURIComponent(type.name)}`
  const body = { required: true, content: { 'application/json': { schema: record } } }
  const name = { name: 'name', in: 'path', required: true, ...text(`The name of the ${type.name}.`) }
  const shared = { tags: [type.name] }
  const one = {
    parameters: [name],
    get: {
      ...shared,
      operationId: `read_${noun}`,
      summary: `Read ${withArticle(type.name)}`,
      responses: { 200: answered(record), '4XX': rejected },
    },
    put: {
      ...shared,
      operationId: `update_${noun}`,
      summary: `Change ${withArticle(type.name)}`,
      requestBody: body,
      responses: { 200: answered(record), '4XX': rejected },
    },
    delete: {
      ...shared,
      operationId: `delete_${noun}`,
      summary: `Delete ${withArticle(type.name)}`,
      responses: { 202: answered({ const: 'ok' }), '4XX': rejected },
    },
  }
  const all = {
    get: {
      ...shared,
      operationId: `list_${noun}`,
      summary: `List records of ${type.name}`,
      parameters: listParameters.map(([parameter, meaning]) => ({ name: parameter, in: 'query', ...text(meaning) })),
      responses: { 200: answered({ type: 'array', items: record }), '4XX': rejected },
    },
    post: {
      ...shared,
      operationId: `create_${noun}`,
      summary: `Make ${withArticle(type.name)}`,
      requestBody: body,
      responses: { 200: answered(record), '4XX': rejected },
    },
  }
  return { [path]: all, [`${path}/{name}`]: one }
}

const parameterSchemas: Readonly<Record<Parameter['type'], Json>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: ['boolean', 'integer', 'string'] },
  json: { type: ['object', 'array', 'string'], items: {} },
  date: { type: 'string', format: 'date' },
  any: {},
}

/** What a method returns, with `items` for every list, which tools ask for also where they may be anything. */
function withItems(schema: Json): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  return {
    ...schema,
    ...(properties.length > 0 && {
      properties: Object.fromEntries(properties.map(([name, value]) => [name, withItems(value)])),
    }),
    ...([schema.type].flat().includes('array') && { items: withItems((schema.items ?? {}) as Json) }),
  }
}

function methodResponse({ result = {}, fileType }: MethodDeclaration): Json {
  const { description, content } = answered(withItems(result as Json), 'message')
  if (fileType === undefined) return { description, content }
  const file = { [fileType]: { schema: { type: 'string', format: 'binary' } } }
  return { description, content: { ...content, ...file } }
}

/** The operations of a method by POST, and by GET where it takes it, with the same arguments. */
function methodPath(method: MethodDeclaration): Json {
  const parameters = Object.entries(method.parameters)
  const required = parameters.filter(([, { required }]) => required === true).map(([name]) => name)
  const takes = (verb: 'GET' | 'POST') => method.verbs?.includes(verb) ?? true
  const shared = {
    tags: ['Methods'],
    summary: method.summary.replace(/\.$/, ''),
    ...(method.allowGuest === true && { security: [] }),
    responses: { 200: methodResponse(method), '4XX': rejected },
  }
  const inQuery = parameters.map(([name, { type, required = false, about }]) => ({
    name,
    in: 'query',
    required,
    ...(about !== undefined && { description: about }),
    schema: parameterSchemas[type],
  }))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(([name, { type, about }]) => [
        name,
        { ...parameterSchemas[type], ...(about !== undefined && { description: about }) },
      ]),
    ),
    ...(required.length > 0 && { required }),
  }
  return {
    [`/api/method/${method.path}`]: {
      ...(takes('GET') && { get: { ...shared, operationId: `${method.path}.get`, parameters: inQuery } }),
      ...(takes('POST') && {
        post: {
          ...shared,
          operationId: method.path,
          requestBody: { required: required.length > 0, content: { 'application/json': { schema } } },
        },
      }),
    },
  }
}

/** The Resource and Method API as an OpenAPI 3.1 document, generated from the declarations alone. */
export function buildRecordOpenApi(
  publicUrl: string,
  types: readonly RecordType[],
  methods: readonly MethodDeclaration[],
): Json {
  const rows = types.flatMap((type) => getTableFields(type).map((table) => table.rows))
  const schemas = new Map([...types, ...rows].map((type) => [schemaName(type), typeSchema(type)]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Matricula Resource and Method API',
      version: '1.0.0',
      summary: 'Named records and methods, as clients written for Frappe Education use them.',
      description:
        'The address is the tenant’s own host, or `/t/{slug}` below the service’s, or the service’s itself with a key that names the tenant. Every address is also there in the form of version 2, `/api/v2/document/…` and `/api/v2/method/…`.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: 'This deployment.' }],
    tags: [
      ...types.map(({ name, summary }) => ({ name, description: summary })),
      { name: 'Methods', description: 'Methods by their dotted paths.' },
    ],
    security: [{ key: [] }, { session: [] }],
    paths: Object.assign({}, ...types.map(typePaths), ...methods.map(methodPath)) as Json,
    components: {
      schemas: Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1))),
      responses: {
        Refused: {
          description: 'A refusal: its class, and what to do next.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  exc_type: { type: 'string', description: 'The class of the refusal.' },
                  exception: { type: 'string' },
                  exc: { type: 'string', description: 'A JSON list that holds the message.' },
                  _server_messages: { type: 'string', description: 'A JSON list of JSON texts, each a message.' },
                },
              },
            },
          },
        },
      },
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The bare key, `token <id>:<key>`, `Basic`, or `Bearer <key>`.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sid',
          description: 'The session of somebody who logged in by `/api/method/login` or the page `/login` of a tenant.',
        },
      },
    },
  }
}
