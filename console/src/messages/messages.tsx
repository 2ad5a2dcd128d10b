import { pluralOf } from '@matricula/contract/navigation'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import type { Messages } from './english.ts'

/** The languages of the console. Portuguese is Brazilian and Spanish neutral Latin American, as on the public pages. */
export const languages = { en: 'English', es: 'Español', pt: 'Português' } as const

export type Language = keyof typeof languages

interface Spoken {
  readonly language: Language
  /** How dates, numbers and amounts are written: as the browser writes that language, so that Britain keeps its dates. */
  readonly locale: string
  readonly messages: Messages
  /** What the contract calls something (a record type, a field, an option), in this language. */
  readonly named: (label: string) => string
  /** What several records of a type are called. */
  readonly namedMany: (type: string) => string
  readonly choose: (language: Language) => void
}

interface Catalogue {
  readonly messages: Messages
  readonly names: Readonly<Record<string, string>>
  readonly plurals: Readonly<Record<string, string>>
}

/** Each language is loaded where it is spoken, and no other. */
const catalogues: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: async () => {
    const [{ english }, { englishNames, englishPlurals }] = await Promise.all([
      import('./english.ts'),
      import('./english-names.ts'),
    ])
    return { messages: english, names: englishNames, plurals: englishPlurals }
  },
  es: async () => {
    const [{ spanish }, { spanishNames }, { spanishPlurals }] = await Promise.all([
      import('./spanish.ts'),
      import('./spanish-names.ts'),
      import('./spanish-plurals.ts'),
    ])
    return { messages: spanish, names: spanishNames, plurals: spanishPlurals }
  },
  pt: async () => {
    const [{ portuguese }, { portugueseNames }, { portuguesePlurals }] = await Promise.all([
      import('./portuguese.ts'),
      import('./portuguese-names.ts'),
      import('./portuguese-plurals.ts'),
    ])
    return { messages: portuguese, names: portugueseNames, plurals: portuguesePlurals }
  },
}

/** What the service says in a language, by code. It is loaded after the page, because nothing is refused before. */
const errors: Readonly<Partial<Record<Language, () => Promise<Messages['faults']['known']>>>> = {
  es: async () => (await import('./spanish-errors.ts')).spanishErrors,
  pt: async () => (await import('./portuguese-errors.ts')).portugueseErrors,
}

/** A catalogue with what the service says. */
function withErrors({ messages, ...rest }: Catalogue, known: Messages['faults']['known']): Catalogue {
  return { ...rest, messages: { ...messages, faults: { ...messages.faults, known } } }
}

const chosenKey = 'matricula-language'
const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag)

/** The language that somebody chose on this browser, else the first of the browser's that the console has. */
function preferred(): Language {
  const tags = [localStorage.getItem(chosenKey) ?? '', ...navigator.languages]
  return tags.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'
}

/** The first locale of the browser that is of a language, else the language. */
function findLocale(language: Language, browser: readonly string[]): string {
  return browser.find((tag) => tag.slice(0, 2).toLowerCase() === language) ?? language
}

const SpokenContext = createContext<Spoken | null>(null)

// Asked for before anything is drawn, because nothing is without it.
const first = { language: preferred(), loading: catalogues[preferred()]() }

type Names = Readonly<Record<string, string>>

/** What labels of record types are called, which comes with each type: by label in lower case. */
const namesOfTypes: Readonly<Record<Language, Map<string, string>>> = { en: new Map(), es: new Map(), pt: new Map() }

/** Adds what the labels of a record type are called. Done before anything of the type is shown. */
export function addNames(names: Readonly<Partial<Record<Language, Names>>>): void {
  for (const [language, named] of Object.entries(names)) {
    for (const [label, name] of Object.entries(named)) {
      namesOfTypes[language as Language].set(label.toLowerCase(), name)
    }
  }
}

/** Speaks the language of whoever is there to everything below it. */
export function MessagesProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(first.language)
  const [catalogue, setCatalogue] = useState<Catalogue | null>(null)
  useEffect(() => {
    let isWanted = true
    const loading = language === first.language ? first.loading : catalogues[language]()
    void loading.then(async (loaded) => {
      if (!isWanted) return
      document.documentElement.lang = language
      setCatalogue(loaded)
      // Where it cannot be had, the service's own words are shown.
      const known = await errors[language]?.().catch(() => undefined)
      if (isWanted && known !== undefined) setCatalogue(withErrors(loaded, known))
    })
    return () => {
      isWanted = false
    }
  }, [language])
  const choose = useCallback((chosen: Language) => {
    localStorage.setItem(chosenKey, chosen)
    setLanguage(chosen)
  }, [])
  const spoken = useMemo((): Spoken | null => {
    if (catalogue === null) return null
    const { messages, names, plurals } = catalogue
    // The history spells a field that no type declares as `First name`, types as `First Name`.
    const byLowerCase = new Map(Object.entries(names).map(([label, name]) => [label.toLowerCase(), name]))
    const named = (label: string) => {
      const key = label.toLowerCase()
      return names[label] ?? byLowerCase.get(key) ?? namesOfTypes[language].get(key) ?? label
    }
    // What has no plural of its own, as a tool of which there is one, is called as its type is.
    const namedMany = (type: string) => plurals[type] ?? (language === 'en' ? pluralOf(type) : named(type))
    return { language, locale: findLocale(language, navigator.languages), messages, named, namedMany, choose }
  }, [catalogue, language, choose])
  return spoken === null ? null : <SpokenContext value={spoken}>{children}</SpokenContext>
}

/** The messages in the language of the person. */
export function useMessages(): Spoken {
  const spoken = useContext(SpokenContext)
  if (spoken === null) throw new Error('no language is spoken here')
  return spoken
}
