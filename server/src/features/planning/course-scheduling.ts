import { courseSchedule, courseSchedulingTool } from '@matricula/contract/record-types'
import { undoneByFailure } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import {
  addDays,
  daysBetween,
  defineRecord,
  parsedJson,
  RecordError,
  type RecordOf,
  type RecordWork,
  shownRecord,
} from '../../record-engine/index.ts'
import { findHolidays } from '../attendance/index.ts'

type Tool = RecordOf<typeof courseSchedulingTool>

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** A course has at most so many days from its start to its end, both included. */
const maxDays = 732

function getDays(sent: unknown): ReadonlySet<string> {
  const days = typeof sent === 'string' ? parsedJson(sent) : sent
  if (Array.isArray(days) && days.length > 0 && days.every((day) => weekdays.includes(day))) {
    return new Set(days)
  }
  throw new RecordError('ValidationError', `Name the days of the week in days, as a list of ${weekdays.join(', ')}.`)
}

/** The days from the start to the end, the last one included, that are one of these days of the week. */
function getDates({ course_start_date: start, course_end_date: end }: Tool, days: ReadonlySet<string>): string[] {
  if (start === null || end === null || start > end) {
    throw new RecordError(
      'ValidationError',
      `Course Start Date cannot be greater than Course End Date: ${start ?? ''} is after ${end ?? ''}. Correct the dates.`,
    )
  }
  const length = daysBetween(start, end) + 1
  if (length > maxDays) throw new RecordError('ValidationError', `Plan at most ${maxDays} days at once.`)
  return Array.from({ length }, (_, index) => addDays(start, index)).filter((day) =>
    days.has(weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] as string),
  )
}

function requireTimesInOrder({ from_time: from, to_time: to }: Tool): void {
  if (from === null || to === null || from < to) return
  throw new RecordError('ValidationError', `To Time (${to}) must be after From Time (${from}). Correct the times.`)
}

/** Runs a part of the work that leaves nothing behind where it is refused; gives the reason, or null where it was done. */
async function attempt(work: RecordWork, part: () => Promise<void>): Promise<string | null> {
  try {
    await undoneByFailure(work.tx, part)
    return null
  } catch (error) {
    if (error instanceof RecordError) return error.message
    throw error
  }
}

/** How many of the days on which no lesson could be made are named with the reason. */
const maxNamed = 10

/** The group's lessons in the course by their day, of a day the earliest. */
async function lessonsByDay(tool: Tool, dates: readonly string[], work: RecordWork): Promise<Map<string, string>> {
  const { student_group, course } = tool
  work.require(courseSchedule, 'delete')
  const lessons = await work.select(
    courseSchedule,
    sql`r.student_group = ${student_group} and r.course = ${course} and r.schedule_date = any(${dates}::date[])
        and r.docstatus < 2`,
    sql`order by r.schedule_date, r.from_time desc, r.name desc`,
  )
  return new Map(lessons.flatMap(({ name, schedule_date }) => (schedule_date === null ? [] : [[schedule_date, name]])))
}

/**
 * Makes a lesson on each of the days that is no holiday. Those on which somebody or the room is taken, or that lie outside the
 * term, are reported and do not stop the others. A lesson that is rescheduled goes only where its successor could be made.
 */
async function scheduleCourse(tool: Tool, work: RecordWork, args: Readonly<Record<string, unknown>>) {
  work.require(courseSchedule, 'create')
  requireTimesInOrder(tool)
  const holidays = await findHolidays(work)
  const dates = getDates(tool, getDays(args.days)).filter((day) => !holidays.has(day))
  const former = tool.reschedule === 1 ? await lessonsByDay(tool, dates, work) : new Map<string, string>()
  const { student_group, course, instructor, room, from_time, to_time, class_schedule_color } = tool
  const lesson = { student_group, course, instructor, room, from_time, to_time, class_schedule_color }
  const made: object[] = []
  const rejected: string[] = []
  const replaced: string[] = []
  const remaining: string[] = []
  for (const schedule_date of dates) {
    const before = former.get(schedule_date)
    const reason = await attempt(work, async () => {
      if (before !== undefined) await work.remove(courseSchedule, before)
      const document = await work.insert(courseSchedule, { ...lesson, schedule_date })
      made.push(shownRecord(work.caller, courseSchedule, document, { nulls: false }))
    })
    if (reason !== null && rejected.push(schedule_date) <= maxNamed) {
      work.messages.push({ message: `${schedule_date}: ${reason}`, indicator: 'orange' })
    }
    if (before !== undefined) (reason === null ? replaced : remaining).push(before)
  }
  return {
    course_schedules: made,
    course_schedules_errors: rejected,
    rescheduled: replaced,
    reschedule_errors: remaining,
  }
}

/** Plans lessons for weeks. What was filled in last is kept; the lessons are records of their own. */
export const courseSchedulingRecord = defineRecord(courseSchedulingTool, {
  isForm: true,
  methods: { schedule_course: { run: scheduleCourse } },
})
