import type { Body, DunningHold, dunningOperations, Static } from '@matricula/contract'
import { type RequestContext, recordChanges } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { notFoundProblem } from '../../../errors/index.ts'
import { isUuid, sameJson } from '../../../values/index.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import { isAmong } from '../obligations/obligation-rows.ts'

type DunningHoldRecord = Static<typeof DunningHold>
type DunningHoldBody = Body<(typeof dunningOperations)['holdDunning']>

/** Stops reminders of an obligation, or lets them go on. Throws `resource_not_found`. */
export async function holdDunning(
  tx: Transaction,
  context: RequestContext,
  paymentId: string,
  { hold, note = null }: DunningHoldBody,
): Promise<DunningHoldRecord> {
  const [obligation] = isUuid(paymentId) ? await lockObligations(tx, isAmong([paymentId.toLowerCase()])) : []
  if (obligation === undefined) throw notFoundProblem('obligation')
  const id = obligation.paymentId
  const [before] = await tx.query<DunningHoldRecord>(sql`
    select payment_id as "paymentId", dunning_hold as hold, dunning_hold_note as note, dunning_level as level,
           dunning_sent_on as "sentOn"
      from obligations where tenant_id = ${tx.tenantId} and payment_id = ${id}`)
  if (before === undefined) throw notFoundProblem('obligation')
  const after = { ...before, hold, note: hold === null ? null : note }
  if (sameJson(before, after)) return before
  await tx.query(sql`
    update obligations set dunning_hold = ${after.hold}, dunning_hold_note = ${after.note}
     where tenant_id = ${tx.tenantId} and payment_id = ${id}`)
  recordChanges(tx, context, [
    {
      type: 'obligation.dunning_changed',
      entityType: 'obligation',
      entityId: id,
      externalId: obligation.payment.externalId,
      before,
      after,
    },
  ])
  return after
}
