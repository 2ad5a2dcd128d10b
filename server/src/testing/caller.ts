import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { clientApi, type Operation, type ProblemCode, problemsOf } from '@matricula/contract'

/** An answer of the Client API, read. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
  readonly text: string
}

type CallHeaders = Record<string, string>

/**
 * Calls the Client API as an integrator does: over HTTP, with one token. Every refusal must have a code that the contract
 * declares for its operation.
 */
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
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : null,
    }
    requireDeclared(method, path, answer)
    return answer
  }
}

const declared = (Object.values(clientApi) as Operation[])
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
    parameters: operation.path.split('{').length,
  }))
  // An address that is spelt out comes before one with a parameter in its place.
  .sort((one, other) => one.parameters - other.parameters)

/** Fails when an operation refuses with a code that the contract does not declare for it. */
function requireDeclared(method: string, path: string, { status, body }: ApiAnswer): void {
  const code: ProblemCode | undefined = body?.code
  if (status < 400 || code === undefined) return
  const address = path.split('?')[0] as string
  const asked = method === 'HEAD' ? 'GET' : method
  const found = declared.find(({ operation, pattern }) => operation.method === asked && pattern.test(address))
  if (found === undefined) return
  const codes = problemsOf(found.operation)
  assert.ok(
    codes.includes(code),
    `${asked} ${found.operation.path} answered ${code}, which the contract does not declare`,
  )
}
