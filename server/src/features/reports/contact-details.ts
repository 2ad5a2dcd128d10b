import { guardian, programEnrollment, student, studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { column, linkColumn, type Report, type ReportRow, readReportRows } from './report.ts'

const columns = [
  column('Group Roll No', 'group_roll_no', 'Data', 60),
  linkColumn('Student ID', 'student_id', 'Student', 90),
  column('Student Name', 'student_name', 'Data', 150),
  column('Student Mobile No.', 'student_mobile_no', 'Data', 110),
  column('Student Email ID', 'student_email_id', 'Data', 125),
  column('Student Address', 'student_address', 'Data', 175),
  ...['1', '2'].flatMap((position) => [
    column(`Guardian${position} Name`, `guardian${position}_name`, 'Data', 150),
    column(`Relation with Guardian${position}`, `relation_with_guardian${position}`, 'Data', 80),
    column(`Guardian${position} Mobile No`, `guardian${position}_mobile_no`, 'Data', 125),
    column(`Guardian${position} Email ID`, `guardian${position}_email_id`, 'Data', 125),
  ]),
]

/** The contact details of the students of a batch and their first two guardians. */
export const contactDetails: Report = {
  name: 'Student and Guardian Contact Details',
  about: programEnrollment,
  reveals: [student, guardian, studentGroup],
  roles: ['Instructor', 'Academics User'],
  hasTotals: false,
  filters: {
    academic_year: { type: 'text', required: true, of: 'Academic Year' },
    program: { type: 'text', required: true, of: 'Program' },
    student_batch_name: { type: 'text', required: true, label: 'Batch Name', of: 'Student Batch Name' },
  },
  run: async (work, { academic_year, program, student_batch_name }) => {
    const { tenantId } = work.tx
    const guardian = (position: number) => sql`
      left join lateral (
        select g.guardian_name, l.relation, g.mobile_number, g.email_address
          from student_guardian_rows l
          join guardian_records g on g.tenant_id = l.tenant_id and g.name = l.guardian
         where l.tenant_id = s.tenant_id and l.parent_id = s.id
         order by l.idx limit 1 offset ${position})`
    const rows = await readReportRows<ReportRow>(
      work,
      sql`
        select coalesce(roll.group_roll_number::text, '') as group_roll_no, e.student as student_id, s.student_name,
               coalesce(s.student_mobile_number, '') as student_mobile_no,
               coalesce(s.student_email_id, '') as student_email_id,
               concat_ws(', ', nullif(s.address_line_1, ''), nullif(s.address_line_2, ''), nullif(s.city, ''),
                         nullif(s.state, '')) as student_address,
               one.guardian_name as guardian1_name, one.relation as relation_with_guardian1,
               one.mobile_number as guardian1_mobile_no, one.email_address as guardian1_email_id,
               two.guardian_name as guardian2_name, two.relation as relation_with_guardian2,
               two.mobile_number as guardian2_mobile_no, two.email_address as guardian2_email_id
          from program_enrollments e
          join student_records s on s.tenant_id = e.tenant_id and s.name = e.student
          left join lateral (
            select m.group_roll_number
              from student_groups g
              join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
             where g.tenant_id = e.tenant_id and g.academic_year = e.academic_year and g.program = e.program
               and g.batch = e.student_batch_name and g.disabled = 0 and m.student = e.student
             order by g.name limit 1) roll on true
          ${guardian(0)} one on true
          ${guardian(1)} two on true
         where e.tenant_id = ${tenantId} and e.academic_year = ${academic_year} and e.program = ${program}
           and e.student_batch_name = ${student_batch_name}
         order by e.name`,
    )
    return { columns, rows }
  },
}
