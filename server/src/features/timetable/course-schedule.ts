import {
  academicTerm,
  academicYear,
  assessmentPlan,
  courseSchedule,
  instructor,
  studentGroup,
} from '@matricula/contract/record-types'
import {
  defineRecord,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { requireFreeStudents, requireNoOverlap } from './overlaps.ts'

type Schedule = RecordOf<typeof courseSchedule>

/** A lesson whose start came with a day is on that day. */
function takeDayOfStart(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { from_time: start } = sent
  const day = typeof start === 'string' ? /^(\d{4}-\d{2}-\d{2})[ T]/.exec(start.trim())?.[1] : undefined
  return day === undefined ? sent : { ...sent, schedule_date: day }
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
      validate: [setTitle, setCourseOfGroup, requireDateInCalendar, requireTimesInOrder, requireFree, setColor],
    },
  }),
]
