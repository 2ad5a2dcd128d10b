import { educationSettings } from '@matricula/contract/record-types'
import { RecordError, type RecordWork } from '../../record-engine/index.ts'
import { loadEducationSettings } from '../settings/index.ts'
import type { GatewayAccount } from './card-gateway.ts'

/** The institution's account at the card gateway, or null. Throws `SealError`. */
export async function findAccount(work: RecordWork): Promise<GatewayAccount | null> {
  const { razorpay_key: key, razorpay_secret: stored } = await loadEducationSettings(work)
  const secret = work.reveal(educationSettings, 'razorpay_secret', stored)
  return key && secret ? { key, secret } : null
}

/** The institution's account at the card gateway. Throws `ValidationError` without one, and `SealError`. */
export async function requireAccount(work: RecordWork): Promise<GatewayAccount> {
  const account = await findAccount(work)
  if (account !== null) return account
  throw new RecordError(
    'ValidationError',
    'Cards cannot be charged here: the institution has set no Razorpay Key and Secret in Education Settings. Ask it how to pay.',
  )
}

/** The secret of the gateway's webhook signatures, or null. Throws `SealError`. */
export async function findWebhookSecret(work: RecordWork): Promise<string | null> {
  const { razorpay_webhook_secret: stored } = await loadEducationSettings(work)
  return work.reveal(educationSettings, 'razorpay_webhook_secret', stored)
}
