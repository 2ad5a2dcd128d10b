/** The first and the last day of a period, each `YYYY-MM-DD`. */
export type Period = readonly [from: string, to: string]

type Reckoner = (today: Date) => readonly [Date, Date]

const days = (date: Date, count: number) => new Date(date.getTime() + count * 86_400_000)
const firstOfMonth = (date: Date, months: number) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
const week = (date: Date): readonly [Date, Date] => {
  const sunday = days(date, -date.getUTCDay())
  return [sunday, days(sunday, 6)]
}
const quarterStart = (date: Date) => firstOfMonth(date, -(date.getUTCMonth() % 3))
/** Whole months from a first day on. */
const months = (from: Date, count: number): readonly [Date, Date] => [from, days(firstOfMonth(from, count), -1)]
const year = (date: Date, years: number) => months(new Date(Date.UTC(date.getUTCFullYear() + years, 0, 1)), 12)

/** The named periods, as upstream computes them; weeks begin on Sunday. */
const reckoners: Readonly<Record<string, Reckoner>> = {
  today: (today) => [today, today],
  yesterday: (today) => [days(today, -1), days(today, -1)],
  tomorrow: (today) => [days(today, 1), days(today, 1)],
  'last 7 days': (today) => [days(today, -7), today],
  'last 14 days': (today) => [days(today, -14), today],
  'last 30 days': (today) => [days(today, -30), today],
  'last 90 days': (today) => [days(today, -90), today],
  'next 7 days': (today) => [today, days(today, 7)],
  'next 14 days': (today) => [today, days(today, 14)],
  'next 30 days': (today) => [today, days(today, 30)],
  'last week': (today) => week(days(today, -7)),
  'this week': (today) => week(today),
  'next week': (today) => week(days(today, 7)),
  'last month': (today) => months(firstOfMonth(today, -1), 1),
  'this month': (today) => months(firstOfMonth(today, 0), 1),
  'next month': (today) => months(firstOfMonth(today, 1), 1),
  'last quarter': (today) => months(firstOfMonth(quarterStart(today), -3), 3),
  'this quarter': (today) => months(quarterStart(today), 3),
  'next quarter': (today) => months(firstOfMonth(quarterStart(today), 3), 3),
  'last 6 months': (today) => months(firstOfMonth(quarterStart(today), -6), 6),
  'next 6 months': (today) => months(firstOfMonth(quarterStart(today), 3), 6),
  'last year': (today) => year(today, -1),
  'this year': (today) => year(today, 0),
  'next year': (today) => year(today, 1),
}

/** The names of all periods. */
export const periodNames: readonly string[] = Object.keys(reckoners)

/** The days of a named period relative to a day. Null for an unknown name. */
export function findPeriod(name: string, today: string): Period | null {
  const known = name.trim().toLowerCase()
  if (!Object.hasOwn(reckoners, known)) return null
  const [from, to] = (reckoners[known] as Reckoner)(new Date(`${today}T00:00:00Z`))
  return [from.toISOString().slice(0, 10), to.toISOString().slice(0, 10)]
}

const lengths: Readonly<Record<string, string>> = {
  '1 week': 'week',
  '1 month': 'month',
  '3 months': 'quarter',
  '6 months': '6 months',
  '1 year': 'year',
}

/** The lengths that `previous` and `next` take. */
export const periodLengths: readonly string[] = Object.keys(lengths)

/** The calendar period of a length before or after the current one. Null for an unknown length. */
export function neighbouringPeriod(which: 'previous' | 'next', length: string, today: string): Period | null {
  const known = length.trim().toLowerCase()
  if (!Object.hasOwn(lengths, known)) return null
  return findPeriod(`${which === 'previous' ? 'last' : 'next'} ${lengths[known]}`, today)
}
