import { fees, salesInvoice } from '@matricula/contract/record-types'
import { identifier, type Sql, sql } from '../../../database/index.ts'
import {
  defineRecord,
  hashName,
  type RecordDefinition,
  RecordError,
  type RecordStorage,
  type RecordView,
  type RecordWork,
} from '../../../record-engine/index.ts'
import { createFeePayment, storePayment } from '../../payments/index.ts'
import { loadBooks, requireOpenBooks } from '../obligations/books.ts'
import { insertObligation } from '../obligations/charge.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import { paymentFollower } from '../settlement/follow-payments.ts'
import { requireCustomer } from './account-of-customer.ts'
import { completeInvoice, getInstalments, type Invoice } from './complete-invoice.ts'

/** What is kept of an invoice that a client makes: the draft, and of a submitted one its items. */
function toFields(document: Invoice): object {
  const { naming_series, company, posting_date, due_date, total_qty, grand_total, remarks } = document
  const { payment_terms_template, debit_to, cost_center } = document
  const items = document.items.map((item) => ({ ...item, name: item.name || hashName() }))
  const facts = { naming_series, company, posting_date, due_date, total_qty, grand_total, remarks, items }
  return { ...facts, payment_terms_template, debit_to, cost_center }
}

/** The account and the student that an invoice names. */
const namedBy = ({ tx }: RecordWork, { customer, student }: Invoice) => sql`
  from billing_accounts a
  join students s on s.tenant_id = a.tenant_id and s.student_code = ${student}
 where a.tenant_id = ${tx.tenantId} and a.account_number = ${customer}`

/** Charges the account with the payments of an invoice; the first has the id of the invoice. */
async function chargeInvoice(work: RecordWork, id: string, document: Invoice): Promise<void> {
  const { tx, caller } = work
  const account = await requireCustomer(tx, document.customer ?? '')
  const postedOn = document.posting_date ?? work.today
  requireOpenBooks(await loadBooks(tx), postedOn)
  const instalments = await getInstalments(document, work)
  const items = [...new Set(document.items.map(({ item_name }) => item_name))].join(', ')
  const described = [document.name, document.remarks || items].join(': ')
  for (const [index, { amount, dueOn }] of instalments.entries()) {
    const part = instalments.length > 1 ? ` (${index + 1}/${instalments.length})` : ''
    const payment = await createFeePayment(tx, caller, {
      ...(index === 0 && { id }),
      fee: null,
      studentCode: document.student ?? '',
      amount,
      currency: account.currency,
      description: `${described.slice(0, 1900)}${part}`,
      dueDate: dueOn,
    })
    const invoiceNumber = document.name
    await insertObligation(tx, caller, { payment, accountId: account.id, postedOn, invoiceNumber, fee: null })
  }
}

/** Cancels the payments of an invoice, or the fee that it is of. Throws `LinkExistsError` where money came in. */
async function cancelInvoice(work: RecordWork, { name }: Invoice): Promise<void> {
  const { tx, caller } = work
  const obligations = await lockObligations(tx, sql`o.invoice_number = ${name}`)
  const received = obligations.find(({ paid }) => paid > 0)
  if (received !== undefined) {
    const way = 'Cancel its Payment Entry first.'
    throw new RecordError('LinkExistsError', `Cannot cancel Sales Invoice ${name} because money came in. ${way}`)
  }
  const fee = obligations[0]?.fee ?? null
  if (fee !== null) {
    const [other] = await tx.query(sql`
      select 1 as found from obligations where tenant_id = ${tx.tenantId} and fee = ${fee} and invoice_number <> ${name}`)
    if (other !== undefined) {
      const text = `${name} is a part of ${fee}, which others pay too. Cancel the Fees ${fee} as a whole.`
      throw new RecordError('ValidationError', text)
    }
    work.require(fees, 'cancel')
    await work.cancel(fees, fee)
    return
  }
  for (const { payment } of obligations) {
    if (payment.status === 'cancelled') continue
    const cancelled = { ...payment, status: 'cancelled' as const, paidAt: null }
    const { record } = await storePayment(tx, caller, payment, cancelled)
    await paymentFollower.changed(tx, caller, payment, record)
  }
}

