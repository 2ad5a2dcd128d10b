import { paymentRecord } from '@matricula/contract/record-types'
import { inMinorUnits } from '../../money/index.ts'
import { type RecordEngine, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { bookCapture, lockOrder } from './book-capture.ts'
import { requireAccountOf } from './card-account.ts'
import type { GatewayOrder } from './card-processor.ts'
import { checkSoon, scheduleChecks } from './order-checks.ts'
import { type PayableInvoice, readPayableInvoice } from './payable-invoice.ts'
import { isGatewaySignature } from './razorpay.ts'
import { isStripeOrder } from './stripe.ts'

type Fields = Readonly<Record<string, unknown>>

/** Stores an order created at the gateway, with its invoice. Only stored orders pay invoices. */
export async function storeOrder(
  work: RecordWork,
  { fee, name, outstanding }: Pick<PayableInvoice, 'fee' | 'name' | 'outstanding'>,
  payer: { readonly phone: string; readonly email: string | null },
  { id }: GatewayOrder,
): Promise<void> {
  const order = await work.insert(paymentRecord, {
    student: fee.student,
    mobile: payer.phone,
    email: payer.email,
    status: 'Created',
    against_invoice: name,
    order_id: id,
    amount: outstanding,
    currency: fee.currency,
  })
  await scheduleChecks(work, order.name)
}

/**
 * Books a payment that the browser reports, verified by Razorpay's signature; idempotent. Stripe signs nothing for the
 * browser, so it is asked within a minute, unless its webhook is faster.
 *
 * @throws RecordError `ValidationError` for an invalid signature, and for an order that was not created here for this
 * fee.
 */
export async function bookReportedPayment(
  engine: RecordEngine,
  invoice: string,
  response: Fields,
  payer: Fields,
): Promise<void> {
  const { name } = await readPayableInvoice(engine, invoice)
  const intent = toText(response.payment_intent)
  if (isStripeOrder(intent)) return checkSoon(engine, (await requireOrder(engine, name, intent)).name)
  const orderId = toText(response.razorpay_order_id)
  const account = await requireAccountOf(engine, orderId)
  const paymentId = toText(response.razorpay_payment_id)
  const signature = toText(response.razorpay_signature)
  if (!isGatewaySignature(account, { orderId, paymentId, signature })) {
    throw new RecordError(
      'ValidationError',
      'The payment gateway did not sign this payment. Nothing was marked as paid.',
    )
  }
  const { amount, currency } = await requireOrder(engine, name, orderId)
  const unit = currency ?? ''
  const captured = {
    id: paymentId,
    orderId,
    amount: inMinorUnits(amount, unit),
    currency: unit,
    madeAt: new Date(),
  }
  const booking = await bookCapture(engine, captured, { ...getBilling(payer), signature })
  if (booking !== 'suspense') return
  const message = `The card was charged, but ${name} does not ask for this any more. The institution was told, and will give the money back or use it for something else.`
  engine.messages.push({ message, indicator: 'orange' })
}

/** Records a failed payment with the gateway's reason. A paid order stays paid. */
export async function recordFailure(
  engine: RecordEngine,
  invoice: string,
  response: Fields,
  payer: Fields,
): Promise<void> {
  const { name } = await readPayableInvoice(engine, invoice)
  const error = toObject(response.error ?? response)
  const { order_id, payment_id } = toObject(error.metadata)
  const order = await requireOrder(engine, name, toText(order_id))
  if (order.status === 'Captured') return
  await engine.put(paymentRecord, order.name, {
    ...getBilling(payer),
    status: 'Failed',
    payment_id: toText(payment_id) || null,
    failure_description: [...toText(error.description)].slice(0, 1000).join('') || null,
  })
}

async function requireOrder(
  work: RecordWork,
  invoice: string,
  orderId: string,
): Promise<RecordOf<typeof paymentRecord>> {
  const order = orderId === '' ? null : await lockOrder(work, orderId)
  if (order !== null && order.against_invoice === invoice) return order
  throw new RecordError(
    'ValidationError',
    `No order of this number was made for ${invoice}. Ask for payment options first.`,
  )
}

const billingFields = ['address_line_1', 'address_line_2', 'pincode', 'city', 'state', 'country'] as const

function getBilling(payer: Fields): Partial<RecordOf<typeof paymentRecord>> {
  const given = billingFields.map((field) => [field, [...toText(payer[field])].slice(0, 140).join('') || null])
  return Object.fromEntries(given)
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function toObject(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
