import { NoAnswer, Problem, SteadySender } from '@matricula/client'
import { FrappeApp } from 'frappe-js-sdk'
import type { Fields, Json } from '../run/difference.ts'

/** A row of a list: the fields that were asked for. */
export type ListRow = { readonly [field: string]: Json }
export type RecordFilter = [field: string, operator: '=' | '!=', value: string | number] | [string, 'in', string[]]

interface Settings {
  readonly address: string
  readonly key: string
  /** Ends every wait. A request that is on its way is not cut off. */
  readonly stop: AbortSignal
  /** Told in a line why requests wait, once until they go on. */
  readonly onWait: (reason: string) => void
}

/** What frappe-js-sdk throws: the body of the refusal, with the status of the answer, or 0 where none came. */
interface SdkError {
  readonly httpStatus: number
  readonly message: string
  readonly exception?: string
  readonly exc_type?: string
  readonly _server_messages?: string
  /** Of the header; the interceptor below puts it there. */
  readonly retry_after?: string
}

const pageSize = 500

/** How long an answer may take, in milliseconds. */
const timeout = 60_000

/** The Resource and Method API through frappe-js-sdk. */
export class RecordClient {
  readonly #address: string
  readonly #sender: SteadySender
  readonly #stop: AbortSignal
  readonly #db: ReturnType<FrappeApp['db']>

  constructor({ address, key, stop, onWait }: Settings) {
    this.#address = address
    this.#sender = new SteadySender({ onWait })
    this.#stop = stop
    const app = new FrappeApp(address, { useToken: true, token: () => key, type: 'Bearer' })
    app.axios.defaults.timeout = timeout
    // The SDK gives neither the headers of an answer nor those of a refusal.
    app.axios.interceptors.response.use(
      (response) => {
        this.#sender.heedQuota(response.headers.ratelimit ?? null)
        return response
      },
      (error) => {
        const { data, headers } = error.response ?? {}
        if (typeof data === 'object' && data !== null) data.retry_after = headers['retry-after']
        throw error
      },
    )
    this.#db = app.db()
  }

  /**
   * Every record of a type that meets the filters, by name, five hundred rows at a time; a field of a table gives a row for
   * each of its rows. Throws the reason of `stop` between two pages.
   */
  async list(type: string, fields: readonly string[], filters: RecordFilter[] = []): Promise<ListRow[]> {
    const rows: ListRow[] = []
    for (;;) {
      this.#stop.throwIfAborted()
      const page = await this.#send(() =>
        this.#db.getDocList<ListRow>(type, {
          fields: [...fields] as never,
          filters: filters as never,
          orderBy: { field: 'name', order: 'asc' },
          limit_start: rows.length,
          limit: pageSize,
        }),
      )
      rows.push(...page)
      if (page.length < pageSize) return rows
    }
  }

  get(type: string, name: string): Promise<ListRow> {
    return this.#send(() => this.#db.getDoc<ListRow>(type, name))
  }

  /**
   * Makes a record and answers its name. When the answer to an earlier try was lost, the record may be there already: then
   * it is the one that meets the filters, and no other is made.
   */
  async create(type: string, fields: Fields, found: RecordFilter[]): Promise<string> {
    const { name } = await this.#send(async (attempt) => {
      const [made] =
        attempt === 1 ? [] : await this.#db.getDocList<ListRow>(type, { filters: found as never, limit: 1 })
      return made ?? (await this.#db.createDoc<ListRow>(type, fields))
    })
    return String(name)
  }

  update(type: string, name: string, fields: Fields): Promise<ListRow> {
    return this.#send(() => this.#db.updateDoc<ListRow>(type, name, fields))
  }

  #send<Answer>(call: (attempt: number) => Promise<Answer>): Promise<Answer> {
    const attempt = (number: number) =>
      call(number).catch((error) => {
        throw this.#getFailure(error)
      })
    return this.#sender.send(attempt, { isRepeatable: true, signal: this.#stop })
  }

  #getFailure(error: SdkError): unknown {
    const { httpStatus: status, message, exc_type: code, retry_after: seconds } = error
    if (status === undefined) return error
    if (status === 0) return new NoAnswer(`no answer from ${this.#address}: ${message}`)
    const headers = new Headers(seconds === undefined ? {} : { 'retry-after': seconds })
    return new Problem(status, headers, { ...(code !== undefined && { code }), detail: saidIn(error) })
  }
}

/** What the service said in words: the messages for its users, or the text of the exception. */
function saidIn({ _server_messages: reported, exception, message }: SdkError): string {
  const messages = reported === undefined ? [] : (JSON.parse(reported) as string[])
  const texts = messages.map((text) => (JSON.parse(text) as { message: string }).message)
  return texts.join(' ') || exception?.replace(/^[\w.]+: /, '') || message
}
