import { institutionPath } from './place.ts'

/** That something happened to a record, without what it is. */
export interface LiveEvent {
  /** What it happened to, as the events call it: `vault_request`. */
  readonly entity: string
  readonly recordType: string | null
  readonly name: string | null
  readonly actor: { readonly name: string | null }
}

const name = `matricula-live ${institutionPath}`

/** What is told of the records: events, and that some may have been missed. */
interface Listener {
  readonly onEvent: (event: LiveEvent) => void
  /** Called once after each time that nobody listened for. */
  readonly onGap: () => void
}

/**
 * Tells what happens to records from now on, until the returned function is called. One window of a browser listens and tells the
 * others; when it is closed another one goes on, and says that something may have been missed, as a connection that was lost does.
 */
export function followLive({ onEvent, onGap }: Listener): () => void {
  const channel = new BroadcastChannel(name)
  const ending = new AbortController()
  channel.onmessage = ({ data }: MessageEvent<LiveEvent | 'gap'>) => (data === 'gap' ? onGap() : onEvent(data))
  const lead = (tookOver: boolean) =>
    new Promise<void>((resolve) => {
      let mayHaveMissed = tookOver
      const source = new EventSource(`${institutionPath}/console/v1/live`)
      source.onopen = () => {
        if (mayHaveMissed) {
          onGap()
          channel.postMessage('gap')
        }
        mayHaveMissed = true
      }
      source.onmessage = ({ data }) => {
        const event: LiveEvent = JSON.parse(data)
        onEvent(event)
        channel.postMessage(event)
      }
      ending.signal.addEventListener('abort', () => {
        source.close()
        resolve()
      })
    })
  const takeTurn = async () => {
    const { held = [] } = await navigator.locks.query()
    const waits = held.some((lock) => lock.name === name)
    if (!ending.signal.aborted) await navigator.locks.request(name, { signal: ending.signal }, () => lead(waits))
  }
  // Whoever waits for its turn and is closed gives up its turn.
  takeTurn().catch(() => {})
  return () => {
    ending.abort()
    channel.close()
  }
}
