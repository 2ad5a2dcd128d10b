import {
  type Body,
  type documentRequestOperations,
  type Fault,
  type PublicLocale,
  requestDays,
} from '@matricula/contract'
import { locales, messagesIn } from '@matricula/pages'
import { type ChangeContext, type RequestContext, recordAccess, requireMatch } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { readBack, takenProblem, type Versioned } from '../../entities/index.ts'
import { Problem, validationProblem } from '../../errors/index.ts'
import { putOut } from '../../mail/index.ts'
import { newId, requireReadOnlyUnchanged } from '../../values/index.ts'
import { requireOwner } from '../requirements/index.ts'
import { lockRequest, recordRequestChange, storeRequest } from './request-changes.ts'
import { insertItems, itemErrors, loadItems } from './request-items.ts'
import { findRecipient, loadLanguage } from './request-recipient.ts'
import { documentRequests, insertRequest, type RequestRecord } from './request-store.ts'

type CreateBody = Body<(typeof documentRequestOperations)['createDocumentRequest']>
type UpdateBody = Body<(typeof documentRequestOperations)['updateDocumentRequest']>

const millisecondsPerDay = 24 * 3600 * 1000

/**
 * Creates a document request.
 *
 * @throws Problem `validation_failed`; `reference_not_found`; `external_id_taken`; and `rule_violated` for an expiry
 * out of bounds, types that do not apply to the record, nothing to request, and a mail without an address.
 */
export async function createRequest(
  tx: Transaction,
  context: ChangeContext,
  body: CreateBody,
): Promise<Versioned<RequestRecord>> {
  const validationErrors = [...itemErrors(body), ...expiryErrors(body)]
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
  const expiresAt = body.expiresAt ?? daysFromNow(body.expiresInDays ?? requestDays.default)
  requireExpiryInBounds(expiresAt)
  const owner = { entityType: body.entityType, entityId: body.entityId.toLowerCase() }
  await requireOwner(tx, owner)
  const items = await loadItems(tx, owner, body)
  const recipient = await findRecipient(tx, owner, body.recipient)
  const { externalId = null, message = '', locale = null } = body
  const id = newId()
  const language = locale ?? (await loadLanguage(tx, owner, recipient))
  if (body.notify === true) queueRequestMail(tx, id, recipient.email, language)
  const titles = Object.fromEntries(locales.map((each) => [each, messagesIn(each).mails.request.title]))
  const title = body.title ?? (titles[language] as string)
  const translations = body.title === undefined ? { title: titles } : {}
  const texts = { title, translations, message, locale }
  const request = { id, externalId, owner, recipient, ...texts, status: 'open', expiresAt } as const
  if ((await tx.query(insertRequest(tx.tenantId, request))).length === 0) {
    throw await takenProblem(tx, documentRequests, [
      { field: 'externalId', column: 'external_id', value: externalId, code: 'external_id_taken' },
    ])
  }
  insertItems(tx, id, items)
  const created = await readBack(tx, documentRequests, id)
  recordRequestChange(tx, context, 'vault_request.created', null, created.record)
  return created
}

/** Queues the mail with the link. Throws `rule_violated` without an e-mail address. */
function queueRequestMail(tx: Transaction, entityId: string, recipient: string | null, locale: PublicLocale): void {
  if (recipient === null) {
    const detail = 'The recipient has no e-mail address. Add one, or leave notify unset.'
    throw new Problem('rule_violated', detail, { rule: 'recipient_has_email' })
  }
  putOut(tx, { kind: 'document_request', entityId, recipient, locale })
}

/**
 * Sends the link of an open request once more, with an audit row.
 *
 * @throws Problem `resource_not_found`; `state_conflict` for a request that accepts no documents any more;
 * `rule_violated` without an e-mail address.
 */
export async function remindOfRequest(
  tx: Transaction,
  context: ChangeContext,
  id: string,
): Promise<Versioned<RequestRecord>> {
  const current = await lockRequest(tx, context, id)
  const { status, recipient, externalId } = current.record
  if (status !== 'open' && status !== 'partially_completed') {
    const detail = `This request is ${status}: reminders are for open requests.`
    throw new Problem('state_conflict', detail, { currentState: status })
  }
  queueRequestMail(tx, current.record.id, recipient.email, await findRequestLanguage(tx, current.record))
  const access = { action: 'vault_request.reminded', entityType: 'vault_request', entityId: current.record.id } as const
  recordAccess(tx, context, { ...access, externalId, facts: {} })
  return current
}

