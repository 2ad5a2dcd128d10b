import type { Body, Operation, Params, Query, RecordOf } from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import type { Database, Transaction } from '../../database/index.ts'
import type { Versioned } from '../../entities/index.ts'
import type { Problem } from '../../errors/index.ts'
import type { Page, WalkPage } from '../../listing/index.ts'

/** A request that passed every check that follows from its operation's declaration. */
export interface OperationRequest<O extends Operation = Operation> {
  readonly context: RequestContext
  readonly params: Params<O>
  readonly query: Query<O>
  readonly body: Body<O>
}

type Answer<O extends Operation> = O['shape'] extends 'page'
  ? Page<RecordOf<O>>
  : O['shape'] extends 'list'
    ? RecordOf<O>[]
    : O['shape'] extends 'walk'
      ? WalkPage<RecordOf<O>>
      : Versioned<RecordOf<O>>

/**
 * What a write does in the transaction that also keeps its audit, its event and its answer. A problem that is thrown
 * undoes the transaction; one that is given back is the answer to a transaction that commits, which is how a refusal
 * leaves a trace.
 */
export type Write<O extends Operation = Operation> = (tx: Transaction) => Promise<Answer<O> | Problem>

/** The answer to a write that has nothing to write, so that no transaction is needed. */
export interface Settled<O extends Operation = Operation> {
  readonly response: Answer<O>
}

/**
 * A write that needs something foreign, such as a stored file, which must not be awaited inside a transaction: `prepare`
 * runs before it, and gives what is then done in it, or the answer where nothing is left to be done. What it looked at may have changed until the transaction has locked
 * it. With an Idempotency-Key it runs after the look-up of a kept answer; of two equal requests at once it may run for
 * both, so it must be harmless.
 */
export interface PreparedWrite<O extends Operation = Operation> {
  prepare(database: Database, request: OperationRequest<O>): Promise<Write<O> | Settled<O>>
  /**
   * The record of an answer with what must not be kept, such as an address that opens something without a token: applied
   * whenever the answer is sent, the first time and replayed. The write gives the record without it.
   */
  revive?(record: RecordOf<O>, request: OperationRequest<O>): RecordOf<O>
}

/** What comes after a position, and where to go on. */
export interface FeedPage<Item> {
  readonly records: readonly Item[]
  /** The position to go on from, also where there are no records. */
  readonly next: string
  readonly hasMore: boolean
}

/** Something that is followed: read from a position, and waited for. */
export interface Feed<O extends Operation> {
  /** Reads from where the request asks for, or from where it went on to. The signal of the request does not end it. */
  read(database: Database, request: OperationRequest<O>, after?: string): Promise<FeedPage<RecordOf<O>>>
  getPosition(record: RecordOf<O>): string
  /** Resolves when there may be something after a position, or when the signal is aborted. Holds nothing meanwhile. */
  wait(request: OperationRequest<O>, next: string, signal: AbortSignal): Promise<void>
  /** How a stream of it shows that it lives, and how often; a comment every fifteen seconds unless said otherwise. */
  readonly beat?: { readonly milliseconds: number; readonly frame: string }
}

/** Reads take the database, writes their transaction, or the database to prepare it. */
export type Handler<O extends Operation> = O['shape'] extends 'feed'
  ? Feed<O>
  : O['method'] extends 'GET'
    ? (database: Database, request: OperationRequest<O>) => Promise<Answer<O>>
    : ((tx: Transaction, request: OperationRequest<O>) => Promise<Answer<O>>) | PreparedWrite<O>

/** An operation with what answers it. */
export interface Route {
  readonly id: string
  readonly operation: Operation
  readonly handler: PlainHandler | PreparedWrite | Feed<Operation>
  /** Whether several of a tenant that come at once are done in one transaction. */
  readonly meets: boolean
}

/** A handler that needs nothing but the database, or the transaction of its write. */
export type PlainHandler = (access: Database | Transaction, request: OperationRequest) => Promise<unknown>

/**
 * Binds handlers to operations. A handler that is missing, misspelt, or answers something else than its operation
 * promises does not compile.
 *
 * @param meeting Writes that are small and alike, of which several that come at once are done in one transaction, as its parts: they
 * lock one record by `lockKeyed`, and what they write in common they write `together`
 */
export function implement<const Operations extends Record<string, Operation>>(
  operations: Operations,
  handlers: { [Id in keyof Operations]: Handler<Operations[Id]> },
  { meeting = [] }: { readonly meeting?: readonly (keyof Operations)[] } = {},
): Route[] {
  return Object.entries(operations).map(([id, operation]) => ({
    id,
    operation,
    handler: handlers[id] as unknown as Route['handler'],
    meets: meeting.includes(id),
  }))
}
