import type { Body, payoutOperations } from '@matricula/contract'
import { type RequestContext, recordChanges, requireMatch } from '../../../changes/index.ts'
import { lockRows } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { nextNames, readBack, requireLocked, type Versioned } from '../../../entities/index.ts'
import { notFoundProblem, Problem, validationProblem } from '../../../errors/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { isUuid, newId, requireReadOnlyUnchanged } from '../../../values/index.ts'
import { post, reverse } from '../../ledger/index.ts'
import { ensureCurrency, loadBooks, requireOpenBooks } from '../obligations/books.ts'
import { requireAccount } from '../receipts/allocate.ts'
import { changeCredit, findTill } from '../receipts/post-receipt.ts'
import { requireMinorUnits, requireNotInFuture, ruleProblem } from '../receipts/rules.ts'
import { type PayoutRecord, payouts } from './payout-store.ts'

type CreatePayoutBody = Body<(typeof payoutOperations)['createPayout']>
type ReversePayoutBody = Body<(typeof payoutOperations)['reversePayout']>

const payoutVoucher = (number: string) => ({ type: 'Payment', name: number, isPlain: true }) as const

/**
 * Pays out credit of an account: its row, the credit, and the ledger (receivable debit, till credit). Throws
 * `validation_failed` for a day in the future, `reference_not_found` for the account, and `rule_violated`
 * (`credit_exceeded`, `finer_than_minor_unit`, `books_closed`).
 */
export async function createPayout(
  tx: Transaction,
  context: RequestContext,
  body: CreatePayoutBody,
): Promise<Versioned<PayoutRecord>> {
  requireReadOnlyUnchanged(context.readOnlyFields, null)
  const { paidOn, method, amount, reference = null, reason = null } = body
  requireNotInFuture(context, 'paidOn', paidOn)
  const accountId = body.accountId.toLowerCase()
  const { currency } = await requireAccount(tx, accountId)
  requireMinorUnits(currency, [amount])
  const books = await loadBooks(tx)
  requireOpenBooks(books, paidOn)
  await lockRows(tx, 'billing_accounts', [accountId])
  const { credit } = await requireAccount(tx, accountId)
  if (amount > credit) throw ruleProblem('credit_exceeded', `The account has a credit of ${credit} only.`)
  await changeCredit(tx, accountId, -amount)
  const { company } = books
  const till = company === null ? null : await findTill(tx, company, method)
  const id = newId()
  const [number] = (await nextNames(tx, `PAY-${paidOn.slice(0, 4)}-`, 1)) as [string]
  tx.send(sql`
    insert into billing_payouts (tenant_id, id, payout_number, account_id, paid_on, method, reference, reason, amount,
                                 currency, created_by)
    values (${tx.tenantId}, ${id}, ${number}, ${accountId}, ${paidOn}, ${method}, ${reference}, ${reason}, ${amount},
            ${currency}, ${context.actor})`)
  if (company !== null && company.receivable !== null && till !== null) {
    ensureCurrency(tx, currency)
    const shared = { party: null, costCenter: null, fee: null }
    const voucher = { ...payoutVoucher(number), company: company.name, currency, postingDate: paidOn }
    await post(tx, context, { ...voucher, remarks: `Payout ${number}` }, [
      { ...shared, account: company.receivable, debit: amount, credit: 0, against: till, billingAccount: accountId },
      { ...shared, account: till, debit: 0, credit: amount, against: company.receivable },
    ])
  }
  const posted = await readBack(tx, payouts, id)
  recordChanges(tx, context, [
    { type: 'payout.posted', list: payouts, entityId: id, before: null, after: posted.record },
  ])
  return posted
}

/**
 * Reverses a payout: what went out is credit of the account again. Throws `resource_not_found`, `state_conflict` for one
 * that is reversed, `validation_failed` for a day before it or in the future, and `rule_violated` (`books_closed`).
 */
export async function reversePayout(
  tx: Transaction,
  context: RequestContext,
  id: string,
  { reason = '', on = todayIn(context.tenant.timeZone) }: ReversePayoutBody,
): Promise<Versioned<PayoutRecord>> {
  if (!isUuid(id)) throw notFoundProblem(payouts.noun)
  const { record: before, entityTag } = await requireLocked(tx, payouts, id.toLowerCase())
  const { payoutNumber, accountId, amount, paidOn, status } = before
  requireMatch(context, entityTag)
  if (status === 'reversed') {
    throw new Problem('state_conflict', `The payout ${payoutNumber} is reversed already.`, { currentState: status })
  }
  requireNotInFuture(context, 'on', on)
  if (on < paidOn) {
    const detail = `must not be before ${paidOn}, when the money went out`
    throw validationProblem([{ in: 'body', pointer: '#/on', code: 'too_small', detail }])
  }
  requireOpenBooks(await loadBooks(tx), on)
  await lockRows(tx, 'billing_accounts', [accountId])
  await changeCredit(tx, accountId, amount)
  tx.send(sql`
    update billing_payouts
       set status = 'reversed', reversed_on = ${on}, reversal_reason = ${reason === '' ? null : reason},
           reversed_by = ${context.actor}, version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${before.id}`)
  await reverse(tx, context, {
    ...payoutVoucher(payoutNumber),
    postingDate: on,
    remarks: `Reversal of ${payoutNumber}`,
  })
  const reversed = await readBack(tx, payouts, before.id)
  recordChanges(tx, context, [
    { type: 'payout.reversed', list: payouts, entityId: before.id, before, after: reversed.record },
  ])
  return reversed
}
