import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { readSettings } from '../../calls/settings-api.ts'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'

// The schema of the settings and its controls come after the page.
const SettingsDraft = lazy(async () => ({ default: (await import('./draft.tsx')).SettingsDraft }))

/** How the institution works: changed in a draft, compared with what is stored, and applied as a whole. */
export default function Settings() {
  const { messages } = useMessages()
  const { user } = useSession()
  const isOpen = user.roles.includes('System Manager')
  const stored = useQuery({
    queryKey: ['settings'],
    queryFn: readSettings,
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    document.title = messages.screens.settings
  }, [messages])
  if (!isOpen) return <NoPage />
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.settings}</h1>
      </div>
      {stored.isPending && <Waiting lines={8} />}
      {stored.isError && <Failed error={stored.error} again={() => void stored.refetch()} />}
      {stored.data !== undefined && (
        <Suspense fallback={<Waiting lines={8} />}>
          <SettingsDraft {...stored.data} />
        </Suspense>
      )}
    </>
  )
}
