import { english, type Messages } from './english.ts'
import { french } from './french.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

/** The languages of the pages and mails, as BCP 47 tags. To add one, see docs/translating.md. */
const catalogues = { en: english, es: spanish, fr: french, pt: portuguese } satisfies Record<string, Messages>

export type { Messages }

export type Locale = keyof typeof catalogues

export const locales = Object.keys(catalogues) as Locale[]

/** The catalogue of a language. */
export function messagesIn(locale: Locale): Messages {
  return catalogues[locale]
}

/** The salutation of a mail. Where no name is known the text is empty. */
export function greet({ greeting, greetingWithoutName }: Messages['mails'], name: string): string {
  return name === '' ? greetingWithoutName : greeting(name)
}
