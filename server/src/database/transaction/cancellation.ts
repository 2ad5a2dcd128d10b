/** Whom something is done for, as far as it matters whether they still wait for it. */
export interface Cancellation {
  /** Aborted when nobody waits for the outcome any more. It may be made only when it is asked for. */
  readonly signal?: AbortSignal | null
  /** Whether nobody does now, where that is told without making a signal. */
  readonly isUnwanted?: boolean
}

/** Whether nobody waits for what is done for an audience. */
export function isUnwanted(cancellation: Cancellation): boolean {
  return cancellation.isUnwanted ?? cancellation.signal?.aborted === true
}

/** What takes no longer than so many milliseconds is over before anybody could be told that it is unwanted. */
const soon = 20

/**
 * Calls `tell` once nobody waits for what is done for an audience; where a signal is yet to be made, up to 20 ms late: most is done by
 * then, and to make one and listen from the beginning would take longer than much of that does. Returns what ends the listening, however
 * often it is called.
 */
export function onCancel(cancellation: Cancellation, tell: () => void): () => void {
  let signal: AbortSignal | null = null
  const listen = () => {
    signal = cancellation.signal ?? null
    if (signal?.aborted) tell()
    else signal?.addEventListener('abort', tell, { once: true })
  }
  const timer = cancellation.isUnwanted === undefined ? undefined : setTimeout(listen, soon)
  if (timer === undefined) listen()
  return () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', tell)
  }
}
