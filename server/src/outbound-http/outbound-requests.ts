import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { outgoingTrace } from '../tracing/index.ts'
import { type AddressGuard, AddressNotAllowed } from './address-guard.ts'

/** The head of a response. Its body is discarded. */
export interface CallResponse {
  readonly status: number
  /** The value of Retry-After (RFC 9110 §10.2.3), or null. */
  readonly retryAfter: string | null
}

/** The response was not complete within the timeout. */
class CallTimeout extends Error {
  readonly code = 'CALL_TIMEOUT'
}

/** The response exceeds the maximum size. */
class ResponseTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG'
}

/** What is sent to an address. */
export interface SentCall {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A response with its body. */
interface FullResponse {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** Empty where the body was discarded. */
  readonly body: Buffer
}

interface CallLimits {
  /** Timeout of a call in milliseconds, from the DNS look-up to the end of the response. */
  readonly timeoutMs: number
  /** Maximum size of a response body in bytes. */
  readonly maxBytes: number
}

/**
 * HTTP client for addresses chosen by others. It connects to exactly the addresses that the guard has allowed: the
 * name is resolved while connecting and nowhere else, against DNS rebinding. Redirects are not followed, and
 * connections are pooled per host.
 */
export class OutgoingCalls {
  readonly #guard: AddressGuard
  readonly #limits: CallLimits
  readonly #agents: { readonly http: http.Agent; readonly https: https.Agent }

  /** `ca`: certificates to trust in place of the usual ones. */
  constructor(guard: AddressGuard, limits: CallLimits, tls: { readonly ca?: string } = {}) {
    this.#guard = guard
    this.#limits = limits
    const options = { keepAlive: true, maxFreeSockets: 8, timeout: limits.timeoutMs }
    this.#agents = { http: new http.Agent(options), https: new https.Agent({ ...options, ...tls }) }
  }

  /**
   * Posts a body. Throws `AddressNotAllowed`, `CallTimeout`, `ResponseTooLong`, or the error of node, of DNS or of
   * TLS. When `stop` is aborted, the call is broken off, whatever has become of it.
   */
  async post(address: string, headers: Record<string, string>, body: Buffer, stop: AbortSignal): Promise<CallResponse> {
    const response = await this.#patiently(address, { method: 'POST', headers, body }, false, stop)
    return { status: response.status, retryAfter: response.headers['retry-after'] ?? null }
  }

  /** Sends something and reads the answer whole, as `fetch` gives it. Throws what `post` throws. */
  async fetch(address: string, sent: SentCall, stop?: AbortSignal): Promise<Response> {
    const { status, headers, body } = await this.#patiently(address, sent, true, stop)
    const reported = new Headers()
    for (const [name, value] of Object.entries(headers)) {
      for (const each of [value ?? []].flat()) reported.append(name, each)
    }
    return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), { status, headers: reported })
  }

  async #patiently(address: string, sent: SentCall, keepsBody: boolean, stop?: AbortSignal): Promise<FullResponse> {
    const url = new URL(address)
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(), this.#limits.timeoutMs)
    const signal = stop === undefined ? over.signal : AbortSignal.any([over.signal, stop])
    const call = () => this.#call(url, sent, keepsBody, signal)
    try {
      return await call().catch((error: unknown) => {
        if (error instanceof StaleConnection) return call()
        throw error
      })
    } catch (error) {
      throw over.signal.aborted ? new CallTimeout('the answer did not come in time') : error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Closes the pooled connections. */
  close(): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  #call(url: URL, { method, headers, body }: SentCall, keepsBody: boolean, signal: AbortSignal): Promise<FullResponse> {
    const isEncrypted = url.protocol === 'https:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // An address is not looked up, so it is looked at before; it is what is connected to.
    if (isIP(host) !== 0 && !this.#guard.mayCall(host, { isEncrypted })) {
      return Promise.reject(new AddressNotAllowed(`${host} is not public`))
    }
    const lookup: LookupFunction = (name, options, found) => {
      this.#guard.loadAddresses(name, { isEncrypted }).then(
        (addresses) => {
          const all = addresses.map((address) => ({ address, family: isIP(address) }))
          const [first] = all
          if (options.all === true || first === undefined) found(null, all as never)
          else found(null, first.address, first.family)
        },
        (error: NodeJS.ErrnoException) => found(error, []),
      )
    }
    return new Promise((resolve, reject) => {
      const options = {
        method,
        agent: isEncrypted ? this.#agents.https : this.#agents.http,
        lookup,
        signal,
        headers: { ...headers, ...outgoingTrace(), 'content-length': String(body.length) },
      }
      const request = (isEncrypted ? https : http).request(url, options)
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')
        reject(isStale ? new StaleConnection() : error)
      })
      request.on('response', (response) => {
        let bytes = 0
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => {
          bytes += part.length
          if (keepsBody) parts.push(part)
          if (bytes > this.#limits.maxBytes) response.destroy(new ResponseTooLong('the answer is too long'))
        })
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response
          resolve({ status, headers: answered, body: Buffer.concat(parts) })
        })
      })
      // Whoever wants to go on in another protocol (101), or hangs up, says no word of HTTP more.
      request.on('upgrade', (_response, socket) => socket.destroy())
      request.on('close', () => reject(new ConnectionLost('the connection ended before the answer')))
      request.end(body)
    })
  }
}

/** The connection ended before the answer did. */
class ConnectionLost extends Error {
  readonly code = 'ECONNRESET'
}

/** A pooled connection was closed by the other side before the response: retried on another one. */
class StaleConnection extends Error {}
