import type { Document, EventType, Static } from '@matricula/contract'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { readBack, requireLocked, type Versioned } from '../../entities/index.ts'
import { sameJson } from '../../values/index.ts'
import { getItemStatus, getRequestStatus } from './request-status.ts'
import { documentRequests, type RequestItem, type RequestRecord, requestTable } from './request-store.ts'

/**
 * Locks a request until the transaction ends. Stores its expiry first, so that what is read is what is stored. Lock
 * order: a document of the request before the request. Throws `resource_not_found`.
 */
export async function lockRequest(
  tx: Transaction,
  context: ChangeContext,
  id: string,
): Promise<Versioned<RequestRecord>> {
  const locked = await requireLocked(tx, documentRequests, id)
  if (locked.record.status !== 'expired') return locked
  const [expired] = await tx.query<{ status: RequestRecord['status'] }>(sql`
    update document_requests r
       set status = 'expired', version = r.version + 1, updated_at = greatest(current_stamp(), r.updated_at)
      from document_requests before
     where r.tenant_id = ${tx.tenantId} and r.id = ${locked.record.id} and r.status <> 'expired'
       and before.tenant_id = ${tx.tenantId} and before.id = r.id
    returning before.status`)
  if (expired === undefined) return locked
  const current = await readBack(tx, documentRequests, locked.record.id)
  recordRequestChange(tx, context, 'vault_request.updated', { ...locked.record, ...expired }, current.record)
  return current
}

/**
 * Writes a changed request and its items, with the resulting status, audit and event. The transaction holds its lock.
 */
export async function storeRequest(
  tx: Transaction,
  context: ChangeContext,
  before: RequestRecord,
  changed: RequestRecord,
): Promise<Versioned<RequestRecord>> {
  const after = withStatus(changed)
  for (const item of after.items) {
    const isSame = before.items.some((other) => sameJson(other, item))
    if (!isSame) storeItem(tx, item)
  }
  await tx.query(requestTable.update(tx.tenantId, before.id, after))
  const stored = await readBack(tx, documentRequests, before.id)
  const { status } = after
  recordRequestChange(tx, context, getEventType(before, after), before, { ...stored.record, status })
  return stored
}

function storeItem(tx: Transaction, { id, status, rejectionReason, documentId }: RequestItem): void {
  tx.send(sql`
    update document_request_items
       set status = ${status}, rejection_reason = ${rejectionReason}, document_id = ${documentId}
     where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** A request with its current status and time of completion. */
function withStatus(request: RequestRecord): RequestRecord {
  const status = getRequestStatus(request, Date.now())
  if (status === 'revoked') return { ...request, status }
  const completedAt = status === 'completed' ? (request.completedAt ?? new Date().toISOString()) : null
  return { ...request, status, completedAt }
}

function getEventType(before: RequestRecord, { status }: RequestRecord): EventType {
  if (status === before.status) return 'vault_request.updated'
  return status === 'revoked' || status === 'completed' ? `vault_request.${status}` : 'vault_request.updated'
}

/** The members of a document that its item follows. */
type ItemDocument = Pick<Static<typeof Document>, 'id' | 'requestId' | 'status' | 'rejectionReason'>

/** Updates the request item of a document, and its request. */
export async function updateItemOfDocument(
  tx: Transaction,
  context: ChangeContext,
  { id, requestId, status, rejectionReason }: ItemDocument,
): Promise<void> {
  if (requestId === null) return
  const { record } = await lockRequest(tx, context, requestId)
  const items = record.items.map((item): RequestItem => {
    if (item.documentId !== id) return item
    // A completed request stays complete when a document's validity ends later.
    const staysAccepted = status === 'expired' && record.completedAt !== null && item.status === 'accepted'
    if (staysAccepted) return item
    return { ...item, status: getItemStatus(status), rejectionReason: status === 'rejected' ? rejectionReason : null }
  })
  if (!sameJson(items, record.items)) await storeRequest(tx, context, record, { ...record, items })
}

/** Writes the audit row and the event of a change. */
export function recordRequestChange(
  tx: Transaction,
  context: ChangeContext,
  type: EventType,
  before: RequestRecord | null,
  after: RequestRecord,
): void {
  const { id: entityId, externalId } = after
  recordChanges(tx, context, [{ type, list: documentRequests, entityId, externalId, before, after }])
}
