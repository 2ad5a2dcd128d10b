import { type fees, paymentRecord } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { type GatewayOrder, isGatewaySignature } from '../../platform/card-gateway.ts'
import { takeTurn } from '../../platform/locks.ts'
import type { RecordOf } from '../../records/record-document.ts'
import type { RecordEngine } from '../../records/record-engine.ts'
import { RecordError } from '../../records/record-error.ts'
import type { RecordWork } from '../../records/record-work.ts'
import { readPrintedFee, settleFee } from '../fees/index.ts'
import { payFee } from '../payments/index.ts'
import { requireAccount } from './card-account.ts'

type Fields = Readonly<Record<string, unknown>>

/** Keeps an order that was made at the gateway, with the fee that it is to pay. Only such orders pay anything. */
export async function keepOrder(
  work: RecordWork,
  fee: RecordOf<typeof fees>,
  payer: { readonly phone: string; readonly email: string | null },
  { id }: GatewayOrder,
): Promise<void> {
  await work.insert(paymentRecord, {
    student: fee.student,
    mobile: payer.phone,
    email: payer.email,
    status: 'Created',
    against_invoice: fee.name,
    order_id: id,
    amount: fee.outstanding_amount,
    currency: fee.currency,
  })
}

/**
 * Takes the gateway's word that an order was paid, by its signature, and marks the fee of the order as paid. Told again it
 * changes nothing.
 *
 * @throws RecordError `ValidationError` for a signature that is not the gateway's, and for an order that was not made here
 * for this fee.
 */
export async function takePayment(
  engine: RecordEngine,
  feeName: string,
  response: Fields,
  payer: Fields,
): Promise<void> {
  const { fee } = await readPrintedFee(engine, feeName)
  const account = await requireAccount(engine)
  const orderId = textOf(response.razorpay_order_id)
  const paymentId = textOf(response.razorpay_payment_id)
  const signature = textOf(response.razorpay_signature)
  if (!isGatewaySignature(account, { orderId, paymentId, signature })) {
    throw new RecordError(
      'ValidationError',
      'The payment gateway did not sign this payment. Nothing was marked as paid.',
    )
  }
  const order = await requireOrder(engine, fee.name, orderId)
  if (order.status === 'Captured') return
  await engine.put(paymentRecord, order.name, {
    ...billingOf(payer),
    status: 'Captured',
    payment_id: paymentId,
    signature,
    failure_description: null,
  })
  const isSame = order.amount === fee.grand_total && order.currency === fee.currency
  const isMarked = isSame && (await payFee(engine.tx, engine.caller, fee.name, paymentId, settleFee))
  if (isMarked) return
  const message = `The card was charged, but nothing was owed for ${fee.name} any more. Ask the institution to pay it back.`
  engine.messages.push({ message, indicator: 'orange' })
}

/** Notes that an order could not be paid, with the gateway's reason. What was paid once stays so. */
export async function noteFailure(
  engine: RecordEngine,
  feeName: string,
  response: Fields,
  payer: Fields,
): Promise<void> {
  const { fee } = await readPrintedFee(engine, feeName)
  const error = objectOf(response.error ?? response)
  const { order_id, payment_id } = objectOf(error.metadata)
  const order = await requireOrder(engine, fee.name, textOf(order_id))
  if (order.status === 'Captured') return
  await engine.put(paymentRecord, order.name, {
    ...billingOf(payer),
    status: 'Failed',
    payment_id: textOf(payment_id) || null,
    failure_description: [...textOf(error.description)].slice(0, 1000).join('') || null,
  })
}

async function requireOrder(work: RecordWork, fee: string, orderId: string): Promise<RecordOf<typeof paymentRecord>> {
  await takeTurn(work.tx, `card payments of ${fee}`)
  const [order] = await work.select(paymentRecord, sql`r.order_id = ${orderId} and r.against_invoice = ${fee}`)
  if (order !== undefined) return order
  throw new RecordError(
    'ValidationError',
    `No order of this number was made for ${fee}. Ask for payment options first.`,
  )
}

const billingFields = ['address_line_1', 'address_line_2', 'pincode', 'city', 'state', 'country'] as const

function billingOf(payer: Fields): Partial<RecordOf<typeof paymentRecord>> {
  const given = billingFields.map((field) => [field, [...textOf(payer[field])].slice(0, 140).join('') || null])
  return Object.fromEntries(given)
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
