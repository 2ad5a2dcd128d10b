import type { Body, directDebitOperations } from '@matricula/contract'
import { type RequestContext, recordChanges } from '../../../changes/index.ts'
import { empty, sql, type Transaction } from '../../../database/index.ts'
import { findMany, readBack, type Versioned } from '../../../entities/index.ts'
import { referenceProblem } from '../../../errors/index.ts'
import { isFinerThanMinorUnit, sumExactly } from '../../../money/index.ts'
import { addDays } from '../../../record-engine/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { newId, requireReadOnlyUnchanged } from '../../../values/index.ts'
import { accounts } from '../accounts/account-store.ts'
import { type Creditor, loadBillingSettings } from '../billing-settings.ts'
import { loadBooks, requireOpenBooks } from '../obligations/books.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import type { ObligationState } from '../obligations/obligation-rows.ts'
import { postReceipt } from '../receipts/post-receipt.ts'
import { ruleProblem } from '../receipts/rules.ts'
import { type DirectDebitRecord, directDebits } from './direct-debit-store.ts'

type CreateDirectDebitBody = Body<(typeof directDebitOperations)['createDirectDebit']>

/**
 * Collects what is due from accounts with a mandate: a run with a debit and a receipt for each account, dated the
 * collection date. Accounts without a mandate, and what is not open, are left out.
 *
 * Throws `reference_not_found` for an unknown account, and `rule_violated`: `creditor_not_configured`,
 * `collection_date_too_early`, `books_closed`.
 */
export async function collect(
  tx: Transaction,
  context: RequestContext,
  { collectionDate, dueTo, accountIds }: CreateDirectDebitBody,
): Promise<Versioned<DirectDebitRecord>> {
  requireReadOnlyUnchanged(context.readOnlyFields, null)
  const creditor = await requireCreditor(tx)
  requireNotice(creditor, todayIn(context.tenant.timeZone), collectionDate)
  requireOpenBooks(await loadBooks(tx), collectionDate)
  const only = accountIds === undefined ? null : [...new Set(accountIds.map((id) => id.toLowerCase()))]
  if (only !== null) await requireAccounts(tx, only)
  const owed = await lockDue(tx, dueTo, only)
  const id = newId()
  tx.send(sql`
    insert into direct_debits (tenant_id, id, collection_date, due_to, creditor, created_by)
    values (${tx.tenantId}, ${id}, ${collectionDate}, ${dueTo}, ${JSON.stringify(creditor)}::jsonb, ${context.actor})`)
  const payers = await loadPayers(tx, [...owed.keys()])
  const transactions: Debit[] = []
  for (const payer of payers) {
    const obligations = owed.get(payer.id) as ObligationState[]
    transactions.push(await postDebit(tx, context, payer, obligations, collectionDate))
  }
  await insertTransactions(tx, id, transactions)
  await continueMandates(tx, context, payers)
  const made = await readBack(tx, directDebits, id)
  recordChanges(tx, context, [
    { type: 'direct_debit.created', list: directDebits, entityId: id, before: null, after: made.record },
  ])
  return made
}

async function requireCreditor(tx: Transaction): Promise<Creditor> {
  const { creditor } = await loadBillingSettings(tx)
  if (creditor !== null) return creditor
  const detail = 'No creditor is set. Set `creditor` in the section `billing` of the configuration file.'
  throw ruleProblem('creditor_not_configured', detail)
}

function requireNotice({ preNotificationDays }: Creditor, today: string, collectionDate: string): void {
  const earliest = addDays(today, preNotificationDays)
  if (collectionDate >= earliest) return
  const notice = `${preNotificationDays} ${preNotificationDays === 1 ? 'day' : 'days'}`
  throw ruleProblem('collection_date_too_early', `Payers have ${notice} of notice. Collect on ${earliest} or later.`)
}

async function requireAccounts(tx: Transaction, ids: readonly string[]): Promise<void> {
  const found = await tx.query(
    sql`select id from billing_accounts where tenant_id = ${tx.tenantId} and id = any(${[...ids]}::uuid[])`,
  )
  if (found.length < ids.length) throw referenceProblem('accountIds', 'billing account')
}

/**
 * What is due of accounts with a mandate, by account; all of it is locked. What was refunded is left out: somebody
 * decided on it. So is what no bank can collect: less than a minor unit.
 */
