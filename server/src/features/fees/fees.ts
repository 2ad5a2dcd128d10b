import {
  account,
  company,
  costCenter,
  currency,
  fees as feesType,
  guardian,
  programEnrollment,
  student,
} from '@matricula/contract/record-types'
import { together } from '../../concurrency/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { getTotal } from '../../money/index.ts'
import { isMissing, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { cancelFeeObligations, chargeFee, loadBooks } from '../billing-accounts/index.ts'
import { post, reverse } from '../ledger/index.ts'
import { amountInWords } from './amount-in-words.ts'

type Fee = RecordOf<typeof feesType>

/**
 * Fills in a missing company, missing accounts and cost center from the company, and sets the currency, which is always
 * the company's.
 */
export async function setAccounts(fee: Fee, work: RecordWork): Promise<void> {
  fee.company ||= (await work.siteDefaults()).links.company ?? null
  const owner = await work.linked(company, fee.company)
  if (owner === null) return
  fee.currency = owner.default_currency
  fee.receivable_account ||= owner.default_receivable_account
  fee.income_account ||= owner.default_income_account
  fee.cost_center ||= owner.cost_center
}

/** Sets total and outstanding amount, in figures and words. */
export async function setTotals(fee: Fee, work: RecordWork): Promise<void> {
  fee.grand_total = getTotal(
    fee.components.map(({ amount }) => amount),
    fee.currency ?? work.caller.tenant.currency,
  )
  fee.outstanding_amount = fee.grand_total
  fee.grand_total_in_words = await describeAmount(work, fee.grand_total, fee.currency)
}

/** An amount in words in a currency. */
export async function describeAmount(work: RecordWork, amount: number, code: string | null): Promise<string> {
  const record = await work.linked(currency, code)
  return amountInWords(amount, {
    code: code ?? work.caller.tenant.currency,
    fraction: record?.fraction ?? '',
    fractionUnits: record?.fraction_units ?? 100,
    numberFormat: record?.number_format ?? '',
  })
}

/** Throws when a fee's enrolment is of another student. */
export async function requireOwnEnrollment(fee: Fee, work: RecordWork): Promise<void> {
  const enrollment = await work.linked(programEnrollment, fee.program_enrollment)
  if (enrollment !== null && enrollment.student === fee.student) return
  const message =
    isMissing(fee.program_enrollment) || isMissing(fee.student)
      ? 'A fee needs a student and one of its enrollments. Set student and program_enrollment.'
      : `The Program Enrollment ${fee.program_enrollment} is not one of the student ${fee.student}. Name an enrollment of the student.`
  throw new RecordError('ValidationError', message, { title: 'Invalid Enrollment' })
}

/** Sets the addresses that are notified of the fee: the guardians' and the student's. */
export async function setContactEmail(fee: Fee, work: RecordWork): Promise<void> {
  if (!isMissing(fee.contact_email) || isMissing(fee.student)) return
  const owner = await work.linked(student, fee.student)
  const named = await together(work.tx, 'guardians of students', owner?.name ?? '', (students) =>
    loadGuardians(work.tx, students),
  )
  await work.prefetch(guardian, [...named])
  const addresses: (string | null)[] = []
  for (const name of named) addresses.push((await work.linked(guardian, name))?.email_address ?? null)
  addresses.push(owner?.student_email_id ?? null)
  fee.contact_email = [...new Set(addresses.filter((address) => !isMissing(address)))].join(', ').slice(0, 140) || null
}

/** The guardians of each student, in the order of the rows. */
async function loadGuardians(tx: Transaction, students: readonly string[]): Promise<Set<string>[]> {
  const rows = await tx.query<{ student: string; guardian: string }>(sql`
    select s.name as student, g.guardian
      from student_records s join student_guardian_rows g on g.tenant_id = s.tenant_id and g.parent_id = s.id
     where s.tenant_id = ${tx.tenantId} and s.name = any(${[...students]}::text[]) and g.guardian is not null
     order by s.name, g.idx`)
  const byStudent = new Map(students.map((name) => [name, new Set<string>()]))
  for (const { student: name, guardian: named } of rows) byStudent.get(name)?.add(named)
  return students.map((name) => byStudent.get(name) as Set<string>)
}

/** Throws when an account cannot be used for the fee. */
export async function requireUsableAccounts(fee: Fee, work: RecordWork): Promise<void> {
  for (const name of [fee.receivable_account, fee.income_account]) {
    const used = await work.linked(account, name)
    if (used === null) continue
    if (used.is_group === 1) rejectAccount(used.name, 'is a group, and nothing can be posted to a group')
    if (used.disabled === 1) rejectAccount(used.name, 'is disabled')
    if (used.company !== fee.company) rejectAccount(used.name, `does not belong to the company ${fee.company}`)
  }
  const center = await work.linked(costCenter, fee.cost_center)
  if (center !== null && (center.is_group === 1 || center.company !== fee.company)) {
    throw new RecordError('ValidationError', `The Cost Center ${center.name} is a group or of another company.`)
  }
  const income = await work.linked(account, fee.income_account)
  if (fee.grand_total !== 0 && income === null) {
    throw new RecordError('ValidationError', 'Set the Income Account of the fee, of its structure or of its company.')
  }
  if (income?.report_type === 'Profit and Loss' && center === null) {
    throw new RecordError('ValidationError', `The account ${income.name} needs a Cost Center.`)
  }
}

function rejectAccount(name: string, reason: string): never {
  throw new RecordError('ValidationError', `The account ${name} ${reason}. Choose another one.`)
}

/** Throws `PermissionError` unless the caller may create and submit fees, for records that lead to fees. */
export function requireMayCharge(work: RecordWork): void {
  work.require(feesType, 'create')
  work.require(feesType, 'submit')
}

/** Throws for a negative total. */
export function requireNoNegativeTotal(fee: Fee): void {
  if (fee.grand_total >= 0) return
  throw new RecordError(
    'ValidationError',
    `The components of a fee must not sum up to less than 0: they are ${fee.grand_total}. Correct the amounts.`,
  )
}

/** The maximum amount of a payment, by the contract. */
const maxPaymentAmount = 1_000_000_000_000

/** Throws when the total exceeds the maximum of its payment. */
export function requirePayableTotal(fee: Fee): void {
  if (fee.grand_total <= maxPaymentAmount) return
  const max = maxPaymentAmount.toLocaleString('en')
  throw new RecordError('ValidationError', `A fee is at most ${max}. Divide it into several fees.`)
}

/** Throws for a posting date in closed books. */
export async function requireOpenPostingDate(fee: Fee, work: RecordWork): Promise<void> {
  const { closedUntil } = await loadBooks(work.tx)
  const day = fee.posting_date ?? work.today
  if (closedUntil === null || day > closedUntil) return
  throw new RecordError('ValidationError', `The books are closed until ${closedUntil}. Use a later posting_date.`)
}

/**
 * Makes the payments of a fee, one for each account that pays it and each instalment, and posts the debt to the ledger. A
 * fee of nothing has neither.
 */
export async function postDebt(fee: Fee, work: RecordWork): Promise<void> {
  if (fee.grand_total === 0) return
  const [receivable, income] = [fee.receivable_account ?? '', fee.income_account ?? '']
  const charged = {
    name: fee.name,
    company: fee.company ?? '',
    currency: fee.currency ?? work.caller.tenant.currency,
    postedOn: fee.posting_date ?? work.today,
  }
  const debts = await chargeFee(work.tx, work.caller, {
    ...charged,
    studentCode: fee.student ?? '',
    description: describe(fee),
    receivable,
    income,
    costCenter: fee.cost_center,
    dueOn: fee.due_date ?? work.today,
    components: fee.components.map(({ fees_category, amount }) => ({
      category: fees_category,
      amount: getTotal([amount], charged.currency),
    })),
  })
  const shared = { costCenter: fee.cost_center, debit: 0, credit: 0, party: null, fee: null }
  await post(
    work.tx,
    work.caller,
    {
      type: 'Fees',
      name: fee.name,
      company: charged.company,
      currency: charged.currency,
      postingDate: charged.postedOn,
      remarks: `Fee of ${fee.student_name ?? fee.student}`,
    },
    [
      ...debts.map(({ accountId, amount }) => ({
        ...shared,
        account: receivable,
        debit: amount,
        against: income,
        party: fee.student,
        fee: fee.name,
        billingAccount: accountId,
      })),
      { ...shared, account: income, credit: fee.grand_total, against: fee.student ?? '' },
    ],
  )
}

function describe(fee: Fee): string {
  const categories = [...new Set(fee.components.map((component) => component.fees_category))].join(', ')
  return `${fee.name}: ${categories}`.slice(0, 2000)
}

/** A cancelled fee has nothing outstanding. */
export function clearOutstanding(fee: Fee): void {
  fee.outstanding_amount = 0
}

/**
 * Reverses the postings and cancels the payments. A fee with money received cannot be cancelled until its receipts are
 * reversed, its payment refunded or set back. Lock order: the payments before the ledger, as in payments.
 */
export async function reverseDebt(fee: Fee, work: RecordWork): Promise<void> {
  try {
    await cancelFeeObligations(work.tx, work.caller, fee.name)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new RecordError('LinkExistsError', `Cannot cancel Fees ${fee.name} ${error.message}`)
  }
  const remarks = `Cancellation of ${fee.name}`
  await reverse(work.tx, work.caller, { type: 'Fees', name: fee.name, postingDate: work.today, remarks })
}
