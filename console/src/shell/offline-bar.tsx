import { useSyncExternalStore } from 'react'
import { useMessages } from '../messages/messages.tsx'
import { useIsReached } from '../session/live-changes.ts'

function subscribe(changed: () => void): () => void {
  for (const name of ['online', 'offline']) addEventListener(name, changed)
  return () => {
    for (const name of ['online', 'offline']) removeEventListener(name, changed)
  }
}

/** Says that the network or the service is gone, for as long as it is. */
export function OfflineBar() {
  const { messages } = useMessages()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const isReached = useIsReached()
  return (
    <div role="status" className={isOnline && isReached ? 'unseen' : 'offline'}>
      {isOnline ? !isReached && messages.faults.unreachable : messages.frame.offline}
    </div>
  )
}
