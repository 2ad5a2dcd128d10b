import type { Document } from '../../calls/resource-api.ts'

/** One lesson of a group, on one day. Times are minutes since midnight. */
export interface Lesson {
  /** Empty for one that is not made yet. */
  readonly name: string
  readonly course: string
  readonly group: string
  readonly instructor: string
  readonly teacher: string
  readonly room: string
  readonly roomName: string
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly from: number
  readonly to: number
  readonly color: string
  readonly modified: string
}

/** The fields of a Course Schedule that a lesson is made of. */
export const lessonFields = [
  'name',
  'course',
  'student_group',
  'instructor',
  'instructor_name',
  'room',
  'schedule_date',
  'from_time',
  'to_time',
  'class_schedule_color',
  'modified',
] as const

/** A time of the service (`8:00:00`) as minutes since midnight. */
export function toMinutes(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

/** Minutes since midnight as `HH:MM`. */
export function toTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** The lesson that a record is, its room called by the names that are known. */
export function toLesson(record: Document, rooms: ReadonlyMap<string, string> = new Map()): Lesson {
  const text = (field: (typeof lessonFields)[number]) => String(record[field] ?? '')
  return {
    name: text('name'),
    course: text('course'),
    group: text('student_group'),
    instructor: text('instructor'),
    teacher: text('instructor_name') || text('instructor'),
    room: text('room'),
    roomName: rooms.get(text('room')) ?? text('room'),
    day: text('schedule_date'),
    from: toMinutes(text('from_time')),
    to: toMinutes(text('to_time')),
    color: text('class_schedule_color') || 'blue',
    modified: text('modified'),
  }
}

/** What a record is to have where a lesson is moved or given to somebody else. */
export function toFields({ course, group, instructor, room, day, from, to }: Lesson): Record<string, string> {
  return {
    course,
    student_group: group,
    instructor,
    room,
    schedule_date: day,
    from_time: `${toTime(from)}:00`,
    to_time: `${toTime(to)}:00`,
  }
}

/** That somebody, or a room, is taken by another lesson at that time. */
export interface Clash {
  readonly what: string
  readonly lesson: Lesson
}

/** What a lesson does not go with: each group, teacher and room that another one has at that time. One may begin when another ends. */
export function clashesOf(lesson: Lesson, others: readonly Lesson[]): Clash[] {
  return others
    .filter(
      ({ name, day, from, to }) => name !== lesson.name && day === lesson.day && from < lesson.to && to > lesson.from,
    )
    .flatMap((other): Clash[] => {
      const taken = [
        other.group === lesson.group ? other.group : null,
        other.instructor === lesson.instructor ? other.teacher : null,
        other.room === lesson.room ? other.roomName : null,
      ]
      return taken.flatMap((what) => (what === null || what === '' ? [] : [{ what, lesson: other }]))
    })
}

/** The day so many days after another, both `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))
}

const dayLength = 24 * 60

/** A lesson moved by days and minutes, within the day. */
export function moved(lesson: Lesson, days: number, minutes: number): Lesson {
  const length = lesson.to - lesson.from
  const from = Math.max(0, Math.min(dayLength - 1 - length, lesson.from + minutes))
  return { ...lesson, day: addDays(lesson.day, days), from, to: from + length }
}
