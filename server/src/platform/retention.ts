import { literal, sql } from '../database/index.ts'
import { forgetExpiredKeys } from './idempotency.ts'
import { inBatches, type Job } from './jobs.ts'

/** How long events are kept, in days. */
const eventRetentionDays = 400

/** Rows that one transaction forgets. */
const batchSize = 1000

/** Forgets what is kept for a time only: outcomes of idempotent requests, and old events. The audit stays. */
export const retentionJob: Job = {
  name: 'retention',
  everySeconds: 600,
  run: async (database, tenant, hasTime = () => true) => {
    await inBatches(batchSize, hasTime, () => forgetExpiredKeys(database, tenant.id, batchSize))
    await inBatches(batchSize, hasTime, async () => {
      const gone = await database.transaction(tenant.id, (tx) =>
        tx.query(sql`
          delete from events
           where tenant_id = ${tx.tenantId}
             and position in (select position from events where tenant_id = ${tx.tenantId}
                               order by position limit ${literal(batchSize)})
             and occurred_at < now() - make_interval(days => ${eventRetentionDays})
          returning 1 as gone`),
      )
      return gone.length
    })
  },
}
