import { Refusal } from '../calls/http.ts'
import type { Words } from '../messages/english.ts'

/** What a refusal tells somebody, in their language where the console knows it, else in the service's words. */
export function tellingOf(error: unknown, { faults }: Words): string {
  if (!(error instanceof Refusal)) return faults.failed
  if (error.status === 0) return faults.unreachable
  if (error.status === 403) return faults.forbidden
  if (error.status === 404) return faults.gone
  if (error.status === 429 || error.status === 503) return faults.busy
  if (error.status >= 500 || error.message === '') return faults.failed
  return error.message
}
