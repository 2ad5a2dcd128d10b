import type { Body, documentOperations } from '@matricula/contract'
import { type ChangeContext, type RequestContext, recordChanges, requireMatch } from '../../changes/index.ts'
import { type Database, type Sql, sql, type Transaction } from '../../database/index.ts'
import { readOne, type Versioned } from '../../entities/index.ts'
import { Problem } from '../../errors/index.ts'
import type { Write } from '../../http/index.ts'
import { fileKey } from '../../storage/index.ts'
import { type LockedDocument, lockDocument, storeDocument } from './document-changes.ts'
import { type DocumentRecord, documents, type FileRules, type VersionRecord } from './document-store.ts'
import { findEndOfValidity, requireVersion } from './new-documents.ts'
import { recordRejection } from './refusals.ts'
import { examineUpload, type RejectedUpload, removeRejected, type VaultFiles } from './vault-files.ts'

type CompleteUpload = (typeof documentOperations)['completeUpload']

/** A version of a document, by the ids in its address. */
export interface VersionAddress {
  readonly documentId: string
  readonly versionId: string
}

/**
 * Freezes and examines the file of a version, and gives the write that makes the version ready. A version that is ready
 * stays as it is. A refusal is recorded, before the file is removed, in a transaction of its own.
 *
 * @throws Problem `resource_not_found`, `precondition_failed`, `state_conflict` for a version that has failed,
 * `upload_incomplete`, and `file_rejected` when the file is not as announced.
 */
export async function prepareCompletion(
  files: VaultFiles,
  database: Database,
  context: RequestContext,
  address: VersionAddress,
  body: Body<CompleteUpload> | undefined,
): Promise<Write<CompleteUpload>> {
  const { record, entityTag } = await readOne(database, context.tenant.id, documents, address.documentId)
  const version = requireVersion(record, address.versionId)
  requireMatch(context, entityTag)
  if (version.status === 'ready') return async () => ({ record, entityTag })
  if (version.status !== 'pending') throw settledProblem(version)
  const key = fileKey(context.tenant.id, version.id)
  const { sizeBytes, mimeType, checksumSha256 } = version
  const checksumsSha256 = [checksumSha256, body?.checksumSha256].filter((checksum) => typeof checksum === 'string')
  const finding = await examineUpload(files, key, { sizeBytes, mimeTypes: [mimeType], checksumsSha256 })
  if (finding.status !== 'ready') {
    const isRecorded = await storeRejection(database, context, address, finding)
    // What another completion has found sound in the meantime stays.
    if (isRecorded) await removeRejected(files, key, finding)
    throw finding.problem
  }
  return (tx) => complete(tx, context, address, finding.facts.checksumSha256)
}

/** Stores that a version is ready, unless another completion was quicker. */
async function complete(
  tx: Transaction,
  context: RequestContext,
  { documentId, versionId }: VersionAddress,
  checksumSha256: string,
): Promise<Versioned<DocumentRecord>> {
  const current = await lockDocument(tx, context, documentId)
  requireMatch(context, current.entityTag)
  const version = requireVersion(current.record, versionId)
  if (version.status === 'ready') return current
  if (version.status !== 'pending') throw settledProblem(version)
  const versionUpdate = sql`
    update document_versions
       set status = 'ready', uploaded_at = current_stamp(), checksum_sha256 = ${checksumSha256}
     where tenant_id = ${tx.tenantId} and id = ${version.id}`
  return storeCompletion(tx, context, current, version, version, versionUpdate)
}

/**
 * Stores what a version that has become ready does to its document, with the audit and the events of both.
 *
 * @param versionUpdate What makes it ready, where it is not yet
 */
export async function storeCompletion(
  tx: Transaction,
  context: ChangeContext,
  { record: document, type }: Pick<LockedDocument, 'record' | 'type'>,
  version: Pick<VersionRecord, 'id' | 'versionNumber'>,
  before: VersionRecord | null,
  versionUpdate?: Sql,
): Promise<Versioned<DocumentRecord>> {
  const after = afterCompletion(document, type, version)
  const changed = await storeDocument(tx, context, document, after, 'vault_document.updated', versionUpdate)
  recordCompletion(tx, context, before, requireVersion(changed.record, version.id))
  return changed
}

/** The audit row and the event of a version that has become ready. */
export function recordCompletion(
  tx: Transaction,
  context: ChangeContext,
  before: VersionRecord | null,
  after: VersionRecord,
): void {
  const entity = { entityType: 'vault_version', entityId: after.id } as const
  recordChanges(tx, context, [{ type: 'vault_version.completed', ...entity, before, after }])
}

/**
 * Stores that the file of a version was refused, unless another completion was quicker. Returns whether the version has
 * failed.
 */
async function storeRejection(
  database: Database,
  context: RequestContext,
  { documentId, versionId }: VersionAddress,
  { status, problem }: RejectedUpload,
): Promise<boolean> {
  return database.transaction(context.tenant.id, async (tx) => {
    const { record, entityTag } = await lockDocument(tx, context, documentId)
    requireMatch(context, entityTag)
    const { id, status: stored, fileName, mimeType } = requireVersion(record, versionId)
    if (stored !== 'pending') return stored === 'failed'
    recordRejection(tx, context, { versionId: id, documentId: record.id, fileName, mimeType }, problem)
    await storeFailure(tx, context, record, id, status, problem.message)
    return true
  })
}

/** Stores that a pending version of a locked document has failed, and why. */
export async function storeFailure(
  tx: Transaction,
  context: ChangeContext,
  document: DocumentRecord,
  versionId: string,
  status: 'failed' | 'quarantined',
  reason: string,
): Promise<void> {
  const versionUpdate = sql`
    update document_versions set status = ${status}, failure_reason = ${reason}
     where tenant_id = ${tx.tenantId} and id = ${versionId}`
  await storeDocument(tx, context, document, document, 'vault_document.updated', versionUpdate)
}

/**
 * The document once a version of it is ready. A version that a newer ready one has overtaken, or of an archived document,
 * changes nothing else.
 */
function afterCompletion(
  document: DocumentRecord,
  type: FileRules,
  version: Pick<VersionRecord, 'versionNumber'>,
): DocumentRecord {
  const current = document.currentVersion?.versionNumber ?? 0
  if (version.versionNumber < current || document.status === 'archived') return document
  const isOver = document.expiresAt !== null && Date.parse(document.expiresAt) <= Date.now()
  return {
    ...document,
    status: statusOfCompleted(type),
    // What had expired was the file before; this one begins anew.
    expiresAt: current > 0 && isOver ? findEndOfValidity(type, null) : document.expiresAt,
    reviewedAt: null,
    reviewedBy: null,
    rejectionReason: null,
  }
}

/** The status of a document whose file has just come. */
export function statusOfCompleted({ requiresReview }: FileRules): DocumentRecord['status'] {
  return requiresReview ? 'uploaded' : 'approved'
}

/** The refusal of an upload to a version that is not pending. */
export function settledProblem({ status }: Pick<VersionRecord, 'status'>): Problem {
  const detail = `This version is ${status}. Start a new one by an upload intent with the documentId.`
  return new Problem('state_conflict', detail, { currentState: status })
}
