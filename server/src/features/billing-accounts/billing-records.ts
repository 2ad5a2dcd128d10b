import { paymentTermsTemplate } from '@matricula/contract/record-types'
import { sumExactly } from '../../money/index.ts'
import { defineRecord, type RecordDefinition, RecordError, type RecordOf } from '../../record-engine/index.ts'
import { customerRecord } from './invoices/customer-records.ts'
import { paymentEntryRecord } from './invoices/payment-entry-records.ts'
import { salesInvoiceRecord } from './invoices/sales-invoice-records.ts'

/** Throws where the portions of payment terms are not 100 percent together, or days are negative. */
function requireWholeTerms({ terms }: RecordOf<typeof paymentTermsTemplate>): void {
  for (const { idx, credit_days: days, invoice_portion: portion } of terms) {
    if (days < 0) throw new RecordError('ValidationError', `Row #${idx}: Credit Days must not be negative.`)
    if (portion <= 0) throw new RecordError('ValidationError', `Row #${idx}: Invoice Portion must be more than 0.`)
  }
  const sum = sumExactly(...terms.map(({ invoice_portion }) => invoice_portion))
  if (sum === 100) return
  throw new RecordError('ValidationError', `The invoice portions are ${sum} percent together. They must be 100.`)
}

/** The record types of billing. */
export const billingRecords: readonly RecordDefinition[] = [
  defineRecord(paymentTermsTemplate, { rules: { validate: [requireWholeTerms] } }),
  customerRecord,
  salesInvoiceRecord,
  paymentEntryRecord,
]
