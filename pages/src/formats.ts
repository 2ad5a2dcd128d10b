import type { Locale } from './locale.ts'

/** A day in words, in the institution's time zone. */
export function formatDay(locale: Locale, moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(new Date(moment))
}

/** A moment in words with its time zone, in the institution's time zone. */
export function formatMoment(locale: Locale, moment: string, timeZone: string): string {
  const format = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(locale, { ...format, timeZone, timeZoneName: 'short' }).format(new Date(moment))
}

/** A calendar date (`YYYY-MM-DD`) in words. */
export function formatDate(locale: Locale, date: string): string {
  return formatDay(locale, `${date}T00:00:00Z`, 'UTC')
}

export function formatNumber(locale: Locale, value: number): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(value)
}

/** `a, b or c` in the language. */
export function formatChoice(locale: Locale, parts: readonly string[]): string {
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(parts)
}

/** `a, b and c` in the language. */
export function formatList(locale: Locale, parts: readonly string[]): string {
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts)
}
