import { type Body, customFieldResources, type Fault, type paymentOperations } from '@matricula/contract'
import { type ChangeContext, type RequestContext, recordChanges, requireMatch } from '../../changes/index.ts'
import { loadBatched, together } from '../../concurrency/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import type { Upsert, Upserting } from '../../entities/index.ts'
import {
  asWritten,
  type Locked,
  lockKeyed,
  takenProblem,
  type UniqueValue,
  type Versioned,
  versioned,
} from '../../entities/index.ts'
import { notFoundProblem, otherExternalIdProblem, Problem, validationProblem } from '../../errors/index.ts'
import { takenCustomFields } from '../../record-engine/index.ts'
import { getDay, isOwnedElsewhere, todayIn } from '../../tenancy/index.ts'
import { isUuid, newId, readOnlyError, requireReadOnlyUnchanged, sameJson } from '../../values/index.ts'
import { requireStudentReference } from '../students/index.ts'
import {
  type ChangedPayment,
  changePaymentRow,
  changePaymentStatuses,
  insertPayment,
  insertPayments,
  type NewPayment,
  type PaymentRecord,
  type PaymentRow,
  payments,
  writePayments,
} from './payment-store.ts'

type CreatePaymentBody = Body<(typeof paymentOperations)['createPayment']>
type UpdatePaymentBody = Body<(typeof paymentOperations)['updatePayment']>
type UpsertPaymentBody = Body<(typeof paymentOperations)['upsertPaymentByExternalId']>

const customFieldsOf = { recordType: customFieldResources.payments, isFree: false }

/** Creates a payment. Throws `reference_not_found` for an unknown student and `external_id_taken`. */
export async function createPayment(
  tx: Transaction,
  context: RequestContext,
  body: CreatePaymentBody,
  follower: PaymentFollower,
): Promise<Versioned<PaymentRecord>> {
  const created = await makePayment(tx, context, body, follower)
  if (created !== null) return created
  throw await takenProblem(tx, payments, uniqueValues(body))
}

/** The values of a payment that no other may have. */
function uniqueValues({ externalId }: { externalId?: string }): UniqueValue[] {
  return [{ field: 'externalId', column: 'external_id', value: externalId, code: 'external_id_taken' }]
}

/**
 * What follows when payments are made or changed, in the same transaction: who owes them, receipts and the ledger. It
 * may throw `rule_violated` (`books_closed`) and `state_conflict`.
 */
export interface PaymentFollower {
  created(tx: Transaction, context: ChangeContext, payment: PaymentRecord): Promise<void>
  /** The payment is locked, and before it its fee. */
  changed(tx: Transaction, context: ChangeContext, before: PaymentRecord, after: PaymentRecord): Promise<void>
}

/** Changes what the body names. Throws `resource_not_found`, `precondition_failed` and what `storePayment` throws. */
export async function updatePayment(
  tx: Transaction,
  context: RequestContext,
  id: string,
  body: UpdatePaymentBody,
  follower: PaymentFollower,
): Promise<Versioned<PaymentRecord>> {
  const current = isUuid(id) ? await lockKeyed(tx, payments, { column: 'id', value: id.toLowerCase() }, itsFee) : null
  if (current === null) throw notFoundProblem(payments.noun)
  return changePayment(tx, context, current, body, follower)
}

/** The fee of a payment, where it has one, which is locked before it: so whoever submits or cancels a fee locks them. */
const itsFee = { table: 'fees', alias: 'f', column: 'name', namedBy: 'fee' } as const

/** Payments by their externalId. The student is fixed once created. */
export const paymentUpserting = (
  follower: PaymentFollower,
): Upserting<PaymentRow, PaymentRecord, UpsertPaymentBody> => ({
  definition: payments,
  getContext: (context, externalId) => {
    // The externalId may also stand in the body, where it cannot be written.
    const { externalId: sent, ...readOnlyFields } = context.readOnlyFields
    if (sent !== undefined && sent !== externalId) throw otherExternalIdProblem()
    return { ...context, readOnlyFields }
  },
  findSeries: (context, body) => {
    newPayment(context, requireComplete(body))
    return null
  },
  locksBefore: async (tx, ids) => {
    const rows = await tx.query<{ id: string }>(sql`
      select f.id from payments p join fees f on f.tenant_id = p.tenant_id and f.name = p.fee
       where p.tenant_id = ${tx.tenantId} and p.id = any (${ids}::uuid[])`)
    return rows.map(({ id }) => ({ kind: 'fees', key: id }))
  },
  lock: (tx, key) => lockKeyed(tx, payments, key, itsFee),
  insertMany: (tx, upserts) => makePayments(tx, upserts, follower),
  insert: (tx, context, externalId, body) =>
    makePayment(tx, context, { ...requireComplete(body), externalId }, follower),
  change: (tx, context, current, body) => changePayment(tx, context, current, body, follower),
  takenError: (tx, externalId) => takenProblem(tx, payments, uniqueValues({ externalId })),
})

