import type { RecordErrorType } from '@matricula/contract'
import { Cancelled, DatabaseUnavailable, ResultTooLarge } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { SealError } from '../../identity/index.ts'
import { AmountError } from '../../money/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { FileStoreUnavailable } from '../../storage/index.ts'
import type { Version } from './target.ts'

/**
 * Maps anything thrown to a `RecordError`: the error itself, a known one of another room, or `InternalError` without
 * details.
 */
export function asRecordError(error: unknown): RecordError {
  if (error instanceof RecordError) return error
  if (error instanceof Problem) return ofProblem(error)
  if (error instanceof SealError) return new RecordError('ValidationError', error.message)
  if (error instanceof AmountError) return new RecordError('DataError', error.message)
  if (error instanceof DatabaseUnavailable) {
    const headers = { 'retry-after': String(error.retryAfterSeconds) }
    return new RecordError('SessionStopped', error.message, { headers })
  }
  if (error instanceof ResultTooLarge) {
    const text =
      'This would read too much at once. Ask for fewer records or fields: filter, or read a list page by page.'
    return new RecordError('DataError', text)
  }
  if (error instanceof FileStoreUnavailable) {
    const headers = { 'retry-after': String(error.retryAfterSeconds) }
    return new RecordError('SessionStopped', error.advice, { headers })
  }
  if (error instanceof Cancelled) return new RecordError('SessionStopped', 'The client disconnected.')
  const { code = '' } = error as { code?: string }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') {
    return new RecordError('UnsupportedMediaType', 'The Content-Type cannot be read. Send application/json.')
  }
  if (code === 'ECONNRESET') return new RecordError('JSONDecodeError', 'The body ended too early. Send it again.')
  return ofSqlState(code) ?? failure()
}

function failure(): RecordError {
  return new RecordError('InternalError', 'The service failed. Nothing was written; the request may be repeated.')
}

/** Maps PostgreSQL errors that no earlier check caught: values out of range, and violated constraints. */
function ofSqlState(code: string): RecordError | null {
  if (code === '23503') {
    const text = 'A linked record does not exist, or other records still link to this one.'
    return new RecordError('LinkExistsError', text)
  }
  if (code === '23505') return new RecordError('DuplicateEntryError', 'A record with this value exists already.')
  if (/^(22|23|54)[0-9A-Z]{3}$/.test(code)) {
    return new RecordError(
      'DataError',
      'A value cannot be kept. Check dates, the size of numbers and the length of texts.',
    )
  }
  return null
}

function ofProblem(problem: Problem): RecordError {
  const { headers, message } = problem
  switch (problem.status) {
    case 404:
      return new RecordError('DoesNotExistError', message, { headers })
    case 408:
      return new RecordError('RequestTimeout', message, { headers })
    case 413:
      return new RecordError('RequestEntityTooLarge', message, { headers })
    case 415:
      return new RecordError('UnsupportedMediaType', message, { headers })
    case 429:
      return new RecordError('TooManyRequestsError', message, { headers })
    case 500:
      return failure()
    case 503:
      return new RecordError('SessionStopped', message, { headers })
    default:
      return new RecordError('ValidationError', message, { headers })
  }
}

/** Errors whose text is shown by clients that log in or set a password. */
const shownAtLogIn: ReadonlySet<RecordErrorType> = new Set(['AuthenticationError', 'SecurityException', 'LinkExpired'])

/**
 * The body of an error as Frappe's clients read it. No stack trace is sent: `exc` has the class and the text. A 404 of
 * a record has no `exc`, like upstream's, which clients take as "no such record".
 */
export function errorBody(error: RecordError, version: Version, isExpired: boolean): object {
  const { type, message, title, indicator, messages, includesException, facts } = error
  const exception = `frappe.exceptions.${type}: ${message}`
  const shown = messages.map((text) => ({ message: text, title, indicator, raise_exception: 1 }))
  if (version === 2) {
    const errors = shown.length > 0 ? shown : [{ message, title, indicator }]
    return { errors: errors.map((each) => ({ type, ...each, ...(includesException && { exception }), ...facts })) }
  }
  return {
    exc_type: type,
    ...facts,
    ...(includesException && { exception, exc: JSON.stringify([exception]) }),
    ...(shown.length > 0 && { _server_messages: JSON.stringify(shown.map((each) => JSON.stringify(each))) }),
    ...(type === 'PermissionError' && { _error_message: message }),
    ...(shownAtLogIn.has(type) && { message }),
    ...(isExpired && { session_expired: 1 }),
  }
}
