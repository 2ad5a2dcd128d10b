import { deliveryDays } from '@matricula/contract'
import { literal, type Sql, sql } from '../../../database/index.ts'
import { inBatches, type Job } from '../../../jobs/index.ts'

/** The maximum number of deliveries deleted in one transaction. */
const batchSize = 1000

/** Deliveries that succeeded or failed some time ago. */
const expired: readonly Sql[] = [
  sql`status = 'delivered' and updated_at < now() - make_interval(days => ${literal(deliveryDays.delivered)})`,
  sql`status = 'failed' and updated_at < now() - make_interval(days => ${literal(deliveryDays.failed)})`,
]

/** Deliveries of deleted endpoints. A loose index scan finds the few endpoints that have deliveries. */
function orphaned(tenantId: string): Sql {
  const next = sql`select webhook_id from webhook_deliveries where tenant_id = ${tenantId}`
  return sql`
    webhook_id = any (array(
      with recursive seen as (
        (${next} order by webhook_id limit 1)
        union all
        select (${next} and webhook_id > seen.webhook_id order by webhook_id limit 1) from seen where seen.webhook_id is not null
      )
      select seen.webhook_id from seen
       where not exists (select from webhooks w where w.tenant_id = ${tenantId} and w.id = seen.webhook_id)))`
}

/** Deletes deliveries after their retention period. */
export const deleteDeliveriesJob: Job = {
  name: 'forget-deliveries',
  everySeconds: 600,
  run: async (database, tenant, hasTime = () => true) => {
    for (const condition of [...expired, orphaned(tenant.id)]) {
      await inBatches(batchSize, hasTime, async () => {
        const rows = await database.transaction(tenant.id, (tx) =>
          tx.query(sql`
            delete from webhook_deliveries
             where tenant_id = ${tx.tenantId}
               and id in (select id from webhook_deliveries
                           where tenant_id = ${tx.tenantId} and ${condition} limit ${literal(batchSize)})
            returning 1 as gone`),
        )
        return rows.length
      })
    }
  },
}
