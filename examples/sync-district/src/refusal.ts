/** A problem document (RFC 9457) of the service, as far as it is told here. */
interface ProblemDocument {
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly errors?: readonly { readonly pointer?: string; readonly name?: string; readonly detail?: string }[]
}

/** Somebody else is at the same request, or at the same records. */
const passingCodes: readonly string[] = ['idempotency_key_in_use', 'DocumentLockedError']

/** An answer of the service other than 2xx. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  /** What it says, or every fault that it names. */
  readonly detail: string
  /** Whole seconds that it asks to wait, if it does. */
  readonly retryAfter: number | null

  constructor(status: number, headers: Headers, text: string) {
    const problem = readProblem(text)
    const faults = (problem.errors ?? []).map((fault) => `${fault.pointer ?? fault.name} ${fault.detail}`)
    const said = problem.detail ?? problem.title ?? 'the answer is no problem document'
    const detail = faults.length > 0 ? faults.join('; ') : said
    const code = problem.code ?? `http_${status}`
    super(`${code}: ${detail}`)
    this.status = status
    this.code = code
    this.detail = detail
    this.retryAfter = Number(headers.get('retry-after')) || null
  }

  /** Whether the same request may succeed later, unchanged. */
  get isPassing(): boolean {
    return [429, 502, 503, 504].includes(this.status) || passingCodes.includes(this.code)
  }

  /** Whether every other request would be refused for the same reason. */
  get concernsEveryRequest(): boolean {
    return [401, 403, 429, 502, 503, 504].includes(this.status)
  }
}

function readProblem(text: string): ProblemDocument {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** The service gave no answer, also not when asked again. */
export class NoAnswer extends Error {}
