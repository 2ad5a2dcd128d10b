import { sql } from '../../database/index.ts'
import { type RecordWork, rounded } from '../../record-engine/index.ts'
import { type GradeInterval, isPosted } from '../assessment/index.ts'
import { getAttendanceTotals, loadDayRule, marksWhere, type StudentMark } from '../attendance/index.ts'
import type { AttendanceCount, CriterionScore, GroupRank, ReportPeriod } from './report-card.ts'

/** A submitted result. */
export interface ResultRow {
  readonly student: string
  readonly assessment_result: string
  readonly assessment_plan: string
  readonly assessment_group: string | null
  readonly course: string
  readonly grading_scale: string
  readonly total_score: number
  readonly maximum_score: number
  readonly grade: string | null
  readonly details: readonly CriterionScore[]
  readonly is_posted: boolean
}

function byStudent<Row extends { readonly student: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    const known = found.get(row.student)
    if (known === undefined) found.set(row.student, [row])
    else known.push(row)
  }
  return found
}

/** The submitted results by student: by course, then in the order in which the assessments took place. */
export async function loadResults(work: RecordWork, students: readonly string[], period: ReportPeriod) {
  const { tenantId } = work.tx
  const { academic_year: year, academic_term: term, assessment_group: group = null } = period
  const posted = isPosted(tenantId, {
    course: sql`r.course`,
    academic_year: sql`r.academic_year`,
    academic_term: sql`r.academic_term`,
    student_group: sql`r.student_group`,
  })
  return byStudent(
    await work.tx.query<ResultRow>(sql`
      select r.student, r.name as assessment_result, r.assessment_plan, r.assessment_group,
             coalesce(r.course, '') as course, coalesce(r.grading_scale, '') as grading_scale,
             r.total_score, r.maximum_score, r.grade,
             (select coalesce(json_agg(json_build_object('assessment_criteria', d.assessment_criteria, 'score', d.score,
                                                         'maximum_score', d.maximum_score, 'grade', d.grade)
                                       order by d.idx), '[]')
                from assessment_results_details d
               where d.tenant_id = r.tenant_id and d.parent_id = r.id
                 and coalesce(d.outcome, 'Assessed') = 'Assessed') as details,
             ${posted} as is_posted
        from assessment_results r
        left join assessment_plans p on p.tenant_id = r.tenant_id and p.name = r.assessment_plan
       where r.tenant_id = ${tenantId} and r.student = any(${students}::text[]) and r.docstatus = 1
         and r.academic_year = ${year}
         and (${term}::text is null or r.academic_term = ${term})
         and (${group}::text is null or r.assessment_group = ${group}
              or r.assessment_group in (select g.name from assessment_groups g
                                         where g.tenant_id = ${tenantId} and g.parent_assessment_group = ${group}
                                           and g.is_group = 0))
       order by r.student, r.course, p.schedule_date, p.from_time, r.name`),
  )
}

/** The intervals of the grading scales of results. */
export async function loadScales(work: RecordWork, results: readonly ResultRow[]) {
  const names = [...new Set(results.map(({ grading_scale }) => grading_scale))]
  const rows = await work.tx.query<GradeInterval & { scale: string }>(sql`
    select g.name as scale, i.grade_code, i.threshold, i.grade_points
      from grading_scales g
      join grading_scales_intervals i on i.tenant_id = g.tenant_id and i.parent_id = g.id
     where g.tenant_id = ${work.tx.tenantId} and g.name = any(${names}::text[])`)
  const scales = new Map<string, GradeInterval[]>()
  for (const { scale, ...interval } of rows) scales.set(scale, [...(scales.get(scale) ?? []), interval])
  return scales
}

/** The credits of courses that have some. */
export async function loadCredits(work: RecordWork, courses: readonly string[]): Promise<Map<string, number>> {
  const rows = await work.tx.query<{ name: string; credits: number }>(sql`
    select name, credits from courses
     where tenant_id = ${work.tx.tenantId} and name = any(${courses}::text[]) and credits > 0`)
  return new Map(rows.map(({ name, credits }) => [name, Number(credits)]))
}

/** The names of students, by their codes. */
export async function loadStudentNames(work: RecordWork, students: readonly string[]) {
  const rows = await work.tx.query<{ student: string; student_name: string | null }>(sql`
    select student_code as student, full_name as student_name from students
     where tenant_id = ${work.tx.tenantId} and student_code = any(${students}::text[])`)
  return new Map(rows.map(({ student, student_name }) => [student, student_name]))
}

/** The program of each student's submitted enrolment in the year, that of the term before others. */
export async function loadPrograms(work: RecordWork, students: readonly string[], period: ReportPeriod) {
  const { academic_year: year, academic_term: term } = period
  const rows = await work.tx.query<{ student: string; program: string }>(sql`
    select distinct on (student) student, program from program_enrollments
     where tenant_id = ${work.tx.tenantId} and student = any(${students}::text[]) and academic_year = ${year}
       and docstatus = 1
     order by student, (academic_term is not distinct from ${term}) desc, enrollment_date desc, created_at desc`)
  return new Map(rows.map(({ student, program }) => [student, program]))
}

/** The attendance of students between two days, both included, up to today: what is approved for days to come does not count. */
export async function loadAttendance(
  work: RecordWork,
  students: readonly string[],
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<Map<string, AttendanceCount>> {
  const isMeant = sql`a.student = any(${students}::text[]) and a.date between ${from} and ${to} and a.date <= ${work.today}`
  const marks = byStudent(await work.tx.query<StudentMark>(marksWhere(work, isMeant)))
  const rule = await loadDayRule(work)
  return new Map([...marks].map(([student, own]) => [student, toCount(getAttendanceTotals(own, rule))]))
}

function toCount(totals: ReturnType<typeof getAttendanceTotals>): AttendanceCount {
  const { total, present, absent, excused, leave, late, minutes_late } = totals
  return {
    ...{ total, present, absent, leave },
    ...(excused > 0 && { excused }),
    ...(late > 0 && { late, minutes_late }),
    percentage: total === 0 ? null : rounded((present / total) * 100, 2),
  }
}

/**
 * The ranks of students by their overall percentage, each in the group that most of its results are of, among all who
 * have results of that group in the period.
 */
export async function loadRanks(work: RecordWork, students: readonly string[], period: ReportPeriod) {
  const { academic_year: year, academic_term: term } = period
  const rows = await work.tx.query<GroupRank & { student: string }>(sql`
    with results as materialized (
      select student, student_group, total_score, maximum_score
        from assessment_results
       where tenant_id = ${work.tx.tenantId} and docstatus = 1 and academic_year = ${year}
         and (${term}::text is null or academic_term = ${term})
    ), main as (
      select distinct on (student) student, student_group
        from results
       where student = any(${students}::text[]) and coalesce(student_group, '') <> ''
       group by student, student_group
       order by student, count(*) desc, student_group
    ), scores as (
      select student, round(sum(total_score) / nullif(sum(maximum_score), 0), 9) as part from results group by student
    ), members as (
      select distinct r.student_group, r.student, s.part
        from results r
        join scores s on s.student = r.student
       where r.student_group in (select student_group from main) and s.part is not null
    ), ranked as (
      select student_group, student, rank() over (partition by student_group order by part desc)::integer as position,
             count(*) over (partition by student_group)::integer as students
        from members
    )
    select k.student, k.student_group, k.position, k.students
      from ranked k
      join main m on m.student = k.student and m.student_group = k.student_group`)
  return new Map(rows.map(({ student, ...rank }) => [student, rank]))
}
