import type { Body, FamilyPayment, feeDeskOperations, Static } from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { validationProblem } from '../../errors/index.ts'
import { createReceipt, lockObligations } from '../billing-accounts/index.ts'

type TakePaymentBody = Body<(typeof feeDeskOperations)['takePayment']>

/**
 * Posts a receipt for each account that a family pays with, all of them or none.
 *
 * @throws Problem `validation_failed` for an account that stands there twice, and whatever a receipt is refused for
 */
export async function takePayment(
  tx: Transaction,
  context: RequestContext,
  { receivedOn, method, reference = null, parts }: TakePaymentBody,
): Promise<Static<typeof FamilyPayment>> {
  const ids = parts.map(({ accountId }) => accountId.toLowerCase())
  const doubled = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (doubled >= 0) {
    const pointer = `#/parts/${doubled}/accountId`
    throw validationProblem([{ in: 'body', pointer, code: 'inconsistent', detail: 'stands here twice' }])
  }
  // All at once, in the order of locks, because accounts come after each other otherwise.
  const payments = parts.flatMap(({ allocations }) => allocations.map(({ paymentId }) => paymentId.toLowerCase()))
  await lockObligations(tx, sql`o.payment_id = any(${payments}::uuid[])`, ids)
  const posted: Static<typeof FamilyPayment>['receipts'] = []
  for (const part of parts) {
    const { record } = await createReceipt(tx, context, { receivedOn, method, reference, ...part })
    posted.push(record)
  }
  return { receipts: posted }
}
