import pg from 'pg'

/** The database cannot be reached, or is going down. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause })
  }
}

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const connectionMessages =
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|Client was closed|Cannot use a pool after/

/** The same error, or `DatabaseUnavailable` where it tells of a lost connection (SQLSTATE classes 08 and 57P). */
export function asDatabaseError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return /^(08|57P|53300)/.test(error.code ?? '') ? new DatabaseUnavailable(error) : error
  }
  if (!(error instanceof Error)) return error
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return connectionErrors.has(code) || connectionMessages.test(error.message) ? new DatabaseUnavailable(error) : error
}

/**
 * Whether the transaction lost against another one and may simply be run again: a serialization failure, a deadlock, or
 * a unique value that another one took after we looked (SQLSTATE 40001, 40P01, 23505). The second run sees the winner.
 */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['40001', '40P01', '23505'].includes(error.code ?? '')
}
