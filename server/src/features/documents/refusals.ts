import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import type { Problem } from '../../errors/index.ts'

/** What is known of a file when it is refused: whose it is, and what was said of it. */
export interface RejectedFile {
  readonly versionId: string
  readonly documentId?: string | undefined
  readonly documentTypeId?: string | undefined
  readonly requestId?: string | null
  readonly fileName: string
  readonly mimeType: string
}

/** Writes an audit row that says which file was refused and why; also of a file for which nothing else is stored. */
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
 * Writes an audit row of an upload that its own signed address refused: too long, too short, of another type, too late, or onto
 * a file that is finished. Addresses that nobody signed name no file, so nothing can be said of them.
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
