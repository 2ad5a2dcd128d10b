import type { Body, billingAccountOperations, Fault } from '@matricula/contract'
import { type RequestContext, recordChanges, requireMatch } from '../../../changes/index.ts'
import { takeNumbers } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import type { Upserting, Versioned } from '../../../entities/index.ts'
import { findTakenProblem, readBack, requireLocked, takenProblem, type UniqueValue } from '../../../entities/index.ts'
import { otherExternalIdProblem, Problem, referenceProblem, validationProblem } from '../../../errors/index.ts'
import { newId, requireReadOnlyUnchanged, sameJson, searchText } from '../../../values/index.ts'
import { type AccountRecord, type AccountRow, accounts, accountTable } from './account-store.ts'
import { isIban, normalIban } from './iban.ts'
import { replaceAccountShares } from './shares.ts'

export type AccountBody = Body<(typeof billingAccountOperations)['updateBillingAccount']>

/** The values of an account's row. */
interface AccountValues extends Omit<AccountRecord, 'id' | 'name' | 'mandate' | 'shares' | 'createdAt' | 'updatedAt'> {
  readonly number: number
  readonly name: string | null
  readonly studentId: string | null
  readonly mandateId: string | null
  readonly mandateIban: string | null
  readonly mandateSignedAt: string | null
  readonly mandateSequence: 'FRST' | 'RCUR' | null
  readonly searchText: string
}

/** The counter of account numbers. */
const numberSeries = 'BILLING-ACCOUNT'

/** The number of an account as people read it. */
export function toAccountNumber(number: number): string {
  return `BA-${String(number).padStart(6, '0')}`
}

/** The next numbers of accounts, ascending. */
export function nextAccountNumbers(tx: Transaction, count: number): Promise<number[]> {
  return takeNumbers(tx, numberSeries, count)
}

/**
 * Creates an account. Throws `validation_failed` for an IBAN with wrong check digits, `external_id_taken`,
 * `reference_not_found` for an unknown student or template, and `rule_violated` for its shares.
 */
export async function createAccount(
  tx: Transaction,
  context: RequestContext,
  body: AccountBody,
): Promise<Versioned<AccountRecord>> {
  const created = await insertAccount(tx, context, body)
  if (created !== null) return created
  throw await takenProblem(tx, accounts, uniqueValues(body))
}

/** Changes what the body names. Throws `state_conflict` for another currency of an account with postings. */
export async function updateAccount(
  tx: Transaction,
  context: RequestContext,
  id: string,
  body: AccountBody,
): Promise<Versioned<AccountRecord>> {
  return changeAccount(tx, context, await requireLocked(tx, accounts, id), body)
}

/** Accounts by their externalId. */
export const accountUpserting: Upserting<AccountRow, AccountRecord, AccountBody> = {
  definition: accounts,
  getContext: (context, externalId, body) => {
    if (body.externalId !== undefined && body.externalId !== externalId) throw otherExternalIdProblem()
    return context
  },
  findSeries: (_, body) => {
    requireName(body)
    return null
  },
  insert: (tx, context, externalId, body) => insertAccount(tx, context, { ...body, externalId }),
  change: changeAccount,
  takenError: (tx, externalId) => takenProblem(tx, accounts, uniqueValues({ externalId })),
}

function uniqueValues({ externalId }: Pick<AccountBody, 'externalId'>): UniqueValue[] {
  return [{ field: 'externalId', column: 'external_id', value: externalId, code: 'external_id_taken' }]
}

function requireName({ name }: AccountBody): string {
  if (name !== undefined) return name
  const detail = 'is required, because no account has this externalId yet'
  throw validationProblem([{ in: 'body', pointer: '#/name', code: 'required', detail }])
}

const nothing = {
  externalId: null,
  studentId: null,
  email: null,
  phone: null,
  country: null,
  stateProvince: null,
  city: null,
  address: null,
  postalCode: null,
  taxId: null,
  paymentTerms: null,
  mandateId: null,
  mandateIban: null,
  mandateSignedAt: null,
  mandateSequence: null,
} as const

async function insertAccount(
  tx: Transaction,
  context: RequestContext,
  body: AccountBody,
): Promise<Versioned<AccountRecord> | null> {
  requireReadOnlyUnchanged(context.readOnlyFields, null)
  const name = requireName(body)
  const taken = await findTakenProblem(tx, accounts, uniqueValues(body), null)
  if (taken !== null) throw taken
  await requireTerms(tx, body.paymentTerms)
  const [institution] = await tx.query<{ language: AccountRecord['language'] }>(
    sql`select language from tenants where id = ${tx.tenantId}`,
  )
  const [number] = await nextAccountNumbers(tx, 1)
  const accountNumber = toAccountNumber(number as number)
  const { tenant } = context
  const values = {
    ...nothing,
    kind: 'family' as const,
    currency: tenant.currency,
    language: institution?.language ?? 'en',
    deliverBy: 'none' as const,
    number,
    accountNumber,
    ...writtenFields(body, null),
    name,
  }
  const id = newId()
  const inserted = await tx.query(sql`
    ${accountTable.insert(tx.tenantId, id, { ...values, searchText: toSearchText(values) } as never)}
    on conflict do nothing returning 1 as inserted`)
  if (inserted.length === 0) return null
  if (body.shares !== undefined) await replaceAccountShares(tx, context, id, body.shares)
  const created = await readBack(tx, accounts, id)
  const { record } = created
  recordChanges(tx, context, [
    {
      type: 'billing_account.created',
      list: accounts,
      entityId: id,
      externalId: record.externalId,
      before: null,
      after: stored(record),
    },
  ])
  return { ...created, isNew: true }
}

