import type { RecordType } from '@matricula/contract/record-types'
import {
  academicTerm,
  academicYear,
  assessmentPlan,
  courseSchedule,
  programEnrollment,
  studentAttendance,
} from '@matricula/contract/record-types'
import { join, type Sql, sql } from '../../database/index.ts'
import { RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'

/** The first and the last day of a year or a term (`YYYY-MM-DD`). */
interface Period {
  readonly start: string
  readonly end: string
}

interface Dated {
  readonly type: string
  readonly name: string
  readonly day: string
}

/** Statements that find what is dated outside of a period, as `type`, `name` and `day`. */
type Search = (period: Period) => Sql

const isOutside = (day: Sql, { start, end }: Period) => sql`(${day} < ${start} or ${day} > ${end})`

/** Lessons of the groups that meet a condition on the alias `g`. */
const lessonsOf =
  (tenantId: string, condition: Sql): Search =>
  (period) =>
    sql`
    select ${courseSchedule.name} as type, l.name, l.schedule_date as day
      from course_schedules l
      join student_groups g on g.tenant_id = l.tenant_id and g.name = l.student_group
     where l.tenant_id = ${tenantId} and l.docstatus < 2 and ${condition} and ${isOutside(sql`l.schedule_date`, period)}`

/** Examinations that meet a condition on the alias `p`. */
const examinationsOf =
  (tenantId: string, condition: Sql): Search =>
  (period) =>
    sql`
    select ${assessmentPlan.name} as type, p.name, p.schedule_date as day from assessment_plans p
     where p.tenant_id = ${tenantId} and p.docstatus < 2 and ${condition} and ${isOutside(sql`p.schedule_date`, period)}`

const enrollmentsOf =
  (tenantId: string, year: string): Search =>
  (period) =>
    sql`
    select ${programEnrollment.name} as type, e.name, e.enrollment_date as day from program_enrollments e
     where e.tenant_id = ${tenantId} and e.docstatus < 2 and e.academic_year = ${year}
       and ${isOutside(sql`e.enrollment_date`, period)}`

const attendanceOf =
  (tenantId: string, group: string): Search =>
  (period) =>
    sql`
    select ${studentAttendance.name} as type, a.name, a.date as day from student_attendances a
     where a.tenant_id = ${tenantId} and a.docstatus < 2 and a.student_group = ${group}
       and ${isOutside(sql`a.date`, period)}`

const types: readonly RecordType[] = [courseSchedule, assessmentPlan, programEnrollment, studentAttendance]

/** The earliest that lies outside of a period, with its name for whoever may read it; null where there is nothing. */
async function findOutside(work: RecordWork, period: Period, searches: readonly Search[]): Promise<Dated | null> {
  const [found] = await work.tx.query<Dated>(sql`
    select type, name, day::text from (${join(
      searches.map((search) => search(period)),
      ' union all ',
    )}) dated
     order by day, type, name limit 1`)
  if (found === undefined) return null
  const type = types.find(({ name }) => name === found.type)
  const isNamed = type !== undefined && (await work.mayRead(type, found.name))
  return { ...found, name: isNamed ? `${found.type} ${found.name}` : `record of the type ${found.type}` }
}

function refuse({ name, day }: Dated, period: Period): never {
  const { start, end } = period
  throw new RecordError(
    'ValidationError',
    `The ${name} is of ${day}, which would lie outside (${start} to ${end}). Correct that first, or keep the day in.`,
  )
}

/** A year that becomes shorter keeps the lessons, examinations and enrolments that are dated within it. */
export async function requireYearKeepsDays(
  { year_start_date: start, year_end_date: end }: RecordOf<typeof academicYear>,
  work: RecordWork,
  before: RecordOf<typeof academicYear> | null,
): Promise<void> {
  if (before === null || start === null || end === null) return
  if (start <= (before.year_start_date ?? start) && end >= (before.year_end_date ?? end)) return
  const { name } = before
  const { tenantId } = work.tx
  const outside = await findOutside(work, { start, end }, [
    lessonsOf(tenantId, sql`g.academic_year = ${name}`),
    examinationsOf(tenantId, sql`p.academic_year = ${name}`),
    enrollmentsOf(tenantId, name),
  ])
  if (outside !== null) refuse(outside, { start, end })
}

/** A term that becomes shorter keeps the lessons of its groups; a repeated examination may follow it. */
export async function requireTermKeepsDays(
  { term_start_date: start, term_end_date: end }: RecordOf<typeof academicTerm>,
  work: RecordWork,
  before: RecordOf<typeof academicTerm> | null,
): Promise<void> {
  if (before === null || start === null || end === null) return
  if (start <= (before.term_start_date ?? start) && end >= (before.term_end_date ?? end)) return
  const searches = [lessonsOf(work.tx.tenantId, sql`g.academic_term = ${before.name}`)]
  const outside = await findOutside(work, { start, end }, searches)
  if (outside !== null) refuse(outside, { start, end })
}

/** What a group is called, and of which year and term it is. */
interface GroupPeriod {
  readonly academic_year: string | null
  readonly academic_term: string | null
}

/** The days of a group: those of its term where it has one, else of its year; null where they are not known. */
export async function findDaysOfGroup(work: RecordWork, group: GroupPeriod): Promise<(Period & { of: string }) | null> {
  const term = await work.linked(academicTerm, group.academic_term || null)
  if (term?.term_start_date && term.term_end_date) {
    return { of: `Academic Term ${term.name}`, start: term.term_start_date, end: term.term_end_date }
  }
  const year = await work.linked(academicYear, group.academic_year)
  if (!year?.year_start_date || !year.year_end_date) return null
  return { of: `Academic Year ${year.name}`, start: year.year_start_date, end: year.year_end_date }
}

/**
 * Refuses another year or term for a group with lessons, examinations or attendance outside of it.
 *
 * @throws RecordError `ValidationError`.
 */
export async function requireGroupKeepsDays<Group extends GroupPeriod & { readonly name: string }>(
  group: Group,
  work: RecordWork,
  before: Group | null,
): Promise<void> {
  if (before === null) return
  const isMoved = group.academic_year !== before.academic_year
  if (!isMoved && (group.academic_term || null) === (before.academic_term || null)) return
  const days = await findDaysOfGroup(work, group)
  if (days === null) return
  const { tenantId } = work.tx
  const { name } = before
  const ofYear = [examinationsOf(tenantId, sql`p.student_group = ${name}`), attendanceOf(tenantId, name)]
  const searches = [lessonsOf(tenantId, sql`g.name = ${name}`), ...(isMoved ? ofYear : [])]
  const outside = await findOutside(work, days, searches)
  if (outside !== null) refuse(outside, days)
}
