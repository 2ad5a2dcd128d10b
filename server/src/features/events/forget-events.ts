import { eventDays } from '@matricula/contract'
import { literal, sql } from '../../database/index.ts'
import { inBatches, type Job } from '../../jobs/index.ts'
import { orderEvents } from './event-feed.ts'

/** The maximum number of events deleted in one transaction. */
const batchSize = 1000

/**
 * The job that orders unread events, so that the first reader does not wait, and deletes events after their retention,
 * always from the beginning of the feed.
 */
export const forgetEventsJob: Job = {
  name: 'forget-events',
  everySeconds: 600,
  run: async (database, tenant, hasTime = () => true) => {
    await orderEvents(database, tenant.id)
    await inBatches(batchSize, hasTime, async () => {
      const [row] = await database.transaction(tenant.id, (tx) =>
        tx.query<{ gone: number }>(sql`
          with first as materialized (
            select p.position, p.written, e.occurred_at < now() - make_interval(days => ${literal(eventDays)}) as is_old
              from event_positions p
              join events e on e.tenant_id = p.tenant_id and e.position = p.written
             where p.tenant_id = ${tx.tenantId}
             order by p.position limit ${literal(batchSize)}
          ), old as materialized (
            select position, written from first
             where position < coalesce((select min(position) from first where not is_old), ${literal(Number.MAX_SAFE_INTEGER)})
          ), gone as (
            delete from events where tenant_id = ${tx.tenantId} and position in (select written from old)
          ), unplaced as (
            delete from event_positions where tenant_id = ${tx.tenantId} and position in (select position from old)
          ), marked as (
            update event_feeds set forgotten_position = (select max(position) from old)
             where tenant_id = ${tx.tenantId} and exists (select from old)
          )
          select count(*) as gone from old`),
      )
      return row?.gone ?? 0
    })
  },
}
