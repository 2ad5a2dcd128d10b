import type { Body, receiptOperations } from '@matricula/contract'
import { type RequestContext, requireMatch } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { findOne, type Versioned } from '../../../entities/index.ts'
import { notFoundProblem, validationProblem } from '../../../errors/index.ts'
import { sumExactly } from '../../../money/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { isUuid, requireReadOnlyUnchanged } from '../../../values/index.ts'
import { allocate, requireAccount } from './allocate.ts'
import { type Part, postReceipt } from './post-receipt.ts'
import { type ReceiptRecord, receipts } from './receipt-store.ts'
import { reverseReceipt } from './reverse-receipt.ts'
import { requireMinorUnits, requireNotInFuture, ruleProblem } from './rules.ts'

type CreateReceiptBody = Body<(typeof receiptOperations)['createReceipt']>
type ReverseReceiptBody = Body<(typeof receiptOperations)['reverseReceipt']>

/**
 * Posts a receipt. Throws `validation_failed` for a day in the future, `reference_not_found`, and `rule_violated` with
 * the rule.
 */
export async function createReceipt(
  tx: Transaction,
  context: RequestContext,
  body: CreateReceiptBody,
): Promise<Versioned<ReceiptRecord>> {
  requireReadOnlyUnchanged(context.readOnlyFields, null)
  const { receivedOn, method, amount, reference = null } = body
  requireNotInFuture(context, 'receivedOn', receivedOn)
  const accountId = body.accountId.toLowerCase()
  const account = await requireAccount(tx, accountId)
  const currency = body.currency?.toUpperCase() ?? account.currency
  if (currency !== account.currency) {
    throw ruleProblem('currency_mismatch', `The account is in ${account.currency}, and the receipt in ${currency}.`)
  }
  requireMinorUnits(currency, [amount, ...(body.allocations ?? []).map((each) => each.amount)])
  const parts = await allocate(tx, accountId, amount, body)
  if (method === 'credit') await requireCredit(tx, accountId, amount, parts)
  return postReceipt(tx, context, { accountId, receivedOn, method, amount, reference, currency, parts })
}

/**
 * Reverses a receipt. Throws `state_conflict` for one that is reversed, and one whose credit was used; `rule_violated`
 * for a day in closed books; `validation_failed` for a day before the receipt or in the future.
 */
export async function reverseOne(
  tx: Transaction,
  context: RequestContext,
  id: string,
  { reason, on = todayIn(context.tenant.timeZone) }: ReverseReceiptBody,
): Promise<Versioned<ReceiptRecord>> {
  const found = isUuid(id) ? await findOne(tx, receipts, sql`r.id = ${id.toLowerCase()}`) : null
  if (found === null) throw notFoundProblem(receipts.noun)
  const { receivedOn } = found.record
  requireMatch(context, found.entityTag)
  requireNotInFuture(context, 'on', on)
  if (on < receivedOn) {
    const detail = `must not be before ${receivedOn}, when the money came in`
    throw validationProblem([{ in: 'body', pointer: '#/on', code: 'too_small', detail }])
  }
  return reverseReceipt(tx, context, found.record.id, { reason: reason ?? null, on })
}

async function requireCredit(
  tx: Transaction,
  accountId: string,
  amount: number,
  parts: readonly Part[],
): Promise<void> {
  const { credit } = await requireAccount(tx, accountId)
  if (amount > credit) throw ruleProblem('credit_exceeded', `The account has a credit of ${credit} only.`)
  const allocated = sumExactly(...parts.map((part) => part.amount))
  if (allocated === amount) return
  const detail = `What is taken from the credit must be allocated wholly: ${allocated} of ${amount} is.`
  throw ruleProblem('credit_not_allocated', detail)
}
