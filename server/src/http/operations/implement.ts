import type { Body, Operation, Params, Query, RecordOf } from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import type { Database, Transaction } from '../../database/index.ts'
import type { Versioned } from '../../entities/index.ts'
import type { Problem } from '../../errors/index.ts'
import type { Page, WalkPage } from '../../listing/index.ts'
import type { Chunks } from '../lifecycle/backpressure.ts'

/** A request that passed every check of the declaration of its operation. */
export interface OperationRequest<O extends Operation = Operation> {
  readonly context: RequestContext
  readonly params: Params<O>
  readonly query: Query<O>
  readonly body: Body<O>
  /** The media type of the response: one that the operation declares, else JSON. */
  readonly mediaType: string
}

/** A record as a file of the media type that was asked for. */
export interface FileContent {
  /** The whole, or its pieces as they are made while it is sent. */
  readonly bytes: Buffer | Chunks
  readonly fileName: string
}

type OperationResult<O extends Operation> = O['shape'] extends 'page'
  ? Page<RecordOf<O>>
  : O['shape'] extends 'list'
    ? RecordOf<O>[]
    : O['shape'] extends 'walk'
      ? WalkPage<RecordOf<O>>
      : Versioned<RecordOf<O>> & { readonly file?: FileContent }

/**
 * The work of a write in the transaction that also stores its audit row, its event and its idempotent response. A
 * thrown problem rolls the transaction back; a returned one is the response of a transaction that commits, which is
 * how a rejected request leaves a trace.
 */
export type Write<O extends Operation = Operation> = (tx: Transaction) => Promise<OperationResult<O> | Problem>

/** The response of a write without changes, for which no transaction is needed. */
export interface Settled<O extends Operation = Operation> {
  readonly response: OperationResult<O>
}

/**
 * A write with I/O outside of the database, such as a stored file, which must not be awaited inside a transaction:
 * `prepare` runs first and returns the work of the transaction, or the response where nothing is left to do. What it
 * read may change until the transaction locks it. With an Idempotency-Key it runs after the look-up of the stored
 * response; for two equal concurrent requests it may run twice, so it must be harmless.
 */
export interface PreparedWrite<O extends Operation = Operation> {
  prepare(database: Database, request: OperationRequest<O>): Promise<Write<O> | Settled<O>>
  /**
   * Adds to the record of a response what must not be stored, such as a signed address: applied whenever the response
   * is sent, the first time and replayed. The write returns the record without it.
   */
  revive?(record: RecordOf<O>, request: OperationRequest<O>): RecordOf<O>
}

/** Items after a position, and the position to continue from. */
export interface FeedPage<Item> {
  readonly records: readonly Item[]
  /** The position to continue from, also where there are no records. */
  readonly next: string
  readonly hasMore: boolean
}

/** A feed: read from a position, then waited on. */
export interface Feed<O extends Operation> {
  /** Reads from the position of the request, or from `after`. The signal of the request does not cancel it. */
  read(database: Database, request: OperationRequest<O>, after?: string): Promise<FeedPage<RecordOf<O>>>
  getPosition(record: RecordOf<O>): string
  /**
   * Resolves when there may be items after a position, or when the signal is aborted. Holds no connection meanwhile.
   */
  wait(request: OperationRequest<O>, next: string, signal: AbortSignal): Promise<void>
  /** Heartbeat of a stream; a comment every 15 s by default. */
  readonly beat?: { readonly milliseconds: number; readonly frame: string }
}

/** Reads get the database; writes their transaction, or the database to prepare it. */
export type Handler<O extends Operation> = O['shape'] extends 'feed'
  ? Feed<O>
  : O['method'] extends 'GET'
    ? (database: Database, request: OperationRequest<O>) => Promise<OperationResult<O>>
    : ((tx: Transaction, request: OperationRequest<O>) => Promise<OperationResult<O>>) | PreparedWrite<O>

/** An operation with its handler. */
export interface Route {
  readonly id: string
  readonly operation: Operation
  readonly handler: PlainHandler | PreparedWrite | Feed<Operation>
  /** Group commit: whether concurrent requests of a tenant share one transaction. */
  readonly usesGroupCommit: boolean
}

/** A handler that needs only the database, or the transaction of its write. */
export type PlainHandler = (access: Database | Transaction, request: OperationRequest) => Promise<unknown>

/**
 * Binds handlers to operations. A handler that is missing, misspelt or returns another type than its operation
 * declares does not compile.
 *
 * @param groupCommit Small writes of one kind that share a transaction with concurrent ones (group commit): they lock
 * one record by `lockKeyed` and batch the statements that they have in common
 */
export function implement<const Operations extends Record<string, Operation>>(
  operations: Operations,
  handlers: { [Id in keyof Operations]: Handler<Operations[Id]> },
  { groupCommit = [] }: { readonly groupCommit?: readonly (keyof Operations)[] } = {},
): Route[] {
  return Object.entries(operations).map(([id, operation]) => ({
    id,
    operation,
    handler: handlers[id] as unknown as Route['handler'],
    usesGroupCommit: groupCommit.includes(id),
  }))
}
