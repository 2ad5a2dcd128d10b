import { Type } from 'typebox'
import type { Domain, Module, Scope } from './access.ts'
import type { EventType } from './events.ts'
import type { ProblemCode } from './problems.ts'
import {
  CalendarDate,
  count,
  described,
  ExternalId,
  optional,
  StampOrDateInput,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  text,
  Uuid,
} from './schema.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * How an operation treats repetition: `required` must be called with an Idempotency-Key, `natural` is keyed by its
 * path, `none` has no treatment.
 */
export type Idempotency = 'none' | 'required' | 'natural'

/** What the operations of one resource have in common. */
export interface OperationGroup {
  readonly tag: string
  readonly modules: readonly Module[]
  /** The system-of-record domain that its writes belong to. */
  readonly domain: Domain | null
}

interface OperationFacts {
  readonly method: Method
  /** Relative to `{base_url}/v1`, parameters in braces. */
  readonly path: string
  readonly scope: Scope | null
  /**
   * For operations with a session: the roles of which one is needed, instead of a scope. `System Manager` always
   * counts.
   */
  readonly roles?: readonly string[]
  readonly idempotency: Idempotency
  readonly summary: string
  readonly description?: string
  readonly query?: TObject<TProperties>
  readonly body?: TObject<TProperties>
  /** The body as the document describes it, where its parts are judged one by one and not with the request. */
  readonly documentedBody?: TObject<TProperties>
  /** False where a body may be left out. */
  readonly bodyRequired?: boolean
  /** The body is a file of one of these media types instead of JSON. */
  readonly file?: { readonly types: readonly string[]; readonly maxBytes: number; readonly description: string }
  /**
   * `record`: one record; `list`: all of them; `page`: a page of them; `walk`: a part of a list that is walked by
   * cursor alone; `feed`: what comes after a position, also as a stream.
   */
  readonly shape: 'record' | 'list' | 'page' | 'walk' | 'feed'
  readonly record: TSchema
  /**
   * Further media types in which a record can be had, by `Accept`; the first is the default where JSON is only answered
   * when it is asked for.
   */
  readonly media?: { readonly types: readonly string[]; readonly isDefault?: boolean }
  /** 204 answers no body. */
  readonly status: 200 | 201 | 204
  /** True for an upsert, which answers 201 when it created and 200 when it updated. */
  readonly mayCreate?: boolean
  /** Where a record that the operation makes is found, relative to `{base_url}/v1`. */
  readonly location?: string
  /** True where single records carry an ETag. */
  readonly hasEntityTag?: boolean
  /** Problems that the handler itself decides; those that follow from the other fields are implied. */
  readonly errors: readonly ProblemCode[]
  readonly events: readonly EventType[]
}

/** One operation of the Client API: data only, everything else is derived from it. */
export interface Operation extends OperationFacts, OperationGroup {}

/** Declares an operation of a group. */
export function operation<const Facts extends OperationFacts>(group: OperationGroup, facts: Facts) {
  return { ...group, ...facts }
}

const pathParameterSchemas = {
  id: Uuid,
  linkId: Uuid,
  documentId: Uuid,
  versionId: Uuid,
  studentId: Uuid,
  paymentId: Uuid,
  lineId: Uuid,
  noticeId: Uuid,
  number: described(text('', 255, 1), 'Number of a document.'),
  externalId: ExternalId,
  role: described(text('', 140, 1), 'Name of a role.'),
  plan: described(text('', 140, 1), 'Name of an Assessment Plan.'),
  of: described(text('', 140, 1), 'Name of a Course Schedule or a Student Group.'),
  date: described(CalendarDate, 'The day, `YYYY-MM-DD`.'),
} as const

export type PathParameter = keyof typeof pathParameterSchemas

type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & ParametersOf<Rest>
  : unknown

/** The path parameters of an operation, as strings. */
export type Params<O extends Operation> = ParametersOf<O['path']>
export type Query<O extends Operation> = O['query'] extends TSchema ? Static<O['query']> : Record<string, never>
export type Body<O extends Operation> = O['file'] extends object
  ? FileBody
  : O['body'] extends TSchema
    ? Static<O['body']>
    : undefined

/** A file that is the body of a request, with its media type in lower case and without parameters. */
export interface FileBody {
  readonly mediaType: string
  readonly bytes: Uint8Array
}
export type RecordOf<O extends Operation> = Static<O['record']>

/** The names and schemas of the parameters in an operation's path, in their order. */
export function pathParameters(path: string): [PathParameter, TSchema][] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const schema = pathParameterSchemas[name as PathParameter]
    if (schema === undefined) throw new Error(`the path ${path} has a parameter without a schema: ${name}`)
    return [name as PathParameter, schema]
  })
}

