/** This process was asked to stop before its work was done. */
export class StopRequested extends Error {
  readonly signal: StopSignal

  constructor(signal: StopSignal) {
    super(`stopped by ${signal}`)
    this.signal = signal
  }
}

type StopSignal = keyof typeof numbers

/**
 * The signals that ask for an end, and the one for which a reader of the output stands who has gone; their numbers
 * are the same everywhere.
 */
const numbers = { SIGHUP: 1, SIGINT: 2, SIGPIPE: 13, SIGTERM: 15 } as const
const stopSignals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/**
 * A terminal and npm both send a signal to the same process; what comes so soon after the first is the same request.
 */
const sameRequestMilliseconds = 5_000

/** Timeout of aborted work on shutdown, in milliseconds. */
const timeoutAfterCut = 10_000

const request = new AbortController()
const impatience = new AbortController()
const holds = new Set<Promise<unknown>>()
let isEndless = false

/** Aborted with `StopRequested` once this process was asked to stop. */
export const stopRequest: AbortSignal = request.signal

/** Aborted once it was asked to stop again, some seconds later: then it finishes nothing more. */
export const abortRequest: AbortSignal = impatience.signal

/**
 * Watches for SIGHUP, SIGINT and SIGTERM from now on, of which the first aborts `stopRequest` and a later one
 * `abortRequest`. Who calls this has to see to the end of the process.
 */
export function watchSignals(): void {
  let askedAt = 0
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (!request.signal.aborted) {
        askedAt = performance.now()
        request.abort(new StopRequested(signal))
      } else if (performance.now() - askedAt > sameRequestMilliseconds && !impatience.signal.aborted) {
        process.stderr.write('matricula: asked again to stop: what is still under way is cut off\n')
        impatience.abort()
        setTimeout(() => process.exit(1), timeoutAfterCut).unref()
      }
    })
  }
}

/** Takes it for a request to stop when nobody reads the standard output any more, as `… | head` does. */
export function watchReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    if (!request.signal.aborted) request.abort(new StopRequested('SIGPIPE'))
  })
}

/** Leaves the signals to the process that started this one and got them too. */
export function ignoreSignals(): void {
  for (const signal of stopSignals) process.on(signal, () => {})
}

/** The outcome of `work`, or `StopRequested` as soon as `signal` asks for an end; `work` then goes on unheard. */
export async function unlessStopped<Result>(work: Promise<Result>, signal = stopRequest): Promise<Result> {
  work.catch(() => {})
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, stopped])
  } finally {
    stopped.catch(() => {})
    signal.removeEventListener('abort', stop)
  }
}

/**
 * Pieces until this process is asked to stop: then it throws `StopRequested`, so that who reads them puts down what
 * it began.
 */
export async function* untilStopped<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    stopRequest.throwIfAborted()
    yield piece
  }
}

/** Lets `endWhenStopped` wait for `work`, which puts down what it began once `stopRequest` is aborted. */
export async function putDownBeforeEnd<Result>(work: Promise<Result>): Promise<Result> {
  holds.add(work)
  try {
    return await work
  } finally {
    holds.delete(work)
  }
}

/**
 * Ends the process once it was asked to stop and nothing is left to be put down: with the status that shells give to
 * an end by that signal, or with 0 where `runsUntilStopped` was called.
 */
export function endWhenStopped(): void {
  stopRequest.addEventListener('abort', async () => {
    await Promise.allSettled(holds)
    process.exit(isEndless ? 0 : 128 + numbers[(stopRequest.reason as StopRequested).signal])
  })
}

/** Tells that this process would go on without end, so that to be stopped is no failure of it. */
export function runsUntilStopped(): void {
  isEndless = true
}

/** Disposes of resources in reverse order. Throws the first failure, after all were tried. */
export async function putDown(begun: (() => unknown)[]): Promise<void> {
  const failures: unknown[] = []
  for (const end of begun.splice(0).reverse()) {
    try {
      await end()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
