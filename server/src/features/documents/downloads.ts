import {
  type DocumentDownload,
  type documentOperations,
  type Query,
  type Static,
  signedAddressMinutes,
} from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import { type Database, sql } from '../../database/index.ts'
import { findOne, type Versioned } from '../../entities/index.ts'
import { notFoundProblem, Problem } from '../../errors/index.ts'
import { allowedDisposition, fileKey } from '../../storage/index.ts'
import { isUuid } from '../../values/index.ts'
import { type DocumentRecord, documents, type VersionRecord } from './document-store.ts'
import { requireVersion } from './new-documents.ts'
import { minutesFromNow, type VaultFiles } from './vault-files.ts'

/**
 * A signed download address of a version, by default the current one. Writes an audit row. Throws `resource_not_found`,
 * and `state_conflict` when the version has no readable file.
 */
export async function downloadDocument(
  files: VaultFiles,
  database: Database,
  context: RequestContext,
  id: string,
  query: Query<(typeof documentOperations)['downloadDocument']>,
): Promise<Versioned<Static<typeof DocumentDownload>>> {
  const requested = query.disposition ?? 'attachment'
  const version = await database.transaction(context.tenant.id, async (tx) => {
    const found = isUuid(id) ? await findOne(tx, documents, sql`d.id = ${id}`) : null
    if (found === null) throw notFoundProblem(documents.noun)
    const readable = readableVersion(found.record, query.versionId)
    const facts = { versionId: readable.id, fileName: readable.fileName, disposition: requested }
    const { entityType } = documents
    recordAccess(tx, context, { action: 'vault_document.downloaded', entityType, entityId: found.record.id, facts })
    return readable
  })
  const { id: versionId, fileName, mimeType, sizeBytes } = version
  const disposition = allowedDisposition(requested, mimeType)
  const expiresAt = minutesFromNow(signedAddressMinutes.download)
  const key = fileKey(context.tenant.id, versionId)
  const url = await files.store.signDownload({ key, fileName, mimeType, disposition, expiresAt })
  const record = { url, expiresAt: expiresAt.toISOString(), fileName, mimeType, sizeBytes, disposition, versionId }
  return { record, entityTag: null }
}

function readableVersion(document: DocumentRecord, versionId: string | undefined): VersionRecord {
  const version = versionId === undefined ? document.currentVersion : requireVersion(document, versionId)
  if (version?.status === 'ready') return version
  const currentState = version?.status ?? document.status
  throw new Problem('state_conflict', 'The file cannot be downloaded yet: its upload is not complete.', {
    currentState,
  })
}
