import { type Database, identifier, literal, type Sql, sql, type Transaction } from '../../database/index.ts'
import { inBatches, type Job } from '../../platform/jobs.ts'
import { lockRows } from '../../platform/locks.ts'
import type { ChangeContext } from '../../platform/request-context.ts'
import { storeExpiry } from './document-changes.ts'
import { lockRequest } from './request-changes.ts'

/** Records that one transaction moves, so that none of them is locked for long. */
const batchSize = 200

/** Stores that approved documents have expired. They read so from the very moment on; this counts them so, and tells it. */
export const expireDocumentsJob: Job = expiryJob(
  'documents-expired',
  'expired documents',
  'documents',
  sql`status = 'approved' and expires_at <= now()`,
  storeExpiry,
)

/** Stores that document requests have expired, likewise. */
export const expireRequestsJob: Job = expiryJob(
  'document-requests-expired',
  'expired document requests',
  'document_requests',
  sql`status in ('open', 'partially_completed') and expires_at <= now()`,
  lockRequest,
)

/** A job that stores for each record which has expired that it has. */
function expiryJob(
  name: string,
  actorName: string,
  table: 'documents' | 'document_requests',
  isOver: Sql,
  store: (tx: Transaction, context: ChangeContext, id: string) => Promise<unknown>,
): Job {
  return {
    name,
    everySeconds: 60,
    run: async (database: Database, tenant, hasTime = () => true) => {
      const actor = { type: 'system', id: null, name: actorName } as const
      const context: ChangeContext = { tenant, actor, requestId: null, address: null }
      await inBatches(batchSize, hasTime, () =>
        database.transaction(tenant.id, async (tx) => {
          const over = await tx.query<{ id: string }>(sql`
            select id from ${identifier(table)}
             where tenant_id = ${tx.tenantId} and ${isOver} order by id limit ${literal(batchSize)}`)
          const ids = over.map(({ id }) => id)
          await lockRows(tx, table, ids)
          for (const id of ids) await store(tx, context, id)
          return over.length
        }),
      )
    },
  }
}
