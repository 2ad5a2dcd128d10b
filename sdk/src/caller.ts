import createFetcher from 'openapi-fetch'
import { operationTable } from './generated/declarations.ts'
import type { operations, paths } from './generated/openapi.ts'
import { NoAnswer, Problem } from './problem.ts'
import type { SteadySender, SteadySettings } from './steady-sender.ts'

/** Every operation of the Client API by its id, as the reference names it. */
export type OperationId = keyof typeof operationTable & keyof operations

type Parameters<Id extends OperationId> = operations[Id]['parameters']
type Content<Part> = Part extends { content: { 'application/json': infer Json } } ? Json : undefined
type Successes<Id extends OperationId> = operations[Id]['responses']

/** The body that an operation answers with, envelope and all. */
export type BodyOf<Id extends OperationId> = {
  [Status in keyof Successes<Id>]: Content<Successes<Id>[Status]>
}[keyof Successes<Id>]

/** The record, or the list of records, that an operation answers with. */
export type DataOf<Id extends OperationId> = BodyOf<Id> extends { data: infer Data } ? Data : undefined

/** The query parameters of an operation. */
export type QueryOf<Id extends OperationId> = NonNullable<Parameters<Id>['query']>

/** The body that an operation takes. */
export type InputOf<Id extends OperationId> = Sent<NonNullable<operations[Id]['requestBody']>>

