import { useSyncExternalStore } from 'react'
import { useWords } from '../words/words.tsx'

function subscribe(changed: () => void): () => void {
  for (const name of ['online', 'offline']) addEventListener(name, changed)
  return () => {
    for (const name of ['online', 'offline']) removeEventListener(name, changed)
  }
}

/** Says that the network is gone, for as long as it is. */
export function OfflineBar() {
  const { words } = useWords()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" className={isOnline ? 'unseen' : 'offline'}>
      {isOnline ? '' : words.frame.offline}
    </div>
  )
}
