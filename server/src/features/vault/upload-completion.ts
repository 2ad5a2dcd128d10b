import type { Body, vaultOperations } from '@matricula/contract'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import type { Write } from '../../http/implement.ts'
import { recordChanges } from '../../platform/changes.ts'
import { Problem } from '../../platform/problem.ts'
import { readOne, type Versioned } from '../../platform/reading.ts'
import { type ChangeContext, type RequestContext, requireMatch } from '../../platform/request-context.ts'
import { lockDocument, storeDocument } from './document-changes.ts'
import { type DocumentRecord, documents, type VersionRecord } from './document-store.ts'
import { endOfValidity, requireVersion } from './upload-intents.ts'
import { examineUpload, type Finding, type VaultFiles } from './vault-files.ts'

type CompleteUpload = (typeof vaultOperations)['completeUpload']

/**
 * Freezes and examines the file of a version, and gives the write that makes the version ready or failed. A version that is
 * ready stays as it is.
 *
 * @throws Problem `resource_not_found`, `precondition_failed`, `state_conflict` for a version that has failed, and
 * `upload_incomplete`. The write gives back `file_rejected` when the file is not as announced, and commits that it failed.
 */
export async function prepareCompletion(
  files: VaultFiles,
  database: Database,
  context: RequestContext,
  { documentId, versionId }: { documentId: string; versionId: string },
  body: Body<CompleteUpload> | undefined,
): Promise<Write<CompleteUpload>> {
  const { record, entityTag } = await readOne(database, context.tenant.id, documents, documentId)
  const version = requireVersion(record, versionId)
  requireMatch(context, entityTag)
  if (version.status === 'ready') return async () => ({ record, entityTag })
  if (version.status !== 'pending') throw completedProblem(version)
  const checksums = [version.checksumSha256, body?.checksumSha256].filter((checksum) => typeof checksum === 'string')
  const finding = await examineUpload(files, context.tenant.id, version, checksums)
  return async (tx) => {
    const current = await lockDocument(tx, context, documentId)
    requireMatch(context, current.entityTag)
    return settle(tx, context, current, requireVersion(current.record, versionId), finding)
  }
}

/** Stores what was found, unless another completion was quicker. */
async function settle(
  tx: Transaction,
  context: ChangeContext,
  current: Versioned<DocumentRecord>,
  version: VersionRecord,
  finding: Finding,
): Promise<Versioned<DocumentRecord> | Problem> {
  if (!finding.isSound) {
    if (version.status === 'pending') await storeFailure(tx, context, current.record, version, finding)
    return finding.problem
  }
  if (version.status === 'ready') return current
  if (version.status !== 'pending') throw completedProblem(version)
  tx.send(sql`
    update document_versions
       set status = 'ready', uploaded_at = current_stamp(), checksum_sha256 = ${finding.checksumSha256}
     where tenant_id = ${tx.tenantId} and id = ${version.id}`)
  const after = await afterCompletion(tx, current.record, version)
  const changed = await storeDocument(tx, context, current.record, after)
  const ready = requireVersion(changed.record, version.id)
  recordChanges(tx, context, [
    {
      type: 'vault_version.completed',
      entityType: 'vault_version',
      entityId: version.id,
      before: version,
      after: ready,
    },
  ])
  return changed
}

async function storeFailure(
  tx: Transaction,
  context: ChangeContext,
  document: DocumentRecord,
  version: VersionRecord,
  { status, problem }: Finding & { isSound: false },
): Promise<void> {
  tx.send(sql`
    update document_versions set status = ${status}, failure_reason = ${problem.message}
     where tenant_id = ${tx.tenantId} and id = ${version.id}`)
  await storeDocument(tx, context, document, document)
}

/**
 * The document once a version of it is ready. A version that a newer ready one has overtaken, or of an archived document,
 * changes nothing else.
 */
async function afterCompletion(
  tx: Transaction,
  document: DocumentRecord,
  version: VersionRecord,
): Promise<DocumentRecord> {
  const current = document.currentVersion?.versionNumber ?? 0
  if (version.versionNumber < current || document.status === 'archived') return document
  const [type] = await tx.query<{ requires_review: boolean; validity_days: number | null }>(sql`
    select requires_review, validity_days from document_types
     where tenant_id = ${tx.tenantId} and id = ${document.documentTypeId}`)
  const isOver = document.expiresAt !== null && Date.parse(document.expiresAt) <= Date.now()
  const validityDays = type?.validity_days ?? null
  return {
    ...document,
    status: type?.requires_review === false ? 'approved' : 'uploaded',
    // What had expired was the file before; this one begins anew.
    expiresAt: current > 0 && isOver ? endOfValidity({ validityDays }, null) : document.expiresAt,
    reviewedAt: null,
    reviewedBy: null,
    rejectionReason: null,
  }
}

function completedProblem({ status }: VersionRecord): Problem {
  const detail = `This version is ${status}. Start a new one by an upload intent with the documentId.`
  return new Problem('state_conflict', detail, { currentState: status })
}
