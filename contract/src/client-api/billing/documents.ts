import { operation } from '../../operation.ts'
import { CalendarDate, decimal, described, flag, label, listOf, nullable, oneOf, record, Uuid } from '../../schema.ts'
import { billing, Currency } from './amounts.ts'

/** The kinds of documents that stand on an account. */
const billingDocumentKinds = ['invoice', 'receipt', 'credit_note', 'write_off', 'payout'] as const

const DocumentItem = record('BillingDocumentItem', 'What a document charges, pays or takes back.', {
  description: label('What it is for.'),
  studentName: nullable(label('Full name of the student.')),
  amount: decimal('Its amount.'),
})

const DocumentInstalment = record('BillingDocumentInstalment', 'What is to be paid of an invoice, and when.', {
  paymentId: described(Uuid, 'The obligation: id of the payment.'),
  dueDate: described(CalendarDate, 'The day on which it is due.'),
  amount: decimal('What is to be paid.'),
  openAmount: decimal('What is still to be paid.'),
  paymentReference: label('Reference to be named in a transfer (ISO 11649).'),
})

export const BillingDocument = record(
  'BillingDocument',
  'A document that stands on an account.',
  {
    kind: oneOf(billingDocumentKinds, 'What kind of document it is.'),
    number: label('Its number.'),
    accountId: described(Uuid, 'The account.'),
    date: described(CalendarDate, 'The day on which it was posted.'),
    isCancelled: flag('Whether it was cancelled or reversed.'),
    currency: Currency,
    amount: decimal('What it is over.'),
    openAmount: decimal('What is still to be paid of an invoice.'),
    reason: nullable(label('Why, of a credit note, a write-off or a payout.')),
    reference: nullable(label('Reference of the payer or of the bank.')),
    items: listOf(DocumentItem, 'What it is for.'),
    instalments: listOf(
      DocumentInstalment,
      'What is to be paid of an invoice, by due date; empty for other documents.',
    ),
  },
  {
    kind: 'invoice',
    number: 'EDU-FEE-2026-00001',
    accountId: '01985b2e-5a00-7000-8000-000000000301',
    date: '2026-08-01',
    isCancelled: false,
    currency: 'USD',
    amount: 1250.5,
    openAmount: 1000,
    reason: null,
    reference: null,
    items: [{ description: 'Tuition', studentName: 'Tyrone Dyer', amount: 1250.5 }],
    instalments: [
      {
        paymentId: '01985b2e-5a00-7000-8000-000000000101',
        dueDate: '2026-09-01',
        amount: 1250.5,
        openAmount: 1000,
        paymentReference: 'RF4118263744519000001',
      },
    ],
  },
)

export const billingDocumentOperations = {
  getBillingDocument: operation(billing, {
    method: 'GET',
    path: '/billing/accounts/{id}/documents/{number}',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read or print a document that stands on an account',
    description:
      'An invoice, receipt, credit note, write-off or payout by its number, as the statement of the account lists it. As ' +
      '`application/pdf` it is the letter for the payer, in the language of the account.',
    shape: 'record',
    record: BillingDocument,
    media: { types: ['application/pdf'] },
    status: 200,
    errors: [],
    events: [],
  }),
}