/** The values of a payment that a body asks for. Throws `validation_failed` for what cannot be written. */
function newPayment(context: RequestContext, body: CreatePaymentBody): NewPayment {
  requireReadOnlyUnchanged(context.readOnlyFields, null)
  const status = body.status ?? 'pending'
  return {
    id: newId(),
    externalId: body.externalId ?? null,
    student: { id: body.studentId },
    amount: body.amount,
    currency: (body.currency ?? 'USD').toUpperCase(),
    status,
    description: body.description,
    dueDate: body.dueDate,
    paidAt: body.paidAt ?? null,
    isPaidNow: status === 'paid' && body.paidAt === undefined,
  }
}

/** Makes many payments by one statement, and gives those that it made by their externalIds. */
async function makePayments(
  tx: Transaction,
  upserts: readonly Upsert<UpsertPaymentBody>[],
  follower: PaymentFollower,
): Promise<Map<string, Versioned<PaymentRecord>>> {
  // Custom fields may have to be looked up one by one.
  const plain = upserts.filter(({ body }) => body.customFields === undefined)
  const wanted = plain.map(({ context, externalId, body }) =>
    newPayment(context, { ...requireComplete(body), externalId }),
  )
  const rows = await tx.query<PaymentRow>(insertPayments(tx.tenantId, wanted))
  const contexts = new Map(plain.map(({ externalId, context }) => [externalId, context]))
  const made = rows.map((row) => versioned(payments, row))
  const getRequestContext = ({ externalId }: PaymentRecord) => contexts.get(externalId as string) as RequestContext
  for (const { record } of made) recordPaymentChange(tx, getRequestContext(record), null, record)
  await Promise.all(made.map(({ record }) => follower.created(tx, getRequestContext(record), record)))
  return new Map(made.map((created) => [created.record.externalId as string, { ...created, isNew: true }]))
}

/** Inserts a payment, by one statement with those of the other parts of the transaction. Null where it could not be made. */
async function insertAmongOthers(tx: Transaction, made: NewPayment): Promise<PaymentRow | null> {
  if (tx.whole === undefined) return (await tx.query<PaymentRow>(insertPayment(tx.tenantId, made)))[0] ?? null
  return together(tx, 'new payments', made, async (all, whole) => {
    const rows = await whole.query<PaymentRow>(insertPayments(whole.tenantId, all))
    const byId = new Map(rows.map((row) => [row.id, row]))
    return all.map(({ id }) => byId.get(id) ?? null)
  })
}

/** Null when the externalId is taken. */
async function makePayment(
  tx: Transaction,
  context: RequestContext,
  body: CreatePaymentBody,
  follower: PaymentFollower,
): Promise<Versioned<PaymentRecord> | null> {
  const customFields = await takenCustomFields(tx, context.tenant, { ...customFieldsOf, before: {} }, body.customFields)
  const row = await insertAmongOthers(tx, { ...newPayment(context, body), customFields })
  if (row === null) {
    await requireStudentReference(tx, body.studentId)
    return null
  }
  const created = versioned(payments, row)
  recordPaymentChange(tx, context, null, created.record)
  await follower.created(tx, context, created.record)
  return created
}

async function changePayment(
  tx: Transaction,
  context: RequestContext,
  current: Versioned<PaymentRecord> | Locked<PaymentRecord>,
  body: UpsertPaymentBody,
  follower: PaymentFollower,
): Promise<Versioned<PaymentRecord>> {
  const before = current.record
  requireMatch(context, current.entityTag)
  const { studentId = body.studentId } = context.readOnlyFields
  if (typeof studentId === 'string' && studentId.toLowerCase() !== before.studentId) await requireNoFee(tx, before)
  requireReadOnlyUnchanged(context.readOnlyFields, before)
  if (body.studentId !== undefined && body.studentId.toLowerCase() !== before.studentId) {
    throw validationProblem([readOnlyError('#/studentId')])
  }
  const becomesPaid = body.status === 'paid' && before.status !== 'paid'
  const place = { ...customFieldsOf, before: before.customFields ?? {} }
  const customFields = await takenCustomFields(tx, context.tenant, place, body.customFields)
  const dueDate = body.dueDate === undefined ? before.dueDate : (body.dueDate ?? before.createdAt)
  const status = body.status ?? statusWhenDue(context, before, dueDate)
  const isUnpaidAgain = status !== before.status && (status === 'pending' || status === 'overdue')
  const paidAt = becomesPaid ? new Date().toISOString() : isUnpaidAgain ? null : before.paidAt
  const after = {
    ...before,
    ...(!sameJson(customFields, place.before) && { customFields }),
    amount: body.amount ?? before.amount,
    currency: body.currency?.toUpperCase() ?? before.currency,
    status,
    description: body.description ?? before.description,
    dueDate,
    paidAt: body.paidAt !== undefined ? body.paidAt : paidAt,
  }
  if (sameJson(after, before)) return current
  // Of custom fields the database makes a form of its own, and a fee may refuse the change.
  const isFollowed = followedFields.some((field) => after[field] !== before[field])
  if ('lockedAt' in current && current.beforeId === null && body.customFields === undefined && !isFollowed) {
    const changed = asWritten(current, after)
    loadBatched(tx, 'changed payments', { before, after: changed.record }, writePayments)
    recordPaymentChange(tx, context, before, changed.record)
    return changed
  }
  const changed = await storePayment(tx, context, before, after)
  if (isFollowed) await follower.changed(tx, context, before, changed.record)
  return changed
}

