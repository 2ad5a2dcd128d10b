import type { Allocation, Body, receiptOperations } from '@matricula/contract'
import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import { findOne } from '../../../entities/index.ts'
import { referenceProblem, validationProblem } from '../../../errors/index.ts'
import { subtract, sumExactly } from '../../../money/index.ts'
import { type AccountRecord, accounts } from '../accounts/account-store.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import { isAmong, type ObligationState } from '../obligations/obligation-rows.ts'
import type { Part } from './post-receipt.ts'
import { ruleProblem } from './rules.ts'

/** How a receipt says what it pays. */
type Allocating = Pick<Body<(typeof receiptOperations)['createReceipt']>, 'allocations' | 'allocate'>

/** The account that a body names. Throws `reference_not_found`. */
export async function requireAccount(tx: Transaction, id: string): Promise<AccountRecord> {
  const found = await findOne(tx, accounts, sql`a.id = ${id}`)
  if (found === null) throw referenceProblem('accountId', 'billing account')
  return found.record
}

/**
 * What an amount pays of an account, whose obligations are locked then: the allocations that were sent, or by default
 * what is open by due date, then creation. Throws `rule_violated`, `reference_not_found` and `validation_failed`.
 */
export async function allocate(
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
