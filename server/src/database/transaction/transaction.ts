import pg from 'pg'
import { tracedStatement } from '../../tracing/index.ts'
import { isAfterFailure, lostEachTime } from '../database-errors.ts'
import { prepared, ResultTooLarge } from '../pipeline/bounded-query.ts'
import { queryOn } from '../pipeline/pipeline-batch.ts'
import { join, type Sql, type Statement, sql } from '../sql/statement.ts'
import { preparedFor, type SessionContext, setSession } from './session-context.ts'

/** Something that runs statements inside a tenant's transaction. */
export interface Transaction {
  readonly tenantId: string
  /** The transaction that this one is a part of, where several share it, see `GroupCommit`. */
  readonly whole?: Transaction
  /** Says that something is sent for this part, and not by it: then it cannot fail without the others. */
  readonly touch?: () => void
  query<Row extends object>(statement: Statement): Promise<Row[]>
  /** Sends a statement whose rows nobody waits for; its failure fails the commit. Saves a round trip. */
  send(statement: Statement): void
  /** The same of `select` with one expression; before the first statement it costs none, but goes with what begins the transaction. */
  sendExpression(expression: Sql): void
  /** Runs `last` once the work is done, right before the commit, to send what belongs at the end. */
  atEnd(last: () => void): void
  /** What others keep of it, see `perTransaction`. */
  readonly kept: Map<symbol, unknown>
}

/** The whole that a transaction is a part of, or itself. */
export function getWhole(tx: Transaction): Transaction {
  return tx.whole ?? tx
}

/**
 * Thrown by the work of a transaction that wants all of it undone and begun anew, with something done before everything else where
 * that is said, such as taking a lock in its place.
 */
export class TransactionRestart extends Error {
  readonly first: (tx: Transaction) => Promise<void>

  constructor(first: (tx: Transaction) => Promise<void> = async () => {}) {
    super('the transaction begins again')
    this.first = first
  }
}

/** What a transaction runs on: a pipelining client, and who decides over its course. */
export interface TransactionContext {
  readonly client: pg.ClientBase
  /** The schema that shows the tenant's shards where it is a node of a cluster, see `SessionContext`. */
  readonly shards?: SessionContext['shards']
  /** Whether all of it sees the database as of one moment, and changes nothing. */
  readonly isOfOneMoment?: boolean
  /** Whether several writes share it: then it would rather fail (SQLSTATE 55P03) than wait long for a lock. */
  readonly isShared?: boolean
  /** Called before each statement that is waited for; a throw ends the transaction. */
  requireWanted?(): void
  /** Called after each statement that is waited for: the rest that is due, if there is one. What is sent keeps its order so. */
  rest?(): Promise<void> | undefined
  /** Called before the commit; a throw ends the transaction. */
  protect?(): void
  /** The transaction cannot be rolled back: the connection is of no use any more. */
  breakOff?(): void
  /** Gives what the work uses in place of the transaction, as a test does that watches it. */
  watch?(tx: Transaction): Transaction
}

const maxBeginnings = 30

const planned = sql`, set_config('enable_seqscan', 'off', true)`
const impatient = sql`${planned}, set_config('lock_timeout', '100ms', true)`
// What several share finds a few rows one by one by their keys: a plan for their very number costs more than it is better, and where
// PostgreSQL knows nothing of a table yet it would rather read all of the tenant's.
const sharedPlans = sql`
  ${impatient}, set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('enable_material', 'off', true), set_config('enable_bitmapscan', 'off', true)`

/**
 * Runs `work` in one transaction of the tenant on a connection, and commits it; anew where it throws `TransactionRestart`. Throws what
 * `work` throws; where a statement failed only because one before it had, sent or asked, it is what that one failed of.
 */
export async function runTransaction<Result>(
  context: TransactionContext,
  tenantId: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let prepared = work
  for (let beginning = 1; ; beginning += 1) {
    try {
      return await runOnce(context, tenantId, prepared)
    } catch (error) {
      if (!(error instanceof TransactionRestart)) throw error
      if (beginning === maxBeginnings) throw lostEachTime(error)
      prepared = async (tx) => {
        await error.first(tx)
        return work(tx)
      }
    }
  }
}

async function runOnce<Result>(
  context: TransactionContext,
  tenantId: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { client, shards, isShared = false } = context
  const further = !isShared ? planned : shards === undefined ? sharedPlans : impatient
  const session: SessionContext = { tenantId, shards }
  const sent: Promise<unknown>[] = []
  // Statements are answered in the order in which they were sent, so the first failure is noted first.
  let failure: unknown
  const note = (error: unknown) => {
    if (!isAfterFailure(error)) failure = error
  }
  let isOver = false
  const requireOpen = () => {
    if (isOver) throw new Error('the transaction has ended')
  }
  const push = (statement: Statement) => {
    const response = tracedStatement(statement, () => queryOn(client, preparedFor(session, statement)))
    response.catch(note) // thrown at the commit
    sent.push(response)
  }
  let isBegun = false
  const held: Statement[] = []
  const expressions: Sql[] = []
  // It begins with the first statement, whenever that comes.
  const begin = () => {
    if (!isBegun) {
      isBegun = true
      push(context.isOfOneMoment === true ? sql`begin isolation level repeatable read, read only` : sql`begin`)
      // What it looks for is found by an index: a plan that was made while a table was empty must not go on reading it whole.
      push(setSession(session, 'its transaction ends', join([further, ...expressions])))
    }
    for (const statement of held.splice(0)) push(statement)
  }
  const send = (statement: Statement) => {
    requireOpen()
    // Each part of one that is shared sends in its own time: what nobody waits for goes with what somebody does.
    held.push(statement)
    if (!isShared) begin()
  }
  const sendExpression = (expression: Sql) => {
    // Behind what was sent it stays.
    if (isBegun || held.length > 0) send(sql`select ${expression}`)
    else expressions.push(expression)
  }
  const query = async <Row extends object>(statement: Statement): Promise<Row[]> => {
    requireOpen()
    context.requireWanted?.()
    begin()
    try {
      const { rows } = await tracedStatement(statement, () => queryOn<Row>(client, preparedFor(session, statement)))
      // Where one was refused, a savepoint has undone it; where one could not be sent, nothing has.
      if (failure instanceof pg.DatabaseError) failure = undefined
      const resting = context.rest?.()
      if (resting !== undefined) await resting
      return rows
    } catch (error) {
      note(error)
      throw failure ?? error
    }
  }
  try {
    const lasts: (() => void)[] = []
    const tx: Transaction = {
      tenantId,
      query,
      send,
      sendExpression,
      atEnd: (last) => void lasts.push(last),
      kept: new Map(),
    }
    const result = await work(context.watch?.(tx) ?? tx)
    for (const last of lasts) last()
    if (failure !== undefined) throw failure
    context.protect?.()
    if (held.length > 0) begin()
    isOver = true
    if (!isBegun) return result
    const commit = queryOn(client, prepared(sql`commit`))
    await Promise.all([...sent, commit]).catch((error) => {
      throw failure ?? error
    })
    // PostgreSQL answers a COMMIT of a failed transaction with ROLLBACK, not with an error.
    if ((await commit).command !== 'COMMIT') throw failure ?? new Error('the transaction was rolled back')
    return result
  } catch (error) {
    isOver = true
    if (error instanceof ResultTooLarge) context.breakOff?.()
    else if (isBegun) await queryOn(client, { text: 'rollback' }).catch(() => context.breakOff?.())
    throw error
  }
}
