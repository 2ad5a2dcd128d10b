import { academicTerm, academicYear, student } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { getSum, RecordError, type RecordWork, rounded } from '../../record-engine/index.ts'
import { type GradeInterval, getGrade, getPercentage } from '../assessment/index.ts'
import { getAttendanceTotals, loadDayRule, marksWhere, type StudentMark } from '../attendance/index.ts'

/** What a student reached in one criterion of an assessment. */
export interface CriterionScore {
  readonly assessment_criteria: string
  readonly score: number
  readonly maximum_score: number
  readonly grade: string | null
}

/** A submitted result. */
export interface AssessmentScore {
  readonly assessment_result: string
  readonly assessment_plan: string
  readonly assessment_group: string | null
  readonly total_score: number
  readonly maximum_score: number
  readonly grade: string | null
  readonly details: readonly CriterionScore[]
}

/** All submitted results in one course. Percentages have two digits behind the point. */
export interface CourseScore {
  readonly course: string
  readonly course_name: string
  readonly assessments: readonly AssessmentScore[]
  readonly total_score: number
  readonly maximum_score: number
  readonly percentage: number | null
  readonly grade: string | null
}

/**
 * How often a student was there, of all submitted attendance within the term or the year up to today: in days, half days among
 * them, each counted once. Without an excused absence, or a late day, those are left out.
 */
export interface AttendanceCount {
  readonly total: number
  readonly present: number
  /** Without those that are excused. */
  readonly absent: number
  readonly excused?: number
  readonly leave: number
  /** Days on which the student came late, and the minutes of them. */
  readonly late?: number
  readonly minutes_late?: number
  readonly percentage: number | null
}

/** What a student reached in a year, or in a term of it. */
export interface ReportCard {
  readonly student: string
  readonly student_name: string | null
  readonly program: string | null
  readonly academic_year: string
  readonly academic_term: string | null
  readonly courses: readonly CourseScore[]
  readonly attendance: AttendanceCount
  readonly summary: { readonly courses: number; readonly percentage: number | null; readonly grade: string | null }
  /** In the tenant's time zone. */
  readonly generated_on: string
}

/** Whose report card it is, and of what. */
export interface ReportSelection {
  readonly student: string
  readonly academic_year: string
  readonly academic_term: string | null
  /** Only assessments of this group; of a group of groups, those directly in it. */
  readonly assessment_group?: string | null
}

/**
 * The report card of a student. Only submitted results count. A course's score is the sum of its assessments', and the
 * summary's that of all courses; a course is graded by the scale of its last assessment, and the summary where all courses
 * have the same scale. What has no maximum has no percentage and no grade.
 *
 * @throws RecordError `DoesNotExistError` for a student, year or term that is not there, `ValidationError` for a term of
 * another year.
 */
export async function loadReportCard(work: RecordWork, asked: ReportSelection): Promise<ReportCard> {
  const { name, student_name } = await work.get(student, asked.student)
  const { name: year, year_start_date: start, year_end_date: end } = await work.get(academicYear, asked.academic_year)
  const found = asked.academic_term === null ? null : await work.get(academicTerm, asked.academic_term)
  if (found !== null && found.academic_year !== year) {
    throw new RecordError('ValidationError', `The Academic Term ${found.name} is not of the Academic Year ${year}.`)
  }
  const term = found?.name ?? null
  const selection = { ...asked, student: name, academic_year: year, academic_term: term }
  const results = await submittedResults(work, selection)
  const scales = await loadScales(work, results)
  const courses = [...groupedBy(results, ({ course }) => course).values()].map((of) => courseScore(of, scales))
  const shared = new Set(courses.map(({ scale }) => scale))
  return {
    student: name,
    student_name,
    program: await findProgram(work, selection),
    academic_year: year,
    academic_term: term,
    courses: courses.map(({ score }) => score),
    attendance: await loadAttendance(work, name, {
      from: found?.term_start_date ?? start,
      to: found?.term_end_date ?? end,
    }),
    summary: {
      courses: courses.length,
      ...graded(
        getSum(courses.map(({ score }) => score.total_score)),
        getSum(courses.map(({ score }) => score.maximum_score)),
        shared.size === 1 ? (scales.get([...shared][0] as string) ?? null) : null,
      ),
    },
    generated_on: work.now,
  }
}

interface ResultRow {
  readonly assessment_result: string
  readonly assessment_plan: string
  readonly assessment_group: string | null
  readonly course: string
  readonly grading_scale: string
  readonly total_score: number
  readonly maximum_score: number
  readonly grade: string | null
  readonly details: readonly CriterionScore[]
}

