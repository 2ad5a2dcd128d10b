import { feeSchedule, feeStructure, fees, glEntry } from '@matricula/contract/record-types'
import { amountInWords } from '@matricula/server/features/fees/index'
import { getTotal, times } from '@matricula/server/money/index'
import { getFiscalYear } from '@matricula/server/record-engine/index'
import { getDay } from '@matricula/server/tenancy/index'
import type { RowOf } from '../copy.ts'
import type { Plan } from '../plan.ts'
import { academicYearName, calendarDate, day, getMidnight, hour, minute, stamp } from '../records/calendar.ts'
import { getAmount } from '../records/charges.ts'
import type { paymentsTable } from '../tables.ts'
import type { AcademicCalendar } from './academic-calendar.ts'
import type { Enrolled } from './enrollments.ts'
import type { DemoGroup } from './groups.ts'
import type { Institution } from './institution.ts'
import type { FieldsOf, NewRecord, RecordLoader } from './record-loader.ts'
import { feeCategoriesOfDemo } from './subject-matter.ts'

type PaymentRow = RowOf<typeof paymentsTable>
type LedgerFields = FieldsOf<typeof glEntry>

/** Of ten payments at most one is that of a fee. */
const paymentsPerFee = 10
const daysToPay = 21

/** What a semester costs, in parts of a month's tuition, by category. */
const prices = [0.5, 0.08, 0.12] as const

/** A fee of a student as it is planned. */
interface PlannedFee {
  readonly member: Enrolled
  readonly group: DemoGroup
  readonly moment: number
  readonly dueAt: number
  readonly paidAt: number | null
  readonly status: 'paid' | 'pending' | 'overdue'
  readonly total: number
}

/**
 * Loads what each program costs, what is asked of the groups, and the fees of as many groups as the payments allow, with a
 * ledger that balances. Returns the payments of the fees, which are yet to be loaded, in the order of their moments.
 */
export async function loadFees(
  plan: Plan,
  calendar: AcademicCalendar,
  groups: readonly DemoGroup[],
  institution: Institution,
  loader: RecordLoader,
): Promise<PaymentRow[]> {
  const batches = groups.filter(({ kind }) => kind === 'Batch')
  const posting = Math.max(calendar.term.start + 2 * day, plan.start + 5 * day)
  const structures = await loadStructures(plan, calendar, batches, institution, posting - 2 * day, loader)
  let left = Math.floor(plan.payments / paymentsPerFee)
  const charged = batches.map((group) => {
    const members = group.members.filter(({ student: { status } }) => status === 'active')
    const isCharged = members.length <= left
    if (isCharged) left -= members.length
    return { group, members, isCharged }
  })
  const schedules = await loader.add(
    feeSchedule,
    charged.map(({ group, members, isCharged }, position) => ({
      moment: posting + position * minute,
      fields: scheduleFields(plan, calendar, group, members.length, isCharged, structures, institution, posting),
    })),
  )
  const scheduleOf = new Map(charged.map(({ group }, position) => [group.name, schedules[position]?.name as string]))
  const planned = charged
    .flatMap(({ group, members, isCharged }) =>
      isCharged ? members.map((member) => plannedFee(plan, calendar, group, member, posting)) : [],
    )
    .sort((one, other) => one.moment - other.moment)
  const made = await loader.add(
    fees,
    planned.map((fee) => ({
      moment: fee.moment,
      fields: feeFields(plan, calendar, fee, structures, scheduleOf.get(fee.group.name) as string, institution),
    })),
  )
  const payments = planned.map((fee, position) => paymentRow(plan, fee, made[position]?.name as string, position))
  const lines = planned.flatMap((fee, position) => getLines(plan, fee, payments[position] as PaymentRow, institution))
  await loader.add(
    glEntry,
    lines.sort((one, other) => one.moment - other.moment),
  )
  return payments
}

function componentsFor(plan: Plan, { program }: DemoGroup) {
  return feeCategoriesOfDemo.map(({ category_name, description }, position) => {
    const amount = getAmount((program?.tuition ?? 0) * (prices[position] as number), plan.currency, 0)
    return { fees_category: category_name, description, amount, total: amount }
  })
}

function totalFor(plan: Plan, group: DemoGroup): number {
  return getTotal(
    componentsFor(plan, group).map(({ amount }) => amount),
    plan.currency,
  )
}

function getAccounts({ company, receivable, income, costCenter }: Institution) {
  return { company, receivable_account: receivable, income_account: income, cost_center: costCenter }
}

/** One structure for each program, by the program's name. */
async function loadStructures(
  plan: Plan,
  { term }: AcademicCalendar,
  batches: readonly DemoGroup[],
  institution: Institution,
  moment: number,
  loader: RecordLoader,
): Promise<ReadonlyMap<string, string>> {
  const programs = new Map(batches.map((group) => [group.program?.name as string, group]))
  const made = await loader.add(
    feeStructure,
    [...programs].map(([program, group], position) => ({
      moment: moment + position * minute,
      fields: {
        program,
        academic_year: academicYearName(term.year),
        academic_term: term.name,
        components: componentsFor(plan, group),
        total_amount: totalFor(plan, group),
        ...getAccounts(institution),
      },
    })),
  )
  return new Map([...programs.keys()].map((program, position) => [program, made[position]?.name as string]))
}

