import { createHash } from 'node:crypto'
import type { Fields } from './difference.ts'
import { NoAnswer, Refusal } from './refusal.ts'
import { SteadySender } from './steady-sender.ts'

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

/** How long an answer may take, in milliseconds. */
export const patience = 60_000

/** The Client API over HTTP. Every request may be repeated safely, so it is. */
export class Client {
  readonly #settings: Settings
  readonly #sender: SteadySender

  constructor(settings: Settings) {
    this.#settings = settings
    this.#sender = new SteadySender(settings)
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
      this.#sender.throwIfStopped()
      const page: Answer<Item[]> = await this.get(`${path}?limit=100&cursor=${encodeURIComponent(cursor)}`)
      yield* page.data
      cursor = page.headers.get('next-cursor')
    }
  }

  #send<Data>(method: string, path: string, body?: Fields, headers = {}): Promise<Answer<Data>> {
    return this.#sender.send(() => this.#sendOnce<Data>(method, path, body, headers))
  }

  async #sendOnce<Data>(
    method: string,
    path: string,
    body: Fields | undefined,
    headers: object,
  ): Promise<Answer<Data> | Refusal | NoAnswer> {
    const { address, token } = this.#settings
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
      this.#sender.heedQuota(response.headers.get('ratelimit'))
      if (!response.ok) return new Refusal(response.status, response.headers, text)
      return { status: response.status, data: JSON.parse(text).data, headers: response.headers }
    } catch (error) {
      const { message, cause } = error as Error
      const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message
      return new NoAnswer(`no answer from ${address}: ${reason}`)
    }
  }
}
