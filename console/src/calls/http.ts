import { institutionPath } from './place.ts'
import { isSomebodyThere, recordCounted } from './presence.ts'

/** Why something was not done, as the service said it, or 0 where it was not reached. */
export class CallError extends Error {
  readonly status: number
  /** The class of a refusal of the Resource API (`TimestampMismatchError`), or the code of a problem (`version_conflict`). */
  readonly kind: string
  /** After how many seconds it may be tried again, where the service said so. */
  readonly retryAfter: number | null

  constructor(status: number, kind: string, text: string, retryAfter: number | null = null) {
    super(text)
    this.name = 'CallError'
    this.status = status
    this.kind = kind
    this.retryAfter = retryAfter
  }
}

/** Whether a refusal was judged, so that the same key is answered with it again; not where the service was busy with it, failed or was not reached. */
export function isStoredRejection(error: unknown): boolean {
  if (!(error instanceof CallError) || error.kind === 'idempotency_key_in_use') return false
  return [404, 409, 412, 422].includes(error.status)
}

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Whether what is answered is a file, whose bytes are taken as they are. */
  readonly isFile?: boolean
  /** Whether somebody whose session is over is asked to log in, and the call made again; it is unless said otherwise. */
  readonly asksToLogIn?: boolean
  /** Whether it is nobody's doing, so that it keeps nobody logged in; where nothing is said, reads are so when nobody did anything lately. */
  readonly isByItself?: boolean
}

export interface CallResponse {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: whoever calls knows the shape of what it asked for
  readonly body: any
}

const noToken = Promise.resolve(null)
/** Null where it could not be asked for, and is asked for again by the next write. */
let csrfToken: Promise<string | null> | null = noToken
let askForToken = () => csrfToken ?? noToken
let askToLogIn: (() => Promise<void>) | null = null

/** Asks for the token that writes of this session bring, and wait for. It is kept in memory alone, so that no other page finds it. */
export function renewCsrfToken(ask: () => Promise<string | null>): void {
  askForToken = ask
  csrfToken = null
  void tokenOfSession()
}

/** Forgets the token of a session that is over. */
export function forgetCsrfToken(): void {
  csrfToken = noToken
}

function tokenOfSession(): Promise<string | null> {
  csrfToken ??= askForToken().catch(() => {
    csrfToken = null
    return null
  })
  return csrfToken
}

/** Says who asks somebody to log in again when the session is over; the promise is kept once that was done. */
export function onSessionOver(ask: () => Promise<void>): void {
  askToLogIn = ask
}

/**
 * Calls the service at the institution's address. A session that is over is begun anew over the page, and the call is made again, so
 * that nothing typed is lost.
 *
 * @throws CallError for whatever was not done.
 */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<CallResponse> {
  const response = await send(method, path, options)
  if (response.status < 400) return response
  if (options.asksToLogIn !== false && askToLogIn !== null && (await isOver(response))) {
    await askToLogIn()
    const again = await send(method, path, options)
    if (again.status < 400) return again
    throw toErrorResponse(again)
  }
  throw toErrorResponse(response)
}

async function send(method: string, path: string, options: CallOptions): Promise<CallResponse> {
  const { query, body, headers, signal, isByItself = method === 'GET' && !isSomebodyThere() } = options
  const asked = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString()
  // A file is sent as it is, with the type that its headers say.
  const isRaw = body instanceof FormData || body instanceof Blob
  const token = method === 'GET' ? null : await tokenOfSession()
  try {
    const response = await fetch(`${institutionPath}${path}${search === '' ? '' : `?${search}`}`, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
        ...(token !== null && { 'x-frappe-csrf-token': token }),
        ...(isByItself && { 'x-by-itself': '1' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    })
    if (response.ok && !isByItself) recordCounted()
    if (response.ok && options.isFile === true) {
      return { status: response.status, headers: response.headers, body: await response.blob() }
    }
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
  } catch (error) {
    if (signal?.aborted) throw error
    throw new CallError(0, 'unreachable', '')
  }
}

/** A request that sends a file, as the service signed it. */
export interface SignedUpload {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Sends a file to its signed address. Whether it arrived is found when the upload is completed. Throws `CallError`. */
export async function sendFile({ method, url, headers }: SignedUpload, file: Blob): Promise<void> {
  const { origin = 'http://localhost' } = globalThis.location ?? {}
  const address = new URL(url, origin)
  // Files of the service itself are sent to where the page is, by whichever name the service was called.
  const target = address.pathname.startsWith('/files/signed/') ? address.pathname + address.search : address.href
  await fetch(target, { method, headers, body: file }).catch(() => {
    throw new CallError(0, 'unreachable', '')
  })
}

/** Whether it was refused because nobody is logged in any more. A guest is refused as somebody without a right is. */
async function isOver({ status, body }: CallResponse): Promise<boolean> {
  if (status === 401 || body?.session_expired === 1) return true
  if (status !== 403) return false
  const { status: known } = await send('GET', '/api/method/frappe.auth.get_logged_user', {})
  return known === 401 || known === 403
}

/** The refusal that an answer is, in the words of the service. */
function toErrorResponse({ status, headers, body }: CallResponse): CallError {
  const seconds = Number(headers.get('retry-after'))
  const retryAfter = seconds > 0 ? seconds : null
  if (typeof body?.exc_type === 'string') return new CallError(status, body.exc_type, toldBy(body), retryAfter)
  const problem = body?.errors?.[0] ?? body
  const kind = String(problem?.type ?? problem?.code ?? 'failed')
  const text = String(problem?.message ?? problem?.detail ?? problem?.title ?? '')
  return new CallError(status, kind.slice(kind.lastIndexOf('/') + 1), withoutMarkup(text), retryAfter)
}

function toldBy(body: { _server_messages?: string; exception?: string; exc_type: string; message?: string }): string {
  const messages: string[] = JSON.parse(body._server_messages ?? '[]')
  const reported = messages.map((each) => String(JSON.parse(each).message))
  const bare = (body.exception ?? '').replace(/^[\w.]+: ?/, '')
  return withoutMarkup(reported.length > 0 ? reported.join(' ') : bare || body.message || '')
}

/** The text of a message that may have markup. Nothing of it is ever shown as HTML. */
function withoutMarkup(text: string): string {
  return text.replace(/<[^<>]*>/g, '')
}