function scheduleFields(
  plan: Plan,
  { term }: AcademicCalendar,
  group: DemoGroup,
  students: number,
  isCharged: boolean,
  structures: ReadonlyMap<string, string>,
  institution: Institution,
  posting: number,
): FieldsOf<typeof feeSchedule> {
  const total = totalFor(plan, group)
  const grandTotal = times(total, students, plan.currency)
  return {
    fee_structure: structures.get(group.program?.name ?? '') ?? null,
    posting_date: calendarDate(posting),
    due_date: calendarDate(posting + daysToPay * day),
    program: group.program?.name ?? null,
    academic_year: academicYearName(term.year),
    academic_term: term.name,
    currency: institution.currency.code,
    student_groups: [{ student_group: group.name, total_students: String(students) }],
    components: componentsFor(plan, group),
    total_amount: total,
    grand_total: grandTotal,
    grand_total_in_words: amountInWords(grandTotal, institution.currency),
    ...getAccounts(institution),
    fee_creation_status: isCharged ? 'Successful' : '',
    status: isCharged ? 'Invoice Created' : 'Invoice Pending',
  }
}

/** Who came later is asked later. Most have paid; nothing that is due before the day after tomorrow is pending. */
function plannedFee(
  plan: Plan,
  { term }: AcademicCalendar,
  group: DemoGroup,
  member: Enrolled,
  posting: number,
): PlannedFee {
  const random = plan.random.of(`fee ${term.name}`, member.student.index)
  const moment = Math.min(Math.max(posting, member.enrolledAt) + hour + random.below(9 * hour), plan.end - 2 * hour)
  const dueAt = getMidnight(moment) + daysToPay * day
  const isDue = dueAt < plan.end - day
  const isPaid = random.chance(isDue ? 0.86 : 0.45) || (!isDue && dueAt < plan.end + 2 * day)
  const latest = Math.min(plan.end, dueAt + 6 * day)
  const paidAt = isPaid ? Math.floor(moment + (0.05 + random.fraction() * 0.9) * (latest - moment)) : null
  const status = isPaid ? 'paid' : isDue ? 'overdue' : 'pending'
  return { member, group, moment, dueAt, paidAt, status, total: totalFor(plan, group) }
}

function feeFields(
  plan: Plan,
  { term }: AcademicCalendar,
  { member, group, moment, dueAt, status, total }: PlannedFee,
  structures: ReadonlyMap<string, string>,
  schedule: string,
  institution: Institution,
): FieldsOf<typeof fees> {
  const { student } = member
  return {
    student: member.code,
    student_name: member.name,
    posting_date: postingDay(plan, moment),
    posting_time: stamp(moment).slice(11, 19),
    due_date: calendarDate(dueAt),
    program_enrollment: member.enrollment,
    program: group.program?.name ?? null,
    academic_year: academicYearName(term.year),
    academic_term: term.name,
    fee_structure: structures.get(group.program?.name ?? '') ?? null,
    fee_schedule: schedule,
    currency: institution.currency.code,
    components: componentsFor(plan, group),
    grand_total: total,
    grand_total_in_words: amountInWords(total, institution.currency),
    outstanding_amount: status === 'paid' ? 0 : total,
    contact_email: student.email,
    student_category: member.category,
    student_batch: member.batch,
    ...getAccounts(institution),
  }
}

function paymentRow(
  plan: Plan,
  { member, moment, dueAt, paidAt, status, total }: PlannedFee,
  fee: string,
  position: number,
): PaymentRow {
  const changedAt = paidAt ?? (status === 'overdue' ? dueAt + day : moment)
  const about = feeCategoriesOfDemo.map(({ category_name }) => category_name).join(', ')
  return {
    id: plan.ids.of('fee payment', position, moment),
    external_id: null,
    student_id: member.student.id,
    amount: total,
    currency: plan.currency,
    status,
    description: `${fee}: ${about}`,
    processor_payment_intent_id: null,
    due_date: stamp(dueAt),
    paid_at: paidAt === null ? null : stamp(paidAt),
    fee,
    created_at: stamp(moment),
    updated_at: stamp(changedAt),
  }
}

/** The institution's day on which something that happens at a moment is posted. */
const postingDay = (plan: Plan, moment: number) => getDay(stamp(moment), plan.timeZone)

/** What a fee raised, and what its payment settled. */
function getLines(
  plan: Plan,
  fee: PlannedFee,
  payment: PaymentRow,
  institution: Institution,
): NewRecord<typeof glEntry>[] {
  const { member, moment, paidAt, total } = fee
  const { company, receivable, income, bank, costCenter } = institution
  const name = payment.fee as string
  const line = (at: number, fields: LedgerFields) => ({
    moment: at,
    fields: {
      posting_date: postingDay(plan, at),
      fiscal_year: getFiscalYear(postingDay(plan, at), 1),
      company,
      account_currency: institution.currency.code,
      ...fields,
    },
  })
  const owed = {
    account: receivable,
    party_type: 'Student',
    party: member.code,
    against_voucher_type: 'Fees',
    against_voucher: name,
  }
  const raised = { voucher_type: 'Fees', voucher_no: name, remarks: `Fee of ${member.name}`, cost_center: costCenter }
  const lines = [
    line(moment, { ...raised, ...owed, debit: total, against: income }),
    line(moment, { ...raised, account: income, credit: total, against: member.code }),
  ]
  if (paidAt === null) return lines
  const settled = { voucher_type: 'Payment', voucher_no: payment.id as string, remarks: `Payment of ${name}` }
  return [
    ...lines,
    line(paidAt, { ...settled, account: bank, debit: total, against: member.code }),
    line(paidAt, { ...settled, ...owed, credit: total, against: bank }),
  ]
}
