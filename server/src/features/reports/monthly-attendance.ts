import { student, studentAttendance, studentGroup, studentLeaveApplication } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { institutionHolidays } from '../attendance/index.ts'
import { column, linkColumn, type Report, type ReportRow, readReportRows } from './report.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const letters: Readonly<Record<string, string>> = { Present: 'P', Absent: 'A', Leave: 'L' }

interface Member {
  readonly student: string
  readonly student_name: string | null
  readonly is_enabled: boolean
  /** The attendance by day (`YYYY-MM-DD`). */
  readonly kept: Readonly<Record<string, string>> | null
}

/** The days of a month. Throws `ValidationError` for an invalid month. */
function listDays(month: string | null, year: string | null): string[] {
  const index = months.indexOf((month ?? '').slice(0, 3))
  if (index < 0 || !/^(19|20)\d\d$/.test(year ?? '')) {
    throw new RecordError('ValidationError', 'Send the month as Jan to Dec, and the year with four digits.')
  }
  const last = new Date(Date.UTC(Number(year), index + 1, 0)).getUTCDate()
  const before = `${year}-${String(index + 1).padStart(2, '0')}`
  return Array.from({ length: last }, (_, day) => `${before}-${String(day + 1).padStart(2, '0')}`)
}

function buildRow(
  { student, student_name, is_enabled, kept: stored }: Member,
  days: string[],
  holidays: ReadonlySet<string>,
): ReportRow {
  const statuses = days.map((day) => {
    const status = stored?.[day]
    if (status !== undefined) return letters[status] ?? ''
    if (holidays.has(day)) return 'H'
    return is_enabled ? '' : '-'
  })
  const count = (letter: string) => statuses.filter((status) => status === letter).length
  return {
    student,
    student_name,
    ...Object.fromEntries(statuses.map((status, index) => [String(index + 1), status])),
    'Total Present': count('P'),
    'Total Leave': count('L'),
    'Total Absent': count('A'),
  }
}

/** The monthly attendance of a group: P, A or L, H on holidays; a leave that counts as present is P. */
export const monthlyAttendance: Report = {
  name: 'Student Monthly Attendance Sheet',
  about: studentAttendance,
  reveals: [student, studentGroup, studentLeaveApplication],
  roles: ['Academics User'],
  hasTotals: false,
  filters: {
    month: { type: 'text', required: true, choices: months },
    year: { type: 'text', required: true },
    student_group: { type: 'text', required: true, of: 'Student Group' },
  },
  run: async (work, { month = null, year = null, student_group }) => {
    const days = listDays(month, year)
    const holidays = await institutionHolidays(work)
    const members = await readReportRows<Member>(
      work,
      sql`
        select m.student, coalesce(s.student_name, m.student_name) as student_name, coalesce(s.enabled, 0) = 1 as is_enabled, kept.kept
          from student_groups g
          join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
          left join student_records s on s.tenant_id = m.tenant_id and s.name = m.student
          cross join lateral (
            select jsonb_object_agg(a.date, case when exists (
                     select from student_leave_applications l
                      where l.tenant_id = a.tenant_id and l.student = a.student and l.docstatus = 1
                        and l.mark_as_present = 1 and a.date between l.from_date and l.to_date)
                   then 'Present' else a.status end) as kept
              from student_attendances a
             where a.tenant_id = g.tenant_id and a.student_group = g.name and a.student = m.student and a.docstatus = 1
               and a.date between ${days[0]} and ${days.at(-1)}) kept
         where g.tenant_id = ${work.tx.tenantId} and g.name = ${student_group}
         order by m.group_roll_number, m.idx`,
    )
    const columns = [
      linkColumn('Student', 'student', 'Student', 90),
      column('Student Name', 'student_name', 'Data', 150),
      ...days.map((_, index) => column(String(index + 1), String(index + 1), 'Data', 50)),
      column('Total Present', 'Total Present', 'Int', 95),
      column('Total Leave', 'Total Leave', 'Int', 90),
      column('Total Absent', 'Total Absent', 'Int', 90),
    ]
    return { columns, rows: members.map((member) => buildRow(member, days, holidays)) }
  },
}
