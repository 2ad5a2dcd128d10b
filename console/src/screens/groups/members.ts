import type { Document } from '../../calls/resource-api.ts'

/** A row of a group: a student, and from which day to which; null is no bound. */
export interface Member {
  readonly student: string
  readonly student_name: string | null
  readonly active: number
  readonly from_date: string | null
  readonly to_date: string | null
}

/** The rows of a group. */
export function membersOf(group: Document): readonly Member[] {
  const rows = (group.students ?? []) as unknown as Member[]
  // What is not set may be left out.
  return rows.map((row) => ({ ...row, from_date: row.from_date || null, to_date: row.to_date || null }))
}

/** Whether somebody is a member on a day (`YYYY-MM-DD`), the first and the last day included. */
export function isMemberOn({ active, from_date: from, to_date: to }: Member, day: string): boolean {
  return active === 1 && (from === null || from <= day) && (to === null || day <= to)
}

/** Today in a time zone. The Swedish form of a day is that of ISO 8601. */
export function todayIn(timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date())
}
