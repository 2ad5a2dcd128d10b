import { institutionPath } from './place.ts'

/** That something happened to a record, without what it is. */
export interface LiveEvent {
  readonly recordType: string | null
  readonly name: string | null
  readonly actor: { readonly name: string | null }
}

const name = `matricula-live ${institutionPath}`

/**
 * Tells what happens to records from now on, until the returned function is called. One window of a browser listens and tells the
 * others; when it is closed another one goes on.
 */
export function followLive(onEvent: (event: LiveEvent) => void): () => void {
  const channel = new BroadcastChannel(name)
  const ending = new AbortController()
  channel.onmessage = ({ data }) => onEvent(data)
  const lead = () =>
    new Promise<void>((resolve) => {
      const source = new EventSource(`${institutionPath}/console/v1/live`)
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
  // Whoever waits for its turn and is closed gives up its turn.
  navigator.locks.request(name, { signal: ending.signal }, lead).catch(() => {})
  return () => {
    ending.abort()
    channel.close()
  }
}
