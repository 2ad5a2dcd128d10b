import { student, studentLog } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { defineRecord, type RecordDefinition } from '../../record-engine/index.ts'
import { requireTermOfYear } from '../calendar/index.ts'
import { studentStorage } from './student-record-storage.ts'
import { studentRules } from './student-rules.ts'

/** Students, by what they are grouped, and what is noted about them. */
export const studentRecords: readonly RecordDefinition[] = [
  defineRecord(student, {
    rules: studentRules,
    storage: studentStorage,
    indexes: [['name'], ['creation'], ['enabled', 'modified']],
    listedBy: {
      // The groups in use of which the student is an active member.
      _student_group: (tenantId, met) => sql`
        select m.student as name, s.name as value
          from student_groups s
          join student_groups_students m on m.tenant_id = s.tenant_id and m.parent_id = s.id and m.active = 1
         where s.tenant_id = ${tenantId} and s.disabled = 0 and ${met}`,
      // The programs of the last academic year in which the student is enrolled.
      _program: (tenantId, met) => sql`
        select e.student as name, e.program as value
          from (select s.student, s.program,
                       rank() over (partition by s.student order by y.year_start_date desc, y.name desc) as nth
                  from program_enrollments s
                  join academic_years y on y.tenant_id = s.tenant_id and y.name = s.academic_year
                 where s.tenant_id = ${tenantId} and s.docstatus = 1 and ${met}) e
         where e.nth = 1`,
    },
  }),
  defineRecord(studentLog, { rules: { validate: [requireTermOfYear] } }),
]
