import { sql } from '../../database/index.ts'
import type { NamedFiles } from '../../storage/index.ts'

/** The files that have an address of their tenant. */
export const filesWithAddresses: NamedFiles = {
  removedBy: 'stored-files',
  statement: (tenantId, ids = null) => sql`
    select tenant_id || '/' || id as key, 'frozen' as state, true as "isNeeded"
      from stored_files where (${tenantId}::uuid is null or tenant_id = ${tenantId}) and (${ids}::uuid[] is null or id = any (${ids})) and state = 'kept'`,
}
