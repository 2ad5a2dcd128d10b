import type { JsonObject } from '@matricula/contract'

/** The parts of an OpenAPI document that the reference page reads. */
export interface OpenApiDocument {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
  }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  /** The webhooks, by event type. */
  readonly webhooks: Readonly<Record<string, { readonly post: OperationObject }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>
    readonly parameters: Readonly<Record<string, ParameterObject>>
    readonly headers: Readonly<Record<string, HeaderObject>>
  }
}

export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters: readonly (ParameterObject | Reference)[]
  readonly requestBody?: RequestBodyObject
  readonly responses: Readonly<Record<string, ResponseObject>>
}

export interface ParameterObject {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: SchemaObject
  readonly example?: unknown
}

export interface RequestBodyObject {
  readonly description: string
  readonly content: Readonly<Record<string, { readonly schema: SchemaObject; readonly example: JsonObject }>>
}

export interface ResponseObject {
  readonly description: string
  readonly headers: Readonly<Record<string, Reference>>
  readonly content?: Readonly<
    Record<string, { readonly schema: SchemaObject; readonly example?: JsonObject; readonly examples?: JsonObject }>
  >
}

export interface HeaderObject {
  readonly description: string
  readonly schema: SchemaObject
  readonly example: unknown
}

export interface Reference {
  readonly $ref: string
}

export interface SchemaObject extends Partial<Reference> {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly required?: readonly string[]
  readonly items?: SchemaObject
  readonly anyOf?: readonly SchemaObject[]
  readonly enum?: readonly (string | null)[]
  readonly const?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly readOnly?: boolean
  readonly additionalProperties?: boolean
  readonly examples?: readonly JsonObject[]
}

/** The typed parts of the document: `buildOpenApi` returns plain JSON. */
export function getParts(document: JsonObject): OpenApiDocument {
  return document as unknown as OpenApiDocument
}

/** The name that a `$ref` refers to. */
export function referredName({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}