/** Bounds of the list parameters. */
export const pageBounds = {
  limit: { minimum: 1, maximum: 100, default: 20 },
  page: { minimum: 1, default: 1 },
} as const

/** The parameters of a paged list, with the list's own filters. `updatedSince` asks for the stamp of that name. */
export function pagedQuery<Filters extends TProperties>(
  filters: Filters,
  stamp: 'updatedAt' | 'deletedAt' = 'updatedAt',
) {
  return Type.Object(
    {
      page: optional(
        Type.Unsafe<number>({
          type: 'integer',
          minimum: pageBounds.page.minimum,
          maximum: 2 ** 31 - 1,
          default: pageBounds.page.default,
          description:
            'Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`.',
        }),
      ),
      limit: optional(
        Type.Unsafe<number>({
          type: 'integer',
          minimum: pageBounds.limit.minimum,
          maximum: pageBounds.limit.maximum,
          default: pageBounds.limit.default,
          description: 'Records per page.',
        }),
      ),
      updatedSince: optional(
        Type.Unsafe<string>({
          ...StampOrDateInput,
          description: `Only records whose ${stamp} is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page.`,
        }),
      ),
      cursor: optional(
        Type.Unsafe<string>({
          type: 'string',
          minLength: 1,
          maxLength: 200,
          description:
            'Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page.',
        }),
      ),
      ...filters,
    },
    { additionalProperties: false },
  )
}

/** The members of `pagination` in every list. */
export const Pagination = Type.Object(
  {
    page: count('Number of this page; of a cursor walk, the pages walked.'),
    limit: count('Records per page.'),
    total: count(
      'Records that match, exactly, in the snapshot that the page was read from; of a cursor walk, that of its first page.',
    ),
    totalPages: count('Pages; 0 when nothing matches.'),
  },
  { title: 'Pagination', description: 'Where a page stands in its list.', additionalProperties: false },
)

export type Pagination = Static<typeof Pagination>

/** The members of `pagination` in a list that is walked by cursor alone. */
export const WalkPagination = Type.Object(
  {
    page: count('The pages walked, this one included.'),
    limit: count('Records per page.'),
  },
  { title: 'WalkPagination', description: 'Where a page stands in its walk.', additionalProperties: false },
)

export type WalkPagination = Static<typeof WalkPagination>

/** How callers of an operation are known: by a token, or as people by their session. */
export type DoorKind = 'token' | 'session'

/**
 * The problems that an operation can answer with at a door: those it names, and those that follow from its other
 * fields.
 */
export function problemsOf(operation: Operation, door: DoorKind = 'token'): ProblemCode[] {
  const codes = new Set<ProblemCode>(['authentication_required'])
  if (door === 'token') {
    codes.add('invalid_token').add('token_expired').add('token_revoked').add('authentication_throttled')
  } else {
    codes.add('insufficient_role')
    if (operation.method !== 'GET') codes.add('csrf_token_invalid')
  }
  codes.add('tenant_suspended').add('rate_limit_exceeded').add('validation_failed')
  if (operation.scope !== null) codes.add('insufficient_scope')
  if (operation.modules.length > 0) codes.add('module_not_enabled')
  if (isDomainWrite(operation)) codes.add('system_of_record_elsewhere')
  if (isDomainWrite(operation) && door === 'token') codes.add('domain_not_granted')
  if (operation.idempotency === 'required') {
    codes.add('idempotency_key_missing').add('idempotency_key_invalid')
    codes.add('idempotency_key_in_use').add('idempotency_key_reused')
  }
  if (operation.body !== undefined) codes.add('malformed_json')
  if (operation.body !== undefined || operation.file !== undefined) {
    codes.add('content_too_large').add('unsupported_media_type').add('request_timeout')
  }
  if (/\{(?!externalId)/.test(operation.path)) codes.add('resource_not_found')
  if (takesIfMatch(operation)) codes.add('precondition_failed')
  if (operation.scope !== null && ['record', 'list'].includes(operation.shape)) codes.add('record_too_large')
  for (const code of operation.errors) codes.add(code)
  codes.add('internal_error').add('service_unavailable')
  return [...codes]
}

/** Whether the operation writes into a domain that has a system of record. */
export function isDomainWrite(operation: Operation): boolean {
  return operation.domain !== null && operation.method !== 'GET'
}

/** Whether the operation honours If-Match: it writes a record that its path names. */
export function takesIfMatch(operation: Operation): boolean {
  return operation.hasEntityTag === true && operation.method !== 'GET' && operation.path.includes('{')
}

/** The retention of the response to a request with an Idempotency-Key, in hours. */
export const idempotencyRetentionHours = 24