async function changeAccount(
  tx: Transaction,
  context: RequestContext,
  current: Versioned<AccountRecord>,
  body: AccountBody,
): Promise<Versioned<AccountRecord>> {
  const before = current.record
  requireMatch(context, current.entityTag)
  requireReadOnlyUnchanged(context.readOnlyFields, before)
  const taken = await findTakenProblem(tx, accounts, uniqueValues(body), before.id)
  if (taken !== null) throw taken
  if (body.paymentTerms !== before.paymentTerms) await requireTerms(tx, body.paymentTerms)
  const [row] = await tx.query<AccountValues & { number: number }>(sql`
    select number, name, student_id as "studentId", mandate_id as "mandateId", mandate_iban as "mandateIban",
           mandate_signed_at as "mandateSignedAt", mandate_sequence as "mandateSequence", search_text as "searchText"
      from billing_accounts where tenant_id = ${tx.tenantId} and id = ${before.id}`)
  const old = { ...before, ...(row as AccountValues) }
  const changed = { ...old, ...writtenFields(body, old) }
  // The account of a student is called as the student is until somebody calls it otherwise.
  if (old.name === null && body.name === before.name) changed.name = null
  if (changed.currency !== before.currency) await requireNoPostings(tx, before)
  const values = { ...changed, searchText: toSearchText(changed) }
  const hasChanged = !sameJson(values, old)
  if (hasChanged) await tx.query(accountTable.update(tx.tenantId, before.id, values as never))
  const hasOtherShares =
    body.shares !== undefined && (await replaceAccountShares(tx, context, before.id, body.shares, !hasChanged))
  if (!hasChanged && !hasOtherShares) return current
  const after = await readBack(tx, accounts, before.id)
  recordChanges(tx, context, [
    {
      type: 'billing_account.updated',
      list: accounts,
      entityId: before.id,
      externalId: after.record.externalId,
      before: stored(before),
      after: stored(after.record),
    },
  ])
  return after
}

/** What the audit says of an account: not the sums, which other records make. */
function stored({ balance: _, overdue: __, credit: ___, ...fields }: AccountRecord): object {
  return fields
}

function toSearchText({ name, accountNumber, email }: { [Field in 'name' | 'accountNumber' | 'email']: unknown }) {
  return searchText(name as string | null, accountNumber as string, email as string | null)
}

/** What the body names, in the stored form. */
function writtenFields(body: AccountBody, before: AccountValues | null): Partial<AccountValues> {
  const { shares: _, mandate, ...fields } = body
  return {
    ...(fields as Partial<AccountValues>),
    ...(body.email === '' && { email: null }),
    ...(body.currency !== undefined && { currency: body.currency.toUpperCase() }),
    ...mandateFields(mandate, before),
  }
}

function mandateFields(mandate: AccountBody['mandate'], before: AccountValues | null): Partial<AccountValues> {
  if (mandate === undefined) return {}
  if (mandate === null) return { mandateId: null, mandateIban: null, mandateSignedAt: null, mandateSequence: null }
  const known = before?.mandateIban ?? null
  const iban = normalIban(mandate.iban)
  // What is answered of the number, sent back.
  const isKnown = known !== null && iban === known.slice(-4)
  if (!isKnown && !isIban(iban)) throw validationProblem([ibanError])
  return {
    mandateId: mandate.id,
    mandateIban: isKnown ? known : iban,
    mandateSignedAt: mandate.signedAt,
    mandateSequence: mandate.sequence ?? before?.mandateSequence ?? 'FRST',
  }
}

const ibanError: Fault = {
  in: 'body',
  pointer: '#/mandate/iban',
  code: 'format',
  detail: 'must be an IBAN with right check digits',
}

async function requireTerms(tx: Transaction, name: string | null | undefined): Promise<void> {
  if (name === undefined || name === null) return
  const [found] = await tx.query(sql`
    select 1 as found from payment_terms_templates where tenant_id = ${tx.tenantId} and name = ${name}`)
  if (found === undefined) throw referenceProblem('paymentTerms', 'Payment Terms Template')
}

async function requireNoPostings(tx: Transaction, { id, currency }: AccountRecord): Promise<void> {
  const [posted] = await tx.query<{ is_posted: boolean }>(sql`
    select exists (select from obligations where tenant_id = ${tx.tenantId} and account_id = ${id})
        or exists (select from billing_receipts where tenant_id = ${tx.tenantId} and account_id = ${id}) as is_posted`)
  if (posted?.is_posted !== true) return
  const detail = `The account has postings in ${currency}. Create another account for another currency.`
  throw new Problem('state_conflict', detail, { currentState: 'posted' })
}
