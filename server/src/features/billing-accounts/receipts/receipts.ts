import type { Allocation, Body, receiptOperations } from '@matricula/contract'
import { type RequestContext, requireMatch } from '../../../changes/index.ts'
import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import { findOne, type Versioned } from '../../../entities/index.ts'
import { notFoundProblem, referenceProblem, validationProblem } from '../../../errors/index.ts'
import { subtract, sumExactly } from '../../../money/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { isUuid, requireReadOnlyUnchanged } from '../../../values/index.ts'
import { type AccountRecord, accounts } from '../accounts/account-store.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import { isAmong, type ObligationState } from '../obligations/obligation-rows.ts'
import { type Part, postReceipt } from './post-receipt.ts'
import { type ReceiptRecord, receipts } from './receipt-store.ts'
import { reverseReceipt } from './reverse-receipt.ts'
import { requireMinorUnits, requireNotInFuture, ruleProblem } from './rules.ts'

type CreateReceiptBody = Body<(typeof receiptOperations)['createReceipt']>
type ReverseReceiptBody = Body<(typeof receiptOperations)['reverseReceipt']>

/** How a receipt says what it pays. */
type Allocating = Pick<CreateReceiptBody, 'allocations' | 'allocate'>

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

/** The account that a body names. Throws `reference_not_found`. */
async function requireAccount(tx: Transaction, id: string): Promise<AccountRecord> {
  const found = await findOne(tx, accounts, sql`a.id = ${id}`)
  if (found === null) throw referenceProblem('accountId', 'billing account')
  return found.record
}

/**
 * What an amount pays of an account, whose obligations are locked then: the allocations that were sent, or by default
 * what is open by due date, then creation. Throws `rule_violated`, `reference_not_found` and `validation_failed`.
 */
async function allocate(
  tx: Transaction,
  accountId: string,
  amount: number,
  { allocations, allocate: order }: Allocating,
): Promise<Part[]> {
  if (allocations !== undefined && order !== undefined) {
    const detail = 'cannot be used together with allocations'
    throw validationProblem([{ in: 'body', pointer: '#/allocate', code: 'inconsistent', detail }])
  }
  if (allocations === undefined)
    return allocateOldest(amount, await lockObligations(tx, isOpenIn(accountId), [accountId]))
  return allocateAsSent(tx, accountId, amount, allocations)
}

const isOpenIn = (accountId: string): Sql => sql`o.account_id = ${accountId} and o.open_amount <> 0`

function allocateOldest(amount: number, open: readonly ObligationState[]): Part[] {
  const parts: Part[] = []
  let rest = amount
  for (const obligation of open) {
    if (rest <= 0) break
    const part = Math.min(rest, obligation.open)
    parts.push({ obligation, amount: part })
    rest = subtract(rest, part)
  }
  return parts
}

async function allocateAsSent(
  tx: Transaction,
  accountId: string,
  amount: number,
  sent: readonly Allocation[],
): Promise<Part[]> {
  const ids = sent.map(({ paymentId }) => paymentId.toLowerCase())
  const doubled = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (doubled >= 0) {
    const pointer = `#/allocations/${doubled}/paymentId`
    throw validationProblem([{ in: 'body', pointer, code: 'inconsistent', detail: 'stands here twice' }])
  }
  const found = await lockObligations(tx, isAmong(ids), [accountId])
  const byId = new Map(found.map((obligation) => [obligation.paymentId, obligation]))
  const parts = sent.map(({ amount: part }, index): Part => {
    const obligation = byId.get(ids[index] as string)
    if (obligation === undefined) throw referenceProblem(`allocations/${index}/paymentId`, 'payment')
    return { obligation, amount: part }
  })
  const foreign = parts.find(({ obligation }) => obligation.accountId !== accountId)
  if (foreign !== undefined) {
    const detail = `The payment ${foreign.obligation.paymentId} is owed by another account. Post it there.`
    throw ruleProblem('obligation_of_another_account', detail)
  }
  const excessive = parts.find(({ obligation, amount: part }) => part > obligation.open)
  if (excessive !== undefined) {
    const { paymentId, open } = excessive.obligation
    throw ruleProblem('allocation_exceeds_open', `Only ${open} is open of the payment ${paymentId}.`)
  }
  const allocated = sumExactly(...parts.map((part) => part.amount))
  if (allocated > amount) {
    const detail = `The allocations are ${allocated} together, more than the amount of ${amount}.`
    throw ruleProblem('allocations_exceed_amount', detail)
  }
  return parts
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
