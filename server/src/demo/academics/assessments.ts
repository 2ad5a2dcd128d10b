import { assessmentPlan, assessmentResult } from '@matricula/contract/record-types'
import { gradeOf, percentageOf } from '../../features/assessment/index.ts'
import { sumOf } from '../../records/field-values.ts'
import { academicYearName, calendarDate, day, hour } from '../calendar.ts'
import type { Plan } from '../plan.ts'
import type { AcademicCalendar } from './academic-calendar.ts'
import { assessmentGroupName, letterGrades } from './basis.ts'
import { type Enrolled, presenceOf } from './enrollments.ts'
import type { DemoGroup } from './groups.ts'
import type { RecordLoader } from './record-loader.ts'
import type { DemoEmployee } from './staff.ts'
import { type Bookings, examinationTimes } from './week.ts'

type Criterion = readonly [criterion: string, maximumScore: number]

/** Assessments that all courses have in some days. */
interface Occasion {
  readonly group: string
  readonly title: string
  readonly days: readonly number[]
  readonly criteria: readonly Criterion[]
}

const midtermCriteria: readonly Criterion[] = [
  ['Written Examination', 60],
  ['Oral Presentation', 20],
  ['Participation', 20],
]
const testCriteria: readonly Criterion[] = [
  ['Written Test', 30],
  ['Homework', 20],
]

const daysOfOccasion = 5

/** The tests of the last days that have passed, and the midterm examinations where they are over. */
function occasionsOf({ term, daysOfTerm, daysPassed }: AcademicCalendar): Occasion[] {
  const middle = Math.floor((daysOfTerm.length - daysOfOccasion) / 2)
  const isOver = daysPassed.length >= middle + 2 * daysOfOccasion
  const midterm = {
    title: 'Midterm',
    group: assessmentGroupName('Midterm Examinations', term),
    criteria: midtermCriteria,
  }
  const test = { title: 'Class Test', group: assessmentGroupName('Class Tests', term), criteria: testCriteria }
  return [
    ...(isOver ? [{ ...midterm, days: daysOfTerm.slice(middle, middle + daysOfOccasion) }] : []),
    { ...test, days: daysPassed.slice(-daysOfOccasion) },
  ]
}

/** Loads the assessments of every batch in each of its courses, and what everybody reached who was there. */
export async function loadAssessments(
  plan: Plan,
  calendar: AcademicCalendar,
  groups: readonly DemoGroup[],
  staff: readonly DemoEmployee[],
  bookings: Bookings,
  loader: RecordLoader,
): Promise<void> {
  const planned = occasionsOf(calendar).flatMap((occasion) =>
    groups.filter(({ kind }) => kind === 'Batch').flatMap((group) => examinationsOf(occasion, group, staff, bookings)),
  )
  const { term } = calendar
  const made = await loader.add(
    assessmentPlan,
    planned.map(({ occasion, group, course, examiner, supervisor, date, times: [from, to] }) => ({
      moment: Math.max(date - 12 * day, term.start),
      fields: {
        student_group: group.name,
        assessment_name: `${occasion.title} in ${course}`,
        assessment_group: occasion.group,
        grading_scale: letterGrades.name,
        program: group.program?.name ?? null,
        course,
        academic_year: academicYearName(term.year),
        academic_term: term.name,
        schedule_date: calendarDate(date),
        room: group.room,
        examiner,
        examiner_name: examiner,
        from_time: from,
        to_time: to,
        supervisor,
        supervisor_name: supervisor,
        maximum_assessment_score: sumOf(occasion.criteria.map(([, maximum]) => maximum)),
        assessment_criteria: occasion.criteria.map(([assessment_criteria, maximum_score]) => ({
          assessment_criteria,
          maximum_score,
        })),
      },
    })),
  )
  await loader.add(
    assessmentResult,
    planned.flatMap((examination, place) => {
      const { group, course, date } = examination
      const there = group.members.filter((member) => {
        const { from, to } = presenceOf(member, calendar)
        return member.courses.includes(course) && date >= from && date <= to
      })
      return there.map((member) => resultOf(plan, calendar, examination, made[place]?.name as string, member, place))
    }),
  )
}

type Examination = ReturnType<typeof examinationsOf>[number]

function examinationsOf(occasion: Occasion, group: DemoGroup, staff: readonly DemoEmployee[], bookings: Bookings) {
  const slots = occasion.days.flatMap((date) => examinationTimes.map((times) => ({ date, times })))
  return group.lessons.slice(0, slots.length).map(({ course, teacher }, place) => {
    const { date, times } = slots[place] as (typeof slots)[0]
    const when = `${date} ${times[0]}`
    const teachers = staff.filter(({ isTeacher, name }) => isTeacher && bookings.isFree(name, when))
    const supervisor = teachers.find(({ name }) => name === teacher) ?? teachers[0]
    if (supervisor !== undefined) bookings.take(supervisor.name, when)
    return { occasion, group, course, examiner: teacher, supervisor: supervisor?.name ?? null, date, times }
  })
}

function resultOf(
  plan: Plan,
  { term }: AcademicCalendar,
  { occasion, group, course, date }: Examination,
  assessment_plan: string,
  member: Enrolled,
  place: number,
) {
  const ability = 0.5 + plan.random.of('ability', member.student.index).fraction() * 0.45
  const random = plan.random.of(`result ${member.student.index}`, place)
  const details = occasion.criteria.map(([assessment_criteria, maximum_score]) => {
    const share = Math.min(Math.max(ability + (random.fraction() + random.fraction() - 0.85) * 0.3, 0.15), 1)
    const score = Math.round(share * maximum_score * 2) / 2
    return { assessment_criteria, maximum_score, score, grade: gradeFor(score, maximum_score) }
  })
  const total_score = sumOf(details.map(({ score }) => score))
  const maximum_score = sumOf(details.map((detail) => detail.maximum_score))
  const grade = gradeFor(total_score, maximum_score)
  return {
    moment: Math.min(date + day, plan.end) - random.between(1, 7) * hour,
    fields: {
      assessment_plan,
      program: group.program?.name ?? null,
      course,
      academic_year: academicYearName(term.year),
      academic_term: term.name,
      student: member.code,
      student_name: member.name,
      student_group: group.name,
      assessment_group: occasion.group,
      grading_scale: letterGrades.name,
      details,
      maximum_score,
      total_score,
      grade,
      comment: grade === 'F' ? 'Please see your teacher about a second attempt.' : null,
    },
  }
}

function gradeFor(score: number, maximum: number): string {
  return gradeOf(letterGrades.intervals, percentageOf(score, maximum))
}
