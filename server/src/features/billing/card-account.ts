import type { GatewayAccount } from '../../platform/card-gateway.ts'
import { RecordError } from '../../records/record-error.ts'
import type { RecordWork } from '../../records/record-work.ts'
import { educationSettingsOf } from '../settings/index.ts'

/** The institution's account at the card gateway. Throws `ValidationError` where it has none. */
export async function requireAccount(work: RecordWork): Promise<GatewayAccount> {
  const { razorpay_key: key, razorpay_secret: secret } = await educationSettingsOf(work)
  if (key && secret) return { key, secret }
  throw new RecordError(
    'ValidationError',
    'Cards cannot be charged here: the institution has set no Razorpay Key and Secret in Education Settings. Ask it how to pay.',
  )
}