/** By course, then in the order in which the assessments took place. */
function submittedResults(work: RecordWork, selection: ReportSelection): Promise<ResultRow[]> {
  const { tenantId } = work.tx
  const { student: name, academic_year: year, academic_term: term, assessment_group: group = null } = selection
  return work.tx.query<ResultRow>(sql`
    select r.name as assessment_result, r.assessment_plan, r.assessment_group, coalesce(r.course, '') as course,
           coalesce(r.grading_scale, '') as grading_scale, r.total_score, r.maximum_score, r.grade,
           (select coalesce(json_agg(json_build_object('assessment_criteria', d.assessment_criteria, 'score', d.score,
                                                       'maximum_score', d.maximum_score, 'grade', d.grade)
                                     order by d.idx), '[]')
              from assessment_results_details d
             where d.tenant_id = r.tenant_id and d.parent_id = r.id
               and coalesce(d.outcome, 'Assessed') = 'Assessed') as details
      from assessment_results r
      left join assessment_plans p on p.tenant_id = r.tenant_id and p.name = r.assessment_plan
     where r.tenant_id = ${tenantId} and r.student = ${name} and r.docstatus = 1 and r.academic_year = ${year}
       and (${term}::text is null or r.academic_term = ${term})
       and (${group}::text is null or r.assessment_group = ${group}
            or r.assessment_group in (select g.name from assessment_groups g
                                       where g.tenant_id = ${tenantId} and g.parent_assessment_group = ${group}
                                         and g.is_group = 0))
     order by r.course, p.schedule_date, p.from_time, r.name`)
}

async function loadScales(
  work: RecordWork,
  results: readonly ResultRow[],
): Promise<ReadonlyMap<string, readonly GradeInterval[]>> {
  const names = [...new Set(results.map(({ grading_scale }) => grading_scale))]
  const rows = await work.tx.query<GradeInterval & { scale: string }>(sql`
    select g.name as scale, i.grade_code, i.threshold
      from grading_scales g
      join grading_scales_intervals i on i.tenant_id = g.tenant_id and i.parent_id = g.id
     where g.tenant_id = ${work.tx.tenantId} and g.name = any(${names}::text[])`)
  return groupedBy(rows, ({ scale }) => scale)
}

/** In the order in which the keys are first met. */
function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

function courseScore(
  results: readonly ResultRow[],
  scales: ReadonlyMap<string, readonly GradeInterval[]>,
): { score: CourseScore; scale: string } {
  const last = results.at(-1) as ResultRow
  const total_score = getSum(results.map((result) => result.total_score))
  const maximum_score = getSum(results.map((result) => result.maximum_score))
  const score = {
    course: last.course,
    course_name: last.course,
    assessments: results.map(({ course: _course, grading_scale: _scale, ...assessment }) => assessment),
    total_score,
    maximum_score,
    ...graded(total_score, maximum_score, scales.get(last.grading_scale) ?? null),
  }
  return { score, scale: last.grading_scale }
}

/** A percentage with its grade. The grade is that of the exact percentage, before it is rounded. */
function graded(score: number, maximum: number, scale: readonly GradeInterval[] | null) {
  if (maximum <= 0) return { percentage: null, grade: null }
  const exact = getPercentage(score, maximum)
  return { percentage: rounded(exact, 2), grade: scale === null ? null : getGrade(scale, exact) }
}

/** The program of the student's submitted enrolment in the year, that of the term before others. */
async function findProgram(work: RecordWork, selection: ReportSelection): Promise<string | null> {
  const { student: name, academic_year: year, academic_term: term } = selection
  const [enrollment] = await work.tx.query<{ program: string }>(sql`
    select program from program_enrollments
     where tenant_id = ${work.tx.tenantId} and student = ${name} and academic_year = ${year} and docstatus = 1
     order by (academic_term is not distinct from ${term}) desc, enrollment_date desc, created_at desc limit 1`)
  return enrollment?.program ?? null
}

interface Span {
  readonly from: string | null
  readonly to: string | null
}

/** What is approved for days to come does not count yet. */
async function loadAttendance(work: RecordWork, name: string, { from, to }: Span): Promise<AttendanceCount> {
  const marks = await work.tx.query<StudentMark>(
    marksWhere(work, sql`a.student = ${name} and a.date between ${from} and ${to} and a.date <= ${work.today}`),
  )
  const { total, present, absent, excused, leave, late, minutes_late } = getAttendanceTotals(
    marks,
    await loadDayRule(work),
  )
  return {
    ...{ total, present, absent, leave },
    ...(excused > 0 && { excused }),
    ...(late > 0 && { late, minutes_late }),
    percentage: total === 0 ? null : rounded((present / total) * 100, 2),
  }
}