async function findRequestLanguage(tx: Transaction, request: RequestRecord): Promise<PublicLocale> {
  const [row] = await tx.query<{ locale: PublicLocale | null }>(sql`
    select locale from document_requests where tenant_id = ${tx.tenantId} and id = ${request.id}`)
  return row?.locale ?? (await loadLanguage(tx, request, request.recipient))
}

/** The language of the institution, the default of what it writes. */
export async function loadTenantLanguage(tx: Transaction): Promise<PublicLocale> {
  const [row] = await tx.query<{ language: PublicLocale }>(sql`select language from tenants where id = ${tx.tenantId}`)
  return row?.language as PublicLocale
}

function expiryErrors({ expiresAt, expiresInDays }: CreateBody): Fault[] {
  if (expiresAt === undefined || expiresInDays === undefined) return []
  return [fieldError('expiresInDays', 'inconsistent', 'must be sent without expiresAt: send one of them')]
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * millisecondsPerDay).toISOString()
}

function requireExpiryInBounds(expiresAt: string): void {
  const moment = Date.parse(expiresAt)
  if (moment > Date.now() && moment <= Date.now() + requestDays.maximum * millisecondsPerDay) return
  const detail = `expiresAt must be in the future, by at most ${requestDays.maximum} days.`
  throw new Problem('rule_violated', detail, { rule: 'request_expires_within_bounds' })
}

function fieldError(field: string, code: Fault['code'], detail: string): Fault {
  return { in: 'body', pointer: `#/${field}`, code, detail }
}

/**
 * Revokes a request, or changes its expiry, which also reopens an expired one. Revoking it again changes nothing.
 *
 * @throws Problem `resource_not_found`; `precondition_failed`; `validation_failed`; `rule_violated` for an expiry out
 * of bounds; `state_conflict` for any change of a revoked one.
 */
export async function updateRequest(
  tx: Transaction,
  context: ChangeContext & Pick<RequestContext, 'ifMatch' | 'readOnlyFields'>,
  id: string,
  body: UpdateBody,
): Promise<Versioned<RequestRecord>> {
  const current = await lockRequest(tx, context, id)
  const before = current.record
  requireMatch(context, current.entityTag)
  requireReadOnlyUnchanged(context.readOnlyFields, before)
  const { status = before.status, expiresAt = before.expiresAt } = body
  // A reason alone is a change; with a repeated revocation it is not.
  const isReasonSame = body.status !== undefined || !body.reason || body.reason === before.revokedReason
  const isSame = status === before.status && expiresAt === before.expiresAt && isReasonSame
  if (before.status === 'revoked' && !isSame) {
    const detail = 'This request is revoked, which is final. Create a new one.'
    throw new Problem('state_conflict', detail, { currentState: before.status })
  }
  const validationErrors = changeErrors(before, body)
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
  if (isSame) return current
  if (status === 'revoked') {
    const revoked = { revokedAt: new Date().toISOString(), revokedReason: body.reason || null }
    return storeRequest(tx, context, before, { ...before, ...revoked })
  }
  requireExpiryInBounds(expiresAt)
  return storeRequest(tx, context, before, { ...before, expiresAt })
}

/** Takes back a revocation: the link works again until it expires. Throws `resource_not_found`. */
export async function restoreRequest(
  tx: Transaction,
  context: ChangeContext,
  id: string,
): Promise<Versioned<RequestRecord>> {
  const current = await lockRequest(tx, context, id)
  if (current.record.revokedAt === null) return current
  return storeRequest(tx, context, current.record, { ...current.record, revokedAt: null, revokedReason: null })
}

function changeErrors(before: RequestRecord, { status = before.status, reason, expiresAt }: UpdateBody): Fault[] {
  if (status !== before.status && status !== 'revoked') {
    return [
      fieldError('status', 'not_in_enum', 'cannot be set: a change sets revoked; expiresAt opens an expired request'),
    ]
  }
  const validationErrors: Fault[] = []
  if (status !== 'revoked' && reason)
    validationErrors.push(fieldError('reason', 'inconsistent', 'belongs to status: revoked'))
  const isExpiryChanged = expiresAt !== undefined && expiresAt !== before.expiresAt
  if (status === 'revoked' && isExpiryChanged)
    validationErrors.push(fieldError('expiresAt', 'inconsistent', 'ends with the revocation'))
  return validationErrors
}