/** Invoices are the obligations of a number; drafts, and the items of those that clients make, have a table of their own. */
const storage: RecordStorage<typeof salesInvoice> = {
  relation: 'sales_invoice_records',
  table: 'payments',
  draftTable: 'sales_invoices',
  hasCustomFields: false,
  rowRelations: { items: 'sales_invoice_item_rows', payment_schedule: 'payment_schedule_rows' },
  computedTables: ['items', 'payment_schedule'],
  insert: async (work, id, document) => {
    const { name, owner, modified_by, docstatus } = document
    const inserted = await work.tx.query(sql`
      insert into sales_invoices (tenant_id, id, name, owner, modified_by, docstatus, account_id, student_id, fields)
      select ${work.tx.tenantId}, ${id}, ${name}, ${owner}, ${modified_by}, ${docstatus}, a.id, s.id,
             ${JSON.stringify(toFields(document))}::jsonb
        ${namedBy(work, document)}
      on conflict do nothing returning 1 as inserted`)
    if (inserted.length === 0) return false
    if (docstatus === 1) await chargeInvoice(work, id, document)
    return true
  },
  update: async (work, id, document, before) => {
    if (document.docstatus === 2) return cancelInvoice(work, document)
    await work.tx.query(sql`
      update sales_invoices i
         set docstatus = ${document.docstatus}, fields = ${JSON.stringify(toFields(document))}::jsonb,
             account_id = named.account_id, student_id = named.student_id, modified_by = ${document.modified_by},
             version = version + 1, updated_at = greatest(current_stamp(), updated_at)
        from (select a.id as account_id, s.id as student_id ${namedBy(work, document)}) as named
       where i.tenant_id = ${work.tx.tenantId} and i.id = ${id}`)
    if (document.docstatus === 1 && before.docstatus === 0) await chargeInvoice(work, id, document)
  },
  remove: async ({ tx }, id, { name, docstatus }) => {
    if (docstatus !== 0) throw new RecordError('ValidationError', `${name} is a document of the books and stays.`)
    await tx.query(sql`delete from sales_invoices where tenant_id = ${tx.tenantId} and id = ${id}`)
  },
  rename: async (_, __, name) => {
    throw new RecordError('ValidationError', `An invoice keeps its number and is not called ${name}.`)
  },
  read: async () => null,
  ownFields: [],
}

/** Whether the account `a` is one of the guardian `g`: the one that is entered there, or the one with an address of theirs. */
const isOfGuardian = sql`(g.customer = a.account_number or lower(a.email) in (lower(g.email_address), lower(g."user")))`

/**
 * Which invoices of its wards a guardian sees: those of the child's own account and of its own one, and those of a
 * family of which no guardian of the child is known to be. Parents who live apart do not see what the other one owes.
 */
function seenByGuardians({ caller: { tenant, user } }: RecordView, alias: string): Sql {
  const invoice = identifier(alias)
  return sql`exists (
    select from billing_accounts a
     where a.tenant_id = ${tenant.id} and a.account_number = ${invoice}.customer
       and (a.student_id is not null
            or exists (select from guardian_records g
                        where g.tenant_id = ${tenant.id} and g."user" = ${user} and ${isOfGuardian})
            or (a.kind = 'family' and not exists (
                 select from student_records s
                   join student_guardian_rows l on l.tenant_id = ${tenant.id} and l.parent_id = s.id
                   join guardian_records g on g.tenant_id = ${tenant.id} and g.name = l.guardian
                  where s.tenant_id = ${tenant.id} and s.name = ${invoice}.student and ${isOfGuardian}))))`
}

/** Dues as clients since Frappe Education 15.1 read them. */
export const salesInvoiceRecord: RecordDefinition = defineRecord(salesInvoice, {
  rules: {
    series: async ({ posting_date }, work) => {
      const { isGapless } = await loadBooks(work.tx)
      return isGapless ? `INV-${(posting_date || work.today).slice(0, 4)}-.#####` : null
    },
    validate: [completeInvoice],
  },
  storage,
  seenByGuardians,
  ignoredOnCancel: ['GL Entry', 'Fees', 'Payment Entry'],
})
