import { literal, sql } from '../../database/index.ts'
import type { Job } from '../../platform/jobs.ts'
import type { ChangeContext } from '../../platform/request-context.ts'
import { storeExpiry } from './document-changes.ts'

/** Documents that one transaction moves, so that none of them is locked for long. */
const batchSize = 200

/** Stores that approved documents have expired. They read so from the very moment on; this counts them so, and tells it. */
export const expireDocumentsJob: Job = {
  name: 'documents-expired',
  everySeconds: 60,
  run: async (database, tenant) => {
    const actor = { type: 'system', id: null, name: 'expired documents' } as const
    const context: ChangeContext = { tenant, actor, requestId: null, address: null }
    for (let moved = batchSize; moved === batchSize; ) {
      moved = await database.transaction(tenant.id, async (tx) => {
        const over = await tx.query<{ id: string }>(sql`
          select id from documents
           where tenant_id = ${tx.tenantId} and status = 'approved' and expires_at <= now()
           order by id limit ${literal(batchSize)}`)
        for (const { id } of over) await storeExpiry(tx, context, id)
        return over.length
      })
    }
  },
}
