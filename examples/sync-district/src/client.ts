import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fields } from './difference.ts'
import { NoAnswer, Refusal } from './refusal.ts'

/** An answer of the service with a record. */
export interface Answer<Data> {
  readonly status: number
  readonly data: Data
  readonly headers: Headers
}

interface Settings {
  readonly address: string
  readonly token: string
  /** Ends every wait. A request that is on its way is not cut off. */
  readonly stop: AbortSignal
  /** Told in a line why requests wait, once until they go on. */
  readonly onWait: (reason: string) => void
}

const mostAttempts = 8
const firstPause = 250
const longestPause = 10_000
const patience = 60_000

/**
 * The Client API over HTTP. Every request may be repeated safely, so it is, after a growing pause: when no answer came,
 * when the service is stopping or restarting, and when the quota was used up.
 */
export class Client {
  requests = 0
  readonly #settings: Settings
  #inFlight = 0
  #heldUntil = 0
  #isWaitTold = false

  constructor(settings: Settings) {
    this.#settings = settings
  }

  get<Data>(path: string): Promise<Answer<Data>> {
    return this.#send('GET', path)
  }

  put<Data>(path: string, body: Fields): Promise<Answer<Data>> {
    return this.#send('PUT', path, body)
  }

  patch<Data>(path: string, body: Fields): Promise<Answer<Data>> {
    return this.#send('PATCH', path, body)
  }

  delete<Data>(path: string): Promise<Answer<Data>> {
    return this.#send('DELETE', path)
  }

  /**
   * A create. Its Idempotency-Key follows from what is created and from the occasion, so a run that was killed and
   * started again uses the same key and gets the answer of the first. The occasion names the state that the create starts
   * from: what was created, removed and is to be created again is another occasion.
   */
  post<Data>(path: string, body: Fields, occasion: string): Promise<Answer<Data>> {
    const facts = JSON.stringify(['POST', path, body, occasion])
    const key = createHash('sha256').update(facts).digest('hex')
    return this.#send('POST', path, body, { 'idempotency-key': key })
  }

  /** Every record of a list, by cursor, a hundred at a time. Throws the reason of `stop` between two pages. */
  async *walk<Item>(path: string): AsyncGenerator<Item> {
    for (let cursor: string | null = '*'; cursor !== null; ) {
      this.#settings.stop.throwIfAborted()
      const page: Answer<Item[]> = await this.get(`${path}?limit=100&cursor=${encodeURIComponent(cursor)}`)
      yield* page.data
      cursor = page.headers.get('next-cursor')
    }
  }

  async #send<Data>(method: string, path: string, body?: Fields, headers = {}): Promise<Answer<Data>> {
    for (let attempt = 1; ; ) {
      await this.#waitForQuota()
      const outcome = await this.#sendOnce<Data>(method, path, body, headers)
      if ('data' in outcome) {
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

  async #sendOnce<Data>(
    method: string,
    path: string,
    body: Fields | undefined,
    headers: object,
  ): Promise<Answer<Data> | Refusal | NoAnswer> {
    const { address, token } = this.#settings
    this.requests += 1
    this.#inFlight += 1
    try {
      const response = await fetch(`${address}/v1${path}`, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(patience),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      this.#heedQuota(response.headers)
      if (!response.ok) return new Refusal(response.status, response.headers, text)
      return { status: response.status, data: JSON.parse(text).data, headers: response.headers }
    } catch (error) {
      const { message, cause } = error as Error
      const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message
      return new NoAnswer(`no answer from ${address}: ${reason}`)
    } finally {
      this.#inFlight -= 1
    }
  }

  /** Holds requests back before the quota is used up, so that none has to be refused. */
  #heedQuota(headers: Headers): void {
    const quota = /r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '')
    if (quota !== null && Number(quota[1]) < this.#inFlight) this.#hold(Number(quota[2]))
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
