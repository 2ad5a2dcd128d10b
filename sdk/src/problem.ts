import type { ProblemMembers } from './generated/declarations.ts'
import type { components } from './generated/openapi.ts'

/** What the service says of a refusal (RFC 9457). Which members it has beside the standard ones depends on its code. */
export type ProblemDocument = components['schemas']['Problem']

export type ProblemCode = keyof ProblemMembers

const passingStatuses: readonly number[] = [429, 502, 503, 504]

/** Somebody else is at the same request, or, on the Resource and Method API, at the same record. */
const passingCodes: readonly string[] = ['idempotency_key_in_use', 'DocumentLockedError']

/** A refusal, as it is thrown. Its members are those of the problem document. */
class RefusedRequest extends Error {
  declare readonly status: number
  declare readonly code: string
  declare readonly title: string
  declare readonly detail: string
  declare readonly requestId: string | undefined
  declare readonly errors: ProblemDocument['errors']
  /** What was wrong, in words: every fault that it names, or its detail. */
  readonly explanation: string
  /** Seconds to wait before the request is sent again, where the service says so. */
  readonly retryAfter: number | null

  /** @param said what the answer holds: a problem document, or anything else that stood in its place. */
  constructor(status: number, headers: Headers, said: unknown) {
    const document = (typeof said === 'object' && said !== null ? said : {}) as Partial<ProblemDocument>
    const code = document.code ?? `http_${status}`
    const faults = (document.errors ?? []).map((error) => {
      if ('line' in error) return `line ${error.line}, column ${error.column}: ${error.detail}`
      return `${error.pointer ?? error.name} ${error.detail}`
    })
    const detail = document.detail ?? document.title ?? 'the answer is no problem document'
    const explanation = faults.length > 0 ? faults.join('; ') : detail
    super(`${code}: ${explanation}`)
    Object.assign(this, document, { status, code, detail })
    this.name = 'Problem'
    this.explanation = explanation
    this.retryAfter = secondsOf(headers.get('retry-after'))
  }

  /** Whether the same request may succeed later, unchanged. */
  get isPassing(): boolean {
    return passingStatuses.includes(this.status) || passingCodes.includes(this.code)
  }
}

/**
 * A refusal by the service. `code` is what to decide by, and narrows: of a problem with the code `external_id_taken`,
 * `existingId` is there. Codes may be added: decide by `status` about those that you do not know.
 */
export type Problem = {
  [Code in ProblemCode]: Omit<RefusedRequest, 'code'> & { readonly code: Code } & Readonly<
      Pick<ProblemDocument, ProblemMembers[Code] & keyof ProblemDocument>
    >
}[ProblemCode]

export const Problem = RefusedRequest as unknown as new (status: number, headers: Headers, said: unknown) => Problem

/** No answer came, or only a part of one. Whether the service did what it was asked is not known. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Seconds of a `Retry-After` header, which has a number of them or a date (RFC 9110 §10.2.3). */
function secondsOf(header: string | null): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}
