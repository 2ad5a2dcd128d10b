import { sql } from '../../database/index.ts'
import type { NamedFiles } from '../../storage/index.ts'

/** The files of documents: complete ones, infected ones, and uploads of pending versions. */
export const filesOfDocuments: NamedFiles = {
  removedBy: 'abandoned-uploads',
  statement: (tenantId, ids = null) => sql`
    select tenant_id || '/' || id as key, case when status = 'pending' then 'upload' else 'frozen' end as state,
           status = 'ready' as "isNeeded"
      from document_versions
     where (${tenantId}::uuid is null or tenant_id = ${tenantId}) and (${ids}::uuid[] is null or id = any (${ids})) and status <> 'failed'`,
}
