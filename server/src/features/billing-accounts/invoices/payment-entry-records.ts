import { paymentEntry } from '@matricula/contract/record-types'
import { sql } from '../../../database/index.ts'
import { subtract } from '../../../money/index.ts'
import {
  defineRecord,
  hashName,
  type RecordDefinition,
  RecordError,
  type RecordStorage,
  type RecordWork,
} from '../../../record-engine/index.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import type { ObligationState } from '../obligations/obligation-rows.ts'
import { type Part, postReceipt } from '../receipts/post-receipt.ts'
import { reverseReceipt } from '../receipts/reverse-receipt.ts'
import { requireCustomer } from './account-of-customer.ts'
import { completeEntry, type Entry, findMethod } from './complete-entry.ts'

/** What is kept of an entry beside its receipt. */
function toFields(document: Entry): string {
  const { naming_series, posting_date, company, mode_of_payment, paid_from, paid_to, paid_amount, remarks } = document
  const { total_allocated_amount, unallocated_amount, reference_no, reference_date } = document
  const facts = { naming_series, posting_date, company, mode_of_payment, paid_from, paid_to, paid_amount, remarks }
  const references = document.references.map((row) => ({ ...row, name: row.name || hashName() }))
  return JSON.stringify({
    ...facts,
    total_allocated_amount,
    unallocated_amount,
    reference_no,
    reference_date,
    references,
  })
}

/** Posts the receipt of an entry, which has its id: what each invoice gets pays its instalments by due date. */
async function postEntry({ tx, caller, today }: RecordWork, id: string, document: Entry): Promise<void> {
  const { id: accountId, currency } = await requireCustomer(tx, document.party ?? '')
  const names = document.references.map(({ reference_name }) => reference_name ?? '')
  const open = await lockObligations(tx, sql`o.invoice_number = any(${names}::text[])`, [accountId])
  const parts = document.references.flatMap((reference) =>
    allocate(
      reference,
      open.filter(({ invoiceNumber }) => invoiceNumber === reference.reference_name),
    ),
  )
  await postReceipt(tx, caller, {
    id,
    accountId,
    receivedOn: document.posting_date ?? today,
    method: findMethod(document.mode_of_payment),
    reference: document.reference_no || null,
    amount: document.paid_amount,
    currency,
    parts,
  })
}

function allocate(
  { idx, reference_name: name, allocated_amount: amount }: Entry['references'][number],
  open: readonly ObligationState[],
): Part[] {
  const parts: Part[] = []
  let rest = amount
  for (const obligation of open) {
    const part = Math.min(rest, obligation.open)
    if (part > 0) parts.push({ obligation, amount: part })
    rest = subtract(rest, part)
  }
  if (rest === 0) return parts
  const text = `Row #${idx}: ${name} has ${subtract(amount, rest)} outstanding, less than is allocated.`
  throw new RecordError('ValidationError', text)
}

/** Payment entries are receipts; their drafts, and the names that clients know them by, have a table of their own. */
const storage: RecordStorage<typeof paymentEntry> = {
  relation: 'payment_entry_records',
  table: 'billing_receipts',
  draftTable: 'payment_entries',
  hasCustomFields: false,
  rowRelations: { references: 'payment_entry_reference_rows' },
  computedTables: ['references'],
  insert: async (work, id, document) => {
    const { name, owner, modified_by, docstatus } = document
    const account = await requireCustomer(work.tx, document.party ?? '')
    const inserted = await work.tx.query(sql`
      insert into payment_entries (tenant_id, id, name, owner, modified_by, docstatus, account_id, fields)
      values (${work.tx.tenantId}, ${id}, ${name}, ${owner}, ${modified_by}, ${docstatus}, ${account.id},
              ${toFields(document)}::jsonb)
      on conflict do nothing returning 1 as inserted`)
    if (inserted.length === 0) return false
    if (docstatus === 1) await postEntry(work, id, document)
    return true
  },
  update: async (work, id, document, before) => {
    if (document.docstatus === 2) {
      await reverseReceipt(work.tx, work.caller, id, { reason: null, on: work.today })
      return
    }
    const account = await requireCustomer(work.tx, document.party ?? '')
    await work.tx.query(sql`
      update payment_entries
         set docstatus = ${document.docstatus}, fields = ${toFields(document)}::jsonb,
             account_id = ${account.id}, modified_by = ${document.modified_by}, version = version + 1,
             updated_at = greatest(current_stamp(), updated_at)
       where tenant_id = ${work.tx.tenantId} and id = ${id}`)
    if (document.docstatus === 1 && before.docstatus === 0) await postEntry(work, id, document)
  },
  remove: async ({ tx }, id, { name, docstatus }) => {
    if (docstatus !== 0) throw new RecordError('ValidationError', `${name} is a document of the books and stays.`)
    await tx.query(sql`delete from payment_entries where tenant_id = ${tx.tenantId} and id = ${id}`)
  },
  rename: async (_, __, name) => {
    throw new RecordError('ValidationError', `A payment entry keeps its name and is not called ${name}.`)
  },
  read: async () => null,
  ownFields: [],
}

/** Receipts as clients of Frappe read and write them. */
export const paymentEntryRecord: RecordDefinition = defineRecord(paymentEntry, {
  rules: { validate: [completeEntry] },
  storage,
  ignoredOnCancel: ['GL Entry'],
})
