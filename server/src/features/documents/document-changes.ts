import type { EventType } from '@matricula/contract'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { type Sql, sql, type Transaction } from '../../database/index.ts'
import { readBack, requireLocked, type Versioned } from '../../entities/index.ts'
import { updateItemOfDocument } from '../requests/index.ts'
import { type DocumentRecord, documents, documentTable, type FileRules, typedDocuments } from './document-store.ts'

/** A document that nobody else changes until the transaction ends, with what its type says of its files. */
export interface LockedDocument extends Versioned<DocumentRecord> {
  readonly type: FileRules
}

/**
 * Locks a document until the transaction ends, and stores first that it has expired, if it has, so that what is read is
 * what is stored. Throws `resource_not_found`. Costs one statement, but for a document that reads as expired.
 */
export async function lockDocument(tx: Transaction, context: ChangeContext, id: string): Promise<LockedDocument> {
  const { record, entityTag } = await requireLocked(tx, typedDocuments, id)
  const { document, type } = record
  const isStored = document.status !== 'expired' || !(await storeExpiry(tx, context, document.id))
  return isStored ? { record: document, entityTag, type } : { ...(await readBack(tx, documents, document.id)), type }
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

/**
 * Writes a document that differs from what is stored, with its audit and event; the item of a request that it answers
 * follows. The transaction holds its lock.
 *
 * @param versionUpdate An update of one of its versions, which the same statement does
 */
export async function storeDocument(
  tx: Transaction,
  context: ChangeContext,
  before: DocumentRecord,
  after: DocumentRecord,
  type: EventType = 'vault_document.updated',
  versionUpdate?: Sql,
): Promise<Versioned<DocumentRecord>> {
  // Approved until a moment that has passed is expired already.
  const isOver = after.status === 'approved' && after.expiresAt !== null && Date.parse(after.expiresAt) <= Date.now()
  const status = isOver ? 'expired' : after.status
  const update = documentTable.update(tx.tenantId, before.id, { ...after, status })
  tx.send(versionUpdate === undefined ? update : sql`with version as (${versionUpdate}) ${update}`)
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
