import type { ChangeContext } from '../../changes/index.ts'
import { lockRows } from '../../concurrency/index.ts'
import { literal, sql } from '../../database/index.ts'
import { findMany } from '../../entities/index.ts'
import { inBatches, type Job } from '../../jobs/index.ts'
import { localTime, todayIn } from '../../tenancy/index.ts'
import { payments } from './payment-store.ts'
import { storePayment } from './payments.ts'

/** Payments that one transaction moves, so that none of them is locked for long. */
const batchSize = 200

/**
 * The day on which a payment is due: a bare day, which is kept as its midnight UTC, is that day everywhere, and any other moment
 * the day on which it falls in the time zone (see `getDay`).
 */
const dueDay = (timeZone: string) => sql`
  (case when due_date = date_trunc('day', due_date, 'UTC') then due_date at time zone 'UTC'
        else ${localTime(sql`due_date`, timeZone)} end)::date`

/**
 * Moves pending payments to overdue once their due day is over in the tenant's time zone. Where an outside system owns the
 * payments, it alone says so.
 */
export const overdueJob: Job = {
  name: 'payments-overdue',
  everySeconds: 300,
  run: async (database, tenant, hasTime = () => true) => {
    if (tenant.sorByDomain.payments === 'integration') return
    const actor = { type: 'system', id: null, name: 'overdue payments' } as const
    const context: ChangeContext = { tenant, actor, requestId: null, address: null }
    const today = todayIn(tenant.timeZone)
    await inBatches(batchSize, hasTime, () =>
      database.transaction(tenant.id, async (tx) => {
        const due = await tx.query<{ id: string }>(sql`
          select id from payments
           where tenant_id = ${tx.tenantId} and status = 'pending' and due_date < ${today}::date + 1
             and ${dueDay(tenant.timeZone)} < ${today}::date
           order by created_at, id limit ${literal(batchSize)}`)
        const ids = due.map(({ id }) => id)
        await lockRows(tx, 'payments', ids)
        const pending = sql`p.id = any(${ids}::uuid[]) and p.status = 'pending'`
        for (const payment of await findMany(tx, payments, pending)) {
          await storePayment(tx, context, payment, { ...payment, status: 'overdue' })
        }
        return due.length
      }),
    )
  },
}
