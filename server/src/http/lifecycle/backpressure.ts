import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { errorFacts } from '../operations/error-facts.ts'

/** How slow a client may be. */
export interface Backpressure {
  /** How long it may let an answer wait in all, beside what its size allows it. */
  readonly timeoutMs: number
  /** The least pace at which it takes an answer, beyond that time. */
  readonly minBytesPerSecond: number
  /** The longest that an answer may take, whoever is slow: what it is read from is kept open for so long. Null: without end. */
  readonly longestMilliseconds: number | null
}

const defaultBackpressure = {
  timeoutMs: 30_000,
  minBytesPerSecond: 32 * 1024,
  longestMilliseconds: 10 * 60_000,
} as const satisfies Backpressure

/** Texts of an answer that are made while they are sent. */
export type Chunks = AsyncGenerator<string | Uint8Array, void, void>

/** Why an answer was ended before its time. */
class ResponseCut extends Error {
  readonly code: 'CLIENT_TOO_SLOW' | 'ANSWER_TOO_LONG' | 'ANSWER_FAILED'

  constructor(code: ResponseCut['code']) {
    super('the answer was cut')
    this.code = code
  }
}

/**
 * An answer that is made as fast as its client takes it: the next chunk is asked for when the one before has gone. A client
 * that stops, or is slower than 32 KiB a second beyond half a minute of patience, loses its connection, and so does one whose
 * answer cannot be made to its end: it must see that something is missing.
 */
class BackpressuredResponse extends Readable {
  readonly #chunks: Chunks
  readonly #backpressure: Backpressure
  readonly #cut: (reason: ResponseCut) => void
  readonly #latest: NodeJS.Timeout | undefined
  #timer: NodeJS.Timeout | undefined
  #isBegun = false
  #givenAt = 0
  #waited = 0
  #bytes = 0

  constructor(chunks: Chunks, backpressure: Backpressure, cut: (reason: ResponseCut) => void) {
    super({ highWaterMark: 1 })
    this.#chunks = chunks
    this.#backpressure = backpressure
    this.#cut = cut
    const { longestMilliseconds: longest } = backpressure
    if (longest !== null) this.#latest = setTimeout(() => cut(new ResponseCut('ANSWER_TOO_LONG')), longest)
  }

  override _read(): void {
    this.#isBegun = true
    this.#take()
    this.#chunks.next().then(
      ({ done, value }) => {
        if (this.destroyed) return
        this.#give(value?.length ?? 0)
        this.push(done ? null : value)
      },
      (error) => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // What is being made is not waited for: it ends when the reading does, and what it says then is of no interest.
    if (!this.#isBegun) this.#chunks.next().catch(() => {}) // a generator that was never begun would not put down what it holds
    this.#chunks.return().catch(() => {})
    done(error)
  }

  /** The client has all of it, or is gone. */
  over(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#latest)
  }

  #give(bytes: number): void {
    this.#bytes += bytes
    this.#givenAt = performance.now()
    const { timeoutMs, minBytesPerSecond } = this.#backpressure
    const allowed = timeoutMs + (this.#bytes / minBytesPerSecond) * 1000 - this.#waited
    this.#timer = setTimeout(() => this.#cut(new ResponseCut('CLIENT_TOO_SLOW')), allowed)
  }

  #take(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waited += performance.now() - this.#givenAt
  }
}

/**
 * Sends an answer chunk by chunk. What fails after the first one is logged, and ends the connection in the middle of the
 * answer.
 */
export function sendWithBackpressure(
  reply: FastifyReply,
  chunks: Chunks,
  backpressure: Backpressure = defaultBackpressure,
): FastifyReply {
  const { raw, request } = reply
  const tell = (reason: unknown) => {
    if (raw.destroyed || raw.writableEnded) return // the client went first
    request.log.warn({ requestId: request.id, error: errorFacts(reason) }, 'answer cut')
  }
  const cut = (reason: ResponseCut) => {
    tell(reason)
    raw.destroy()
  }
  const response = new BackpressuredResponse(told(chunks, tell), backpressure, cut)
  if (raw.closed) response.over()
  else raw.once('close', () => response.over())
  return reply.send(response)
}

/** The same chunks, telling what they fail with. */
async function* told(chunks: Chunks, tell: (error: unknown) => void): Chunks {
  try {
    yield* chunks
  } catch (error) {
    tell(error)
    throw new ResponseCut('ANSWER_FAILED')
  }
}

/** Answers shorter than this are handed to the connection as a whole. */
const longText = 256 * 1024

const sliceBytes = 64 * 1024

/** Sends a text, a long one in slices, so that a client that does not take it is noticed. */
export function sendText(reply: FastifyReply, text: string): FastifyReply {
  if (text.length < longText || reply.request.method === 'HEAD') return reply.send(text)
  const bytes = Buffer.from(text)
  return sendWithBackpressure(reply.header('content-length', bytes.length), getSlices(bytes))
}

async function* getSlices(bytes: Buffer): Chunks {
  for (let from = 0; from < bytes.length; from += sliceBytes) yield bytes.subarray(from, from + sliceBytes)
}
