import type { PublicLocale } from '@matricula/contract'

/** A text in several languages. */
export type Texts = Readonly<Partial<Record<PublicLocale, string>>>

/** The texts of a thing in other languages than the institution's own, by the names of its fields. */
export type Translations = Readonly<Record<string, Texts>>

/** A text as a configuration file has it: in the institution's own language, or in several of which that is one. */
export type WrittenText = string | Texts

/** A thing with its texts in a language, each in the institution's own where there is no other. */
export function inLanguage<Thing extends object>(
  thing: Thing,
  translations: Translations | undefined,
  locale: PublicLocale,
): Thing {
  const texts = Object.entries(translations ?? {}).flatMap(([name, { [locale]: text }]) =>
    text === undefined ? [] : [[name, text]],
  )
  return texts.length === 0 ? thing : { ...thing, ...Object.fromEntries(texts) }
}

/** What a thing of a configuration file is called in the institution's own language. */
function ownText(written: WrittenText, language: PublicLocale): string {
  return typeof written === 'string' ? written : (written[language] ?? '')
}

/** The same in other languages, without what was left empty. */
export function otherTexts(written: WrittenText, language: PublicLocale): Texts {
  if (typeof written === 'string') return {}
  return Object.fromEntries(Object.entries(written).filter(([locale, text]) => locale !== language && text !== ''))
}

type OwnTexts<Entry, Name extends keyof Entry> = Omit<Entry, Name> & {
  readonly [Key in keyof Pick<Entry, Name>]: string
}

/**
 * An entry of a configuration file with its texts in the institution's own language, and what it says in others. A text that it
 * names takes the place of what there was in every language; one that it does not name stays.
 */
export function withOwnTexts<Entry extends object, Name extends keyof Entry & string>(
  entry: Entry,
  names: readonly Name[],
  language: PublicLocale,
  stored: Translations = {},
): OwnTexts<Entry, Name> & { readonly translations: Translations } {
  const texts: Record<string, string> = {}
  const translations: Record<string, Texts> = { ...stored }
  for (const name of names) {
    const written = entry[name] as WrittenText | undefined
    if (written === undefined) continue
    texts[name] = ownText(written, language)
    const others = otherTexts(written, language)
    if (Object.keys(others).length > 0) translations[name] = others
    else delete translations[name]
  }
  return { ...entry, ...texts, translations } as never
}
