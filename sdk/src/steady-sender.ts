import { NoAnswer, Problem } from './problem.ts'

export interface SteadySettings {
  /** The most tries of one request, 8 unless told otherwise. A try that was refused for the quota is not counted. */
  readonly attempts?: number
  /** The most seconds to wait because the service asks for it, 300 unless told otherwise. Where it asks for more, its refusal is thrown. */
  readonly longestWait?: number
  /** Told in a line why requests wait, once until they go on. */
  readonly onWait?: (reason: string) => void
}

/** How one request may be sent. */
export interface Repetition {
  /** Whether sending it twice does no harm, so that it may be sent again where nobody knows what became of it. */
  readonly isRepeatable: boolean
  /** Ends every wait with its reason. A try that is under way is answered first. */
  readonly signal?: AbortSignal | undefined
}

const firstPause = 250
const longestPause = 10_000

/**
 * Sends a request until it is answered for good: again, after a growing pause with jitter, when no answer came or the service is
 * stopping or restarting, unless that could do something twice; and whenever it was refused for the quota, which does nothing.
 * It waits as `Retry-After` says, and before the quota is used up.
 */
export class SteadySender {
  readonly #attempts: number
  readonly #longestWait: number
  readonly #onWait: (reason: string) => void
  #inFlight = 0
  #heldUntil = 0
  #isWaitTold = false

  constructor({ attempts = 8, longestWait = 300, onWait = () => {} }: SteadySettings = {}) {
    this.#attempts = attempts
    this.#longestWait = longestWait
    this.#onWait = onWait
  }

  /** The answer to a request, which is told at which try it is sent, from 1. Throws what the last try threw. */
  async send<Answer>(
    attempt: (number: number) => Promise<Answer>,
    { isRepeatable, signal }: Repetition,
  ): Promise<Answer> {
    for (let number = 1; ; ) {
      await this.#waitForQuota(signal)
      try {
        const response = await this.#count(() => attempt(number))
        // Answers to what was sent before a hold still come in.
        if (this.#heldUntil < Date.now()) this.#isWaitTold = false
        return response
      } catch (error) {
        const setback = this.#setbackOf(error)
        if (setback.isForQuota) {
          this.#hold(setback.seconds ?? 1)
          continue
        }
        if (!isRepeatable || number === this.#attempts) throw error
        if (number > 1) this.#tellWait(`${(error as Error).message}; trying again`)
        const pause = jittered(Math.min(longestPause, firstPause * 2 ** (number - 1)))
        await sleep(Math.max((setback.seconds ?? 0) * 1000, pause), signal)
        number += 1
      }
    }
  }

  /** Holds requests back before the quota of a `RateLimit` header is used up, so that none has to be refused. */
  heedQuota(rateLimit: string | null): void {
    const quota = /r=(\d+);t=(\d+)/.exec(rateLimit ?? '')
    if (quota !== null && Number(quota[1]) < this.#inFlight) this.#hold(Math.min(Number(quota[2]), this.#longestWait))
  }

  /** What stands in the way for now. Throws what will not pass. */
  #setbackOf(error: unknown): { isForQuota: boolean; seconds: number | null } {
    if (error instanceof NoAnswer) return { isForQuota: false, seconds: null }
    if (!(error instanceof Problem) || !error.isPassing || (error.retryAfter ?? 0) > this.#longestWait) throw error
    return { isForQuota: error.status === 429, seconds: error.retryAfter }
  }

  async #count<Outcome>(send: () => Promise<Outcome>): Promise<Outcome> {
    this.#inFlight += 1
    try {
      return await send()
    } finally {
      this.#inFlight -= 1
    }
  }

  #hold(seconds: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, Date.now() + seconds * 1000)
    this.#tellWait(`the quota of the token is used up; going on in ${seconds} s`)
  }

  #tellWait(reason: string): void {
    if (!this.#isWaitTold) this.#onWait(reason)
    this.#isWaitTold = true
  }

  async #waitForQuota(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    for (let left = this.#heldUntil - Date.now(); left > 0; left = this.#heldUntil - Date.now()) {
      await sleep(left + jittered(firstPause), signal)
    }
  }
}

/** Between half of it and all of it, so that those who wait together do not come back together. */
function jittered(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random() / 2)
}

/** Waits so long, or throws the reason of the signal as soon as it has come. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}
