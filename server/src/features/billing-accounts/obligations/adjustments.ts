import type { Adjustment, Body, obligationOperations, Static } from '@matricula/contract'
import { type ChangeContext, type RequestContext, recordChanges } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { nextNames } from '../../../entities/index.ts'
import { notFoundProblem, Problem } from '../../../errors/index.ts'
import { subtract, sumExactly } from '../../../money/index.ts'
import { getDay, todayIn } from '../../../tenancy/index.ts'
import { isUuid, newId } from '../../../values/index.ts'
import { post } from '../../ledger/index.ts'
import { insertPaymentPart, storePayment } from '../../payments/index.ts'
import { paymentReference } from '../accounts/iban.ts'
import { changeCredit } from '../receipts/post-receipt.ts'
import { requireMinorUnits, ruleProblem } from '../receipts/rules.ts'
import { ensureCurrency, ensureLedgerAccount, loadBooks, requireOpenBooks } from './books.ts'
import { lockObligations } from './lock-obligations.ts'
import { type ObligationRecord, selectObligations } from './obligation-list.ts'
import { isAmong, type ObligationState, writeSums } from './obligation-rows.ts'
import { storeStatuses } from './statuses.ts'

type AdjustmentRecord = Static<typeof Adjustment>
type AdjustmentBody = Body<(typeof obligationOperations)['writeOffObligation']>
type SplitBody = Body<(typeof obligationOperations)['splitObligation']>

/** Throws `resource_not_found`, and `state_conflict` where nothing is open. */
async function lockOpen(tx: Transaction, paymentId: string): Promise<ObligationState> {
  const [found] = isUuid(paymentId) ? await lockObligations(tx, isAmong([paymentId.toLowerCase()])) : []
  if (found === undefined) throw notFoundProblem('obligation')
  if (found.open > 0) return found
  const detail = `Nothing is open of this payment: it is ${found.payment.status}.`
  throw new Problem('state_conflict', detail, { currentState: found.payment.status })
}

/**
 * Writes off a part of what is open. Throws `resource_not_found`, `state_conflict` where nothing is open, and
 * `rule_violated`.
 */
export async function writeOff(
  tx: Transaction,
  context: RequestContext,
  paymentId: string,
  { amount, reason }: AdjustmentBody,
): Promise<AdjustmentRecord> {
  const obligation = await lockOpen(tx, paymentId)
  requireMinorUnits(obligation.payment.currency, amount === obligation.open ? [] : [amount])
  if (amount > obligation.open) {
    throw ruleProblem('allocation_exceeds_open', `Only ${obligation.open} is open. Write off at most that.`)
  }
  return adjust(tx, context, obligation, { kind: 'write_off', amount, applied: amount, reason })
}

/**
 * Issues a credit note, up to what was charged and not credited yet; what exceeds the open amount becomes credit of the
 * account. Throws as `writeOff`.
 */
export async function credit(
  tx: Transaction,
  context: RequestContext,
  paymentId: string,
  { amount, reason }: AdjustmentBody,
): Promise<AdjustmentRecord> {
  const obligation = await lockOpen(tx, paymentId)
  requireMinorUnits(obligation.payment.currency, amount === obligation.open ? [] : [amount])
  const [before] = await tx.query<{ sum: number }>(sql`
    select coalesce(sum(amount), 0) as sum from billing_adjustments
     where tenant_id = ${tx.tenantId} and payment_id = ${obligation.paymentId}`)
  const left = subtract(obligation.payment.amount, before?.sum ?? 0)
  if (amount > left) throw ruleProblem('credit_exceeds_charge', `Only ${left} of the charge can still be credited.`)
  const applied = Math.min(amount, obligation.open)
  return adjust(tx, context, obligation, { kind: 'credit_note', amount, applied, reason })
}

interface NewAdjustment {
  readonly kind: 'write_off' | 'credit_note'
  readonly amount: number
  readonly applied: number
  readonly reason: string
}

async function adjust(
  tx: Transaction,
  context: RequestContext,
  before: ObligationState,
  { kind, amount, applied, reason }: NewAdjustment,
): Promise<AdjustmentRecord> {
  const { paymentId, accountId } = before
  const books = await loadBooks(tx)
  const today = todayIn(context.tenant.timeZone)
  requireOpenBooks(books, today)
  const after = {
    ...before,
    adjusted: sumExactly(before.adjusted, applied),
    open: subtract(before.open, applied),
  }
  writeSums(tx, [after])
  await changeCredit(tx, accountId, subtract(amount, applied))
  await storeStatuses(tx, context, [after], { paidAt: await lastReceived(tx, paymentId) })
  const series = kind === 'write_off' ? 'WOF' : 'CRN'
  const [number] = (await nextNames(tx, `${series}-${today.slice(0, 4)}-`, 1)) as [string]
  const id = newId()
  const [row] = await tx.query<{ createdAt: string }>(sql`
    insert into billing_adjustments (tenant_id, id, number, account_id, payment_id, kind, amount, applied, reason, posted_on)
    values (${tx.tenantId}, ${id}, ${number}, ${accountId}, ${paymentId}, ${kind}, ${amount}, ${applied}, ${reason}, ${today})
    returning created_at as "createdAt"`)
  await postAdjustment(tx, context, before, { kind, amount, number, today })
  const record = { id, number, paymentId, amount, reason, createdAt: row?.createdAt ?? '' }
  recordChanges(tx, context, [
    {
      type: kind === 'write_off' ? 'obligation.written_off' : 'obligation.credited',
      entityType: 'obligation',
      entityId: paymentId,
      externalId: before.payment.externalId,
      before: toSums(before),
      after: { ...toSums(after), number, amount, reason },
    },
  ])
  return record
}

