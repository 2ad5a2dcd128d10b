import { courseSchedule } from '@matricula/contract/record-types'
import type { Plan } from '../plan.ts'
import { calendarDate, day, minute } from '../records/calendar.ts'
import type { AcademicCalendar } from './academic-calendar.ts'
import type { DemoGroup } from './groups.ts'
import type { RecordLoader } from './record-loader.ts'

/** Colours of lessons and how they are shown. */
const colors = [
  ['blue', '#EDF6FD'],
  ['green', '#E4F5E9'],
  ['orange', '#FFF1E7'],
  ['yellow', '#FFF7D3'],
  ['teal', '#E6F7F4'],
  ['violet', '#F5F2FF'],
] as const

/** Loads the lessons of a term, day by day: the week of every group on each day with classes. */
export async function loadLessons(
  plan: Plan,
  { term, daysOfTerm }: AcademicCalendar,
  groups: readonly DemoGroup[],
  loader: RecordLoader,
): Promise<void> {
  const weekdays = [0, 1, 2, 3, 4].map((weekday) =>
    groups.flatMap((group) =>
      group.lessons.flatMap((lesson, position) =>
        lesson.weekday === weekday ? [{ group, lesson, place: position }] : [],
      ),
    ),
  )
  const made = Math.max(term.start - 4 * day, plan.start + 3 * day)
  const schedules = daysOfTerm.flatMap((date, index) => {
    const weekday = (new Date(date).getUTCDay() + 6) % 7
    return (weekdays[weekday] ?? []).map(({ group, lesson, place: position }) => {
      const [name, color] = colors[position % colors.length] as (typeof colors)[number]
      return {
        moment: made + index * minute,
        fields: {
          student_group: group.name,
          instructor: lesson.teacher,
          instructor_name: lesson.teacher,
          program: group.program?.name ?? null,
          course: lesson.course,
          color,
          class_schedule_color: name,
          schedule_date: calendarDate(date),
          room: group.room,
          from_time: lesson.from,
          to_time: lesson.to,
          title: `${lesson.course} by ${lesson.teacher}`,
        },
      }
    })
  })
  await loader.add(courseSchedule, schedules)
}
