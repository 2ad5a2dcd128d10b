import { educationSettings } from '@matricula/contract/record-types'
import { RecordError, type RecordWork } from '../../record-engine/index.ts'
import { loadEducationSettings } from '../settings/index.ts'
import type { GatewayAccount, ProcessorName } from './card-processor.ts'
import { isStripeOrder } from './stripe.ts'

/** The institution's account at a processor, or null. Throws `SealError`. */
async function findAccountAt(work: RecordWork, processor: ProcessorName): Promise<GatewayAccount | null> {
  const settings = await loadEducationSettings(work)
  const [key, secret] =
    processor === 'stripe'
      ? [
          settings.stripe_publishable_key,
          work.reveal(educationSettings, 'stripe_secret_key', settings.stripe_secret_key),
        ]
      : [settings.razorpay_key, work.reveal(educationSettings, 'razorpay_secret', settings.razorpay_secret)]
  return key && secret ? { processor, key, secret } : null
}

/** The institution's account at the processor that an order was made at, or null. Throws `SealError`. */
export function findAccountOf(work: RecordWork, orderId: string): Promise<GatewayAccount | null> {
  return findAccountAt(work, isStripeOrder(orderId) ? 'stripe' : 'razorpay')
}

/**
 * The institution's account for new orders: at Stripe where it has one, else at Razorpay. Throws `ValidationError` without
 * one, and `SealError`.
 */
export async function requireAccount(work: RecordWork): Promise<GatewayAccount> {
  const account = (await findAccountAt(work, 'stripe')) ?? (await findAccountAt(work, 'razorpay'))
  if (account !== null) return account
  throw new RecordError(
    'ValidationError',
    'Cards cannot be charged here: the institution has set no Razorpay Key and Secret in Education Settings, nor the keys of Stripe. Ask it how to pay.',
  )
}

/** The institution's account at the processor of an order. Throws as `requireAccount`. */
export async function requireAccountOf(work: RecordWork, orderId: string): Promise<GatewayAccount> {
  return (await findAccountOf(work, orderId)) ?? requireAccount(work)
}

/** The secret of a processor's webhook signatures, or null. Throws `SealError`. */
export async function findWebhookSecret(work: RecordWork, processor: ProcessorName): Promise<string | null> {
  const settings = await loadEducationSettings(work)
  return processor === 'stripe'
    ? work.reveal(educationSettings, 'stripe_webhook_secret', settings.stripe_webhook_secret)
    : work.reveal(educationSettings, 'razorpay_webhook_secret', settings.razorpay_webhook_secret)
}
