import { randomUUID } from 'node:crypto'

/** Where the stress is put on: a tenant of a running service, with a token of `/v1` that may do everything and a key of `/api`. */
export interface StressTarget {
  readonly address: string
  readonly tenantId: string
  readonly token: string
  readonly key: string
  /** Asks the database as its owner, who sees everything. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
}

/** An answer, read. */
export interface StressResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any
  readonly headers: Headers
}

/** Called with every answer: what was asked for, and how many milliseconds it took. */
export type Witness = (call: string, response: StressResponse, milliseconds: number) => void

/** Calls both surfaces of one tenant and tells a witness what came of it. */
export class StressCaller {
  readonly #target: StressTarget
  readonly #witness: Witness

  constructor(target: StressTarget, witness: Witness) {
    this.#target = target
    this.#witness = witness
  }

  /** The Client API. */
  v1(method: string, path: string, body?: object): Promise<StressResponse> {
    const call = `${method} /v1${path.replace(/\?.*/, '').replaceAll(/[0-9a-f-]{36}|ext-\d+/g, '{id}')}`
    const headers = { authorization: `Bearer ${this.#target.token}`, 'idempotency-key': randomUUID() }
    return this.#send(call, method, `/v1${path}`, headers, body)
  }

  /** A record of the Resource API; without a name, all of its type. */
  record(method: string, type: string, name: string | null, body?: object): Promise<StressResponse> {
    const path = `/api/resource/${encodeURIComponent(type)}${name === null ? '' : `/${encodeURIComponent(name)}`}`
    return this.#send(`${method} ${type}`, method, path, { authorization: this.#target.key }, body)
  }

  /** The names of the records of a type that meet filters, twenty at most. */
  async names(type: string, filters: object = []): Promise<string[]> {
    const query = new URLSearchParams({ filters: JSON.stringify(filters), order_by: 'creation desc' })
    const path = `/api/resource/${encodeURIComponent(type)}?${query}`
    const { body } = await this.#send(`list ${type}`, 'GET', path, { authorization: this.#target.key })
    return (body?.data ?? []).map(({ name }: { name: string }) => name)
  }

  /** A method of the Method API. */
  method(path: string, args: object): Promise<StressResponse> {
    const call = path.split('.').at(-1) as string
    return this.#send(call, 'POST', `/api/method/${path}`, { authorization: this.#target.key }, args)
  }

  async #send(call: string, method: string, path: string, headers: object, body?: object): Promise<StressResponse> {
    const started = performance.now()
    const response = await fetch(this.#target.address + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    const parsed = isJson && text !== '' ? JSON.parse(text) : null
    const answer = { status: response.status, body: parsed, headers: response.headers }
    this.#witness(call, answer, performance.now() - started)
    return answer
  }
}
