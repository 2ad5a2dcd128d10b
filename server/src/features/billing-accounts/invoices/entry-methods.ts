import { fees, paymentEntry, salesInvoice } from '@matricula/contract/record-types'
import { RecordError, readRecord } from '../../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../../resource-api/index.ts'
import { loadBooks } from '../obligations/books.ts'

const payable: readonly string[] = [salesInvoice.name, fees.name]

/** The methods of payment entries. */
export const entryMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'erpnext.accounts.doctype.payment_entry.payment_entry.get_payment_entry',
    rights: 'of the argument',
    summary: 'A Payment Entry that is not saved yet, for what is outstanding of an invoice.',
    result: { type: 'object', description: 'The fields of a Payment Entry, to be sent back as a new record.' },
    parameters: {
      dt: { type: 'string', required: true },
      dn: { type: 'string', required: true },
      party_amount: { type: 'number' },
    },
    run: async (engine, { dt, dn, party_amount }) => {
      if (!payable.includes(dt)) {
        throw new RecordError('ValidationError', `Money is received for a Sales Invoice, not for ${dt.slice(0, 140)}.`)
      }
      engine.require(paymentEntry, 'create')
      const invoice = await readRecord(engine, salesInvoice.name, dn)
      const outstanding = invoice.outstanding_amount as number
      if (invoice.docstatus !== 1 || outstanding <= 0) {
        throw new RecordError('ValidationError', `Nothing is outstanding of ${invoice.name}.`)
      }
      const amount = party_amount ?? outstanding
      const { company } = await loadBooks(engine.tx)
      return {
        doctype: paymentEntry.name,
        docstatus: 0,
        payment_type: 'Receive',
        posting_date: engine.today,
        company: invoice.company,
        party_type: 'Customer',
        party: invoice.customer,
        party_name: invoice.customer_name,
        paid_from: invoice.debit_to,
        paid_from_account_currency: invoice.currency,
        paid_to: company?.bank ?? null,
        paid_to_account_currency: invoice.currency,
        paid_amount: amount,
        received_amount: amount,
        references: [
          {
            doctype: 'Payment Entry Reference',
            reference_doctype: salesInvoice.name,
            reference_name: invoice.name,
            due_date: invoice.due_date,
            total_amount: invoice.grand_total,
            outstanding_amount: outstanding,
            allocated_amount: Math.min(amount, outstanding),
          },
        ],
      }
    },
  }),
]
