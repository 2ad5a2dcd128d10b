import type { Locale } from './messages/index.ts'

/** Made once for each of its keys, because making a format costs far more than using it, and memory outside of the heap. */
function kept<Key extends string[], Format>(make: (...key: Key) => Format): (...key: Key) => Format {
  const known = new Map<string, Format>()
  return (...key) => {
    const name = key.join(' ')
    const format = known.get(name) ?? make(...key)
    if (known.size >= maxCached) known.clear()
    known.set(name, format)
    return format
  }
}

const maxCached = 1000

const dayFormat = kept((locale: Locale, timeZone: string) => {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone })
})
const momentFormat = kept((locale: Locale, timeZone: string) => {
  const format = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(locale, { ...format, timeZone, timeZoneName: 'short' })
})
const numberFormat = kept((locale: Locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }))
const listFormat = kept((locale: Locale, type: Intl.ListFormatType) => new Intl.ListFormat(locale, { type }))

/** A day in words, in the institution's time zone. */
export function formatDay(locale: Locale, moment: string, timeZone: string): string {
  return dayFormat(locale, timeZone).format(new Date(moment))
}

/** A moment in words with its time zone, in the institution's time zone. */
export function formatMoment(locale: Locale, moment: string, timeZone: string): string {
  return momentFormat(locale, timeZone).format(new Date(moment))
}

/** A calendar date (`YYYY-MM-DD`) in words. */
export function formatDate(locale: Locale, date: string): string {
  return formatDay(locale, `${date}T00:00:00Z`, 'UTC')
}

export function formatNumber(locale: Locale, value: number): string {
  return numberFormat(locale).format(value)
}

/** `a, b or c` in the language. */
export function formatChoice(locale: Locale, parts: readonly string[]): string {
  return listFormat(locale, 'disjunction').format(parts)
}

/** `a, b and c` in the language. */
export function formatList(locale: Locale, parts: readonly string[]): string {
  return listFormat(locale, 'conjunction').format(parts)
}
