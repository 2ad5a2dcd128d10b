import { student as studentType, transferCredit } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import type { RecordWork } from '../../record-engine/index.ts'
import {
  type GradedCourse,
  getCountedAttempts,
  getGradePointAverage,
  type RepeatedCourses,
} from '../assessment/index.ts'
import { loadReportCards, type ReportCard, type ReportPeriod } from '../report-card/index.ts'
import { loadEducationSettings } from '../settings/index.ts'

/** The periods in which a student has results: the terms of each year, or the year where some results are of no term. */
async function loadPeriods({ tx }: RecordWork, student: string): Promise<ReportPeriod[]> {
  return tx.query<ReportPeriod>(sql`
    with periods as (
      select distinct r.academic_year, nullif(r.academic_term, '') as academic_term from assessment_results r
       where r.tenant_id = ${tx.tenantId} and r.student = ${student} and r.docstatus = 1
    ), years as (
      select academic_year, bool_or(academic_term is null) as is_whole from periods group by academic_year
    )
    select distinct p.academic_year, case when not y.is_whole then p.academic_term end as academic_term,
           d.year_start_date, case when not y.is_whole then t.term_start_date end as term_start_date
      from periods p
      join years y on y.academic_year = p.academic_year
      join academic_years d on d.tenant_id = ${tx.tenantId} and d.name = p.academic_year
      left join academic_terms t on t.tenant_id = ${tx.tenantId} and t.name = p.academic_term
     order by d.year_start_date, term_start_date, academic_term`)
}

const getGraded = ({ courses }: ReportCard): GradedCourse[] =>
  courses.flatMap(({ course, grade_points, credits = 0 }) =>
    grade_points === undefined ? [] : [{ course, grade_points, credits }],
  )

/**
 * The credits of the courses that were passed, with points, and of those that were transferred. A course is earned once,
 * however often it was taken here or elsewhere: as it was passed here, else as it was accepted.
 */
function getEarned(
  courses: readonly GradedCourse[],
  transferred: readonly { readonly key: string; readonly credits: number }[],
): number {
  const passed = courses.filter(({ grade_points }) => grade_points > 0)
  const earned = new Map([
    ...transferred.map(({ key, credits }) => [key, credits] as const),
    ...passed.map(({ course, credits }) => [course, credits] as const),
  ])
  return [...earned.values()].reduce((sum, credits) => sum + credits, 0)
}

/**
 * The transcript of a student: each term with its courses and grade point average, accepted transfer credits, and the
 * cumulative average. Posted terms are as their report cards were issued.
 */
export async function loadTranscript(work: RecordWork, name: string): Promise<object> {
  const { name: student, student_name } = await work.get(studentType, name)
  const repeated = ((await loadEducationSettings(work)).repeated_courses || 'Both') as RepeatedCourses
  const cards: ReportCard[] = []
  for (const { academic_year, academic_term } of await loadPeriods(work, student)) {
    const [loaded] = await loadReportCards(work, [student], { academic_year, academic_term })
    if (loaded !== undefined) cards.push(loaded.card)
  }
  const transferred = await work.select(
    transferCredit,
    sql`r.student = ${student} and r.docstatus = 1`,
    sql`order by r.completed_on nulls first, r.name`,
  )
  const attempts = cards.flatMap(getGraded)
  const accepted = transferred
    .filter(({ counts_in_average }) => counts_in_average === 1)
    .map(({ name: key, course, credits, grade_points }) => ({ course: course || key, credits, grade_points }))
  const transferCredits = transferred.reduce((sum, { credits }) => sum + credits, 0)
  const counted = getCountedAttempts([...accepted, ...attempts], repeated)
  return {
    student,
    student_name,
    terms: cards.map(({ academic_year, academic_term, program, courses, grade_point_average, posted }) => ({
      academic_year,
      academic_term,
      program,
      posted: posted ?? null,
      courses: courses.map(({ course, course_name, percentage, grade, grade_points, credits }) => {
        return { course, course_name, percentage, grade, grade_points: grade_points ?? null, credits: credits ?? null }
      }),
      grade_point_average: grade_point_average ?? null,
    })),
    transfer_credits: transferred.map(
      ({ name: transfer_credit, institution, course_title, course, completed_on, credits, grade, grade_points }) => {
        return { transfer_credit, institution, course_title, course, completed_on, credits, grade, grade_points }
      },
    ),
    cumulative: {
      grade_point_average: getGradePointAverage(counted),
      repeated_courses: repeated,
      credits_earned: getEarned(
        attempts,
        transferred.map(({ name: credit, course, credits }) => ({ key: course || credit, credits })),
      ),
      transfer_credits: transferCredits,
    },
  }
}
