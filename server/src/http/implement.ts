import type { Body, Operation, Params, Query, RecordOf } from '@matricula/contract'
import type { Database, Transaction } from '../database/index.ts'
import type { Page } from '../platform/lists.ts'
import type { Versioned } from '../platform/reading.ts'
import type { RequestContext } from '../platform/request-context.ts'

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
    : Versioned<RecordOf<O>>

/** Reads take the database; what writes gets the transaction that also keeps its audit, its event and its answer. */
export type Handler<O extends Operation> = O['method'] extends 'GET'
  ? (database: Database, request: OperationRequest<O>) => Promise<Answer<O>>
  : (tx: Transaction, request: OperationRequest<O>) => Promise<Answer<O>>

/** An operation with what answers it. */
export interface Route {
  readonly id: string
  readonly operation: Operation
  readonly handler: (access: Database | Transaction, request: OperationRequest) => Promise<unknown>
}

/**
 * Binds handlers to operations. A handler that is missing, misspelt, or answers something else than its operation
 * promises does not compile.
 */
export function implement<const Operations extends Record<string, Operation>>(
  operations: Operations,
  handlers: { [Id in keyof Operations]: Handler<Operations[Id]> },
): Route[] {
  return Object.entries(operations).map(([id, operation]) => ({
    id,
    operation,
    handler: handlers[id] as unknown as Route['handler'],
  }))
}
