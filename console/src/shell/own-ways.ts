import { useEffect } from 'react'
import { type Language, languages, useMessages } from '../messages/messages.tsx'
import { usePreferences } from '../session/preferences.ts'

/** Has the page as the person chose it before, at whichever browser that was: the language, else that of the browser, and the density. */
export function useOwnWays(): void {
  const { choose } = useMessages()
  const { preferences } = usePreferences()
  const { language, density } = preferences
  useEffect(() => {
    if (language !== null && Object.hasOwn(languages, language)) choose(language as Language)
  }, [choose, language])
  useEffect(() => {
    document.documentElement.dataset.density = density
  }, [density])
}
