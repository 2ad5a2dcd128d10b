import { institutionPath } from './place.ts'

/** That something happened to a record, without what it is. */
export interface LiveEvent {
  /** What it happened to, as the events call it: `vault_request`. */
  readonly entity: string
  readonly recordType: string | null
  readonly name: string | null
  readonly actor: { readonly name: string | null }
}

const address = `${institutionPath}/console/v1/live`
const name = `matricula-live ${institutionPath}`

/** After how long without a sign the service is taken for gone, in milliseconds: it gives one every five seconds. */
const longestSilence = 12_000

/** For how long it may be away before that is told, in milliseconds, so that a change of versions is not. */
const timeout = 3_000

/** How soon it is tried again at the earliest, in milliseconds. */
const retryAfter = 2_000

/** What one window tells the others: an event, that some may have been missed, whether the service is there. */
type Told = LiveEvent | 'gap' | 'lost' | 'found'

/** What is told of the records and of the service. */
interface Listener {
  readonly onEvent: (event: LiveEvent) => void
  /** Called once after each time that nobody listened for, the one before the first connection among them. */
  readonly onGap: () => void
  /** Called when the service was lost, and when it was found again. */
  readonly onReach: (isReached: boolean) => void
}

/**
 * Tells what happens to records from now on, until the returned function is called. One window of a browser listens and tells the
 * others; when it is closed another one goes on, and says that something may have been missed, as a connection that was lost does.
 */
export function followLive({ onEvent, onGap, onReach }: Listener): () => void {
  const channel = new BroadcastChannel(name)
  const ending = new AbortController()
  const hear = (reported: Told) => {
    if (reported === 'gap') onGap()
    else if (reported === 'lost' || reported === 'found') onReach(reported === 'found')
    else onEvent(reported)
  }
  channel.onmessage = ({ data }: MessageEvent<Told>) => hear(data)
  const tell = (reported: Told) => {
    if (ending.signal.aborted) return
    hear(reported)
    channel.postMessage(reported)
  }
  const takeTurn = async () => {
    const { held = [] } = await navigator.locks.query()
    // Another window listens, and told before this one heard it what was read here already.
    if (held.some((lock) => lock.name === name)) hear('gap')
    if (!ending.signal.aborted) await navigator.locks.request(name, ending, () => lead(tell, ending.signal))
  }
  // Whoever waits for its turn and is closed gives up its turn.
  takeTurn().catch(() => {})
  return () => {
    ending.abort()
    channel.close()
  }
}

/** Listens until the signal is aborted, over as many connections as that takes. */
function lead(tell: (reported: Told) => void, end: AbortSignal): Promise<void> {
  let source: EventSource
  let silence: ReturnType<typeof setTimeout>
  let again: ReturnType<typeof setTimeout>
  /** Set from the first connection that failed until one stands. */
  let losing: ReturnType<typeof setTimeout> | null = null
  let isLost = false
  const found = () => {
    if (losing !== null) clearTimeout(losing)
    losing = null
    if (isLost) tell('found')
    isLost = false
  }
  const lose = () => {
    isLost = true
    tell('lost')
  }
  const fail = async () => {
    const isAnswered = source.readyState === EventSource.CLOSED
    clearTimeout(silence)
    source.close()
    losing ??= setTimeout(lose, timeout)
    const isRefused = isAnswered && (await refuses())
    if (end.aborted) return
    if (isRefused) found()
    again = setTimeout(connect, isRefused ? 30_000 : retryAfter * (1 + Math.random() / 2))
  }
  const connect = () => {
    source = new EventSource(address)
    const isThere = () => {
      clearTimeout(silence)
      silence = setTimeout(() => void fail(), longestSilence)
    }
    isThere()
    source.addEventListener('beat', isThere)
    source.onopen = () => {
      isThere()
      found()
      // What was read before may have changed before somebody listened, at the first time too.
      tell('gap')
    }
    source.onmessage = ({ data }) => {
      isThere()
      tell(JSON.parse(data))
    }
    source.onerror = () => void fail()
  }
  connect()
  return new Promise((resolve) => {
    end.addEventListener('abort', () => {
      for (const timer of [silence, again, losing]) clearTimeout(timer ?? undefined)
      source.close()
      resolve()
    })
  })
}

/** Whether the service is there and lets nobody listen: the session is over, or too many listen already. */
async function refuses(): Promise<boolean> {
  try {
    const { status } = await fetch(address, {
      headers: { accept: 'application/json', 'x-by-itself': '1' },
      signal: AbortSignal.timeout(longestSilence),
    })
    return status >= 400 && status < 500
  } catch {
    return false
  }
}
