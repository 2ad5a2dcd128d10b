import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { savePreferences } from '../calls/console-api.ts'
import type { Boot, Preferences } from '../calls/session-calls.ts'
import { useSession } from './session.tsx'

/** How this person wants the console to be, and how that is changed: at once here, and kept for each browser. */
export function usePreferences(): {
  readonly preferences: Preferences
  readonly prefer: (wanted: Partial<Preferences>) => void
} {
  const { preferences } = useSession()
  const queries = useQueryClient()
  const prefer = useCallback(
    (wanted: Partial<Preferences>) => {
      queries.setQueryData<Boot>(['boot'], (boot) => boot && { ...boot, preferences: merged(boot.preferences, wanted) })
      // Where it is not kept, it is told, and holds until the page is loaded again.
      void savePreferences(wanted)
    },
    [queries],
  )
  return { preferences, prefer }
}

function merged(before: Preferences, { settings, ...wanted }: Partial<Preferences>): Preferences {
  const columns = { ...before.settings.columns, ...settings?.columns }
  return { ...before, ...wanted, settings: { ...before.settings, columns } }
}
