import { english } from './english.ts'
import { french } from './french.ts'
import type { Messages } from './messages.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

/** The languages of the pages and mails, as BCP 47 tags. To add one: write its catalogue and name it here and in the contract. */
const catalogues = { en: english, es: spanish, fr: french, pt: portuguese } satisfies Record<string, Messages>

export type Locale = keyof typeof catalogues

export const locales = Object.keys(catalogues) as Locale[]

/** The catalogue of a language. */
export function messagesIn(locale: Locale): Messages {
  return catalogues[locale]
}
