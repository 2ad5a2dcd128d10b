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

type Tool = RecordOf<typeof courseSchedulingTool>

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** A course has at most so many days from its start to its end. */
const maxDays = 732

function getDays(sent: unknown): ReadonlySet<string> {
  const days = typeof sent === 'string' ? parsedJson(sent) : sent
  if (Array.isArray(days) && days.length > 0 && days.every((day) => weekdays.includes(day))) {
    return new Set(days)
  }
  throw new RecordError('ValidationError', `Name the days of the week in days, as a list of ${weekdays.join(', ')}.`)
}

/** The days from the start to before the end that are one of these days of the week. */
function getDates({ course_start_date: start, course_end_date: end }: Tool, days: ReadonlySet<string>): string[] {
  if (start === null || end === null || start > end) {
    throw new RecordError('ValidationError', 'Course Start Date cannot be greater than Course End Date.')
  }
  const length = daysBetween(start, end)
  if (length > maxDays) throw new RecordError('ValidationError', `Plan at most ${maxDays} days at once.`)
  return Array.from({ length }, (_, index) => addDays(start, index)).filter((day) =>
    days.has(weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] as string),
  )
}

/** Runs a part of the work that leaves nothing behind where it is refused; says whether it was done. */
async function attempt(work: RecordWork, part: () => Promise<void>): Promise<boolean> {
  try {
    await undoneByFailure(work.tx, part)
    return true
  } catch (error) {
    if (error instanceof RecordError) return false
    throw error
  }
}

/** Takes the group's lessons in the course on these days of the week out of the timetable. */
async function removeLessons(tool: Tool, days: ReadonlySet<string>, work: RecordWork) {
  const { student_group, course, course_start_date: start, course_end_date: end } = tool
  work.require(courseSchedule, 'delete')
  const names = [...days].map((day) => weekdays.indexOf(day))
  const lessons = await work.select(
    courseSchedule,
    sql`r.student_group = ${student_group} and r.course = ${course} and r.schedule_date between ${start} and ${end}
        and extract(dow from r.schedule_date)::integer = any(${names}::integer[])`,
    sql`order by r.schedule_date, r.from_time`,
  )
  const rescheduled: string[] = []
  const stored: string[] = []
  for (const { name } of lessons) {
    const isGone = await attempt(work, () => work.remove(courseSchedule, name))
    ;(isGone ? rescheduled : stored).push(name)
  }
  return { rescheduled, kept: stored }
}

/** Makes a lesson on each of the days; those on which somebody or the room is taken are told, and do not stop the others. */
async function scheduleCourse(tool: Tool, work: RecordWork, args: Readonly<Record<string, unknown>>) {
  work.require(courseSchedule, 'create')
  const days = getDays(args.days)
  const dates = getDates(tool, days)
  const { rescheduled, kept: stored } =
    tool.reschedule === 1 ? await removeLessons(tool, days, work) : { rescheduled: [], kept: [] }
  const { student_group, course, instructor, room, from_time, to_time, class_schedule_color } = tool
  const lesson = { student_group, course, instructor, room, from_time, to_time, class_schedule_color }
  const made: object[] = []
  const rejected: string[] = []
  for (const schedule_date of dates) {
    const isMade = await attempt(work, async () => {
      const document = await work.insert(courseSchedule, { ...lesson, schedule_date })
      made.push(shownRecord(work.caller, courseSchedule, document, { nulls: false }))
    })
    if (!isMade) rejected.push(schedule_date)
  }
  return {
    course_schedules: made,
    course_schedules_errors: rejected,
    rescheduled,
    reschedule_errors: stored,
  }
}

/** Plans lessons for weeks. What was filled in last is kept; the lessons are records of their own. */
export const courseSchedulingRecord = defineRecord(courseSchedulingTool, {
  isForm: true,
  methods: { schedule_course: { run: scheduleCourse } },
})
