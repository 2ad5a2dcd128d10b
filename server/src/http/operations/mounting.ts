import type { Pagination, WalkPagination } from '@matricula/contract'
import type { FastifyRequest } from 'fastify'
import type { OperationCaller } from '../../changes/index.ts'
import type { Problem } from '../../errors/index.ts'
import type { Route } from './implement.ts'

/** Operations mounted at one address: who may call them there, and the envelope of their responses. */
export interface Mounting {
  /** Prefix of the path of each operation: `/v1`, or with parameters for the authenticator `/t/:slug/console/v1`. */
  readonly prefix: string
  readonly routes: readonly Route[]
  readonly authenticator: CallerAuthenticator
  readonly envelope: Envelope
}

/** Authenticates the caller; without a promise when the caller is cached. Throws a problem for everybody else. */
export type CallerAuthenticator = (request: FastifyRequest) => OperationCaller | Promise<OperationCaller>

/** The format of responses. */
export interface Envelope extends ProblemForm {
  /** The body of a response with one record. */
  ofRecord(record: unknown): object
  /** The record in a body that `ofRecord` built. */
  recordIn(body: object): unknown
  /** The body of a response with rows. */
  ofRows(rows: unknown, pagination: Pagination | WalkPagination): object
  /** The headers of a response with a page of rows. */
  pageHeaders(page: PageFacts): Readonly<Record<string, string>>
  /** Cursor pagination: the headers of a response without a total; the cursor is null at the end. */
  cursorPageHeaders(url: string, nextCursor: string | null): Readonly<Record<string, string>>
}

/** The format of errors. */
export interface ProblemForm {
  readonly problemMediaType: string
  /** The body as text. */
  ofProblem(problem: Problem, requestId: string): string
}

/** The values for the headers of a page. */
export interface PageFacts {
  /** The requested address, from the root. */
  readonly url: string
  readonly pagination: Pagination
  readonly nextCursor: string | null
  /** Position up to which an incremental sync is complete with this page (`Sync-Watermark`). */
  readonly watermark: string
}

/** The prefix of a mounting with the parameters of a request filled in. */
export function getAddress({ prefix }: Pick<Mounting, 'prefix'>, { params }: FastifyRequest): string {
  if (!prefix.includes(':')) return prefix
  const values = params as Readonly<Record<string, string>>
  return prefix.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

/** The allowed methods at an address, in alphabetical order; empty where no operation has it. */
export function methodsAt({ prefix, routes }: Mounting, url: string): string[] {
  const segments = (url.split('?')[0] as string).split('/')
  const methods = new Set<string>()
  for (const { operation } of routes) {
    if (!isAddress(prefix + operation.path, segments)) continue
    methods.add(operation.method)
    if (operation.method === 'GET') methods.add('HEAD')
  }
  return [...methods].sort()
}

function isAddress(pattern: string, segments: readonly string[]): boolean {
  const declared = pattern.split('/')
  if (declared.length !== segments.length) return false
  return declared.every((part, index) => part === segments[index] || (/^[{:]/.test(part) && segments[index] !== ''))
}
