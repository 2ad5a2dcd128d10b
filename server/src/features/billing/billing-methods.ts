import { student } from '@matricula/contract/record-types'
import { inMinorUnits } from '../../money/index.ts'
import { type RecordEngine, RecordError } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod, type StagedMethod, stagedMethod } from '../../resource-api/index.ts'
import { requireAccount } from './card-account.ts'
import type { CardGateway } from './card-gateway.ts'
import { bookReportedPayment, recordFailure, storeOrder } from './card-payments.ts'
import { GatewayError } from './card-processor.ts'
import { readPayableInvoice, requireOwed } from './payable-invoice.ts'

const billing = 'education.education.billing'
const text = { type: 'string', required: true } as const
const json = { type: 'json', required: true } as const
const outcome = { response: json, against_invoice: text, billing_details: { type: 'json' } } as const

/** The methods to pay fees by card. */
export const billingMethods = (gateway: CardGateway): readonly (RecordMethod | StagedMethod)[] => [
  stagedMethod({
    path: `${billing}.get_payment_options`,
    rights: 'own records',
    about: 'Fees',
    isForStudents: true,
    summary:
      'Makes an order at the card gateway for what is owed of a fee, or of one invoice of a fee that accounts share, and gives what its window needs.',
    verbs: ['POST', 'PUT'],
    result: {
      type: 'object',
      description:
        '`key_id`, `order_id`, `amount` (in the smallest unit), `currency`, `name`, `description` and `prefill`, for the window of the gateway; at Stripe `processor` (`stripe`) and `client_secret` too.',
    },
    parameters: { doctype: text, docname: text, phone: text, currency: { type: 'string' } },
    runInStages: async (call, { doctype, docname, phone, currency }) => {
      const owed = await call.transaction((engine) => readOrder(engine, { doctype, docname, phone, currency }))
      const { invoice, account, payer } = owed
      const order = await gateway.createOrder(account, owed.order).catch((error: unknown) => {
        if (error instanceof GatewayError) throw toErrorResponse(error)
        throw error
      })
      await call.transaction((engine) => storeOrder(engine, invoice, payer, order))
      return {
        key_id: account.key,
        name: call.caller.tenant.name,
        description: `Payment for ${invoice.name}`,
        order_id: order.id,
        amount: order.amount,
        currency: order.currency,
        ...(account.processor === 'stripe' && { processor: 'stripe', client_secret: order.clientSecret }),
        prefill: { name: invoice.fee.student_name, email: payer.email, contact: payer.phone },
      }
    },
  }),
  recordMethod({
    path: `${billing}.handle_payment_success`,
    rights: 'own records',
    about: 'Fees',
    isForStudents: true,
    summary: 'Takes what the card gateway signed of a payment, and marks the fee of its order as paid.',
    verbs: ['POST', 'PUT'],
    parameters: outcome,
    run: async (engine, { response, against_invoice, billing_details }) => {
      await bookReportedPayment(engine, against_invoice, { ...response }, { ...billing_details })
      return null
    },
  }),
  recordMethod({
    path: `${billing}.handle_payment_failure`,
    rights: 'own records',
    about: 'Fees',
    isForStudents: true,
    summary: 'Notes why a card could not be charged.',
    verbs: ['POST', 'PUT'],
    parameters: outcome,
    run: async (engine, { response, against_invoice, billing_details }) => {
      await recordFailure(engine, against_invoice, { ...response }, { ...billing_details })
      return null
    },
  }),
]

interface Asked {
  readonly doctype: string
  readonly docname: string
  readonly phone: string
  readonly currency: string | null
}

/** What is outstanding of an invoice as an order of the gateway. */
async function readOrder(engine: RecordEngine, { doctype, docname, phone, currency }: Asked) {
  // Newer upstream clients name a fee as its Sales Invoice.
  if (doctype !== 'Fees' && doctype !== 'Sales Invoice') {
    throw new RecordError('ValidationError', 'Invalid document provided: only Fees, also as Sales Invoice, are paid.')
  }
  if (!/^\+?[\d\s().x-]{5,30}$/.test(phone)) {
    throw new RecordError('InvalidPhoneNumberError', 'The phone must be a telephone number, such as +1 555 123 4567.')
  }
  const invoice = await readPayableInvoice(engine, docname)
  requireOwed(invoice)
  const { fee, name, outstanding } = invoice
  const unit = fee.currency ?? engine.caller.tenant.currency
  if (currency && currency.toUpperCase() !== unit) {
    throw new RecordError('ValidationError', `${name} is paid in ${unit}.`)
  }
  const account = await requireAccount(engine)
  const self = await engine.linked(student, fee.student)
  return {
    invoice,
    account,
    payer: { phone, email: self?.student_email_id ?? null },
    order: { amount: inMinorUnits(outstanding, unit), currency: unit },
  }
}

function toErrorResponse({ isRejected }: GatewayError): RecordError {
  if (isRejected) {
    const text =
      'There is a problem with the payment gateway: it refused the order. Ask the institution to check its account.'
    return new RecordError('ValidationError', text)
  }
  return new RecordError('SessionStopped', 'The payment gateway does not respond. Try again shortly.', {
    headers: { 'retry-after': '10' },
  })
}
