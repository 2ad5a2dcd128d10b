import pg from 'pg'

/**
 * The database does not do this now, and it may be asked again: it is not there, it is full, or too many ask it. The message
 * says what to do next, and tells nothing of values or statements.
 */
export class DatabaseUnavailable extends Error {
  /** When to try again. */
  readonly retryAfterSeconds: number
  /** The SQLSTATE, or the system's word for it; null where the database was not even asked. */
  readonly code: string | null

  constructor(message: string, retryAfterSeconds: number, cause?: unknown) {
    super(message, { cause })
    this.retryAfterSeconds = retryAfterSeconds
    this.code = (cause as { code?: string } | undefined)?.code ?? null
  }
}

/** The database is not there at all, or says nothing. */
export class DatabaseUnreachable extends DatabaseUnavailable {}

/** Nobody waits for the outcome any more: it is dropped, or undone, and nobody is told. */
export class Cancelled extends Error {
  constructor() {
    super('the client is gone')
  }
}

const lost = { message: 'The database cannot be reached. Try again shortly.', seconds: 2 }
const busy = {
  message: 'The database has no room for more just now. Nothing was written; try again shortly.',
  seconds: 5,
}
const broken = {
  message: 'The database cannot use its disk. Nothing was written; try again when its operator has mended it.',
  seconds: 60,
}
const moved = {
  message: 'The records are moved to another machine just now. Nothing was written; try again shortly.',
  seconds: 1,
}
const beaten = {
  message: 'Too many change the same record just now. Nothing was written; send the request again.',
  seconds: 1,
}

/**
 * What PostgreSQL refuses because of the state that it is in, by its SQLSTATE or the class of it, and not because of what it was
 * asked (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const states: Readonly<Record<string, { readonly message: string; readonly seconds: number }>> = {
  '08': lost, // connection exception
  '25006': {
    message: 'The database takes no writes just now. Nothing was written; reads go on. Try again shortly.',
    seconds: 10,
  },
  '25P03': {
    message: 'The request paused for too long in the middle of its work. Nothing was written; send it again.',
    seconds: 1,
  },
  '25P04': {
    message: 'The request took too long. Nothing was written; ask for less at once, or try again shortly.',
    seconds: 10,
  },
  // What asks for shards where they are no more, see `cluster/shard-views.ts`.
  SH001: moved,
  '40001': beaten, // serialization failure
  '40P01': beaten, // deadlock
  '53100': {
    message:
      'The database has no disk left. Nothing was written; reads go on. Try again when its operator has made room.',
    seconds: 60,
  },
  '53': busy, // insufficient resources
  '55P03': {
    message: 'Somebody else holds this record for too long. Nothing was written; try again shortly.',
    seconds: 2,
  },
  '57014': {
    message: 'The request took too long. Nothing was written; ask for less at once, or try again shortly.',
    seconds: 10,
  },
  '57P': lost, // the server shuts down, starts, or has crashed
  '58': broken, // system error
}

/** What is said where the database is not there at all, or says nothing. */
export function unreachable(cause?: unknown): DatabaseUnreachable {
  return new DatabaseUnreachable(lost.message, lost.seconds, cause)
}

/** What is said while the rows of a tenant are moved to another node of a cluster. */
export function movedNow(): DatabaseUnavailable {
  return new DatabaseUnavailable(moved.message, moved.seconds, null)
}

/** What is said to whoever lost against others at every try. */
export function lostEachTime(cause: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable(beaten.message, beaten.seconds, cause)
}

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAGAIN',
])
const connectionMessages =
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|timeout expired|Client was closed|Cannot use a pool after/

/** The same error, or `DatabaseUnavailable` where it tells of a lost connection or of the state that the database is in. */
export function asDatabaseError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? ''
    const state = states[code] ?? states[code.slice(0, 3)] ?? states[code.slice(0, 2)]
    if (state === lost) return unreachable(error)
    return state === undefined ? error : new DatabaseUnavailable(state.message, state.seconds, error)
  }
  if (!(error instanceof Error)) return error
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return connectionErrors.has(code) || connectionMessages.test(error.message) ? unreachable(error) : error
}

/** Whether a statement was ended because it took too long, or somebody asked for that (SQLSTATE 57014). */
export function isOverTime(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === '57014'
}

/**
 * Whether the transaction lost against another one and may simply be run again: a serialization failure, a deadlock, or
 * a unique value that another one took after we looked (SQLSTATE 40001, 40P01, 23505). The second run sees the winner.
 */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['40001', '40P01', '23505'].includes(error.code ?? '')
}

/** What a statement fails with that was not done because one before it had failed. */
export function afterFailure(): pg.DatabaseError {
  const error = new pg.DatabaseError('a statement before it failed', 0, 'error')
  error.code = '25P02'
  return error
}

/** Whether a statement failed only because one before it in its transaction did (SQLSTATE 25P02). */
export function isAfterFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02'
}

/** Whether the server ends the connection with this error, and answers nothing further on it (SQLSTATE 57P: it shuts down, or was told to hang up). */
export function isLast(error: Error): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('57P') === true
}
