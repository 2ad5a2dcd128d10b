import {
  academicTerm,
  academicYear,
  assessmentPlan,
  courseSchedule,
  instructor,
  studentAttendance,
  studentGroup,
} from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import {
  defineRecord,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { requireFreeStudents, requireNoOverlap } from './overlaps.ts'
import { type Planned, requireStillHere } from './still-here.ts'

type Schedule = RecordOf<typeof courseSchedule>

/** A lesson whose start came with a day is on that day. */
function takeDayOfStart(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { from_time: start } = sent
  const day = typeof start === 'string' ? /^(\d{4}-\d{2}-\d{2})[ T]/.exec(start.trim())?.[1] : undefined
  return day === undefined ? sent : { ...sent, schedule_date: day }
}

/** A lesson without a day would be on no timetable, and take nobody's time. */
function requireDay({ schedule_date: day }: Schedule): void {
  if (day !== null) return
  throw new RecordError('ValidationError', 'Choose the Schedule Date: a lesson is on a day.')
}

/** The roll of a lesson was called on its day, of its group. */
async function requireMarkedDayUnchanged(document: Schedule, work: RecordWork, before: Schedule | null): Promise<void> {
  if (before === null) return
  const { schedule_date: day, student_group: group } = before
  if (day === document.schedule_date && group === document.student_group) return
  const marked = await work.select(
    studentAttendance,
    sql`r.course_schedule = ${before.name} and r.docstatus < 2`,
    sql`order by r.name limit 1`,
  )
  const [{ name } = { name: null }] = marked
  if (name === null) return
  const named = (await work.mayRead(studentAttendance, name)) ? `, such as ${name}` : ''
  throw new RecordError(
    'ValidationError',
    `The roll of ${before.name} was called on ${day} in ${group}${named}. Cancel its attendance first, or make another lesson.`,
  )
}

const getPlanned = ({ schedule_date, student_group, instructor: teacher }: Schedule): Planned => ({
  ...{ schedule_date, student_group },
  instructors: [teacher],
})

async function requireAllHere(document: Schedule, work: RecordWork, before: Schedule | null): Promise<void> {
  await requireStillHere(work, getPlanned(document), before && getPlanned(before))
}

async function setTitle(document: Schedule, work: RecordWork): Promise<void> {
  const teacher = await work.linked(instructor, document.instructor)
  document.instructor_name = teacher?.instructor_name ?? document.instructor_name
  document.title = `${document.course ?? ''} by ${document.instructor_name || document.instructor}`
}

async function setCourseOfGroup(document: Schedule, work: RecordWork): Promise<void> {
  const group = await work.linked(studentGroup, document.student_group)
  if (group?.group_based_on === 'Course') document.course = group.course
}

async function requireDateInCalendar(document: Schedule, work: RecordWork): Promise<void> {
  const { schedule_date: day, student_group } = document
  const group = await work.linked(studentGroup, student_group)
  if (day === null || group === null) return
  const term = await work.linked(academicTerm, group.academic_term)
  if (term !== null) {
    requireBetween(day, term.term_start_date, term.term_end_date, `Academic Term ${term.name}`)
    return
  }
  const year = await work.linked(academicYear, group.academic_year)
  if (year !== null) requireBetween(day, year.year_start_date, year.year_end_date, `Academic Year ${year.name}`)
}

function requireBetween(day: string, start: string | null, end: string | null, period: string): void {
  if (start === null || end === null || (day >= start && day <= end)) return
  throw new RecordError(
    'ValidationError',
    `Schedule date ${day} does not lie within the ${period} of the Student Group (${start} to ${end}).`,
  )
}

function requireTimesInOrder({ from_time: from, to_time: to }: Schedule): void {
  if (from === null || to === null || from < to) return
  throw new RecordError('ValidationError', `To Time (${to}) must be after From Time (${from}).`)
}

async function requireFree(document: Schedule, work: RecordWork): Promise<void> {
  const { student_group, instructor: teacher, room: location } = document
  await requireNoOverlap(work, courseSchedule, document, [
    { in: courseSchedule, field: 'student_group', value: student_group },
    { in: courseSchedule, field: 'instructor', value: teacher },
    { in: courseSchedule, field: 'room', value: location },
    { in: assessmentPlan, field: 'student_group', value: student_group },
    { in: assessmentPlan, field: 'room', value: location },
    { in: assessmentPlan, field: 'supervisor', value: teacher },
  ])
  await requireFreeStudents(work, courseSchedule, document)
}

const colors: Readonly<Record<string, string>> = {
  blue: '#EDF6FD',
  green: '#E4F5E9',
  red: '#FFF0F0',
  orange: '#FFF1E7',
  yellow: '#FFF7D3',
  teal: '#E6F7F4',
  violet: '#F5F2FF',
  cyan: '#E0F8FF',
  amber: '#FCF3CF',
  pink: '#FEEEF8',
  purple: '#F9F0FF',
}

function setColor(document: Schedule): void {
  document.color = colors[document.class_schedule_color || 'green'] ?? null
}

/** Lessons and where they are given. */
export const timetableRecords: readonly RecordDefinition[] = [
  defineRecord(courseSchedule, {
    rules: {
      received: takeDayOfStart,
      validate: [
        requireDay,
        setTitle,
        setCourseOfGroup,
        requireMarkedDayUnchanged,
        requireAllHere,
        requireDateInCalendar,
        requireTimesInOrder,
        requireFree,
        setColor,
      ],
    },
  }),
]
