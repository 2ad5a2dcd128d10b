import { type Database, literal, type Sql, sql, type Transaction } from '../../database/index.ts'
import { type HasTime, inBatches } from '../../jobs/index.ts'
import type { RecordWork } from '../../record-engine/index.ts'

/** The retention of event ids, in days: longer than the gateway repeats an event. */
const eventDays = 30

/** The maximum number of rows deleted in one transaction. */
const batchSize = 1000

/** Deletes checks of orders after a week, and event ids after their retention. */
export async function deleteOldChecks(database: Database, tenantId: string, hasTime: HasTime): Promise<void> {
  const forget = (statement: Sql) =>
    inBatches(
      batchSize,
      hasTime,
      async () => (await database.transaction(tenantId, (tx) => tx.query(statement))).length,
    )
  await forget(sql`
    delete from card_order_checks
     where tenant_id = ${tenantId}
       and payment_record_id in (
             select c.payment_record_id from card_order_checks c
               join payment_records r on r.tenant_id = ${tenantId} and r.id = c.payment_record_id
              where c.tenant_id = ${tenantId} and c.next_check_at <= now() and c.checks > 0
                and r.created_at < now() - make_interval(days => ${maxCheckDays})
              limit ${literal(batchSize)})
    returning 1 as gone`)
  await forget(sql`
    delete from card_gateway_events
     where tenant_id = ${tenantId}
       and event_id in (
             select event_id from card_gateway_events
              where tenant_id = ${tenantId} and received_at < now() - make_interval(days => ${eventDays})
              limit ${literal(batchSize)})
    returning 1 as gone`)
}

/** How long an order is checked at the gateway, in days. */
const maxCheckDays = 7

/** Schedules checks of an order at the gateway, by the name of its record. */
export async function scheduleChecks(work: RecordWork, recordName: string): Promise<void> {
  await work.tx.query(sql`
    insert into card_order_checks (tenant_id, payment_record_id, next_check_at)
    select tenant_id, id, current_stamp() + interval '5 minutes' from payment_records
     where tenant_id = ${work.tx.tenantId} and name = ${recordName}`)
}

/** Lets an order be checked with the next run: its payer says that it is paid. */
export async function checkSoon(work: RecordWork, recordName: string): Promise<void> {
  await work.tx.query(sql`
    update card_order_checks c set next_check_at = least(c.next_check_at, current_stamp()) from payment_records r
     where c.tenant_id = ${work.tx.tenantId} and r.tenant_id = c.tenant_id and r.id = c.payment_record_id
       and r.name = ${recordName}`)
}

/** Ends the checks of a paid order. */
export async function endChecks(work: RecordWork, recordName: string): Promise<void> {
  await work.tx.query(sql`
    delete from card_order_checks c using payment_records r
     where c.tenant_id = ${work.tx.tenantId} and r.tenant_id = c.tenant_id and r.id = c.payment_record_id
       and r.name = ${recordName}`)
}

/**
 * The order whose check is due for longest, with its next check scheduled: after 5 minutes, then 10, 20 and so on up to
 * 12 hours, for a week. Null when none is due.
 */
export async function claimOrder(tx: Transaction): Promise<string | null> {
  const [due] = await tx.query<{ orderId: string }>(sql`
    with due as (
      select payment_record_id,
             current_stamp() + least(interval '12 hours', interval '5 minutes' * 2 ^ least(checks + 1, 10)) as next_at
        from card_order_checks
       where tenant_id = ${tx.tenantId} and next_check_at <= now()
       order by next_check_at, payment_record_id limit 1 for update skip locked
    )
    update card_order_checks c
       set checks = least(checks + 1, 1000), next_check_at = due.next_at
      from due, payment_records r
     where c.tenant_id = ${tx.tenantId} and c.payment_record_id = due.payment_record_id
       and r.tenant_id = c.tenant_id and r.id = c.payment_record_id
    returning r.order_id as "orderId"`)
  return due?.orderId ?? null
}
