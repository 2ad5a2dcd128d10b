import { feeSchedule, feeStructure, type fees, studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { getTotal, times } from '../../money/index.ts'
import { RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { isInProgramOn, isMemberOn } from '../membership/index.ts'
import { loadCurrency, setComponentTotals } from './fee-structures.ts'
import { describeAmount } from './fees.ts'

type Schedule = RecordOf<typeof feeSchedule>

/** The criteria for the members of a group that a schedule charges. */
interface Charged {
  readonly program: string | null
  readonly academicYear: string | null
  readonly academicTerm: string | null
  readonly studentCategory: string | null
  /** The day on which somebody must be there to be charged, `YYYY-MM-DD`. */
  readonly day: string
}

/** A student charged by a schedule, with the enrolment. */
export interface ChargedStudent {
  student: string
  student_name: string | null
  program: string | null
  program_enrollment: string
  student_batch: string | null
  academic_year: string | null
  student_category: string | null
}

/** A student whom a schedule charges, with the first of its groups that names the student. */
export type ScheduledStudent = ChargedStudent & { readonly group: string }

/**
 * The students whom a schedule charges of a group: who is a member on the day and has not left institution or program, with a
 * submitted enrolment in the year and, where given, program, term and category. Of several enrolments in one program, as
 * in both terms of a year, the latest counts, once.
 */
export async function findChargedStudents(
  work: RecordWork,
  group: string,
  charged: Charged,
): Promise<ChargedStudent[]> {
  const { program, academicYear, academicTerm, studentCategory, day } = charged
  return work.tx.query<ChargedStudent>(sql`
    select student, student_name, program, program_enrollment, student_batch, academic_year, student_category
      from (select distinct on (e.student, e.program)
                   e.student, s.student_name, e.program, e.name as program_enrollment,
                   e.student_batch_name as student_batch, e.academic_year, e.student_category, m.idx as position
              from student_groups g
              join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
              join student_records s on s.tenant_id = m.tenant_id and s.name = m.student
              join program_enrollments e on e.tenant_id = m.tenant_id and e.student = m.student and e.docstatus = 1
             where g.tenant_id = ${work.tx.tenantId} and g.name = ${group}
               and ${isMemberOn(work, sql`${day}::date`)} and ${isInProgramOn('e', day)}
               and e.academic_year = ${academicYear}
               and (coalesce(${program}::text, '') = '' or e.program = ${program}::text)
               and (coalesce(${academicTerm}::text, '') = '' or e.academic_term = ${academicTerm}::text)
               and (coalesce(${studentCategory}::text, '') = '' or e.student_category = ${studentCategory}::text)
             order by e.student, e.program, e.enrollment_date desc nulls last, e.name desc) charged
     order by position, program, program_enrollment`)
}

/** Fills in the program, so that only its enrolments are charged, and the components from the structure. */
export async function setComponents(schedule: Schedule, work: RecordWork): Promise<void> {
  const structure = await work.find(feeStructure, schedule.fee_structure ?? '')
  if (structure === null) return
  schedule.program ||= structure.program
  if (schedule.components.length > 0) return
  schedule.components = structure.components.map((component) => ({ ...component, name: '' }))
  schedule.company ??= structure.company
}

/** Sets the totals of a schedule: per student, and for all its students. */
export async function setScheduleTotals(schedule: Schedule, work: RecordWork): Promise<void> {
  const currency = await loadCurrency(work, schedule.company)
  setComponentTotals(schedule.components, currency)
  schedule.total_amount = getTotal(
    schedule.components.map(({ total }) => total),
    currency,
  )
  if (schedule.total_amount < 0) {
    throw new RecordError(
      'ValidationError',
      `The components of a schedule must not sum up to less than 0: they are ${schedule.total_amount}. Correct the amounts.`,
    )
  }
  schedule.currency = currency
  Object.assign(schedule, await countStudents(schedule, work, currency))
}

/** The totals of a schedule that follow from who is in its groups. */
async function countStudents(schedule: Schedule, work: RecordWork, currency: string) {
  const byGroup = await findStudentsByGroup(work, schedule)
  const grand_total = times(schedule.total_amount, toEachOnce(byGroup).length, currency)
  const student_groups = schedule.student_groups.map((row) => ({
    ...row,
    total_students: String(byGroup.get(row.student_group ?? '')?.length ?? 0),
  }))
  return { student_groups, grand_total, grand_total_in_words: await describeAmount(work, grand_total, currency) }
}

/** Lets the totals of the schedules of a group follow its members, until their fees are created. */
export async function recountSchedules(groups: readonly string[], work: RecordWork): Promise<void> {
  const waiting = await work.select(
    feeSchedule,
    sql`r.docstatus < 2 and r.fee_creation_status is distinct from 'Successful'
        and r.id in (select s.parent_id from fee_schedules_student_groups s
                      where s.tenant_id = ${work.tx.tenantId} and s.student_group = any(${[...groups]}::text[]))`,
    sql`order by r.id`,
  )
  await work.lockAll(waiting.map(({ name }) => ({ type: feeSchedule, name })))
  for (const { name } of waiting) {
    const schedule = await work.get(feeSchedule, name)
    const currency = await loadCurrency(work, schedule.company)
    await work.put(feeSchedule, name, await countStudents(schedule, work, currency))
  }
}

/** Lets the schedules of a student's groups in a year follow a change of the student's enrolments. */
export async function recountSchedulesOf(
  { student, academic_year }: { readonly student: string | null; readonly academic_year: string | null },
  work: RecordWork,
): Promise<void> {
  const groups = await work.tx.query<{ name: string }>(sql`
    select g.name from student_groups_students m
      join student_groups g on g.tenant_id = m.tenant_id and g.id = m.parent_id
     where m.tenant_id = ${work.tx.tenantId} and m.student = ${student} and g.academic_year = ${academic_year}`)
  if (groups.length > 0)
    await recountSchedules(
      groups.map(({ name }) => name),
      work,
    )
}

/** The totals of what was made of a schedule: per group, and of all. */
export function sumCreated(schedule: Schedule, created: readonly { group: string; grand_total: number }[]) {
  const currency = schedule.currency ?? ''
  const sum = (some: typeof created) => ({
    created_fees: some.length,
    created_total: getTotal(
      some.map(({ grand_total }) => grand_total),
      currency,
    ),
  })
  const named = schedule.student_groups.map(({ student_group }) => student_group)
  const student_groups = schedule.student_groups.map((row, index) => ({
    ...row,
    ...sum(created.filter(({ group }) => group === row.student_group && named.indexOf(group) === index)),
  }))
  return { student_groups, ...sum(created) }
}

function chargedBy(schedule: Schedule, { today }: RecordWork): Charged {
  const { program, academic_year: academicYear, academic_term: academicTerm } = schedule
  const day = schedule.posting_date ?? today
  return { program, academicYear, academicTerm, studentCategory: schedule.student_category, day }
}

async function findStudentsByGroup(work: RecordWork, schedule: Schedule): Promise<Map<string, ChargedStudent[]>> {
  const byGroup = new Map<string, ChargedStudent[]>()
  for (const { student_group } of schedule.student_groups) {
    const group = student_group ?? ''
    if (!byGroup.has(group)) byGroup.set(group, await findChargedStudents(work, group, chargedBy(schedule, work)))
  }
  return byGroup
}

function toEachOnce(byGroup: ReadonlyMap<string, readonly ChargedStudent[]>): ScheduledStudent[] {
  const byEnrollment = new Map<string, ScheduledStudent>()
  for (const [group, students] of byGroup) {
    for (const student of students) {
      if (!byEnrollment.has(student.program_enrollment))
        byEnrollment.set(student.program_enrollment, { ...student, group })
    }
  }
  return [...byEnrollment.values()]
}

/** The students of a schedule: those of all its groups, once for each program, also when in several groups. */
export async function findStudentsOfSchedule(work: RecordWork, schedule: Schedule): Promise<ScheduledStudent[]> {
  return toEachOnce(await findStudentsByGroup(work, schedule))
}

/** Warns about differences that are allowed. */
export async function warnOfDifferences(schedule: Schedule, work: RecordWork): Promise<void> {
  for (const row of schedule.student_groups) {
    const group = await work.linked(studentGroup, row.student_group)
    if (group !== null && group.academic_year !== schedule.academic_year) {
      work.messages.push({
        message: `The group ${group.name} is of ${group.academic_year}, the schedule of ${schedule.academic_year}: it charges who is enrolled in that year.`,
        indicator: 'orange',
      })
    }
    if (group?.program && schedule.program && group.program !== schedule.program) {
      work.messages.push({
        message: `The program of the group ${group.name} is ${group.program}, the schedule's is ${schedule.program}.`,
        indicator: 'orange',
      })
    }
  }
  const structure = await work.find(feeStructure, schedule.fee_structure ?? '')
  const known = new Set(structure?.components.map((component) => component.fees_category))
  for (const component of schedule.components) {
    if (structure !== null && !known.has(component.fees_category)) {
      work.messages.push({
        message: `Row #${component.idx}: ${component.fees_category} is not part of the structure ${structure.name}.`,
        indicator: 'orange',
      })
    }
  }
  if (structure === null) return
  const [asked] = await work.tx.query<{ isTooMuch: boolean }>(sql`
    select coalesce(sum(total_amount), 0) + ${schedule.total_amount}::numeric > ${structure.total_amount}::numeric as "isTooMuch"
      from fee_schedules
     where tenant_id = ${work.tx.tenantId} and fee_structure = ${structure.name} and docstatus < 2
       and name <> ${schedule.name}`)
  if (asked?.isTooMuch === true) {
    work.messages.push({
      message: `The schedules of the structure ${structure.name} ask for more than its total of ${structure.total_amount}.`,
      indicator: 'orange',
    })
  }
}

/** Marks a submitted schedule as waiting for its fees. */
export function markAsPending(schedule: Schedule): void {
  schedule.status = 'Invoice Pending'
}

export function setDraftStatus(schedule: Schedule): void {
  if (schedule.docstatus === 0) schedule.status = 'Draft'
}

export async function setCancelled(schedule: Schedule, work: RecordWork): Promise<void> {
  await work.put(feeSchedule, schedule.name, { status: 'Cancelled' })
  schedule.status = 'Cancelled'
}

/** The fields of a student's fee by a schedule, with its components. */
export function buildFee<Row extends object>(
  schedule: Schedule,
  charged: ChargedStudent,
  components: readonly Row[],
): Partial<Omit<RecordOf<typeof fees>, 'components'>> & { readonly components: readonly Row[] } {
  return {
    docstatus: 1,
    posting_date: schedule.posting_date,
    due_date: schedule.due_date,
    student: charged.student,
    student_name: charged.student_name,
    program: charged.program,
    program_enrollment: charged.program_enrollment,
    student_batch: charged.student_batch,
    student_category: charged.student_category,
    academic_year: schedule.academic_year,
    academic_term: schedule.academic_term,
    fee_structure: schedule.fee_structure,
    fee_schedule: schedule.name,
    company: schedule.company,
    receivable_account: schedule.receivable_account,
    income_account: schedule.income_account,
    cost_center: schedule.cost_center,
    send_payment_request: schedule.send_email,
    components,
  }
}
