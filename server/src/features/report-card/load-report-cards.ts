import { academicTerm, academicYear, student } from '@matricula/contract/record-types'
import { getSum, RecordError, type RecordWork, rounded } from '../../record-engine/index.ts'
import {
  type GradeInterval,
  getGrade,
  getGradePointAverage,
  getGradePoints,
  getPercentage,
} from '../assessment/index.ts'
import { loadEducationSettings } from '../settings/index.ts'
import { findIssuedCards } from './issued-cards.ts'
import type {
  AttendanceCount,
  CourseScore,
  GroupRank,
  LoadedCard,
  ReportCard,
  ReportPeriod,
  ReportSelection,
} from './report-card.ts'
import {
  loadAttendance,
  loadCredits,
  loadPrograms,
  loadRanks,
  loadResults,
  loadScales,
  loadStudentNames,
  type ResultRow,
} from './report-card-sources.ts'

/**
 * The report card of a student. Only submitted results count. A course's score is the sum of its assessments', and the
 * summary's that of all courses; a course is graded by the scale of its last assessment, and the summary where all courses
 * have the same scale. What has no maximum has no percentage and no grade. A card of posted marks is as it was issued.
 *
 * @throws RecordError `DoesNotExistError` for a student, year or term that is not there, `ValidationError` for a term of
 * another year.
 */
export async function loadReportCard(work: RecordWork, asked: ReportSelection): Promise<ReportCard> {
  const { name } = await work.get(student, asked.student)
  const [loaded] = await loadReportCards(work, [name], asked)
  if (loaded === undefined) throw new RecordError('DoesNotExistError', `${student.name} ${name} not found`)
  return loaded.card
}

/** The report cards of students by their names, in that order, as `loadReportCard` makes each; few statements for all. */
export async function loadReportCards(
  work: RecordWork,
  students: readonly string[],
  period: ReportPeriod,
): Promise<LoadedCard[]> {
  const year = await work.get(academicYear, period.academic_year)
  const term = period.academic_term === null ? null : await work.get(academicTerm, period.academic_term)
  if (term !== null && term.academic_year !== year.name) {
    throw new RecordError('ValidationError', `The Academic Term ${term.name} is not of the Academic Year ${year.name}.`)
  }
  const of = { ...period, academic_year: year.name, academic_term: term?.name ?? null }
  const results = await loadResults(work, students, of)
  const courses = [...new Set([...results.values()].flatMap((rows) => rows.map(({ course }) => course)))]
  const scales = await loadScales(work, [...results.values()].flat())
  const credits = await loadCredits(work, courses)
  const names = await loadStudentNames(work, students)
  const programs = await loadPrograms(work, students, of)
  const attendance = await loadAttendance(work, students, {
    from: term?.term_start_date ?? year.year_start_date,
    to: term?.term_end_date ?? year.year_end_date,
  })
  const showsRank = (await loadEducationSettings(work)).show_rank === 1 && (period.assessment_group ?? null) === null
  const ranks = showsRank ? await loadRanks(work, students, of) : new Map<string, GroupRank>()
  const loaded = students.map((name): LoadedCard => {
    const rows = results.get(name) ?? []
    const rank = ranks.get(name)
    const card = {
      student: name,
      student_name: names.get(name) ?? null,
      program: programs.get(name) ?? null,
      academic_year: of.academic_year,
      academic_term: of.academic_term,
      ...scoreCourses(rows, scales, credits),
      attendance: attendance.get(name) ?? noAttendance,
    }
    const { courses: scored, summary, grade_point_average, ...facts } = card
    return {
      card: {
        ...facts,
        courses: scored,
        summary,
        generated_on: work.now,
        ...(grade_point_average !== null && { grade_point_average }),
        ...(rank !== undefined && { rank }),
      },
      resultNames: rows.map(({ assessment_result }) => assessment_result).sort(),
      isPosted: rows.length > 0 && rows.every(({ is_posted }) => is_posted),
    }
  })
  const issued = await findIssuedCards(work, loaded, of)
  return loaded.map((each) => ({ ...each, card: issued.get(each.card.student) ?? each.card }))
}

const noAttendance: AttendanceCount = { total: 0, present: 0, absent: 0, leave: 0, percentage: null }

type Scales = ReadonlyMap<string, readonly GradeInterval[]>

function scoreCourses(rows: readonly ResultRow[], scales: Scales, credits: ReadonlyMap<string, number>) {
  const courses = [...groupedBy(rows, ({ course }) => course).values()].map((of) => scoreCourse(of, scales, credits))
  const shared = new Set(courses.map(({ scale }) => scale))
  const graded = courses.flatMap(({ score: { course, grade_points, credits: weight = 0 } }) =>
    grade_points === undefined ? [] : [{ course, grade_points, credits: weight }],
  )
  return {
    courses: courses.map(({ score }) => score),
    grade_point_average: getGradePointAverage(graded),
    summary: {
      courses: courses.length,
      ...grade(
        getSum(courses.map(({ score }) => score.total_score)),
        getSum(courses.map(({ score }) => score.maximum_score)),
        shared.size === 1 ? (scales.get([...shared][0] as string) ?? null) : null,
      ),
    },
  }
}

/** In the order in which the keys are first met. */
function groupedBy<Item>(items: readonly Item[], toKey: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(toKey(item))
    if (group === undefined) groups.set(toKey(item), [item])
    else group.push(item)
  }
  return groups
}

function scoreCourse(
  results: readonly ResultRow[],
  scales: Scales,
  credits: ReadonlyMap<string, number>,
): { score: CourseScore; scale: string } {
  const last = results.at(-1) as ResultRow
  const total_score = getSum(results.map((result) => result.total_score))
  const maximum_score = getSum(results.map((result) => result.maximum_score))
  const scale = scales.get(last.grading_scale) ?? null
  const points =
    scale === null || maximum_score <= 0 ? null : getGradePoints(scale, getPercentage(total_score, maximum_score))
  const weight = credits.get(last.course) ?? 0
  const score = {
    course: last.course,
    course_name: last.course,
    assessments: results.map(({ assessment_result, assessment_plan, assessment_group, ...result }) => ({
      assessment_result,
      assessment_plan,
      assessment_group,
      total_score: result.total_score,
      maximum_score: result.maximum_score,
      grade: result.grade,
      details: result.details,
    })),
    total_score,
    maximum_score,
    ...grade(total_score, maximum_score, scale),
    ...(points !== null && { grade_points: points }),
    ...(weight > 0 && { credits: weight }),
  }
  return { score, scale: last.grading_scale }
}

/** A percentage with its grade. The grade is that of the exact percentage, before it is rounded. */
function grade(score: number, maximum: number, scale: readonly GradeInterval[] | null) {
  if (maximum <= 0) return { percentage: null, grade: null }
  const exact = getPercentage(score, maximum)
  return { percentage: rounded(exact, 2), grade: scale === null ? null : getGrade(scale, exact) }
}
