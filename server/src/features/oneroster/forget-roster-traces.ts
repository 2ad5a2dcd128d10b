import { literal, sql } from '../../database/index.ts'
import { inBatches, type Job } from '../../jobs/index.ts'
import { endedDays } from './roster/roster-context.ts'

/** Rows per transaction. */
const batchSize = 1000

/** Deletes nonces that have expired, and what is remembered of records that ended before OneRoster lists them. */
export const forgetRosterTracesJob: Job = {
  name: 'forget-roster-traces',
  everySeconds: 3600,
  run: async (database, tenant, hasTime = () => true) => {
    await inBatches(batchSize, hasTime, () =>
      database.transaction(tenant.id, async (tx) => {
        const rows = await tx.query(sql`
          delete from oauth_nonces
           where tenant_id = ${tx.tenantId}
             and (api_key_id, nonce) in (select api_key_id, nonce from oauth_nonces
                                          where tenant_id = ${tx.tenantId} and expires_at < now()
                                          limit ${literal(batchSize)})
          returning 1 as gone`)
        return rows.length
      }),
    )
    return inBatches(batchSize, hasTime, () =>
      database.transaction(tenant.id, async (tx) => {
        const rows = await tx.query(sql`
          delete from roster_deletions
           where tenant_id = ${tx.tenantId}
             and (kind, id) in (select kind, id from roster_deletions
                                 where tenant_id = ${tx.tenantId}
                                   and deleted_at < now() - make_interval(days => ${literal(endedDays)})
                                 limit ${literal(batchSize)})
          returning 1 as gone`)
        return rows.length
      }),
    )
  },
}
