import autocannon from 'autocannon'

/** One kind of request under load. */
export interface Load {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
  /** A header whose value must be new in each request. */
  readonly freshHeader?: string
}

/** Requests per second that a server answers, over some connections for some seconds. Throws when any answer is not 2xx. */
export async function requestsPerSecond(
  address: string,
  load: Load,
  seconds: number,
  connections = 32,
): Promise<number> {
  let sent = 0
  const run = Math.random().toString(36).slice(2)
  const result = await autocannon({
    url: address + load.path,
    method: load.method,
    connections,
    duration: seconds,
    headers: load.headers,
    ...(load.body !== undefined && { body: load.body }),
    ...(load.freshHeader !== undefined && {
      setupClient: (client) => {
        const next = () => {
          sent += 1
          client.setHeaders({ ...load.headers, [load.freshHeader as string]: `${run}-${sent}` })
        }
        next()
        client.on('response', next)
      },
    }),
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${load.method} ${load.path}: ${result.non2xx} refusals, ${result.errors} errors`)
  }
  return result['2xx'] / result.duration
}

/** The middle one of an odd number of measurements. */
export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] as number
}
