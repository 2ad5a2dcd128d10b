import { forgetExpiredKeys } from './idempotency.ts'
import { inBatches, type Job } from './jobs.ts'

/** Rows that one transaction forgets. */
const batchSize = 1000

/** Forgets the outcomes of idempotent requests that are kept no longer. */
export const retentionJob: Job = {
  name: 'retention',
  everySeconds: 600,
  run: async (database, tenant, hasTime = () => true) => {
    await inBatches(batchSize, hasTime, () => forgetExpiredKeys(database, tenant.id, batchSize))
  },
}
