import { CallError } from '../calls/http.ts'
import type { Messages } from '../messages/english.ts'

/** The text of an error in the person's language where the console knows its code, else as the service words it. */
export function getErrorText(error: unknown, { faults: validationErrors }: Messages): string {
  if (!(error instanceof CallError)) return validationErrors.failed
  if (error.status === 0) return validationErrors.unreachable
  const known = validationErrors.known[error.kind]
  if (known !== undefined) return known
  if (error.status === 403) return validationErrors.forbidden
  if (error.status === 404) return validationErrors.gone
  if (error.status === 429 || error.status === 503) return validationErrors.busy
  if (error.status >= 500 || error.message === '') return validationErrors.failed
  return validationErrors.other(error.message)
}
