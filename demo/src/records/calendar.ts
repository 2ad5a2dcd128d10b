/** Moments are milliseconds since 1970, months whole numbers since year 0, and everything is UTC. */

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

const firstMonthOfYear = 7 // August

/** The midnight with which the day of a moment begins. */
export function getMidnight(moment: number): number {
  return moment - (moment % day)
}

/** The academic year of a moment, by the calendar year in which it begins, in August. */
export function getAcademicYear(moment: number): number {
  const date = new Date(moment)
  return date.getUTCMonth() >= firstMonthOfYear ? date.getUTCFullYear() : date.getUTCFullYear() - 1
}

/** `2026-2027`. */
export function academicYearName(year: number): string {
  return `${year}-${year + 1}`
}

/** The first day of classes, 1 September. */
export function firstSchoolDay(year: number): number {
  return Date.UTC(year, 8, 1)
}

/** Which of so many equal parts of its academic year, ten months from September on, a moment is in; from 1. */
export function partOfYear(moment: number, parts: number): number {
  const months = Math.floor((moment - firstSchoolDay(getAcademicYear(moment))) / (30.4 * day))
  return Math.min(Math.max(Math.floor((months * parts) / 10), 0), parts - 1) + 1
}

/** The calendar month of a moment. */
export function getMonth(moment: number): number {
  const date = new Date(moment)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** A day of a month. */
export function dayOfMonth(month: number, dayNumber: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, dayNumber)
}

/** `September 2026`. */
export function monthName(month: number): string {
  return `${monthNames[month % 12]} ${Math.floor(month / 12)}`
}

/** The month itself, or September when schools are closed in it. */
export function schoolMonth(month: number): number {
  const inYear = month % 12
  return inYear === 6 || inYear === 7 ? month - inYear + 8 : month
}

/** A moment as it is stored: RFC 3339 with milliseconds. */
export function stamp(moment: number): string {
  return new Date(moment).toISOString()
}

/** A moment as a calendar date. */
export function calendarDate(moment: number): string {
  return stamp(moment).slice(0, 10)
}
