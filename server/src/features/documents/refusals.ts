import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import type { Problem } from '../../errors/index.ts'

/** A rejected file: its document and what the client said about it. */
export interface RejectedFile {
  readonly versionId: string
  readonly documentId?: string | undefined
  readonly documentTypeId?: string | undefined
  readonly requestId?: string | null
  readonly fileName: string
  readonly mimeType: string
}

/** Writes the audit row of a rejected file and the reason, also when nothing else of it is stored. */
export function recordRejection(
  tx: Transaction,
  context: Omit<ChangeContext, 'tenant'>,
  file: RejectedFile,
  problem: Problem,
): void {
  const { versionId: entityId, ...facts } = file
  const { code, message: detail, extra } = problem
  recordAccess(tx, context, {
    action: 'vault_version.refused',
    entityType: 'vault_version',
    entityId,
    facts: { ...facts, code, detail, ...extra },
  })
}

/**
 * Writes the audit row of an upload that its signed address rejected: wrong length or type, expired, or already
 * complete. An address with an invalid signature names no file and is not recorded.
 */
export async function recordRejectedUpload(
  database: Database,
  { key, mimeType }: { readonly key: string; readonly mimeType: string },
  problem: Problem,
  visit: Pick<ChangeContext, 'requestId' | 'address'>,
): Promise<void> {
  const [tenantId = '', versionId = ''] = key.split('/')
  await database.transaction(tenantId, async (tx) => {
    const [version] = await tx.query<{ documentId: string; fileName: string }>(sql`
      select document_id as "documentId", file_name as "fileName" from document_versions
       where tenant_id = ${tx.tenantId} and id = ${versionId}`)
    if (version === undefined) return
    const actor = { type: 'link', id: null, name: 'upload address' } as const
    recordRejection(tx, { ...visit, actor }, { versionId, mimeType, ...version }, problem)
  })
}
