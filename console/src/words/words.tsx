import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { english, type Words } from './english.ts'

/** The languages of the console. Portuguese is Brazilian and Spanish neutral Latin American, as on the public pages. */
export const languages = { en: 'English', es: 'Español', pt: 'Português' } as const

export type Language = keyof typeof languages

interface Spoken {
  readonly language: Language
  readonly words: Words
  /** What the contract calls something (a record type, a field, an option), in this language. */
  readonly named: (label: string) => string
  readonly choose: (language: Language) => void
}

interface Catalogue {
  readonly words: Words
  readonly names: Readonly<Record<string, string>>
}

/** English comes with the page; the others when they are spoken. */
const catalogues: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: async () => ({ words: english, names: {} }),
  es: async () => {
    const [{ spanish }, { spanishNames }] = await Promise.all([import('./spanish.ts'), import('./spanish-names.ts')])
    return { words: spanish, names: spanishNames }
  },
  pt: async () => {
    const [{ portuguese }, { portugueseNames }] = await Promise.all([
      import('./portuguese.ts'),
      import('./portuguese-names.ts'),
    ])
    return { words: portuguese, names: portugueseNames }
  },
}

const chosenKey = 'matricula-language'
const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag)

/** The language that somebody chose on this browser, else the first of the browser's that the console has. */
function preferred(): Language {
  const tags = [localStorage.getItem(chosenKey) ?? '', ...navigator.languages]
  return tags.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'
}

const SpokenContext = createContext<Spoken>({
  language: 'en',
  words: english,
  named: (label) => label,
  choose: () => {},
})

/** Speaks the language of whoever is there to everything below it. */
export function WordsProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(preferred)
  const [catalogue, setCatalogue] = useState<Catalogue | null>(language === 'en' ? { words: english, names: {} } : null)
  useEffect(() => {
    let isWanted = true
    void catalogues[language]().then((loaded) => {
      if (!isWanted) return
      document.documentElement.lang = language
      setCatalogue(loaded)
    })
    return () => {
      isWanted = false
    }
  }, [language])
  const spoken = useMemo((): Spoken | null => {
    if (catalogue === null) return null
    const { words, names } = catalogue
    const choose = (chosen: Language) => {
      localStorage.setItem(chosenKey, chosen)
      setLanguage(chosen)
    }
    return { language, words, named: (label) => names[label] ?? label, choose }
  }, [catalogue, language])
  return spoken === null ? null : <SpokenContext value={spoken}>{children}</SpokenContext>
}

/** The words of the language that is spoken. */
export function useWords(): Spoken {
  return useContext(SpokenContext)
}