async function lockDue(
  tx: Transaction,
  dueTo: string,
  only: readonly string[] | null,
): Promise<Map<string, ObligationState[]>> {
  const isNamed = only === null ? empty : sql`and a.id = any(${[...only]}::uuid[])`
  const found = await lockObligations(
    tx,
    sql`o.open_amount > 0 and o.due_on <= ${dueTo}::date and o.account_id in (
          select a.id from billing_accounts a
           where a.tenant_id = ${tx.tenantId} and a.mandate_id is not null ${isNamed})`,
  )
  const owed = new Map<string, ObligationState[]>()
  for (const obligation of found) {
    const { payment, accountId, open } = obligation
    const isDue = payment.status === 'pending' || payment.status === 'overdue'
    if (!isDue || isFinerThanMinorUnit(open, payment.currency)) continue
    const others = owed.get(accountId)
    if (others === undefined) owed.set(accountId, [obligation])
    else others.push(obligation)
  }
  return owed
}

/** An account with its mandate. */
interface Payer {
  readonly id: string
  readonly externalId: string | null
  readonly name: string
  readonly currency: string
  readonly mandateId: string
  readonly iban: string
  readonly signedAt: string
  readonly sequence: 'FRST' | 'RCUR'
}

/** The accounts, by number. */
function loadPayers(tx: Transaction, ids: readonly string[]): Promise<Payer[]> {
  return tx.query<Payer>(sql`
    select a.id, a.external_id as "externalId", coalesce(a.name, s.full_name) as name, a.currency,
           a.mandate_id as "mandateId", a.mandate_iban as iban, a.mandate_signed_at as "signedAt",
           a.mandate_sequence as sequence
      from billing_accounts a
      left join students s on s.tenant_id = ${tx.tenantId} and s.id = a.student_id
     where a.tenant_id = ${tx.tenantId} and a.id = any(${[...ids]}::uuid[])
     order by a.number`)
}

/** The row of a debit. */
interface Debit extends Omit<Payer, 'id'> {
  readonly id: string
  readonly accountId: string
  readonly endToEndId: string
  readonly receiptId: string
  readonly amount: number
  readonly text: string
}

async function postDebit(
  tx: Transaction,
  context: RequestContext,
  payer: Payer,
  obligations: readonly ObligationState[],
  receivedOn: string,
): Promise<Debit> {
  const id = newId()
  const endToEndId = `DD-${id.replaceAll('-', '')}`
  const amount = sumExactly(...obligations.map(({ open }) => open))
  const posted = await postReceipt(tx, context, {
    accountId: payer.id,
    receivedOn,
    method: 'direct_debit',
    reference: endToEndId,
    amount,
    currency: payer.currency,
    parts: obligations.map((obligation) => ({ obligation, amount: obligation.open })),
  })
  const text = [...new Set(obligations.map(({ invoiceNumber }) => invoiceNumber))].join(', ')
  return { ...payer, id, accountId: payer.id, endToEndId, receiptId: posted.record.id, amount, text }
}

async function insertTransactions(tx: Transaction, runId: string, rows: readonly Debit[]): Promise<void> {
  if (rows.length === 0) return
  const positioned = JSON.stringify(rows.map((row, position) => ({ ...row, position })))
  await tx.query(sql`
    insert into direct_debit_transactions (tenant_id, id, direct_debit_id, position, end_to_end_id, account_id, receipt_id,
                                           mandate_id, mandate_signed_at, sequence, debtor_name, debtor_iban, amount,
                                           currency, remittance_text)
    select ${tx.tenantId}, t.id, ${runId}, t.position, t."endToEndId", t."accountId", t."receiptId", t."mandateId",
           t."signedAt", t.sequence, t.name, t.iban, t.amount, t.currency, t.text
      from jsonb_to_recordset(${positioned}::jsonb) as t (
             id uuid, position integer, "endToEndId" text, "accountId" uuid, "receiptId" uuid, "mandateId" text,
             "signedAt" date, sequence text, name text, iban text, amount numeric, currency text, text text)`)
}

/** After the first collection a mandate is for recurrent ones. */
async function continueMandates(tx: Transaction, context: RequestContext, payers: readonly Payer[]): Promise<void> {
  const first = payers.filter(({ sequence }) => sequence === 'FRST')
  if (first.length === 0) return
  const ids = first.map(({ id }) => id)
  await tx.query(sql`
    update billing_accounts
       set mandate_sequence = 'RCUR', version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
  const changed = await findMany(tx, accounts, sql`a.id = any(${ids}::uuid[])`)
  recordChanges(
    tx,
    context,
    changed.map(({ id, externalId, mandate }) => ({
      type: 'billing_account.updated' as const,
      list: accounts,
      entityId: id,
      externalId,
      before: { mandate: mandate === null ? null : { ...mandate, sequence: 'FRST' } },
      after: { mandate },
    })),
  )
}
