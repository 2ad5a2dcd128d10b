import { academicYearName, day, firstSchoolDay, getAcademicYear, getMidnight } from '../records/calendar.ts'

/** A part of an academic year. Moments are midnights, both ends included. */
export interface DemoTerm {
  readonly name: string
  readonly year: number
  readonly title: string
  readonly start: number
  readonly end: number
  /** The days with classes, in order. */
  readonly days: readonly number[]
}

/** Examinations that all courses of a term have in the same days. */
export interface ExaminationWeek {
  readonly term: DemoTerm
  readonly occasion: 'Class Tests' | 'Midterm Examinations' | 'Final Examinations' | 'Placement Tests'
  readonly days: readonly number[]
}

/** A day without classes. */
export interface DemoHoliday {
  readonly date: number
  readonly description: string
  readonly isWeekend: boolean
}

/** Which academic years there are, and which term the demo shows: the last one of which a week or more has passed. */
export interface AcademicCalendar {
  readonly years: readonly number[]
  readonly terms: readonly DemoTerm[]
  readonly term: DemoTerm
  readonly holidays: readonly DemoHoliday[]
  /** The last day of the term that has passed, a midnight. */
  readonly lastDay: number
  /** The days of the shown term with classes, midnights in order: those that have passed, and all of them. */
  readonly daysPassed: readonly number[]
  readonly daysOfTerm: readonly number[]
  /** The examinations that are over, of the shown term and those before it, in order. */
  readonly examinations: readonly ExaminationWeek[]
}

const semesters = [1, 2] as const

/** A term begins this long before it is shown, so that there is something to show. */
const daysUntilShown = 12

/** The calendar as it stands on the day before a midnight. */
export function getAcademicCalendar(end: number): AcademicCalendar {
  const present = getAcademicYear(end)
  const years = Array.from({ length: 6 }, (_, position) => present - 4 + position)
  const terms = years.flatMap(getTerms)
  const term = terms.filter(({ start }) => start + daysUntilShown * day <= end).at(-1) as DemoTerm
  const lastDay = Math.min(term.end, end - day)
  const daysPassed = term.days.filter((date) => date <= lastDay)
  return {
    years,
    terms,
    term,
    holidays: getHolidays(term.year),
    lastDay,
    daysOfTerm: term.days,
    daysPassed,
    examinations: [
      ...terms.filter(({ start }) => start < term.start).flatMap(getExaminations),
      ...examinationsUnderWay(term, daysPassed),
    ],
  }
}

const daysOfWeek = 5

/** Of a term that is over. The last ones leave time for whoever graduates in June. */
function getExaminations(term: DemoTerm): ExaminationWeek[] {
  const { days } = term
  const middle = getMiddle(days)
  return [
    { term, occasion: 'Class Tests', days: days.slice(10, 10 + daysOfWeek) },
    { term, occasion: 'Midterm Examinations', days: days.slice(middle, middle + daysOfWeek) },
    { term, occasion: 'Final Examinations', days: days.slice(-15, -15 + daysOfWeek) },
  ]
}

/** The midterm examinations where they are over, and the tests of the last days that have passed. */
function examinationsUnderWay(term: DemoTerm, daysPassed: readonly number[]): ExaminationWeek[] {
  const middle = getMiddle(term.days)
  const isOver = daysPassed.length >= middle + 2 * daysOfWeek
  const midterm = term.days.slice(middle, middle + daysOfWeek)
  return [
    ...(isOver ? [{ term, occasion: 'Midterm Examinations', days: midterm } as const] : []),
    { term, occasion: 'Class Tests', days: daysPassed.slice(-daysOfWeek) },
  ]
}

const getMiddle = (days: readonly number[]) => Math.floor((days.length - daysOfWeek) / 2)

/** The first and the last day of an academic year. */
export function boundsOfYear(year: number): { start: number; end: number } {
  return { start: Date.UTC(year, 7, 1), end: Date.UTC(year + 1, 6, 31) }
}

function getTerms(year: number): DemoTerm[] {
  const closed = new Set(getHolidays(year).map(({ date }) => date))
  return semesters.map((semester) => {
    const title = `Semester ${semester}`
    const [start, end] =
      semester === 1
        ? [firstSchoolDay(year), Date.UTC(year + 1, 0, 31)]
        : [Date.UTC(year + 1, 1, 1), Date.UTC(year + 1, 5, 30)]
    const days = daysBetween(start, end).filter((date) => !closed.has(date))
    return { name: `${academicYearName(year)} (${title})`, year, title, start, end, days }
  })
}

/** Weekends and holidays of an academic year, in order; a holiday on a weekend is told as a holiday. */
function getHolidays(year: number): DemoHoliday[] {
  const next = year + 1
  const easter = easterOf(next)
  const named = new Map<number, string>([
    ...daysBetween(Date.UTC(year, 7, 1), Date.UTC(year, 7, 31)).map((date) => [date, 'Summer holidays'] as const),
    [Date.UTC(year, 10, 1), 'All Saints’ Day'],
    ...daysBetween(Date.UTC(year, 11, 21), Date.UTC(next, 0, 6)).map((date) => [date, 'Winter holidays'] as const),
    [Date.UTC(year, 11, 25), 'Christmas Day'],
    [Date.UTC(next, 0, 1), 'New Year’s Day'],
    [Date.UTC(next, 0, 6), 'Epiphany'],
    ...daysBetween(easter - 6 * day, easter - 3 * day).map((date) => [date, 'Holy Week'] as const),
    [easter - 2 * day, 'Good Friday'],
    [easter, 'Easter Sunday'],
    [easter + day, 'Easter Monday'],
    [Date.UTC(next, 4, 1), 'Labour Day'],
    ...daysBetween(Date.UTC(next, 6, 1), Date.UTC(next, 6, 31)).map((date) => [date, 'Summer holidays'] as const),
  ])
  const { start, end } = boundsOfYear(year)
  return daysBetween(start, end).flatMap((date) => {
    const weekday = new Date(date).getUTCDay()
    const isWeekend = weekday === 0 || weekday === 6
    const description = named.get(date) ?? (isWeekend ? (weekday === 0 ? 'Sunday' : 'Saturday') : null)
    return description === null ? [] : [{ date, description, isWeekend }]
  })
}

/** Easter Sunday by the Gregorian reckoning (Meeus, Jones and Butcher). */
function easterOf(year: number): number {
  const a = year % 19
  const century = Math.floor(year / 100)
  const c = year % 100
  const g = Math.floor((8 * century + 13) / 25)
  const h = (19 * a + century - Math.floor(century / 4) - g + 15) % 30
  const i = Math.floor(c / 4)
  const l = (32 + 2 * (century % 4) + 2 * i - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  return Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1)
}

/** Every midnight from one to another, both included. */
function daysBetween(start: number, end: number): number[] {
  const first = getMidnight(start)
  const count = Math.max(Math.floor((end - first) / day) + 1, 0)
  return Array.from({ length: count }, (_, position) => first + position * day)
}
