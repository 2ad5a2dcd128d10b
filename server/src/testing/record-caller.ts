/** An answer of the Resource and Method API, read. */
export interface RecordAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
  readonly text: string
  readonly bytes: Buffer
  /** The cookies that were set, by name. */
  readonly cookies: ReadonlyMap<string, { readonly value: string; readonly line: string }>
}

type CallHeaders = Readonly<Record<string, string>>

/** Calls the Resource and Method API over HTTP, at one address with the headers of one caller. */
export class RecordCaller {
  readonly address: string
  readonly #headers: CallHeaders

  constructor(address: string, headers: CallHeaders = {}) {
    this.address = address
    this.#headers = headers
  }

  /** The same caller at another address of the institution. */
  at(address: string): RecordCaller {
    return new RecordCaller(address, this.#headers)
  }

  /** The same caller with further headers. */
  with(headers: CallHeaders): RecordCaller {
    return new RecordCaller(this.address, { ...this.#headers, ...headers })
  }

  get(path: string): Promise<RecordAnswer> {
    return this.send('GET', path)
  }

  post(path: string, body: unknown = {}): Promise<RecordAnswer> {
    return this.send('POST', path, body)
  }

  put(path: string, body: unknown): Promise<RecordAnswer> {
    return this.send('PUT', path, body)
  }

  delete(path: string): Promise<RecordAnswer> {
    return this.send('DELETE', path)
  }

  /** Follows a stream of server-sent events until its first beat, and gives its text; what is no stream is given whole. */
  async followed(path: string): Promise<string> {
    const headers = { ...this.#headers, accept: 'text/event-stream' }
    const leave = new AbortController()
    const { body } = await fetch(this.address + path, { headers, signal: leave.signal })
    const decoder = new TextDecoder()
    let text = ''
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      if (text.includes('event: beat')) break
    }
    leave.abort()
    return text
  }

  /** Sends forms, texts and bytes as they are, everything else as JSON. */
  async send(method: string, path: string, body?: unknown, headers: CallHeaders = {}): Promise<RecordAnswer> {
    const isRaw =
      typeof body === 'string' ||
      body instanceof Uint8Array ||
      body instanceof URLSearchParams ||
      body instanceof FormData
    const response = await fetch(this.address + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
        ...this.#headers,
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    const cookies = response.headers.getSetCookie().map((line) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      return [name, { value: decodeURIComponent(value), line }] as const
    })
    return {
      status: response.status,
      headers: response.headers,
      text,
      bytes,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      cookies: new Map(cookies),
    }
  }
}
