import { call } from '../http.ts'

/** The lessons that somebody teaches in a week, Monday to Sunday. */
export interface OwnTimetable {
  readonly week: string
  readonly today: string
  readonly now: string
  readonly holidays: readonly string[]
  readonly lessons: readonly {
    readonly lesson: string
    readonly date: string
    readonly from: string
    readonly to: string
    readonly course: string
    readonly studentGroup: string
    readonly room: string | null
    readonly isMarked: boolean
  }[]
}

/** The own timetable of the week of a day, today unless said otherwise. Throws `CallError`. */
export async function readOwnTimetable(day?: string): Promise<OwnTimetable> {
  return (await call('GET', '/console/v1/own-timetable', { query: { day } })).body.data
}
