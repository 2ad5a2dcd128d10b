import { student, studentAttendance, studentLeaveApplication } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { column, linkColumn, type Report, readReportRows } from './report.ts'

const columns = [
  linkColumn('Student', 'student', 'Student', 90),
  column('Student Name', 'student_name', 'Data', 150),
  column('Student Group', 'student_group', 'Data', 180),
  column('Student Email Address', 'student_email_address', 'Data', 180),
  column('Student Mobile No.', 'student_mobile_no.', 'Data', 150),
]

/** The students absent on a day, each once, without those on a leave that counts as present. */
export const absentStudents: Report = {
  name: 'Absent Student Report',
  about: studentAttendance,
  reveals: [student, studentLeaveApplication],
  roles: ['Academics User'],
  hasTotals: false,
  filters: { date: { type: 'date', required: true } },
  run: async (work, { date }) => ({
    columns,
    rows: await readReportRows(
      work,
      sql`
        select a.student, coalesce(max(s.student_name), max(a.student_name)) as student_name,
               string_agg(distinct a.student_group, ', ' order by a.student_group) as student_group,
               coalesce(max(s.student_email_id), '') as student_email_address,
               coalesce(max(s.student_mobile_number), '') as "student_mobile_no."
          from student_attendances a
          left join student_records s on s.tenant_id = a.tenant_id and s.name = a.student
         where a.tenant_id = ${work.tx.tenantId} and a.status = 'Absent' and a.docstatus = 1 and a.date = ${date}
           and not exists (
             select from student_leave_applications l
              where l.tenant_id = a.tenant_id and l.student = a.student and l.docstatus = 1 and l.mark_as_present = 1
                and a.date between l.from_date and l.to_date)
         group by a.student
         order by student_group, student_name, a.student`,
    ),
  }),
}
