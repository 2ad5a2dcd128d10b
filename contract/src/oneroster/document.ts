import {
  type OneRosterOperation,
  type OneRosterService,
  oneRosterCollections,
  oneRosterOperations,
} from './operations.ts'
import { oneRosterSchemas } from './schemas.ts'
import { oneRosterScopePrefix, oneRosterScopes } from './scopes.ts'

/** Where a service is, and where its tokens come from. */
export interface OneRosterPlace {
  readonly server: string
  readonly tokenUrl: string
}

const services = { rostering: 'Rostering', gradebook: 'Gradebook', resources: 'Resources' } as const

const errorSchema = {
  type: 'object',
  required: ['imsx_codeMajor', 'imsx_severity'],
  properties: {
    imsx_codeMajor: { type: 'string', enum: ['success', 'processing', 'failure', 'unsupported'] },
    imsx_severity: { type: 'string', enum: ['status', 'warning', 'error'] },
    imsx_description: { type: 'string' },
    imsx_CodeMinor: {
      type: 'object',
      required: ['imsx_codeMinorField'],
      properties: {
        imsx_codeMinorField: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['imsx_codeMinorFieldName', 'imsx_codeMinorFieldValue'],
            properties: {
              imsx_codeMinorFieldName: { type: 'string' },
              imsx_codeMinorFieldValue: { type: 'string' },
            },
          },
        },
      },
    },
  },
} as const

const listParameters = [
  { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 10_000, default: 100 } },
  { name: 'offset', schema: { type: 'integer', minimum: 0, default: 0 } },
  { name: 'sort', schema: { type: 'string' } },
  { name: 'orderBy', schema: { type: 'string', enum: ['asc', 'desc'] } },
  { name: 'filter', schema: { type: 'string' } },
  { name: 'fields', schema: { type: 'array', items: { type: 'string' } }, style: 'form', explode: false },
].map((parameter) => ({ in: 'query', required: false, ...parameter }))

/** The OpenAPI 3.0 document of a service of OneRoster 1.2, as discovery gives it. */
export function oneRosterDocument(service: OneRosterService, { server, tokenUrl }: OneRosterPlace): object {
  const operations = oneRosterOperations.filter((operation) => operation.service === service)
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    path[operation.method.toLowerCase()] = describe(operation)
    paths[operation.path] = path
  }
  const scopes = Object.fromEntries(
    Object.entries(oneRosterScopes).map(([name, { right }]) => [
      `${oneRosterScopePrefix}${name}`,
      right === null ? 'Resources.' : `Needs ${right}.`,
    ]),
  )
  return {
    openapi: '3.0.1',
    info: { title: `OneRoster ${services[service]} Service`, version: '1.2' },
    servers: [{ url: server }],
    paths,
    components: {
      securitySchemes: {
        OAuth2Security: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes } } },
      },
      schemas: { ...oneRosterSchemas, imsx_StatusInfo: errorSchema },
    },
  }
}

const content = (schema: object) => ({ content: { 'application/json': { schema } } })

function describe(operation: OneRosterOperation): object {
  const { id, path, shape, key, collection, scope } = operation
  const { single } = oneRosterCollections[collection]
  const one = { $ref: `#/components/schemas/${single}` }
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const body = (schema: object) => ({ type: 'object', required: [key], properties: { [key]: schema } })
  const many = { type: 'array', items: one }
  const granting = Object.entries(oneRosterScopes)
    .filter(([name, { right }]) => right === scope && name.startsWith('roster') === (operation.service === 'rostering'))
    .map(([name]) => `${oneRosterScopePrefix}${name}`)
  const responses: Record<string, object> = {
    list: { 200: { description: 'The objects.', ...content(body(many)) } },
    single: { 200: { description: 'The object.', ...content(body(one)) } },
    put: { 201: { description: 'The object was stored.' } },
    delete: { 204: { description: 'The object was deleted.' } },
    post: { 201: { description: 'The objects were stored.', ...content(sourcedIdPairs) } },
  }[shape]
  return {
    operationId: id,
    parameters: [...parameters, ...(shape === 'list' ? listParameters : [])],
    ...(shape === 'put' && { requestBody: { required: true, ...content(body(one)) } }),
    ...(shape === 'post' && { requestBody: { required: true, ...content(body(many)) } }),
    responses: {
      ...responses,
      default: { description: 'An error.', ...content({ $ref: '#/components/schemas/imsx_StatusInfo' }) },
    },
    security: [{ OAuth2Security: granting }],
  }
}

const sourcedIdPairs = {
  type: 'object',
  required: ['sourcedIdPairs'],
  properties: {
    sourcedIdPairs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['suppliedSourcedId', 'allocatedSourcedId'],
        properties: { suppliedSourcedId: { type: 'string' }, allocatedSourcedId: { type: 'string' } },
      },
    },
  },
} as const
