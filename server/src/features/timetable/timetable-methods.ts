import { courseSchedule } from '@matricula/contract/record-types'
import { type ListRow, openList, parseListRequest, RecordError, RowStream } from '../../record-engine/index.ts'
import { type AnyMethod, readingMethod } from '../../resource-api/index.ts'

interface Lesson {
  readonly name: string
  readonly course: string
  readonly color: string | null
  readonly schedule_date: string
  readonly from_time: string
  readonly to_time: string
  readonly room: string
  readonly student_group: string
}

/** Filters of a client, in whichever of their forms, as a list of filters. */
function listed(filters: object | null): readonly unknown[] {
  if (!Array.isArray(filters)) return filters === null ? [] : [filters]
  return typeof filters[0] === 'string' ? [filters] : filters
}

const getMoment = (day: string, time: string) => `${day} ${time.replace(/^(\d):/, '0$1:')}`

function getLabels(groups: object): string[] {
  const labels = Array.isArray(groups)
    ? groups.map((group: unknown) => (group as { label?: unknown } | null)?.label)
    : []
  if (Array.isArray(groups) && labels.every((label) => typeof label === 'string')) return labels
  throw new RecordError('FrappeTypeError', 'The argument student_groups must be a list of objects with a label.')
}

/** What clients ask of the timetable. */
export const timetableMethods: readonly AnyMethod[] = [
  readingMethod({
    path: 'education.education.api.get_course_schedule_events',
    rights: [{ type: courseSchedule, right: 'read' }],
    summary: 'The lessons of some days, as a calendar shows them.',
    result: {
      type: 'array',
      description:
        'Objects with `name`, `course`, `color`, `from_time` and `to_time` (moments), `room`, `student_group` and `allDay`.',
    },
    parameters: {
      start: { type: 'date', required: true },
      end: { type: 'date', required: true },
      filters: { type: 'json' },
    },
    read: async ({ reader, registry, caller }, { start, end, filters }) => {
      const request = parseListRequest(registry, caller, courseSchedule.name, {
        fields: ['name', 'course', 'color', 'schedule_date', 'from_time', 'to_time', 'room', 'student_group'],
        filters: [['schedule_date', 'between', [start, end]], ...listed(filters)],
        order_by: 'schedule_date asc, from_time asc',
        limit_page_length: 0,
      })
      const shown = (row: ListRow) => {
        const { schedule_date: day, from_time, to_time, ...lesson } = row as unknown as Lesson
        return { ...lesson, from_time: getMoment(day, from_time), to_time: getMoment(day, to_time), allDay: 0 }
      }
      const lessons = await openList(reader, request)
      return lessons instanceof RowStream ? lessons.map(shown) : lessons.map(shown)
    },
  }),
  readingMethod({
    path: 'education.education.api.get_course_schedule_for_student',
    rights: [{ type: courseSchedule, right: 'read' }],
    isForStudents: true,
    summary: 'The lessons of some groups in a program, by day.',
    result: {
      type: 'array',
      description:
        'Objects with `name`, `title`, `course`, `instructor`, `room`, `schedule_date`, `from_time`, `to_time` and `class_schedule_color`.',
    },
    parameters: {
      program_name: { type: 'string', required: true },
      student_groups: { type: 'json', required: true },
    },
    read: async ({ reader, registry, caller }, { program_name, student_groups }) => {
      const labels = getLabels(student_groups)
      // What is compared with nothing would be what is not set.
      if (program_name === '' || labels.length === 0) return []
      const request = parseListRequest(registry, caller, courseSchedule.name, {
        fields: [
          ...['schedule_date', 'room', 'class_schedule_color', 'course', 'from_time', 'to_time', 'instructor'],
          ...['title', 'name'],
        ],
        filters: [
          ['program', '=', program_name],
          ['student_group', 'in', labels],
        ],
        order_by: 'schedule_date asc, from_time asc, name asc',
        limit_page_length: 0,
      })
      return openList(reader, request)
    },
  }),
]
