import type { Locale } from '../locale.ts'
import { english } from './english.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'
import type { Words } from './words.ts'

const catalogues: Readonly<Record<Locale, Words>> = { en: english, es: spanish, pt: portuguese }

/** The catalogue of a language. */
export function wordsIn(locale: Locale): Words {
  return catalogues[locale]
}
