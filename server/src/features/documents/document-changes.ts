import type { EventType } from '@matricula/contract'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { readBack, requireLocked, type Versioned } from '../../entities/index.ts'
import { notFoundProblem } from '../../errors/index.ts'
import { isUuid } from '../../values/index.ts'
import { updateItemOfDocument } from '../requests/index.ts'
import { type DocumentRecord, documents, documentTable } from './document-store.ts'

/**
 * Locks a document until the transaction ends. Stores its expiry first, so that what is read is what is stored. Throws
 * `resource_not_found`.
 */
export async function lockDocument(
  tx: Transaction,
  context: ChangeContext,
  id: string,
): Promise<Versioned<DocumentRecord>> {
  if (!isUuid(id)) throw notFoundProblem(documents.noun)
  await requireLocked(tx, documents, id)
  await storeExpiry(tx, context, id)
  return readBack(tx, documents, id)
}

/**
 * Stores the expiry of an approved document with audit and event, and updates its request item. Returns whether it has
 * expired.
 */
export async function storeExpiry(tx: Transaction, context: ChangeContext, id: string): Promise<boolean> {
  const expired = await tx.query(sql`
    update documents
       set status = 'expired', version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${id} and status = 'approved' and expires_at <= now()
    returning id`)
  if (expired.length === 0) return false
  const { record } = await readBack(tx, documents, id)
  recordDocumentChange(tx, context, 'vault_document.updated', { ...record, status: 'approved' }, record)
  await updateItemOfDocument(tx, context, record)
  return true
}

/** Writes a changed document with audit and event, and updates its request item. The transaction holds its lock. */
export async function storeDocument(
  tx: Transaction,
  context: ChangeContext,
  before: DocumentRecord,
  after: DocumentRecord,
  type: EventType = 'vault_document.updated',
): Promise<Versioned<DocumentRecord>> {
  // Approved with an expiry in the past is expired.
  const isExpired = after.status === 'approved' && after.expiresAt !== null && Date.parse(after.expiresAt) <= Date.now()
  const status = isExpired ? 'expired' : after.status
  await tx.query(documentTable.update(tx.tenantId, before.id, { ...after, status }))
  const changed = await readBack(tx, documents, before.id)
  const record = { ...changed.record, status }
  recordDocumentChange(tx, context, type, before, record)
  await updateItemOfDocument(tx, context, record)
  return changed
}

/** Archives a document; idempotent. Throws `resource_not_found`. */
export async function archiveDocument(tx: Transaction, context: ChangeContext, id: string): Promise<void> {
  const { record } = await lockDocument(tx, context, id)
  if (record.status !== 'archived') await storeDocument(tx, context, record, { ...record, status: 'archived' })
}

/** Writes the audit row and the event of a change. */
export function recordDocumentChange(
  tx: Transaction,
  context: ChangeContext,
  type: EventType,
  before: DocumentRecord | null,
  after: DocumentRecord,
): void {
  const { id: entityId, externalId } = after
  recordChanges(tx, context, [{ type, list: documents, entityId, externalId, before, after }])
}
