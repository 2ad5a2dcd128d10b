import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { CalendarDate, described, flag, label, listOf, nullable, optional, record } from '../schema.ts'

const Lesson = Type.Object(
  {
    lesson: label('Name of the Course Schedule.'),
    date: CalendarDate,
    from: label('When it begins, `HH:MM` in the time zone of the institution.'),
    to: label('When it ends.'),
    course: label('The course.'),
    studentGroup: label('The group.'),
    room: nullable(label('What the room is called.')),
    isMarked: flag('Whether somebody of the group is marked in it.'),
  },
  { additionalProperties: false, description: 'A lesson.' },
)

/** The week of a teacher. */
export const OwnTimetable = record(
  'OwnTimetable',
  'The lessons that the caller teaches in a week, Monday to Sunday.',
  {
    week: described(CalendarDate, 'The Monday, `YYYY-MM-DD`.'),
    today: described(CalendarDate, 'Today in the institution.'),
    now: label('The time in the institution, `HH:MM`.'),
    holidays: listOf(CalendarDate, 'The holidays of the week.'),
    lessons: listOf(Lesson, 'By day and time.'),
  },
  {
    week: '2026-08-31',
    today: '2026-09-01',
    now: '08:05',
    holidays: [],
    lessons: [
      {
        lesson: 'EDU-CSH-2026-00012',
        date: '2026-09-01',
        from: '08:00',
        to: '08:45',
        course: 'Anatomy',
        studentGroup: 'Nursing 1A',
        room: 'Lecture Hall',
        isMarked: false,
      },
    ],
  },
)

const group = { tag: 'Own timetable', modules: [], domain: null } as const

export const ownTimetableOperations = {
  readOwnTimetable: operation(group, {
    method: 'GET',
    path: '/own-timetable',
    scope: null,
    idempotency: 'none',
    summary: 'Read the own timetable of a week',
    description: 'The lessons of the instructor whose employee has the user of the caller.',
    query: Type.Object(
      { day: optional(described(CalendarDate, 'A day of the week, `YYYY-MM-DD`; today when absent.')) },
      { additionalProperties: false },
    ),
    shape: 'record',
    record: OwnTimetable,
    status: 200,
    errors: ['insufficient_role'],
    events: [],
  }),
}
