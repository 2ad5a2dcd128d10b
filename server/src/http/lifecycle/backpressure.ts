import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { errorFacts } from '../operations/error-facts.ts'

/** Limits for slow clients. */
export interface Backpressure {
  /**
   * Time, in milliseconds, that the client may stall in total, on top of what the size allows at `minBytesPerSecond`.
   */
  readonly timeoutMs: number
  /** Minimum rate of transfer beyond `timeoutMs`. */
  readonly minBytesPerSecond: number
  /**
   * Maximum duration of a response in milliseconds, however fast the client is, because its source stays open
   * meanwhile. Null: unlimited.
   */
  readonly maxDurationMs: number | null
}

const defaultBackpressure = {
  timeoutMs: 30_000,
  minBytesPerSecond: 32 * 1024,
  maxDurationMs: 10 * 60_000,
} as const satisfies Backpressure

/** Parts of a response body that are produced while it is sent. */
export type Chunks = AsyncGenerator<string | Uint8Array, void, void>

/** Why a response was aborted before its end. */
class ResponseAborted extends Error {
  readonly code: 'CLIENT_TOO_SLOW' | 'ANSWER_TOO_LONG' | 'ANSWER_FAILED'

  constructor(code: ResponseAborted['code']) {
    super('the response was aborted')
    this.code = code
  }
}

/**
 * Backpressure: a response body that is produced as fast as its client reads it; the next chunk is requested when the
 * one before was sent. A client that stalls, or reads less than 32 KiB/s beyond a timeout of 30 s, loses its
 * connection. So does one whose response fails half-way: it must see that something is missing.
 */
class BackpressuredResponse extends Readable {
  readonly #chunks: Chunks
  readonly #backpressure: Backpressure
  readonly #abort: (reason: ResponseAborted) => void
  readonly #maxDurationTimer: NodeJS.Timeout | undefined
  #timer: NodeJS.Timeout | undefined
  #isBegun = false
  #givenAt = 0
  #waited = 0
  #bytes = 0

  constructor(chunks: Chunks, backpressure: Backpressure, abort: (reason: ResponseAborted) => void) {
    super({ highWaterMark: 1 })
    this.#chunks = chunks
    this.#backpressure = backpressure
    this.#abort = abort
    const { maxDurationMs: longest } = backpressure
    if (longest !== null)
      this.#maxDurationTimer = setTimeout(() => abort(new ResponseAborted('ANSWER_TOO_LONG')), longest)
  }

  override _read(): void {
    this.#isBegun = true
    this.#stopTimer()
    this.#chunks.next().then(
      ({ done, value }) => {
        if (this.destroyed) return
        this.#startTimer(value?.length ?? 0)
        this.push(done ? null : value)
      },
      (error) => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Not awaited: the generator ends when its source does, and its last error does not matter.
    if (!this.#isBegun) this.#chunks.next().catch(() => {}) // one never started would not run `finally`
    this.#chunks.return().catch(() => {})
    done(error)
  }

  /** Releases the timers: the response was sent, or the client disconnected. */
  release(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#maxDurationTimer)
  }

  #startTimer(bytes: number): void {
    this.#bytes += bytes
    this.#givenAt = performance.now()
    const { timeoutMs, minBytesPerSecond } = this.#backpressure
    const allowed = timeoutMs + (this.#bytes / minBytesPerSecond) * 1000 - this.#waited
    this.#timer = setTimeout(() => this.#abort(new ResponseAborted('CLIENT_TOO_SLOW')), allowed)
  }

  #stopTimer(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waited += performance.now() - this.#givenAt
  }
}

/**
 * Sends a response chunk by chunk. A failure after the first chunk is logged and aborts the connection in
 * mid-response.
 */
export function sendWithBackpressure(
  reply: FastifyReply,
  chunks: Chunks,
  backpressure: Backpressure = defaultBackpressure,
): FastifyReply {
  const { raw, request } = reply
  const logFailure = (reason: unknown) => {
    if (raw.destroyed || raw.writableEnded) return // the client disconnected first
    request.log.warn({ requestId: request.id, error: errorFacts(reason) }, 'response aborted')
  }
  const abort = (reason: ResponseAborted) => {
    logFailure(reason)
    raw.destroy()
  }
  const response = new BackpressuredResponse(reportFailures(chunks, logFailure), backpressure, abort)
  if (raw.closed) response.release()
  else raw.once('close', () => response.release())
  return reply.send(response)
}

/** The same chunks; a failure is reported and replaced by `ResponseAborted`. */
async function* reportFailures(chunks: Chunks, logFailure: (error: unknown) => void): Chunks {
  try {
    yield* chunks
  } catch (error) {
    logFailure(error)
    throw new ResponseAborted('ANSWER_FAILED')
  }
}

/** Responses below this length, in characters, are written to the connection at once. */
const longText = 256 * 1024

const sliceBytes = 64 * 1024

/** Sends a text; a long one in slices, so that a client that does not read it is noticed. */
export function sendText(reply: FastifyReply, text: string): FastifyReply {
  if (text.length < longText || reply.request.method === 'HEAD') return reply.send(text)
  const bytes = Buffer.from(text)
  return sendWithBackpressure(reply.header('content-length', bytes.length), getSlices(bytes))
}

async function* getSlices(bytes: Buffer): Chunks {
  for (let from = 0; from < bytes.length; from += sliceBytes) yield bytes.subarray(from, from + sliceBytes)
}
