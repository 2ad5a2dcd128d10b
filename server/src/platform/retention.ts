import { sql } from '../database/index.ts'
import { forgetExpiredKeys } from './idempotency.ts'
import type { Job } from './jobs.ts'

/** How long events are kept, in days. */
export const eventRetentionDays = 400

/** Forgets what is kept for a time only: outcomes of idempotent requests, and old events. The audit stays. */
export const retentionJob: Job = {
  name: 'retention',
  everySeconds: 600,
  run: async (database, tenant) => {
    await forgetExpiredKeys(database, tenant.id)
    await database.transaction(tenant.id, (tx) =>
      tx.query(sql`
        delete from events
         where tenant_id = ${tx.tenantId} and occurred_at < now() - make_interval(days => ${eventRetentionDays})`),
    )
  },
}
