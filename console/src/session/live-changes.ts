import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { followLive } from '../calls/live.ts'
import { useSession } from './session.tsx'

/** How often records of a type were changed by others since their list was read. */
const changes = new Map<string, number>()
const noticed = new EventTarget()
let isReached = true

function subscribe(changed: () => void): () => void {
  noticed.addEventListener('noticed', changed)
  return () => noticed.removeEventListener('noticed', changed)
}

function setCount(type: string, count: number): void {
  changes.set(type, count)
  noticed.dispatchEvent(new Event('noticed'))
}

/** What screens keep under the names that events have for it, so that it is read again at once. */
const entities = ['admission_application', 'vault_document', 'vault_request', 'form_submission', 'payment']

/** Notices what others do while this is shown. A record is read again at once; a list says so and waits, so that nothing jumps. */
export function useLiveChanges(): void {
  const queries = useQueryClient()
  const { user } = useSession()
  useEffect(
    () =>
      followLive({
        onEvent: ({ entity, recordType, name, actor }) => {
          if (recordType === 'Custom Field') {
            for (const kind of ['boot', 'type']) void queries.invalidateQueries({ queryKey: [kind] })
          }
          const isOwn = actor.name === user.name
          // A job makes requests in the name of whoever began it.
          if (!isOwn || entity === 'vault_request') void queries.invalidateQueries({ queryKey: [entity] })
          if (isOwn) return
          if (recordType === null) return
          setCount(recordType, (changes.get(recordType) ?? 0) + 1)
          if (name === null) return
          for (const kind of ['record', 'timeline']) {
            void queries.invalidateQueries({ queryKey: [kind, recordType, name] })
          }
        },
        onGap: () => {
          // What is shown may be old: records are read again now, everything else when it is next looked at.
          void queries.invalidateQueries({ refetchType: 'none' })
          for (const kind of ['record', ...entities]) void queries.invalidateQueries({ queryKey: [kind] })
        },
        onReach: (isNow) => {
          isReached = isNow
          noticed.dispatchEvent(new Event('noticed'))
        },
      }),
    [queries, user.name],
  )
}

/** How many changes a list of a type does not show yet, and how they are shown. */
export function useUnseenChanges(type: string): { readonly count: number; readonly show: () => void } {
  const queries = useQueryClient()
  const count = useSyncExternalStore(subscribe, () => changes.get(type) ?? 0)
  const show = () => {
    setCount(type, 0)
    for (const kind of ['list', 'count']) void queries.invalidateQueries({ queryKey: [kind, type] })
  }
  return { count, show }
}

/** Whether the service was there when it was last listened to. */
export function useIsReached(): boolean {
  return useSyncExternalStore(subscribe, () => isReached)
}
