import { studentAttendance, studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { isMemberOn } from '../membership/index.ts'
import { loadEducationSettings } from '../settings/index.ts'
import { column, linkColumn, type Report, type ReportRow, readReportRows } from './report.ts'

const columns = [
  linkColumn('Student Group', 'student_group', 'Student Group', 250),
  column('Student Group Strength', 'student_group_strength', 'Int', 200),
  column('Present', 'present_students', 'Int', 90),
  column('Leave', 'leave_students', 'Int', 90),
  column('Absent', 'absent_students', 'Int', 90),
]

/** The attendance of a day, per batch of the current year. */
export const batchAttendance: Report = {
  name: 'Student Batch-Wise Attendance',
  about: studentAttendance,
  reveals: [studentGroup],
  roles: ['Academics User'],
  hasTotals: false,
  filters: { date: { type: 'date', required: true } },
  run: async (work, { date }) => {
    const { current_academic_year: year } = await loadEducationSettings(work)
    const rows = await readReportRows<ReportRow>(
      work,
      sql`
        select g.name as student_group, strength.students as student_group_strength, kept.present_students,
               kept.absent_students, kept.leave_students, strength.unmarked_students
          from student_groups g
          cross join lateral (
            select count(*)::integer as students,
                   count(*) filter (where not exists (
                     select from student_attendances a
                      where a.tenant_id = m.tenant_id and a.student = m.student and a.student_group = g.name
                        and a.date = ${date} and a.docstatus = 1
                        and coalesce(a.course_schedule, '') = ''))::integer as unmarked_students
              from student_groups_students m
             where m.tenant_id = g.tenant_id and m.parent_id = g.id
               and ${isMemberOn(work, sql`${date}::date`)}) strength
          cross join lateral (
            select count(*) filter (where a.status = 'Present')::integer as present_students,
                   count(*) filter (where a.status = 'Absent')::integer as absent_students,
                   count(*) filter (where a.status = 'Leave')::integer as leave_students
              from student_attendances a
             where a.tenant_id = g.tenant_id and a.student_group = g.name and a.date = ${date} and a.docstatus = 1
               and coalesce(a.course_schedule, '') = '') kept
         where g.tenant_id = ${work.tx.tenantId} and g.group_based_on = 'Batch' and g.academic_year = ${year}
         order by g.name`,
    )
    return { columns, rows }
  },
}
