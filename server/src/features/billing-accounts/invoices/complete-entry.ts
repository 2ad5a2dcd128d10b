import type { ReceiptMethod } from '@matricula/contract'
import type { paymentEntry } from '@matricula/contract/record-types'
import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import { isFinerThanMinorUnit, subtract, sumExactly } from '../../../money/index.ts'
import { RecordError, type RecordOf, type RecordWork } from '../../../record-engine/index.ts'
import { loadBooks } from '../obligations/books.ts'
import { findCustomerName, requireCustomer } from './account-of-customer.ts'

export type Entry = RecordOf<typeof paymentEntry>

/** The methods of receipts by the modes of payment that upstream comes with. */
const methods: Readonly<Record<string, ReceiptMethod>> = {
  cash: 'cash',
  cheque: 'cheque',
  'wire transfer': 'transfer',
  'bank transfer': 'transfer',
  'bank draft': 'transfer',
  'credit card': 'card',
  card: 'card',
}

/** How money comes in by a mode of payment: `other` where it is none of those that upstream comes with. */
export function findMethod(mode: string | null): ReceiptMethod {
  return methods[mode?.trim().toLowerCase() ?? ''] ?? 'other'
}

/** An invoice as a reference names it. */
interface Referenced {
  readonly name: string
  readonly accountId: string
  readonly dueOn: string
  readonly total: number
  readonly open: number
}

/**
 * Fills in what follows from the party and the invoices. Throws for money that goes out, a party or an invoice that there
 * is not, one of another account, and amounts that do not fit.
 */
export async function completeEntry(document: Entry, work: RecordWork): Promise<void> {
  if (document.payment_type !== 'Receive') {
    const way = 'Money that was received goes out by cancelling its Payment Entry.'
    throw new RecordError('ValidationError', `A Payment Entry is of payment_type Receive here. ${way}`)
  }
  const invoices = await resolveReferences(document, work.tx)
  const account = await requireCustomer(work.tx, await findParty(document, work.tx, invoices))
  Object.assign(document, { party_type: 'Customer', party: account.number })
  Object.assign(document, { party_name: account.name, title: account.name, receipt_number: null })
  if (document.posting_date !== null && document.posting_date > work.today) {
    throw new RecordError('ValidationError', `Money cannot have come in after ${work.today}. Set posting_date.`)
  }
  const { company } = await loadBooks(work.tx)
  const isCash = findMethod(document.mode_of_payment) === 'cash'
  document.company = company?.name ?? null
  document.paid_from = company?.receivable ?? null
  document.paid_to = (isCash ? company?.cash : company?.bank) ?? null
  document.paid_from_account_currency = account.currency
  document.paid_to_account_currency = account.currency
  setAmounts(document, account.currency)
  for (const reference of document.references) {
    const { idx, reference_name: name } = reference
    const invoice = invoices.get(name ?? '') as Referenced
    if (invoice.accountId !== account.id) {
      throw new RecordError(
        'ValidationError',
        `Row #${idx}: ${name} is owed by another customer than ${account.number}.`,
      )
    }
    if (reference.allocated_amount > invoice.open) {
      const text = `Row #${idx}: Allocated Amount cannot be greater than outstanding amount. ${invoice.open} is open.`
      throw new RecordError('ValidationError', text)
    }
    Object.assign(reference, { due_date: invoice.dueOn, total_amount: invoice.total, outstanding_amount: invoice.open })
    reference.exchange_rate = 1
  }
}

async function findParty({ party_type, party }: Entry, tx: Transaction, invoices: ReadonlyMap<string, Referenced>) {
  const [first] = invoices.values()
  if (party && (party_type === 'Customer' || !party_type)) return party
  if (first !== undefined && (!party || party_type === 'Student')) return findCustomerName(tx, first.accountId)
  if (!party) throw new RecordError('MandatoryError', 'Set party_type to Customer, and party to who has paid.')
  if (party_type !== 'Student') {
    throw new RecordError('ValidationError', 'Money is received from a Customer or a Student. Set party_type.')
  }
  const [own] = await tx.query<{ number: string }>(sql`
    select a.account_number as number from billing_accounts a
      join students s on s.tenant_id = a.tenant_id and s.id = a.student_id
     where a.tenant_id = ${tx.tenantId} and s.student_code = ${party} order by a.number limit 1`)
  if (own !== undefined) return own.number
  throw new RecordError('LinkValidationError', `Could not find the Customer of the student ${party.slice(0, 140)}`)
}

function setAmounts(document: Entry, currency: string): void {
  if (document.received_amount !== 0 && document.received_amount !== document.paid_amount) {
    throw new RecordError('ValidationError', 'Paid Amount and Received Amount are in one currency and must be equal.')
  }
  const allocated = document.references.map(({ allocated_amount }) => allocated_amount)
  for (const [index, amount] of [document.paid_amount, ...allocated].entries()) {
    const where = index === 0 ? 'Paid Amount' : `Row #${index}: Allocated Amount`
    if (!(amount > 0)) throw new RecordError('ValidationError', `${where} must be more than 0.`)
    if (isFinerThanMinorUnit(amount, currency)) {
      throw new RecordError('ValidationError', `${where}: ${amount} has more digits than ${currency} has. Round it.`)
    }
  }
  const sum = sumExactly(...allocated)
  if (sum > document.paid_amount) {
    const text = `Total Allocated Amount (${sum}) cannot be greater than Paid Amount (${document.paid_amount}).`
    throw new RecordError('ValidationError', text)
  }
  document.received_amount = document.paid_amount
  document.total_allocated_amount = sum
  document.unallocated_amount = subtract(document.paid_amount, sum)
  Object.assign(document, { difference_amount: 0, source_exchange_rate: 1, target_exchange_rate: 1 })
  document.status = document.docstatus === 1 ? 'Submitted' : 'Draft'
}

/** The invoices that the references name; a fee is named by its own name too, where one account pays it. */
async function resolveReferences({ references }: Entry, tx: Transaction): Promise<Map<string, Referenced>> {
  const named = references.map(({ reference_name }) => reference_name ?? '')
  const found = named.length === 0 ? [] : await tx.query<Referenced>(selectInvoices(tx.tenantId, named))
  const invoices = new Map(found.map((invoice) => [invoice.name, invoice]))
  for (const reference of references) {
    const { idx, reference_doctype: type, reference_name: name } = reference
    if (type && type !== 'Sales Invoice' && type !== 'Fees') {
      throw new RecordError('ValidationError', `Row #${idx}: Money pays a Sales Invoice or Fees, no ${type}.`)
    }
    if (invoices.has(name ?? '')) reference.reference_doctype = 'Sales Invoice'
    else throw new RecordError('LinkValidationError', `Could not find Row #${idx}: Name: ${name?.slice(0, 140) ?? ''}`)
  }
  const twice = named.find((name, index) => named.indexOf(name) !== index)
  if (twice === undefined) return invoices
  throw new RecordError('ValidationError', `${twice} stands in the references twice. Add its amounts up.`)
}

function selectInvoices(tenantId: string, names: readonly string[]): Sql {
  return sql`
    select o.invoice_number as name, (array_agg(o.account_id))[1] as "accountId", max(o.due_on) as "dueOn",
           sum(p.amount) as total, sum(o.open_amount) as open
      from obligations o join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
     where o.tenant_id = ${tenantId} and o.invoice_number = any(${[...names]}::text[])
     group by o.invoice_number`
}
