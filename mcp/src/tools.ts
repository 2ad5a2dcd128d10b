import type { DataOf } from '@matricula/client'
import {
  buildOpenApi,
  clientApi,
  isDomainWrite,
  type Json,
  type JsonObject,
  type Operation,
  type OperationId,
  pathParameters,
} from '@matricula/contract'

/** An operation of the Client API as a tool of the Model Context Protocol. */
export interface Tool {
  readonly name: OperationId
  readonly operation: Operation
  readonly description: string
  readonly inputSchema: { type: 'object'; properties: JsonObject; required: string[]; additionalProperties: false }
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** Every operation as a tool, by name. What it takes stands side by side, wherever in a request it goes. */
export function toolsOfContract(): ReadonlyMap<string, Tool> {
  const document = buildOpenApi({ publicUrl: 'https://matricula.example' })
  const { schemas } = document.components as { schemas: JsonObject }
  const paths = document.paths as unknown as Record<string, Record<string, DocumentedOperation>>
  // A file is no argument of a tool.
  const operations = (Object.entries(clientApi) as [OperationId, Operation][]).filter(
    ([, { file }]) => file === undefined,
  )
  return new Map(
    operations.map(([name, operation]) => {
      const { summary, description } = operation
      const tool: Tool = {
        name,
        operation,
        description: description === undefined ? `${summary}.` : `${summary}. ${description}`,
        inputSchema: getInput(paths[operation.path]?.[operation.method.toLowerCase()] as DocumentedOperation, schemas),
        annotations: { title: summary, ...getHints(operation), openWorldHint: false },
      }
      return [name, tool]
    }),
  )
}

/** What of a request's parts a tool was given; what no part knows goes where the service names it as a fault. */
export function getRequest(
  { operation }: Tool,
  given: JsonObject,
): { path: JsonObject; query?: JsonObject; body?: JsonObject } {
  const inPath = pathParameters(operation.path).map(([name]) => name as string)
  const pick = (isPath: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => inPath.includes(name) === isPath))
  return { path: pick(true), [operation.body === undefined ? 'query' : 'body']: pick(false) }
}

/** Whether a token may use an operation at all, by its scopes, modules and domains. */
export function isOpenTo(operation: Operation, { apiKey, productAccess }: DataOf<'getTokenContext'>): boolean {
  const { scope, modules, domain } = operation
  if (scope !== null && !apiKey.scopes.includes(scope)) return false
  if (!modules.every((module) => productAccess.enabledModules.includes(module))) return false
  if (!isDomainWrite(operation) || domain === null) return true
  return apiKey.masterDomains.includes(domain) && productAccess.sorByDomain[domain] !== 'platform'
}

/** What happens to a record that only adds to what there is. */
const additions: readonly string[] = ['created', 'linked']

/**
 * What a host may tell the person who is asked for consent. Repeating a call with the same words changes nothing more but of a creation,
 * which has a new key each time and creates again.
 */
function getHints({ method, idempotency, events }: Operation) {
  const adds = method === 'POST' && events.every((event) => additions.includes(event.split('.')[1] as string))
  return {
    readOnlyHint: method === 'GET',
    destructiveHint: method !== 'GET' && !adds,
    idempotentHint: method !== 'POST' || idempotency === 'natural',
  }
}

interface DocumentedOperation {
  readonly parameters: readonly { name?: string; required?: boolean; description?: string; schema?: JsonObject }[]
  readonly requestBody?: { required: boolean; content: { 'application/json': { schema: JsonObject } } }
}

function getInput({ parameters, requestBody }: DocumentedOperation, schemas: JsonObject): Tool['inputSchema'] {
  const properties: JsonObject = {}
  const required: string[] = []
  // Headers are references; the client sees to them.
  for (const { name, schema, description = '', required: isRequired } of parameters) {
    if (name === undefined || schema === undefined) continue
    properties[name] = { ...(whole(schema, schemas) as JsonObject), description }
    if (isRequired) required.push(name)
  }
  if (requestBody !== undefined) {
    const body = whole(requestBody.content['application/json'].schema, schemas) as JsonObject
    for (const [name, schema] of Object.entries(body.properties as JsonObject)) properties[name] ??= schema
    if (requestBody.required) required.push(...((body.required ?? []) as string[]))
  }
  return { type: 'object', properties, required: [...new Set(required)], additionalProperties: false }
}

/**
 * A schema with what it refers to in its place, for readers that follow no references, and without examples and what cannot be written.
 * `isSchema` is false of the properties of a schema, whose names are not those of keywords.
 */
function whole(value: Json, schemas: JsonObject, isSchema = true): Json {
  if (Array.isArray(value)) return value.map((item) => whole(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as JsonObject
  if (typeof $ref === 'string') {
    const referred = schemas[$ref.split('/').at(-1) as string] as JsonObject
    return { ...(whole(referred, schemas) as JsonObject), ...(whole(rest, schemas) as JsonObject) }
  }
  const isKept = ([name, part]: [string, unknown]) =>
    isSchema ? !['title', 'example', 'examples'].includes(name) : (part as JsonObject).readOnly !== true
  const stored = Object.entries(rest as JsonObject).filter(isKept)
  return Object.fromEntries(
    stored.map(([name, part]) => [name, whole(part, schemas, !isSchema || name !== 'properties')]),
  )
}
