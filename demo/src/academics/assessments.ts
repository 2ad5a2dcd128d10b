import { assessmentPlan, assessmentResult } from '@matricula/contract/record-types'
import { getGrade, getPercentage } from '@matricula/server/features/assessment/index'
import { getSum } from '@matricula/server/record-engine/index'
import type { CatalogueProgram } from '../catalogue/index.ts'
import type { Plan } from '../plan.ts'
import { academicYearName, calendarDate, day, hour } from '../records/calendar.ts'
import type { AcademicCalendar, ExaminationWeek } from './academic-calendar.ts'
import { assessmentGroupName, letterGrades } from './basis.ts'
import { type Enrolled, getPresence } from './enrollments.ts'
import type { DemoGroup } from './groups.ts'
import type { RecordLoader } from './record-loader.ts'
import type { DemoEmployee } from './staff.ts'
import { type Bookings, examinationTimes } from './week.ts'

/** What is looked at in examinations, and their titles. */
const kinds = {
  'Class Tests': { title: 'Class Test', criteria: { 'Written Test': 30, Homework: 20 } },
  'Midterm Examinations': {
    title: 'Midterm',
    criteria: { 'Written Examination': 60, 'Oral Presentation': 20, Participation: 20 },
  },
  'Final Examinations': {
    title: 'Final Examination',
    criteria: { 'Written Examination': 70, 'Oral Presentation': 30 },
  },
  'Placement Tests': { title: 'Placement Test', criteria: { 'Written Test': 30, 'Oral Presentation': 20 } },
} as const satisfies Record<ExaminationWeek['occasion'], { title: string; criteria: Readonly<Record<string, number>> }>

/** An examination of those members of a group who took a course and were there. */
export interface Examination {
  readonly week: ExaminationWeek
  readonly group: { readonly name: string; readonly program: CatalogueProgram }
  readonly course: string
  readonly date: number
  readonly times: readonly [from: string, to: string]
  readonly room: string | null
  readonly examiner: string | null
  readonly supervisor: string | null
  readonly takers: readonly Enrolled[]
}

/**
 * Loads the assessments of every batch in each of its courses, and what everybody reached who was there. Returns the codes of
 * the students who have results.
 */
export async function loadAssessments(
  plan: Plan,
  groups: readonly DemoGroup[],
  staff: readonly DemoEmployee[],
  bookings: Bookings,
  loader: RecordLoader,
): Promise<ReadonlySet<string>> {
  const { calendar } = plan
  const weeks = calendar.examinations.filter(({ term }) => term === calendar.term)
  const planned = weeks.flatMap((week) =>
    groups.flatMap((group) => (group.program === null ? [] : getExaminations(calendar, week, group, staff, bookings))),
  )
  await loadExaminations(plan, planned, loader)
  return new Set(planned.flatMap(({ takers }) => takers.map(({ code }) => code)))
}

/** Loads examinations as plans with their results. */
export async function loadExaminations(
  plan: Plan,
  examinations: readonly Examination[],
  loader: RecordLoader,
): Promise<void> {
  const made = await loader.add(
    assessmentPlan,
    examinations.map(({ week, group, course, examiner, supervisor, date, times: [from, to], room }) => {
      const { title, criteria } = kinds[week.occasion]
      return {
        moment: Math.max(date - 12 * day, week.term.start, plan.start + 6 * day),
        fields: {
          student_group: group.name,
          assessment_name: `${title} in ${course}`,
          assessment_group: assessmentGroupName(week),
          grading_scale: letterGrades.name,
          program: group.program.name,
          course,
          academic_year: academicYearName(week.term.year),
          academic_term: week.term.name,
          schedule_date: calendarDate(date),
          room,
          examiner,
          examiner_name: examiner,
          from_time: from,
          to_time: to,
          supervisor,
          supervisor_name: supervisor,
          maximum_assessment_score: getSum(Object.values(criteria)),
          assessment_criteria: Object.entries(criteria).map(([assessment_criteria, maximum_score]) => ({
            assessment_criteria,
            maximum_score,
          })),
        },
      }
    }),
  )
  await loader.add(
    assessmentResult,
    examinations.flatMap((examination, position) =>
      examination.takers.map((member) =>
        findResult(plan, examination, made[position]?.name as string, member, position),
      ),
    ),
  )
}

function getExaminations(
  calendar: AcademicCalendar,
  week: ExaminationWeek,
  group: DemoGroup,
  staff: readonly DemoEmployee[],
  bookings: Bookings,
): Examination[] {
  const slots = examinationSlots(week)
  return group.lessons.slice(0, slots.length).map(({ course, teacher }, position) => {
    const { date, times } = slots[position] as (typeof slots)[0]
    const when = `${date} ${times[0]}`
    const teachers = staff.filter(({ isTeacher, name }) => isTeacher && bookings.isFree(name, when))
    const supervisor = teachers.find(({ name }) => name === teacher) ?? teachers[0]
    if (supervisor !== undefined) bookings.take(supervisor.name, when)
    const takers = group.members.filter((member) => {
      const { from, to } = getPresence(member, calendar)
      return member.courses.includes(course) && date >= from && date <= to
    })
    const { name, room } = group
    return {
      week,
      group: { name, program: group.program as CatalogueProgram },
      course,
      date,
      times,
      room,
      examiner: teacher,
      supervisor: supervisor?.name ?? null,
      takers,
    }
  })
}

/** When the examinations of a group can be in their week, one after the other. */
export function examinationSlots({ days }: ExaminationWeek) {
  return days.flatMap((date) => examinationTimes.map((times) => ({ date, times })))
}

function findResult(
  plan: Plan,
  { week, group, course, date }: Examination,
  assessment_plan: string,
  member: Enrolled,
  position: number,
) {
  const ability = 0.5 + plan.random.of('ability', member.student.index).fraction() * 0.45
  const random = plan.random.of(`result ${week.term.name} ${member.student.index}`, position)
  const details = Object.entries(kinds[week.occasion].criteria).map(([assessment_criteria, maximum_score]) => {
    const share = Math.min(Math.max(ability + (random.fraction() + random.fraction() - 0.85) * 0.3, 0.15), 1)
    const score = Math.round(share * maximum_score * 2) / 2
    return { assessment_criteria, maximum_score, score, grade: gradeFor(score, maximum_score) }
  })
  const total_score = getSum(details.map(({ score }) => score))
  const maximum_score = getSum(details.map((detail) => detail.maximum_score))
  const grade = gradeFor(total_score, maximum_score)
  return {
    moment: Math.max(Math.min(date + day, plan.end) - random.between(1, 7) * hour, member.student.createdAt + day),
    fields: {
      assessment_plan,
      program: group.program.name,
      course,
      academic_year: academicYearName(week.term.year),
      academic_term: week.term.name,
      student: member.code,
      student_name: member.name,
      student_group: group.name,
      assessment_group: assessmentGroupName(week),
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
  return getGrade(letterGrades.intervals, getPercentage(score, maximum))
}
