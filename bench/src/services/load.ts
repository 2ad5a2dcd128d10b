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
  /** Whether an answer says that all of it was done. */
  readonly isWell?: (body: string) => boolean
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
export function putLoad(address: string, load: Load, seconds: number, connections: number): Promise<Rate> {
  return loadWith(address, load, { duration: seconds, connections })
}

/** The same with so many requests. */
export function putRequests(address: string, load: Load, amount: number, connections: number): Promise<Rate> {
  return loadWith(address, load, { amount, connections })
}

async function loadWith(
  address: string,
  load: Load,
  size: Pick<autocannon.Options, 'amount' | 'duration' | 'connections'>,
): Promise<Rate> {
  const { path, fresh, isWell, ...rest } = load
  const started = performance.now()
  let ended = started
  const options: autocannon.Options = {
    url: address,
    ...size,
    ...(isWell !== undefined && { verifyBody: (body: unknown) => isWell(String(body)) }),
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
  }
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, reported) => (error ? reject(error) : resolve(reported)))
    // It looks only once a second whether so many are answered.
    run.on('response', () => {
      ended = performance.now()
    })
  })
  const { non2xx, errors, mismatches } = result
  if (non2xx + errors + mismatches > 0) {
    throw new Error(`${load.method} ${path}: ${non2xx} refusals, ${errors} errors, ${mismatches} that are not well`)
  }
  const seconds = size.amount === undefined ? result.duration : (ended - started) / 1000
  return { perSecond: result['2xx'] / seconds, answers: result['2xx'] }
}

/** Requests per second that a server answers. */
export async function requestsPerSecond(address: string, load: Load, seconds: number, connections = 32) {
  return (await putLoad(address, load, seconds, connections)).perSecond
}

/** The middle one of some measurements. */
export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] as number
}
