import { clockIn } from '../../tenancy/index.ts'

/** A moment in a time zone, as `YYYY-MM-DD HH:MM:SS.ffffff`. */
export function momentIn(timeZone: string, moment: Date): string {
  return `${clockIn(timeZone, moment)}.${String(moment.getMilliseconds()).padStart(3, '0')}000`
}

/**
 * The timestamp (RFC 3339, UTC, milliseconds) of a local time; null for an invalid one. A local time skipped by
 * daylight saving is moved later by the gap, an ambiguous one is the first.
 */
export function instantIn(timeZone: string, local: string): string | null {
  const asIfUtc = (text: string) => Date.parse(`${text.slice(0, 23).replace(' ', 'T')}Z`)
  const wanted = asIfUtc(local)
  if (Number.isNaN(wanted)) return null
  const shownAt = (instant: number) => asIfUtc(momentIn(timeZone, new Date(instant)))
  const first = wanted - (shownAt(wanted) - wanted)
  return new Date(first - (shownAt(first) - wanted)).toISOString()
}

/** A calendar day (`YYYY-MM-DD`) plus a number of days. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/**
 * The fiscal year of a day, given its first month, from 1 to 12: `2026` where that is January, else `2026-2027`.
 */
export function getFiscalYear(day: string, firstMonth: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const begin = month < firstMonth ? year - 1 : year
  const name = String(begin).padStart(4, '0')
  return firstMonth === 1 ? name : `${name}-${String(begin + 1).padStart(4, '0')}`
}

/** The days from one day to another; negative when it is before. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)
}
