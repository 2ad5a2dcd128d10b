import { recordType } from '../record-type.ts'

export const paymentTermsTemplateDetail = recordType({
  name: 'Payment Terms Template Detail',
  summary: 'An instalment of payment terms.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    description: { type: 'Small Text', label: 'Description' },
    invoice_portion: { type: 'Percent', label: 'Invoice Portion', required: true },
    due_date_based_on: {
      type: 'Select',
      label: 'Due Date Based On',
      options: ['Day(s) after invoice date', 'Day(s) after the end of the invoice month'],
      default: 'Day(s) after invoice date',
    },
    credit_days: { type: 'Int', label: 'Credit Days', default: 0 },
  },
})

export const paymentTermsTemplate = recordType({
  name: 'Payment Terms Template',
  summary: 'How a payer pays fees in instalments.',
  kind: 'plain',
  naming: { by: 'field', field: 'template_name' },
  permissions: {
    'Accounts User': ['read', 'write', 'create', 'delete'],
    'Accounts Manager': ['read', 'write', 'create', 'delete'],
  },
  fields: {
    template_name: { type: 'Data', label: 'Template Name', required: true, unique: true },
    terms: { type: 'Table', rows: paymentTermsTemplateDetail, label: 'Payment Terms', required: true },
  },
})
