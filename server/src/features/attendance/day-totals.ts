/** Which marks decide about a day: the daily roll, the first lesson, or all lessons. */
export type DayRule = 'Daily Roll' | 'First Lesson' | 'Every Lesson'

/** A mark of a student on a day (`YYYY-MM-DD`), of the daily roll of a group or of a lesson. */
export interface Mark {
  readonly date: string
  readonly status: string
  readonly excused: number
  readonly half_day: number
  readonly minutes_late: number
  /** When the lesson begins; null for a daily roll. */
  readonly from_time: string | null
}

/** The kinds of absence. The first of those with equally many marks is the kind of the day. */
const absenceKinds = ['absent', 'excused', 'leave'] as const

type KindOfAbsence = (typeof absenceKinds)[number]

/** How a student spent one day: the parts are halves, and their sum is 1. */
export interface DayTotal {
  readonly present: number
  readonly absent: number
  readonly excused: number
  readonly leave: number
}

/** How a student spent some days: days and half days, and the days on which the student was late. */
export interface AttendanceTotals extends DayTotal {
  /** All days that are marked, each once. */
  readonly total: number
  readonly late: number
  readonly minutes_late: number
}

function getKind({ status, excused }: Mark): KindOfAbsence | null {
  if (status === 'Leave') return 'leave'
  if (status !== 'Absent') return null
  return excused === 1 ? 'excused' : 'absent'
}

const byTime = (one: Mark, other: Mark) => ((one.from_time ?? '') < (other.from_time ?? '') ? -1 : 1)

/** The marks of a day that decide about it: those that the rule names, or the others where there are none. */
function decidingMarks(marks: readonly Mark[], rule: DayRule): readonly Mark[] {
  const rolls = marks.filter(({ from_time }) => from_time === null)
  const lessons = marks.filter(({ from_time }) => from_time !== null).sort(byTime)
  if (rule === 'Daily Roll') return rolls.length > 0 ? rolls : lessons
  if (lessons.length === 0) return rolls
  return rule === 'First Lesson' ? lessons.slice(0, 1) : lessons
}

/**
 * The total of a day from its marks, of which there is at least one. Away from all that decides is a day away, from at least half of
 * it half a day, from less none; a mark of half a day is half of one.
 */
export function getDayTotal(marks: readonly Mark[], rule: DayRule): DayTotal {
  const deciding = decidingMarks(marks, rule)
  const parts = { absent: 0, excused: 0, leave: 0 }
  for (const mark of deciding) {
    const kind = getKind(mark)
    if (kind !== null) parts[kind] += mark.half_day === 1 ? 1 : 2
  }
  const missed = parts.absent + parts.excused + parts.leave
  const away = missed === 2 * deciding.length ? 1 : missed >= deciding.length ? 0.5 : 0
  const most = absenceKinds.reduce((best, kind) => (parts[kind] > parts[best] ? kind : best))
  return { present: 1 - away, absent: 0, excused: 0, leave: 0, [most]: away }
}

/** The totals of the marks of one student: each day counts once. */
export function getAttendanceTotals(marks: readonly Mark[], rule: DayRule): AttendanceTotals {
  const byDay = new Map<string, Mark[]>()
  for (const mark of marks) byDay.set(mark.date, [...(byDay.get(mark.date) ?? []), mark])
  const totals = { total: 0, present: 0, absent: 0, excused: 0, leave: 0, late: 0, minutes_late: 0 }
  for (const ofDay of byDay.values()) {
    const day = getDayTotal(ofDay, rule)
    totals.total += 1
    for (const part of ['present', ...absenceKinds] as const) totals[part] += day[part]
    const late = ofDay.filter(({ status, minutes_late }) => status === 'Present' && minutes_late > 0)
    totals.late += late.length > 0 ? 1 : 0
    totals.minutes_late += late.reduce((sum, { minutes_late }) => sum + minutes_late, 0)
  }
  return totals
}
