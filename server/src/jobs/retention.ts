import { Counter } from 'prom-client'
import { forgetExpiredKeys } from '../concurrency/index.ts'
import { literal, sql } from '../database/index.ts'
import { inBatches, type Job } from './jobs.ts'

/** Rows that one transaction forgets. */
const batchSize = 1000

const forgotten = new Counter({
  name: 'matricula_retention_removed_total',
  help: 'Rows that were kept long enough and are forgotten, by what they are.',
  labelNames: ['kind'],
})

/**
 * Forgets what is kept no longer: outcomes of idempotent requests, and mails so many days after they were sent or given up.
 * Sessions, events, deliveries, uploads and what was deleted have jobs of their own; the audit is put into files by a command.
 */
export function retentionJob({ mailKeepDays }: { readonly mailKeepDays: number }): Job {
  return {
    name: 'retention',
    everySeconds: 600,
    run: async (database, tenant, hasTime = () => true) => {
      const forget = (kind: string, batch: () => Promise<number>) =>
        inBatches(batchSize, hasTime, async () => {
          const count = await batch()
          forgotten.inc({ kind }, count)
          return count
        })
      await forget('idempotency_keys', () => forgetExpiredKeys(database, tenant.id, batchSize))
      await forget('mails', async () => {
        const gone = await database.transaction(tenant.id, (tx) =>
          tx.query(sql`
            delete from outgoing_mails
             where tenant_id = ${tx.tenantId}
               and id in (select id from outgoing_mails
                           where tenant_id = ${tx.tenantId}
                             and coalesce(sent_at, failed_at) < now() - make_interval(days => ${literal(mailKeepDays)})
                           limit ${literal(batchSize)})
            returning 1 as gone`),
        )
        return gone.length
      })
    },
  }
}
