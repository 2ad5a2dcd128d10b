import { feeSchedule, feeStructure, type fees, studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { getTotal, times } from '../../money/index.ts'
import type { RecordOf, RecordWork } from '../../record-engine/index.ts'
import { isMemberOn } from '../membership/index.ts'
import { getComponents, loadCurrency, setComponentTotals } from './fee-structures.ts'
import { describeAmount } from './fees.ts'

type Schedule = RecordOf<typeof feeSchedule>

/** The criteria for the members of a group that a schedule charges. */
interface Charged {
  /** The day on which they are in the group (`YYYY-MM-DD`). */
  readonly day: string
  readonly program: string | null
  readonly academicYear: string | null
  readonly academicTerm: string | null
  readonly studentCategory: string | null
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

/**
 * Those who are in a group on the day with a submitted enrolment in the year and, where given, program, term and category:
 * once for each such enrolment.
 */
export async function findChargedStudents(
  work: RecordWork,
  group: string,
  charged: Charged,
): Promise<ChargedStudent[]> {
  const { day, program, academicYear, academicTerm, studentCategory } = charged
  return work.tx.query<ChargedStudent>(sql`
    select m.student, m.student_name, e.program, e.name as program_enrollment, e.student_batch_name as student_batch,
           e.academic_year, e.student_category
      from student_groups g
      join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
      join program_enrollments e on e.tenant_id = m.tenant_id and e.student = m.student and e.docstatus = 1
     where g.tenant_id = ${work.tx.tenantId} and g.name = ${group}
       and ${isMemberOn(work, sql`${day}::date`)}
       and e.academic_year = ${academicYear}
       and (coalesce(${program}::text, '') = '' or e.program = ${program}::text)
       and (coalesce(${academicTerm}::text, '') = '' or e.academic_term = ${academicTerm}::text)
       and (coalesce(${studentCategory}::text, '') = '' or e.student_category = ${studentCategory}::text)
     order by m.idx, e.created_at, e.name`)
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
  for (const row of schedule.student_groups) {
    const charged = await findChargedStudents(work, row.student_group ?? '', chargedBy(schedule, work))
    row.total_students = String(charged.length)
  }
  const charged = await findStudentsOfSchedule(work, schedule)
  schedule.grand_total = times(schedule.total_amount, charged.length, currency)
  schedule.currency = currency
  schedule.grand_total_in_words = await describeAmount(work, schedule.grand_total, currency)
}

function chargedBy(schedule: Schedule, { today }: RecordWork): Charged {
  const { program, academic_year: academicYear, academic_term: academicTerm } = schedule
  const day = schedule.posting_date ?? today
  return { day, program, academicYear, academicTerm, studentCategory: schedule.student_category }
}

/** The students of a schedule: those of all its groups, once for each enrolment, also when in several groups. */
export async function findStudentsOfSchedule(work: RecordWork, schedule: Schedule): Promise<ChargedStudent[]> {
  const byEnrollment = new Map<string, ChargedStudent>()
  for (const { student_group } of schedule.student_groups) {
    for (const charged of await findChargedStudents(work, student_group ?? '', chargedBy(schedule, work))) {
      if (!byEnrollment.has(charged.program_enrollment)) byEnrollment.set(charged.program_enrollment, charged)
    }
  }
  return [...byEnrollment.values()]
}

/** Warns about differences that are allowed. */
export async function warnOfDifferences(schedule: Schedule, work: RecordWork): Promise<void> {
  for (const row of schedule.student_groups) {
    const group = await work.linked(studentGroup, row.student_group)
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

/** The fields of a student's fee by a schedule. */
export function buildFee(
  schedule: Schedule,
  charged: ChargedStudent,
): Partial<Omit<RecordOf<typeof fees>, 'components'>> & {
  components: object[]
} {
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
    components: getComponents(schedule),
  }
}
