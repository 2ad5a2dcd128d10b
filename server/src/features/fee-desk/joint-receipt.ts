import { type FamilyPayment, feeDeskBounds, type Static } from '@matricula/contract'
import type { Database } from '../../database/index.ts'
import { readOne } from '../../entities/index.ts'
import { Problem, validationProblem } from '../../errors/index.ts'
import { printJointReceipt, receipts } from '../billing-accounts/index.ts'

/**
 * Several receipts, and one paper of them all.
 *
 * @throws Problem `resource_not_found` for an id that is of no receipt, `state_conflict` for a receipt that is reversed,
 * `validation_failed` for more than a payment has parts
 */
export async function readJointReceipt(
  database: Database,
  tenant: { readonly id: string; readonly name: string },
  ids: readonly string[],
  isPrinted: boolean,
) {
  const distinct = [...new Set(ids.map((id) => id.toLowerCase()))]
  if (distinct.length > feeDeskBounds.parts) {
    const detail = `must name at most ${feeDeskBounds.parts} receipts`
    throw validationProblem([{ in: 'query', name: 'ids', code: 'too_large', detail }])
  }
  const found = await Promise.all(distinct.map((id) => readOne(database, tenant.id, receipts, id)))
  const record: Static<typeof FamilyPayment> = { receipts: found.map((each) => each.record) }
  if (!isPrinted) return { record, entityTag: null }
  const reversed = record.receipts.find(({ status }) => status === 'reversed')
  if (reversed !== undefined) {
    const detail = `The receipt ${reversed.receiptNumber} is reversed. Print the others without it.`
    throw new Problem('state_conflict', detail, { currentState: 'reversed' })
  }
  const bytes = await printJointReceipt(database, tenant, record.receipts)
  return { record, entityTag: null, file: { bytes, fileName: `${record.receipts[0]?.receiptNumber}.pdf` } }
}
