import { assessmentPlan, assessmentResult, studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { getSum } from '../../record-engine/index.ts'
import { column, linkColumn, type Report, type ReportRow, readReportRows } from './report.ts'

interface PlanStatus extends ReportRow {
  readonly saved: number
  readonly submitted: number
  readonly remaining: number
}

const columns = [
  linkColumn('Assessment Plan', 'assessment_plan', 'Assessment Plan', 120),
  column('Assessment Plan Name', 'assessment_name', 'Data', 200),
  column('Schedule Date', 'schedule_date', 'Date', 100),
  linkColumn('Student Group', 'student_group', 'Student Group', 200),
  column('Total Student', 'student_group_strength', 'Data', 100),
  column('Submitted', 'submitted', 'Data', 100),
  column('Saved', 'saved', 'Data', 100),
  column('Remaining', 'remaining', 'Data', 100),
]

/** The number of saved, submitted and missing results of each submitted plan. */
export const assessmentPlanStatus: Report = {
  name: 'Assessment Plan Status',
  about: assessmentPlan,
  reveals: [studentGroup, assessmentResult],
  roles: ['Academics User'],
  hasTotals: false,
  filters: {
    assessment_group: { type: 'text', of: 'Assessment Group' },
    schedule_date: { type: 'date', label: 'Scheduled Upto' },
  },
  run: async (work, { assessment_group = null, schedule_date = null }) => {
    const rows = await readReportRows<PlanStatus>(
      work,
      sql`
        select p.name as assessment_plan, p.assessment_name, p.student_group, p.schedule_date,
               strength.students as student_group_strength, done.saved, done.submitted,
               strength.students - done.saved - done.submitted as remaining
          from assessment_plans p
          cross join lateral (
            select count(*)::integer as students
              from student_groups g
              join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
             where g.tenant_id = p.tenant_id and g.name = p.student_group) strength
          cross join lateral (
            select count(*) filter (where r.docstatus = 0)::integer as saved,
                   count(*) filter (where r.docstatus = 1)::integer as submitted
              from assessment_results r
             where r.tenant_id = p.tenant_id and r.assessment_plan = p.name) done
         where p.tenant_id = ${work.tx.tenantId} and p.docstatus = 1
           and (${assessment_group}::text is null or p.assessment_group = ${assessment_group})
           and (${schedule_date}::date is null or p.schedule_date <= ${schedule_date}::date)
         order by p.updated_at desc, p.name`,
    )
    const results = ['saved', 'submitted', 'remaining'] as const
    const values = results.map((key) => getSum(rows.map((row) => row[key])))
    const data = { labels: ['Saved', 'Submitted', 'Remaining'], datasets: [{ values }] }
    return { columns, rows, chart: { type: 'percentage', data } }
  },
}
