import type { Pagination, WalkPagination } from '@matricula/contract'
import type { FastifyRequest } from 'fastify'
import type { OperationCaller } from '../../changes/index.ts'
import type { Problem } from '../../errors/index.ts'
import type { Route } from './implement.ts'

/** Operations as they are served at one address: who may call them there, and in which form they answer. */
export interface Mounting {
  /** What stands before the path of each operation: `/v1`, or with parameters that the door reads `/t/:slug/console/v1`. */
  readonly prefix: string
  readonly routes: readonly Route[]
  readonly authenticator: Door
  readonly envelope: Envelope
}

/** Finds out who calls. Tells somebody whom it knows already without a promise. Throws the problem of everybody else. */
export type Door = (request: FastifyRequest) => OperationCaller | Promise<OperationCaller>

/** The form of what is answered. */
export interface Envelope extends ProblemForm {
  /** The body of an answer with one record. */
  ofRecord(record: unknown): object
  /** The record in a body that `ofRecord` gave. */
  recordIn(body: object): unknown
  /** The body of an answer with rows. */
  ofRows(rows: unknown, pagination: Pagination | WalkPagination): object
  /** The headers of an answer with a page of rows. */
  pageHeaders(page: PageFacts): Readonly<Record<string, string>>
  /** The headers of an answer with rows of a list that is walked by cursor alone; the cursor is null at the end. */
  walkHeaders(url: string, nextCursor: string | null): Readonly<Record<string, string>>
}

/** The form of a refusal. */
export interface ProblemForm {
  readonly problemMediaType: string
  /** The text of a body. */
  ofProblem(problem: Problem, requestId: string): string
}

/** What the headers of a page tell. */
export interface PageFacts {
  /** The address that was asked for, from the root. */
  readonly url: string
  readonly pagination: Pagination
  readonly nextCursor: string | null
  /** What a sweep has seen with this page (`Sync-Watermark`). */
  readonly watermark: string
}

/** The address of a mounting as a request called it, with the values of its parameters. */
export function getAddress({ prefix }: Pick<Mounting, 'prefix'>, { params }: FastifyRequest): string {
  if (!prefix.includes(':')) return prefix
  const values = params as Readonly<Record<string, string>>
  return prefix.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

/** The methods that operations of a mounting take at an address, in alphabetical order; none where it has no such address. */
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
