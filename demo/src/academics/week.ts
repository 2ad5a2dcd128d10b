import type { DemoEmployee } from './staff.ts'

/** A lesson that comes every week: a weekday from 0, Monday, to 4, and from when to when. */
export interface WeeklyLesson {
  readonly weekday: number
  readonly from: string
  readonly to: string
  readonly course: string
  readonly teacher: string
}

type Times = readonly [from: string, to: string]

/** When batches are taught, when examinations are, and when groups across programs meet: none of them overlap. */
const morning: readonly Times[] = [
  ['08:00:00', '09:15:00'],
  ['09:25:00', '10:40:00'],
  ['11:00:00', '12:15:00'],
  ['12:25:00', '13:40:00'],
]
export const examinationTimes: readonly Times[] = [
  ['14:00:00', '15:00:00'],
  ['15:05:00', '16:05:00'],
]
const afternoon: readonly Times[] = [['16:15:00', '17:15:00']]

/** Who is busy when. */
export class Bookings {
  readonly #taken = new Set<string>()

  isFree(who: string, when: string): boolean {
    return !this.#taken.has(`${who} ${when}`)
  }

  take(who: string, when: string): void {
    this.#taken.add(`${who} ${when}`)
  }
}

/**
 * A week of a group in which each course has one lesson, taught by the first of the teachers who is free then. A course for
 * which the week has no time left is not taught.
 */
export function planWeek(
  courses: readonly string[],
  teachers: readonly DemoEmployee[],
  turn: number,
  bookings: Bookings,
  inAfternoon = false,
): WeeklyLesson[] {
  const times = inAfternoon ? afternoon : morning
  const slots = times.flatMap((each) => [0, 1, 2, 3, 4].map((weekday) => ({ weekday, each })))
  return courses.slice(0, slots.length).flatMap((course, position) => {
    const { weekday, each } = slots[(position + (inAfternoon ? turn : 0)) % slots.length] as (typeof slots)[0]
    const [from, to] = each
    const when = `${weekday} ${from}`
    const own = teachers.slice(0, 7)
    const first = (turn + position) % Math.max(own.length, 1)
    const order = [...own.slice(first), ...own.slice(0, first), ...teachers.slice(7)]
    const teacher = order.find(({ name }) => bookings.isFree(name, when))
    if (teacher === undefined) return []
    bookings.take(teacher.name, when)
    return [{ weekday, from, to, course, teacher: teacher.name }]
  })
}
