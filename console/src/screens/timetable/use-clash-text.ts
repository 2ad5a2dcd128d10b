import { type Clash, toTime } from './lesson.ts'
import { useTimetableMessages } from './use-timetable-messages.ts'

/** What is told of a clash: who or what is taken, by which lesson. */
export function useClashText(): (clash: Clash) => string {
  const own = useTimetableMessages()
  return ({ what, lesson }) => own.clash(what, lesson.course, toTime(lesson.from), toTime(lesson.to), lesson.group)
}