/** The fields whose change obligations, receipts and the ledger follow. */
const followedFields = ['status', 'amount', 'currency', 'dueDate'] as const

/**
 * The status of a payment with another due date: one that was overdue and is due today or later is pending again. Where an
 * outside system owns the payments, it alone says so.
 */
function statusWhenDue({ tenant }: RequestContext, before: PaymentRecord, dueDate: string): PaymentRecord['status'] {
  if (isOwnedElsewhere(tenant, 'payments') || before.status !== 'overdue' || dueDate === before.dueDate)
    return before.status
  return getDay(dueDate, tenant.timeZone) >= todayIn(tenant.timeZone) ? 'pending' : 'overdue'
}

/**
 * Writes a payment that differs from what is stored, with its audit and event. Throws `state_conflict` for another
 * amount or currency than the fee's.
 *
 * @param options.isSplit Whether a part of the amount becomes another payment of the same fee
 */
export async function storePayment(
  tx: Transaction,
  context: ChangeContext,
  before: PaymentRecord,
  after: PaymentRecord,
  { isSplit = false }: { readonly isSplit?: boolean } = {},
): Promise<Versioned<PaymentRecord>> {
  const [row] = await tx.query<PaymentRow & { fee: string | null }>(changePaymentRow(tx.tenantId, before.id, after))
  if (row === undefined) throw new Error('the payment that was to be changed is not there')
  const { fee } = row
  if (fee !== null && !isSplit) requireFeeUnchanged(fee, before, after)
  const changed = versioned(payments, row)
  recordPaymentChange(tx, context, before, changed.record)
  return changed
}

/** Writes the status of payments that differ from what is stored in nothing else, by one statement. */
export async function storePaymentStatuses(
  tx: Transaction,
  context: ChangeContext,
  changed: readonly ChangedPayment[],
): Promise<void> {
  if (changed.length === 0) return
  const rows = await tx.query<PaymentRow>(changePaymentStatuses(tx.tenantId, changed))
  const stored = new Map(rows.map((row) => [row.id, row]))
  for (const { before } of changed) {
    const row = stored.get(before.id)
    if (row === undefined) throw new Error('the payment that was to be changed is not there')
    recordPaymentChange(tx, context, before, versioned(payments, row).record)
  }
}

function requireFeeUnchanged(fee: string, before: PaymentRecord, after: PaymentRecord): void {
  if (before.amount !== after.amount || before.currency !== after.currency) throw feeProblem(fee, before)
}

/** Throws `state_conflict` for the payment of a fee, which is for the fee's student. */
async function requireNoFee(tx: Transaction, payment: PaymentRecord): Promise<void> {
  const [row] = await tx.query<{ fee: string | null }>(
    sql`select fee from payments where tenant_id = ${tx.tenantId} and id = ${payment.id}`,
  )
  if (row !== undefined && row.fee !== null) throw feeProblem(row.fee, payment)
}

function feeProblem(fee: string, { status }: PaymentRecord): Problem {
  const detail = `The amount, the currency and the student are those of the fee ${fee}. Cancel the fee and make another one instead.`
  return new Problem('state_conflict', detail, { currentState: status })
}

/** Writes the audit row and the event of a payment. */
export function recordPaymentChange(
  tx: Transaction,
  context: ChangeContext,
  before: PaymentRecord | null,
  after: PaymentRecord,
): void {
  const type =
    before === null ? 'payment.created' : before.status === after.status ? 'payment.updated' : 'payment.status_changed'
  recordChanges(tx, context, [
    { type, list: payments, entityId: after.id, externalId: after.externalId, before, after },
  ])
}

const requiredOnCreate = ['studentId', 'amount', 'description', 'dueDate'] as const

function requireComplete(body: UpsertPaymentBody): CreatePaymentBody {
  const validationErrors = requiredOnCreate
    .filter((field) => body[field] === undefined)
    .map(
      (field): Fault => ({
        in: 'body',
        pointer: `#/${field}`,
        code: 'required',
        detail: 'is required, because no payment has this externalId yet',
      }),
    )
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
  return body as CreatePaymentBody
}
