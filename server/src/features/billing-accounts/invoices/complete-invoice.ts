import { paymentTermsTemplate, type salesInvoice, student } from '@matricula/contract/record-types'
import { sql } from '../../../database/index.ts'
import { getTotal, isFinerThanMinorUnit, times } from '../../../money/index.ts'
import { RecordError, type RecordOf, type RecordWork } from '../../../record-engine/index.ts'
import { loadBooks } from '../obligations/books.ts'
import { findPayer } from '../obligations/payers.ts'
import { cutIntoInstalments, type Instalment } from '../settlement/fee-shares.ts'
import { findCustomerName, requireCustomer } from './account-of-customer.ts'

export type Invoice = RecordOf<typeof salesInvoice>

/** What payments are at most, by the contract. */
const maxAmount = 1_000_000_000_000

/**
 * Fills in who pays, for whom, from what accounts and how much: what a client need not send. Throws for a customer or a
 * student that there is not, another currency than the account's, amounts that no payment can have, and days that are
 * in the wrong order.
 */
export async function completeInvoice(document: Invoice, work: RecordWork): Promise<void> {
  const { company, isGapless } = await loadBooks(work.tx)
  if (isGapless && document.docstatus === 0) {
    const reason = 'Documents are numbered without gaps here, so an invoice is submitted when it is created.'
    throw new RecordError('ValidationError', `${reason} Send docstatus 1.`)
  }
  const day = document.posting_date || work.today
  document.posting_date = day
  const account = await findAccount(document, work, day)
  Object.assign(document, { customer: account.number, customer_name: account.name, title: account.name })
  const owner = await work.linked(student, document.student || account.student)
  if (owner === null) {
    throw new RecordError('MandatoryError', `Set student: ${account.number} does not say for whom it pays.`)
  }
  Object.assign(document, { student: owner.name, student_name: owner.student_name })
  if (document.currency && document.currency.toUpperCase() !== account.currency) {
    throw new RecordError('ValidationError', `The account ${account.number} is in ${account.currency}. Bill it so.`)
  }
  document.currency = account.currency
  Object.assign(document, { company: company?.name ?? null, debit_to: company?.receivable ?? null })
  document.cost_center = company?.costCenter ?? null
  setAmounts(document, company?.income ?? null)
  await setSchedule(document, work)
}

async function findAccount({ customer, student: code, currency }: Invoice, work: RecordWork, day: string) {
  if (customer) return requireCustomer(work.tx, customer)
  const [owner] = await work.tx.query<{ id: string }>(
    sql`select id from students where tenant_id = ${work.tx.tenantId} and student_code = ${code ?? ''}`,
  )
  if (owner === undefined) throw new RecordError('MandatoryError', 'Set customer, or a student whose payer it is.')
  const charged = { studentId: owner.id, currency: currency?.toUpperCase() || work.caller.tenant.currency, day }
  const accountId = await findPayer(work.tx, work.caller, charged)
  return requireCustomer(work.tx, await findCustomerName(work.tx, accountId))
}

function setAmounts(document: Invoice, income: string | null): void {
  const currency = document.currency ?? ''
  for (const item of document.items) {
    item.item_name ||= item.item_code
    if (!item.item_name) throw new RecordError('MandatoryError', `Row #${item.idx}: Set item_code or item_name.`)
    item.description ||= item.item_name
    item.uom ||= 'Nos'
    item.income_account = income
    item.cost_center = document.cost_center
    if (item.qty === 0) item.qty = 1
    if (item.qty < 0 || !Number.isFinite(item.qty * item.rate) || Math.abs(item.qty * item.rate) > maxAmount) {
      throw new RecordError('ValidationError', `Row #${item.idx}: Quantity and Rate are out of range.`)
    }
    if (isFinerThanMinorUnit(item.rate, currency)) {
      const text = `Row #${item.idx}: ${item.rate} has more digits than ${currency} has. Round it.`
      throw new RecordError('ValidationError', text)
    }
    item.amount = times(item.rate, item.qty, currency)
  }
  const total = getTotal(
    document.items.map(({ amount }) => amount),
    currency,
  )
  if (total <= 0 || total > maxAmount) {
    const max = maxAmount.toLocaleString('en')
    throw new RecordError('ValidationError', `The items are ${total} together. It must be above 0 and at most ${max}.`)
  }
  document.total_qty = document.items.reduce((sum, { qty }) => sum + qty, 0)
  Object.assign(document, { total, net_total: total, grand_total: total, rounded_total: total })
  Object.assign(document, { outstanding_amount: total, paid_amount: 0, conversion_rate: 1, is_return: 0 })
  Object.assign(document, { fees: null, fee_schedule: null, program: null, status: 'Draft' })
}

/** The instalments of the template that the invoice names, else the whole on its due date. */
async function setSchedule(document: Invoice, work: RecordWork): Promise<void> {
  const postedOn = document.posting_date ?? work.today
  if (document.due_date && document.due_date < postedOn) {
    throw new RecordError('ValidationError', `The due date must not be before ${postedOn}, the date of the invoice.`)
  }
  document.payment_terms_template ||= null
  const cut = await getInstalments(document, work)
  const dueOn = cut.at(-1)?.dueOn ?? postedOn
  document.due_date = dueOn
  document.payment_schedule = []
  if (document.docstatus === 1) document.status = dueOn < work.today ? 'Overdue' : 'Unpaid'
}

/** What is due of an invoice when: by its payment terms, or else on its due date. */
export async function getInstalments(document: Invoice, work: RecordWork): Promise<Instalment[]> {
  const postedOn = document.posting_date ?? work.today
  const { payment_terms_template: named, grand_total: total, currency } = document
  const template = named ? await work.find(paymentTermsTemplate, named) : null
  if (named && template === null) {
    throw new RecordError('LinkValidationError', `Could not find Payment Terms Template: ${named.slice(0, 140)}`)
  }
  const terms = (template?.terms ?? []).map(({ invoice_portion, due_date_based_on, credit_days }) => ({
    portion: invoice_portion,
    basedOn: due_date_based_on ?? '',
    days: credit_days,
  }))
  return cutIntoInstalments(total, terms, {
    currency: currency ?? '',
    postedOn,
    dueOn: document.due_date || postedOn,
  })
}