/** A file as the body of a call. */
export interface FileInput {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

type Sent<Part> = Part extends { content: { 'application/json': infer Json } } ? Json : FileInput

type Body<Id extends OperationId> = operations[Id] extends { requestBody: object }
  ? { readonly body: InputOf<Id> }
  : operations[Id] extends { requestBody?: never }
    ? { readonly body?: never }
    : { readonly body?: InputOf<Id> }

/** How a call is made. */
export interface CallOptions {
  /**
   * Ends the call with its reason: a read at once; of a write every wait, while a try that is under way is answered first, so that
   * its outcome is known.
   */
  readonly signal?: AbortSignal
}

/** How a write is made. */
export interface WriteOptions extends CallOptions {
  /** The key of a creation. A new one is made for each call and kept for its repetitions; give your own where it must outlive the process. */
  readonly idempotencyKey?: string
  /** The `ETag` that the change is based on: refused with `precondition_failed` where the record has changed since. */
  readonly ifMatch?: string
  /** Says of a change that it does no harm twice, so that it is sent again where no answer came. */
  readonly isRepeatable?: boolean
}

/** What an operation is called with. */
export type Input<Id extends OperationId> = Pick<Parameters<Id>, 'path' | 'query'> & Body<Id> & WriteOptions

/** The answer of an operation. */
export interface Answer<Id extends OperationId> {
  readonly status: number
  readonly body: BodyOf<Id>
  readonly headers: Headers
}

/** Calls any operation by its id. Throws `Problem` for a refusal, and `NoResponse` where none came, also not when asked again. */
export type Call = <Id extends OperationId>(id: Id, input: Input<Id>) => Promise<Answer<Id>>

export interface CallerSettings extends SteadySettings {
  /** Address of the service, such as `https://matricula.example`. */
  readonly url: string
  readonly token: string
  /** Sends the requests; the runtime's own unless told otherwise. */
  readonly fetch?: typeof globalThis.fetch
  /** How long an answer may take, in milliseconds: 60 000 unless told otherwise. */
  readonly timeout?: number
  /** Ends every call, as the `signal` of a call does. */
  readonly signal?: AbortSignal
}

/** What is given of an input whatever its operation. */
interface AnyInput extends WriteOptions {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: object
  readonly body?: unknown
}

/** A function that calls the operations of a service, with one token. */
export function createCall(settings: CallerSettings, sender: SteadySender): Call {
  const { url, token, timeout = 60_000, fetch = globalThis.fetch } = settings
  const service = createFetcher<paths>({
    baseUrl: `${url.replace(/\/+$/, '')}/v1`,
    headers: { authorization: `Bearer ${token}` },
    fetch: (request) => fetch(request),
    // Nothing of the Client API is elsewhere, and a token is for nobody else.
    redirect: 'manual',
  })
  return async (id, given) => {
    const { method, path, repeats } = operationTable[id]
    const input = given as AnyInput
    const signal = input.signal ?? settings.signal
    const isRead = method === 'GET'
    const parameters = { path: input.path ?? {}, query: input.query ?? {}, header: headersOf(repeats, input) }
    requireSendable(path, parameters.path)
    let isUncertain = false
    const attempt = async () => {
      const limit = new TimeLimit(timeout + secondsToWait(input) * 1000, isRead ? signal : undefined)
      try {
        const init = { params: parameters, ...sentBody(input.body), signal: limit.signal }
        // The types of an operation are those of `input`; here it may be any of them.
        const { data, error, response } = await service.request(
          method.toLowerCase() as 'get',
          path as '/me',
          init as never,
        )
        sender.heedQuota(response.headers.get('ratelimit'))
        if (!response.ok) throw new Problem(response.status, response.headers, error)
        return { status: response.status, body: data as never, headers: response.headers }
      } catch (error) {
        const cause = error instanceof Problem ? error : limit.explain(error, url)
        if (isUncertain && cause instanceof Problem && cause.code === 'precondition_failed') {
          const doubt = 'an earlier try may have been this change: read the record before you make it again'
          throw new NoAnswer(`no answer that tells what became of the change; ${doubt}`, { cause })
        }
        isUncertain ||=
          cause instanceof NoAnswer || (cause instanceof Problem && [502, 503, 504].includes(cause.status))
        throw cause
      } finally {
        limit.clear()
      }
    }
    const isSafe = isRead || repeats !== 'none' || input.ifMatch !== undefined
    return sender.send(attempt, { isRepeatable: input.isRepeatable ?? isSafe, signal })
  }
}

/** The body of a request: JSON, or the bytes of a file with their media type. */
function sentBody(body: unknown): object {
  const { mediaType, bytes } = (body ?? {}) as Partial<FileInput>
  if (mediaType === undefined || !(bytes instanceof Uint8Array)) return { body }
  return { body: bytes, bodySerializer: (sent: Uint8Array) => sent, headers: { 'content-type': mediaType } }
}

/** The key is chosen once for all tries. */
function headersOf(repeats: string, { idempotencyKey, ifMatch }: WriteOptions): Record<string, string> {
  return {
    ...(repeats === 'required' && { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
  }
}

/** How long the service is asked to wait before it answers. */
function secondsToWait({ query }: AnyInput): number {
  return (query as { wait?: number } | undefined)?.wait ?? 0
}

/** An address loses such parts of it on its way (WHATWG URL), and would name something else. */
function requireSendable(path: string, given: Readonly<Record<string, string>>): void {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const value = given[name]
    if (typeof value === 'string' && !['', '.', '..'].includes(value)) continue
    throw new TypeError(
      `${name} cannot be ${JSON.stringify(value)} in an address. A record with such a key is reached by its id, or in a batch.`,
    )
  }
}

/** Ends what takes too long, or is not wanted any more. */
export class TimeLimit {
  readonly #controller = new AbortController()
  readonly #milliseconds: number
  readonly #timer: ReturnType<typeof setTimeout>
  readonly #stop: AbortSignal | undefined

  constructor(milliseconds: number, stop: AbortSignal | undefined) {
    this.#milliseconds = milliseconds
    this.#stop = stop
    this.#timer = setTimeout(this.#end, milliseconds)
    stop?.addEventListener('abort', this.#end)
    if (stop?.aborted) this.#end()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Why nothing came: the reason of what stopped it, or `NoResponse` with what is known. */
  explain(error: unknown, address: string): unknown {
    if (this.#stop?.aborted) return this.#stop.reason
    if (this.signal.aborted) return new NoAnswer(`no answer from ${address} within ${this.#milliseconds / 1000} s`)
    const { message, cause } = error as Error & { cause?: Error & { code?: string } }
    return new NoAnswer(`no answer from ${address}: ${cause?.code ?? cause?.message ?? message}`, { cause: error })
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#stop?.removeEventListener('abort', this.#end)
  }

  readonly #end = () => this.#controller.abort()
}
