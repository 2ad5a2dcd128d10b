import type { ChangeContext } from '../../../changes/index.ts'
import { lockRows } from '../../../concurrency/index.ts'
import { literal, sql } from '../../../database/index.ts'
import { findMany } from '../../../entities/index.ts'
import { inBatches, type Job } from '../../../jobs/index.ts'
import { payments } from '../../payments/index.ts'
import { chargeOlder } from './charge-older.ts'

/** Payments that one transaction takes, so that none of them is locked for long. */
const batchSize = 100

/**
 * Makes the accounts, obligations, receipts and postings of payments that an earlier version made, or makes beside this
 * one. It remembers until when all have theirs, and looks only at later ones.
 */
export const chargeOlderJob: Job = {
  name: 'billing-older-payments',
  everySeconds: 60,
  run: async (database, tenant, hasTime = () => true) => {
    const actor = { type: 'system', id: null, name: 'billing of older payments' } as const
    const context: ChangeContext = { tenant, actor, requestId: null, address: null }
    await inBatches(batchSize, hasTime, () =>
      database.transaction(tenant.id, async (tx) => {
        const found = await tx.query<{ id: string }>(sql`
          select p.id from payments p
           where p.tenant_id = ${tx.tenantId}
             and p.created_at >= coalesce((select charged_until from billing_settings where tenant_id = ${tx.tenantId}),
                                          '-infinity')
             and not exists (select from obligations o where o.tenant_id = ${tx.tenantId} and o.payment_id = p.id)
           order by p.created_at, p.id limit ${literal(batchSize)}`)
        const ids = found.map(({ id }) => id)
        if (ids.length === 0) {
          await tx.query(sql`
            insert into billing_settings as s (tenant_id, charged_until)
            values (${tx.tenantId}, current_stamp() - interval '1 hour')
            on conflict (tenant_id) do update set charged_until = excluded.charged_until`)
          return 0
        }
        await lockRows(tx, 'payments', ids)
        const still = sql`p.id = any(${ids}::uuid[]) and not exists (
          select from obligations o where o.tenant_id = p.tenant_id and o.payment_id = p.id)`
        await chargeOlder(tx, context, await findMany(tx, payments, still))
        return ids.length
      }),
    )
  },
}
