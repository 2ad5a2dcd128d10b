import { setTimeout as sleep } from 'node:timers/promises'
import { NoAnswer, Refusal } from './refusal.ts'

interface Settings {
  /** Ends every wait. A request that is on its way is not cut off. */
  readonly stop: AbortSignal
  /** Told in a line why requests wait, once until they go on. */
  readonly onWait: (reason: string) => void
}

const mostAttempts = 8
const firstPause = 250
const longestPause = 10_000

/**
 * Sends a request until it is answered for good: again, after a growing pause, when no answer came, when the service is
 * stopping or restarting, and when the quota was used up.
 */
export class SteadySender {
  readonly #settings: Settings
  #inFlight = 0
  #heldUntil = 0
  #isWaitTold = false

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** The answer to a request, which is told at which attempt it is sent, from 1. Throws `Refusal` and `NoAnswer`. */
  async send<Answer extends object>(
    sendOnce: (attempt: number) => Promise<Answer | Refusal | NoAnswer>,
  ): Promise<Answer> {
    for (let attempt = 1; ; ) {
      await this.#waitForQuota()
      const outcome = await this.#count(() => sendOnce(attempt))
      if (!(outcome instanceof Refusal || outcome instanceof NoAnswer)) {
        // Answers to what was sent before a hold still come in.
        if (this.#heldUntil < Date.now()) this.#isWaitTold = false
        return outcome
      }
      const isRefused = outcome instanceof Refusal
      if (isRefused && !outcome.isPassing) throw outcome
      if (isRefused && outcome.status === 429) {
        this.#hold(outcome.retryAfter ?? 1)
        continue
      }
      if (attempt === mostAttempts) throw outcome
      if (attempt > 1) this.#tellWait(`${outcome.message}; trying again`)
      const least = isRefused ? (outcome.retryAfter ?? 0) * 1000 : 0
      await this.#pause(Math.max(least, jittered(Math.min(longestPause, firstPause * 2 ** (attempt - 1)))))
      attempt += 1
    }
  }

  /** Holds requests back before the quota of a `RateLimit` header is used up, so that none has to be refused. */
  heedQuota(rateLimit: string | null): void {
    const quota = /r=(\d+);t=(\d+)/.exec(rateLimit ?? '')
    if (quota !== null && Number(quota[1]) < this.#inFlight) this.#hold(Number(quota[2]))
  }

  /** Throws the reason of `stop` once it has come. */
  throwIfStopped(): void {
    this.#settings.stop.throwIfAborted()
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
    if (!this.#isWaitTold) this.#settings.onWait(reason)
    this.#isWaitTold = true
  }

  async #waitForQuota(): Promise<void> {
    for (let left = this.#heldUntil - Date.now(); left > 0; left = this.#heldUntil - Date.now()) {
      await this.#pause(left + jittered(firstPause))
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#settings.stop })
  }
}

/** Between half of it and all of it, so that those who wait together do not come back together. */
function jittered(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random() / 2)
}
