import type { Body, DocumentStatus, documentOperations, Fault } from '@matricula/contract'
import { type ChangeContext, type RequestContext, requireMatch } from '../../changes/index.ts'
import type { Transaction } from '../../database/index.ts'
import type { Versioned } from '../../entities/index.ts'
import { Problem, validationProblem } from '../../errors/index.ts'
import { mergeFreeObject, requireReadOnlyUnchanged, sameJson } from '../../values/index.ts'
import { type Owner, requireApplies, requireDocumentType, requireOwner } from '../requirements/index.ts'
import { lockDocument, storeDocument } from './document-changes.ts'
import type { DocumentRecord } from './document-store.ts'
import { insertLink, requireAllowedFile } from './new-documents.ts'
import { endClaim } from './review-claims.ts'

type UpdateDocumentBody = Body<(typeof documentOperations)['updateDocument']>

/** The statuses that a change may set; the others follow from events. */
const settableStatuses: readonly DocumentStatus[] = ['in_review', 'approved', 'rejected', 'archived']

/**
 * Updates the members in the body.
 *
 * @throws Problem `resource_not_found`; `precondition_failed`; `validation_failed` for a status that cannot be set and
 * a rejection without a reason; `state_conflict` before a file is complete; `reference_not_found`; and for another type
 * `rule_violated` when it does not apply to an owner and `file_rejected` when it does not accept the file.
 */
export async function updateDocument(
  tx: Transaction,
  context: RequestContext,
  id: string,
  body: UpdateDocumentBody,
): Promise<Versioned<DocumentRecord>> {
  const current = await lockDocument(tx, context, id)
  const before = current.record
  requireMatch(context, current.entityTag)
  requireReadOnlyUnchanged(context.readOnlyFields, before)
  const after = {
    ...before,
    ...reviewFields(context, before, body),
    title: body.title ?? before.title,
    description: body.description === undefined ? before.description : (body.description ?? ''),
    documentTypeId: body.documentTypeId?.toLowerCase() ?? before.documentTypeId,
    issuedAt: body.issuedAt === undefined ? before.issuedAt : body.issuedAt,
    expiresAt: body.expiresAt === undefined ? before.expiresAt : body.expiresAt,
    metadata: mergeFreeObject('metadata', before.metadata, body.metadata ?? {}),
  }
  if (sameJson(after, before)) return current
  if (after.status !== before.status) await endClaim(tx, context, before.id)
  if (after.documentTypeId !== before.documentTypeId) {
    const type = await requireDocumentType(tx, after.documentTypeId)
    for (const { entityType } of before.links) requireApplies(type, entityType)
    // The current and pending files; earlier versions are history.
    const pending = before.versions.filter(({ status }) => status === 'pending')
    for (const version of [before.currentVersion ?? [], pending].flat()) requireAllowedFile(type, version)
  }
  return storeDocument(tx, context, before, after)
}

/** The status with reviewer, time of review and reason of a rejection. */
function reviewFields(
  context: RequestContext,
  before: DocumentRecord,
  body: UpdateDocumentBody,
): Pick<DocumentRecord, 'status' | 'reviewedAt' | 'reviewedBy' | 'rejectionReason'> {
  const { reviewedAt, reviewedBy } = before
  const status = findStatus(before, body)
  const rejectionReason = findRejectionReason(before, body, status)
  if (status === before.status || status === 'archived') return { status, reviewedAt, reviewedBy, rejectionReason }
  if (status === 'in_review') return { status, reviewedAt: null, reviewedBy: null, rejectionReason }
  // A changed expiry is not a review.
  if (body.status === undefined) return { status, reviewedAt, reviewedBy, rejectionReason }
  return { status, reviewedAt: new Date().toISOString(), reviewedBy: context.actor.name, rejectionReason }
}

function findStatus(before: DocumentRecord, { status, expiresAt }: UpdateDocumentBody): DocumentStatus {
  if (status === undefined || status === before.status) {
    const isRenewed = expiresAt === null || (expiresAt !== undefined && Date.parse(expiresAt) > Date.now())
    return before.status === 'expired' && isRenewed ? 'approved' : before.status
  }
  if (!settableStatuses.includes(status)) {
    throw fieldProblem('status', 'not_in_enum', `cannot be set: a change sets ${settableStatuses.join(', ')}`)
  }
  if (before.currentVersion === null) {
    const detail = 'No file of this document is complete yet. Complete an upload first.'
    throw new Problem('state_conflict', detail, { currentState: before.status })
  }
  return status
}

function findRejectionReason(before: DocumentRecord, body: UpdateDocumentBody, status: DocumentStatus): string | null {
  const reason = body.rejectionReason === undefined ? before.rejectionReason : body.rejectionReason
  if (status === 'rejected') {
    if (reason === null) throw fieldProblem('rejectionReason', 'required', 'is required to reject a document')
    return reason
  }
  if (reason !== null && reason !== before.rejectionReason) {
    throw fieldProblem('rejectionReason', 'inconsistent', 'belongs to a rejected document')
  }
  return status === 'archived' ? before.rejectionReason : null
}

function fieldProblem(field: string, code: Fault['code'], detail: string): Problem {
  return validationProblem([{ in: 'body', pointer: `#/${field}`, code, detail }])
}

/**
 * Links a document to a student or an application; idempotent.
 *
 * @throws Problem `resource_not_found`, `precondition_failed`, `reference_not_found` and `rule_violated`
 */
export async function linkDocument(
  tx: Transaction,
  context: ChangeContext & Pick<RequestContext, 'ifMatch'>,
  id: string,
  owner: Owner,
): Promise<Versioned<DocumentRecord>> {
  const current = await lockDocument(tx, context, id)
  const document = current.record
  requireMatch(context, current.entityTag)
  await requireOwner(tx, owner)
  const entityId = owner.entityId.toLowerCase()
  const isLinked = document.links.some((link) => link.entityType === owner.entityType && link.entityId === entityId)
  if (isLinked) return current
  requireApplies(await requireDocumentType(tx, document.documentTypeId), owner.entityType)
  insertLink(tx, document.id, owner)
  return storeDocument(tx, context, document, document, 'vault_document.linked')
}
