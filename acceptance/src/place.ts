import { request } from 'node:http'
import { request as requestSafely } from 'node:https'

/** An institution of a running service, and what opens it. */
export interface Place {
  /** The address of the service, without `/v1`. */
  readonly address: string
  /** Of the Client API, with all scopes and domains. */
  readonly token: string
  /** Of the Resource and Method API, with the role System Manager. */
  readonly key: string
}

/** An answer, read whole. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any
}

/** What is sent beside a path. */
export interface Sending {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object | Buffer | string
}

/** How long an answer may take, in milliseconds, before it counts as none. */
const timeout = 30_000

/** Nobody answered, or not to the end: what was asked for may have been done or not. */
export class NoResponse extends Error {}

/**
 * Sends one request and reads its answer, whatever its status is. Redirects are not followed.
 *
 * @throws NoAnswer
 */
export async function send(url: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Answer> {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const bytes = body === undefined ? undefined : isRaw ? body : JSON.stringify(body)
  const type = body === undefined || isRaw ? {} : { 'content-type': 'application/json' }
  const length = bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) }
  const ask = url.startsWith('https:') ? requestSafely : request
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const sent = ask(url, { method, headers: { ...type, ...length, ...headers } }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const entries = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
          resolve(getAnswer(response.statusCode ?? 0, new Headers(entries as [string, string][]), Buffer.concat(parts)))
        })
      })
      sent.setTimeout(timeout, () => sent.destroy(new Error(`no answer in ${timeout} ms`)))
      sent.on('error', reject)
      sent.end(bytes)
    })
  } catch (error) {
    throw new NoResponse(`${method} ${new URL(url).pathname}: ${(error as Error).message}`)
  }
}

function getAnswer(status: number, headers: Headers, bytes: Buffer): Answer {
  const isJson = headers.get('content-type')?.includes('json') ?? false
  return { status, headers, bytes, body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null }
}

/** Calls an operation of the Client API; `path` begins behind `/v1`. */
export function v1({ address, token }: Place, path: string, sending: Sending = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...sending.headers }
  return send(`${address}/v1${path}`, { ...sending, headers })
}

/** Calls the Resource and Method API; `path` begins with `/api`. */
export function api({ address, key }: Place, path: string, sending: Sending = {}): Promise<Answer> {
  return send(address + path, { ...sending, headers: { authorization: key, ...sending.headers } })
}

/** The address of records of a type on the Resource API, or of one of them. */
export function resource(type: string, name?: string): string {
  return `/api/resource/${encodeURIComponent(type)}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
}
