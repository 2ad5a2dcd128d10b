import { useEffect } from 'react'
import { chosenLanguage } from '../calls/console-api.ts'
import { type Language, languages, useWords } from '../words/words.tsx'

/** Speaks the language that the person chose before, at whichever browser that was; else that of the browser. */
export function useOwnLanguage(): void {
  const { choose } = useWords()
  useEffect(() => {
    chosenLanguage()
      .then((tag) => {
        if (tag !== null && Object.hasOwn(languages, tag)) choose(tag as Language)
      })
      // Without an answer it is spoken as before.
      .catch(() => {})
  }, [choose])
}