const toSums = ({ open, adjusted }: ObligationState) => ({ openAmount: open, adjustedAmount: adjusted })

/** When the last receipt came in; null where none did. */
async function lastReceived(tx: Transaction, paymentId: string): Promise<string | null> {
  const [row] = await tx.query<{ day: string | null }>(sql`
    select max(r.received_on) as day from billing_receipt_allocations l
      join billing_receipts r on r.tenant_id = l.tenant_id and r.id = l.receipt_id and r.status = 'posted'
     where l.tenant_id = ${tx.tenantId} and l.payment_id = ${paymentId}`)
  return row?.day == null ? null : `${row.day}T00:00:00.000Z`
}

/** Posts an adjustment: a credit note takes back income, and what is written off is an expense. */
export async function postAdjustment(
  tx: Transaction,
  context: ChangeContext,
  { accountId, company, receivable, income, costCenter, fee, payment }: ObligationState,
  { kind, amount, number, today }: Pick<NewAdjustment, 'kind' | 'amount'> & { number: string; today: string },
): Promise<void> {
  const { company: owner } = await loadBooks(tx)
  if (company === null || receivable === null || income === null || owner === null) return
  ensureCurrency(tx, payment.currency)
  const account = kind === 'credit_note' ? income : await ensureLedgerAccount(tx, owner, 'Write Off', 'Expense')
  const voucher = { type: 'Journal Entry', name: number, isPlain: true } as const
  const remarks = kind === 'credit_note' ? `Credit note ${number}` : `Write-off ${number}`
  await post(tx, context, { ...voucher, company, currency: payment.currency, postingDate: today, remarks }, [
    { account, debit: amount, credit: 0, against: payment.studentCode, party: null, costCenter, fee: null },
    {
      account: receivable,
      debit: 0,
      credit: amount,
      against: account,
      party: payment.studentCode,
      costCenter: null,
      fee,
      billingAccount: accountId,
    },
  ])
}

/**
 * Splits what is open into parts with due dates of their own; the payment keeps its id with the first part. Throws
 * `rule_violated` where the parts are not what is open.
 */
export async function split(
  tx: Transaction,
  context: RequestContext,
  paymentId: string,
  { parts }: SplitBody,
): Promise<ObligationRecord[]> {
  const before = await lockOpen(tx, paymentId)
  const { payment } = before
  const [first, ...others] = parts
  if (first === undefined) throw new Error('a split without parts')
  const sum = sumExactly(...parts.map(({ amount }) => amount))
  if (sum !== before.open) {
    throw ruleProblem('parts_must_sum_to_open', `The parts are ${sum} together, and ${before.open} is open.`)
  }
  requireMinorUnits(
    payment.currency,
    parts.map(({ amount }) => amount),
  )
  const moved = subtract(before.open, first.amount)
  const zone = context.tenant.timeZone
  const kept = {
    ...payment,
    amount: subtract(payment.amount, moved),
    dueDate: first.dueDate,
    status: findPartStatus(payment.status, first.dueDate, zone),
  }
  await storePayment(tx, context, payment, kept, { isSplit: true })
  writeSums(tx, [{ ...before, open: first.amount }])
  const made: string[] = []
  for (const { amount, dueDate } of others) {
    const part = { amount, dueDate, status: findPartStatus(payment.status, dueDate, zone) }
    made.push((await insertPaymentPart(tx, context, payment, before.fee, part)).id)
  }
  const rows = made.map((id, index) => {
    const { amount, dueDate } = others[index] as SplitBody['parts'][number]
    return { paymentId: id, reference: paymentReference(id), open: amount, dueOn: getDay(dueDate, zone) }
  })
  await tx.query(sql`
    update obligations set updated_at = current_stamp(), due_on = ${getDay(first.dueDate, zone)}
     where tenant_id = ${tx.tenantId} and payment_id = ${payment.id}`)
  await tx.query(sql`
    insert into obligations (tenant_id, payment_id, account_id, fee, reference, invoice_number, company,
                             receivable_account, income_account, cost_center, posted_on, due_on, open_amount)
    select o.tenant_id, n."paymentId", o.account_id, o.fee, n.reference, o.invoice_number, o.company,
           o.receivable_account, o.income_account, o.cost_center, o.posted_on, n."dueOn", n.open
      from obligations o
     cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as n ("paymentId" uuid, reference text, open numeric, "dueOn" date)
     where o.tenant_id = ${tx.tenantId} and o.payment_id = ${payment.id}`)
  const ids = [payment.id, ...made]
  recordChanges(tx, context, [
    {
      type: 'obligation.split',
      entityType: 'obligation',
      entityId: payment.id,
      externalId: payment.externalId,
      before: { openAmount: before.open, parts: [payment.id] },
      after: { openAmount: first.amount, parts: ids },
    },
  ])
  const found = await tx.query<ObligationRecord>(
    selectObligations(tx.tenantId, sql`o.payment_id = any(${ids}::uuid[])`),
  )
  const byId = new Map(found.map((each) => [each.paymentId, each]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The status of a part by its due date: what waited to be paid is overdue or pending, anything else stays. */
function findPartStatus(status: ObligationState['payment']['status'], dueDate: string, timeZone: string) {
  if (status === 'pending' && getDay(dueDate, timeZone) < todayIn(timeZone)) return status
  return status === 'overdue' && getDay(dueDate, timeZone) >= todayIn(timeZone) ? 'pending' : status
}
