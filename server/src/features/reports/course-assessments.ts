import { assessmentResult } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { findReportGroups, submittedResultsStatement } from './assessment-scores.ts'
import { column, linkColumn, type Report, type ReportChart, readReportRows, toFieldname } from './report.ts'

interface Result {
  readonly student: string
  readonly student_name: string | null
  readonly details: readonly { criteria: string; grade: string | null; score: number }[] | null
}

/** The grade and score of each student in each criterion of a course. */
export const courseAssessments: Report = {
  name: 'Course wise Assessment Report',
  about: assessmentResult,
  reveals: [],
  roles: ['Instructor', 'Education Manager'],
  hasTotals: false,
  filters: {
    academic_year: { type: 'text', required: true, of: 'Academic Year' },
    academic_term: { type: 'text', of: 'Academic Term' },
    course: { type: 'text', required: true, of: 'Course' },
    student_group: { type: 'text', of: 'Student Group' },
    assessment_group: { type: 'text', required: true, of: 'Assessment Group' },
  },
  run: async (
    work,
    { academic_year = null, academic_term = null, course, student_group = null, assessment_group = null },
  ) => {
    if (assessment_group === 'All Assessment Groups') {
      throw new RecordError('ValidationError', "Please select the assessment group other than 'All Assessment Groups'.")
    }
    const groups = await findReportGroups(work, assessment_group ?? '')
    const results = await readReportRows<Result>(
      work,
      sql`
        select r.student, (select n.full_name from students n
                           where n.tenant_id = r.tenant_id and n.student_code = r.student) as student_name, (
                 select jsonb_agg(jsonb_build_object('criteria', d.assessment_criteria, 'grade', d.grade, 'score', d.score)
                                  order by d.idx)
                   from assessment_results_details d
                  where d.tenant_id = r.tenant_id and d.parent_id = r.id
               and coalesce(d.outcome, 'Assessed') = 'Assessed') as details
          from assessment_results r
         where ${submittedResultsStatement(work, academic_year, groups)} and r.course = ${course}
           and (${academic_term}::text is null or r.academic_term = ${academic_term})
           and (${student_group}::text is null or r.student_group = ${student_group})
         order by r.student, r.name`,
    )
    const criteria = [...new Set(results.flatMap(({ details }) => (details ?? []).map((detail) => detail.criteria)))]
    const columns = [
      linkColumn('Student ID', 'student', 'Student', 150),
      column('Student Name', 'student_name', 'Data', 150),
      ...criteria.flatMap((each) => [
        column(each, toFieldname(each), 'Data', 100),
        column(`Score (${each})`, `${toFieldname(each)}_score`, 'Float', 100),
      ]),
    ]
    const rows = results.map(({ student, student_name, details }) => {
      const scores = (details ?? []).flatMap(({ criteria: each, grade, score }) => [
        [toFieldname(each), grade],
        [`${toFieldname(each)}_score`, score],
      ])
      return { ...Object.fromEntries(scores), student, student_name }
    })
    return { columns, rows, chart: buildChart(criteria, results) }
  },
}

/** The number of each grade per criterion. */
function buildChart(labels: readonly string[], results: readonly Result[]): ReportChart {
  const details = results.flatMap((result) => result.details ?? [])
  const grades = [...new Set(details.map(({ grade }) => grade ?? ''))].sort()
  const count = (name: string, criterion: string) =>
    details.filter(({ grade, criteria }) => (grade ?? '') === name && criteria === criterion).length
  const datasets = grades.map((name) => ({ name, values: labels.map((criterion) => count(name, criterion)) }))
  return { type: 'bar', data: { labels, datasets } }
}
