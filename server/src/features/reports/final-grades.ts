import { assessmentResult, studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { findReportGroups, submittedResultsStatement } from './assessment-scores.ts'
import { column, linkColumn, type Report, type ReportRow, readReportRows, toFieldname } from './report.ts'

interface Result {
  readonly student: string
  readonly student_name: string | null
  readonly assessment_group: string | null
  readonly course: string
  readonly grade: string | null
  readonly total_score: number
}

/** The grade and score of each student of a group in each course. */
export const finalGrades: Report = {
  name: 'Final Assessment Grades',
  about: assessmentResult,
  reveals: [studentGroup],
  roles: ['Instructor', 'Education Manager'],
  hasTotals: false,
  filters: {
    academic_year: { type: 'text', required: true, of: 'Academic Year' },
    student_group: { type: 'text', required: true, of: 'Student Group' },
    assessment_group: { type: 'text', required: true, of: 'Assessment Group' },
  },
  run: async (work, { academic_year = null, student_group, assessment_group }) => {
    const groups = await findReportGroups(work, assessment_group ?? '')
    const results = await readReportRows<Result>(
      work,
      sql`
        select r.student, (select n.full_name from students n
                           where n.tenant_id = r.tenant_id and n.student_code = r.student) as student_name, r.assessment_group, r.course, r.grade, r.total_score
          from assessment_results r
         where ${submittedResultsStatement(work, academic_year, groups)} and r.course is not null
           and r.student in (
             select m.student
               from student_groups g
               join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
              where g.tenant_id = r.tenant_id and g.name = ${student_group})
         order by r.student, r.name`,
    )
    const rows = new Map<string, ReportRow>()
    for (const { student, student_name, assessment_group: group, course, grade, total_score } of results) {
      const known = rows.get(student) ?? { student, student_name, assessment_group: group }
      const scored = { [`grade_${toFieldname(course)}`]: grade, [`score_${toFieldname(course)}`]: total_score }
      rows.set(student, { ...known, ...scored })
    }
    const columns = [
      linkColumn('Student ID', 'student', 'Student', 150),
      column('Student Name', 'student_name', 'Data', 120),
      linkColumn('Assessment Group', 'assessment_group', 'Assessment Group', 100),
      ...[...new Set(results.map(({ course }) => course))].flatMap((course) => [
        column(course, `grade_${toFieldname(course)}`, 'Data', 100),
        column(`Score (${course})`, `score_${toFieldname(course)}`, 'Float', 150),
      ]),
    ]
    return { columns, rows: [...rows.values()] }
  },
}
