import autocannon from 'autocannon'

/** What one request of a load has of its own. */
export type Fresh = { readonly path?: string; readonly body?: string; readonly headers?: Record<string, string> }

/** One kind of request under load. */
export interface Load {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
  /** What is new in each request, by its number, which no other load of the same run has. */
  readonly fresh?: (number: number) => Fresh
}

/** When payments of a load are due: what is overdue, a job changes beside what is measured. */
export const farDueDate = '2099-09-01'

/** What a server did under load. */
export interface Rate {
  readonly perSecond: number
  readonly answers: number
}

let sent = 0

/** Puts a server under load over some connections for some seconds. Throws when any answer is not 2xx. */
export async function putLoad(address: string, load: Load, seconds: number, connections: number): Promise<Rate> {
  const { path, fresh, ...rest } = load
  const result = await autocannon({
    url: address,
    connections,
    duration: seconds,
    requests: [
      {
        ...rest,
        path,
        ...(fresh !== undefined && {
          setupRequest: (request) => {
            sent += 1
            const { headers, ...own } = fresh(sent)
            return { ...request, ...own, headers: { ...request.headers, ...headers } }
          },
        }),
      },
    ],
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${load.method} ${path}: ${result.non2xx} refusals, ${result.errors} errors`)
  }
  return { perSecond: result['2xx'] / result.duration, answers: result['2xx'] }
}

/** Requests per second that a server answers. */
export async function requestsPerSecond(address: string, load: Load, seconds: number, connections = 32) {
  return (await putLoad(address, load, seconds, connections)).perSecond
}

/** The middle one of some measurements. */
export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] as number
}
