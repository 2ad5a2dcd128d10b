import { randomUUID } from 'node:crypto'

/** An answer of the Client API, read. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
  readonly text: string
}

type CallHeaders = Record<string, string>

/** Calls the Client API as an integrator does: over HTTP, with one token. */
export class Caller {
  readonly #address: string
  readonly #token: string | null

  constructor(address: string, token: string | null) {
    this.#address = address
    this.#token = token
  }

  get(path: string, headers: CallHeaders = {}): Promise<ApiAnswer> {
    return this.send('GET', path, undefined, headers)
  }

  /** A create: with a fresh Idempotency-Key unless the headers bring one. */
  post(path: string, body: unknown, headers: CallHeaders = {}): Promise<ApiAnswer> {
    return this.send('POST', path, body, { 'idempotency-key': randomUUID(), ...headers })
  }

  patch(path: string, body: unknown, headers: CallHeaders = {}): Promise<ApiAnswer> {
    return this.send('PATCH', path, body, headers)
  }

  put(path: string, body: unknown, headers: CallHeaders = {}): Promise<ApiAnswer> {
    return this.send('PUT', path, body, headers)
  }

  delete(path: string, headers: CallHeaders = {}): Promise<ApiAnswer> {
    return this.send('DELETE', path, undefined, headers)
  }

  /** Sends a body as it is when it is a string or bytes, else as JSON. */
  async send(method: string, path: string, body: unknown, headers: CallHeaders = {}): Promise<ApiAnswer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(`${this.#address}/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.#token !== null && { authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : null }
  }
}
