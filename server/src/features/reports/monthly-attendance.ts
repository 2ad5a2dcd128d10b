import { student, studentAttendance, studentGroup, studentLeaveApplication } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import {
  type DayRule,
  type DayTotal,
  getAttendanceTotals,
  getDayTotal,
  institutionHolidays,
  loadDayRule,
  marksWhere,
  type StudentMark,
} from '../attendance/index.ts'
import { isMemberOn } from '../membership/index.ts'
import { column, linkColumn, type Report, type ReportRow, readReportRows } from './report.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const kinds = ['present', 'absent', 'excused', 'leave'] as const
const letters = { present: 'P', absent: 'A', excused: 'E', leave: 'L' } as const

interface Member {
  readonly student: string
  readonly student_name: string | null
  /** The days of the month on which the student is in the group. */
  readonly there: readonly string[]
  readonly kept: readonly StudentMark[] | null
}

/** The letter of a day, or two where half of it was missed, such as `P/A`. */
function getLetters(total: DayTotal): string {
  return kinds
    .filter((kind) => total[kind] > 0)
    .map((kind) => letters[kind])
    .join('/')
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
  { student, student_name, there, kept: stored }: Member,
  { days, holidays, rule, today }: Sheet,
): ReportRow & { readonly 'Total Excused': number } {
  const marks = new Map<string, StudentMark[]>()
  for (const mark of stored ?? []) marks.set(mark.date, [...(marks.get(mark.date) ?? []), mark])
  const shown = days.map((day) => {
    const ofDay = marks.get(day)
    if (ofDay !== undefined) return getLetters(getDayTotal(ofDay, rule))
    return holidays.has(day) ? 'H' : there.includes(day) ? '' : '-'
  })
  // What is approved for days to come is shown, and does not count yet.
  const totals = getAttendanceTotals(
    (stored ?? []).filter(({ date }) => date <= today),
    rule,
  )
  return {
    student,
    student_name,
    ...Object.fromEntries(shown.map((letter, index) => [String(index + 1), letter])),
    'Total Present': totals.present,
    'Total Leave': totals.leave,
    'Total Excused': totals.excused,
    'Total Absent': totals.absent,
  }
}

/** What all rows of a month share. */
interface Sheet {
  readonly days: readonly string[]
  readonly holidays: ReadonlySet<string>
  readonly rule: DayRule
  readonly today: string
}

/**
 * The monthly attendance of a group: P, A, E (excused) or L, two of them for half a day, H on holidays; a leave that counts as
 * present is P.
 */
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
    const rule = await loadDayRule(work)
    const ofMonth = sql`
      a.student = m.student and a.student_group = g.name and a.date between ${days[0]} and ${days.at(-1)}`
    const members = await readReportRows<Member>(
      work,
      sql`
        select m.student, coalesce(s.full_name, m.student_name) as student_name, m.there, kept.kept
          from student_groups g
          cross join lateral (
            select m.student, min(m.student_name) as student_name, min(m.group_roll_number) as group_roll_number,
                   coalesce(array_agg(day::text order by day) filter (where ${isMemberOn(work, sql`day`)}), '{}') as there
              from student_groups_students m
              cross join unnest(${days}::date[]) day
             where m.tenant_id = g.tenant_id and m.parent_id = g.id
             group by m.student) m
          left join students s on s.tenant_id = g.tenant_id and s.student_code = m.student
          cross join lateral (
            select jsonb_agg(to_jsonb(mark)) as kept
              from (${marksWhere(work, ofMonth)}) mark) kept
         where g.tenant_id = ${work.tx.tenantId} and g.name = ${student_group}
           and (m.there <> '{}' or kept.kept is not null)
         order by m.group_roll_number, m.student`,
    )
    const rows = members.map((member) => buildRow(member, { days, holidays, rule, today: work.today }))
    const hasExcused = rows.some((row) => row['Total Excused'] > 0)
    const columns = [
      linkColumn('Student', 'student', 'Student', 90),
      column('Student Name', 'student_name', 'Data', 150),
      ...days.map((_, index) => column(String(index + 1), String(index + 1), 'Data', 50)),
      column('Total Present', 'Total Present', 'Float', 95),
      column('Total Leave', 'Total Leave', 'Float', 90),
      ...(hasExcused ? [column('Total Excused', 'Total Excused', 'Float', 90)] : []),
      column('Total Absent', 'Total Absent', 'Float', 90),
    ]
    return { columns, rows }
  },
}
