import type { Transaction } from '../../database/index.ts'
import { recordAccess } from '../../platform/changes.ts'
import type { Problem } from '../../platform/problem.ts'
import type { ChangeContext } from '../../platform/request-context.ts'

/** What is known of a file when it is refused: whose it is, and what was said of it. */
export interface RefusedFile {
  readonly versionId: string
  readonly documentId?: string | undefined
  readonly documentTypeId?: string | undefined
  readonly requestId?: string | null
  readonly fileName: string
  readonly mimeType: string
}

/** Writes an audit row that says which file was refused and why; also of a file for which nothing else is stored. */
export function recordRefusal(tx: Transaction, context: ChangeContext, file: RefusedFile, problem: Problem): void {
  const { versionId: entityId, ...facts } = file
  const { code, message: detail, extra } = problem
  recordAccess(tx, context, {
    action: 'vault_version.refused',
    entityType: 'vault_version',
    entityId,
    facts: { ...facts, code, detail, ...extra },
  })
}
