import { CallError } from '../calls/http.ts'
import type { Messages } from '../messages/english.ts'

/** What a refusal tells somebody, in their language where the console knows it, else in the service's words. */
export function getErrorText(error: unknown, { faults: validationErrors }: Messages): string {
  if (!(error instanceof CallError)) return validationErrors.failed
  if (error.status === 0) return validationErrors.unreachable
  if (error.status === 403) return validationErrors.forbidden
  if (error.status === 404) return validationErrors.gone
  if (error.status === 429 || error.status === 503) return validationErrors.busy
  if (error.status >= 500 || error.message === '') return validationErrors.failed
  return validationErrors.known[error.kind] ?? validationErrors.other(error.message)
}
