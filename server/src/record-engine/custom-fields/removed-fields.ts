import type { customField } from '@matricula/contract/record-types'
import { lockRows } from '../../concurrency/index.ts'
import { identifier, literal, sql, type Transaction } from '../../database/index.ts'
import { inBatches, type Job } from '../../jobs/index.ts'
import type { RecordWork } from '../lifecycle/record-work.ts'
import type { RecordOf } from '../model/record-document.ts'

/** Records per transaction, so that none is locked for long. */
const batchSize = 200

interface RemovedField {
  readonly id: string
  readonly fieldname: string
  readonly record_table: string
}

/**
 * Records that a field with values in a table is deleted: they are hidden at once, and `clearRemovedFieldsJob` clears
 * them.
 */
export async function recordRemoved(
  { tx }: Pick<RecordWork, 'tx'>,
  { name }: RecordOf<typeof customField>,
  { table }: { readonly table: string },
): Promise<void> {
  await tx.query(sql`
    insert into removed_custom_fields (tenant_id, id, dt, fieldname, record_table)
    select f.tenant_id, f.id, f.dt, f.fieldname, ${table} from custom_fields f
     where f.tenant_id = ${tx.tenantId} and f.name = ${name}`)
}

/** Whether values of a deleted field of this name are still being cleared. */
export async function isBeingCleared({ tx }: Pick<RecordWork, 'tx'>, dt: string, fieldname: string): Promise<boolean> {
  const [found] = await tx.query(sql`
    select 1 as found from removed_custom_fields
     where tenant_id = ${tx.tenantId} and dt = ${dt} and fieldname = ${fieldname} limit 1`)
  return found !== undefined
}

/**
 * Removes the values of deleted fields from the records, each of which gets its next version, then the entry of the
 * field.
 */
export const clearRemovedFieldsJob: Job = {
  name: 'clear-removed-fields',
  everySeconds: 60,
  run: async (database, tenant, hasTime = () => true) => {
    const removed = await database.read<RemovedField>(
      tenant.id,
      sql`
        select id, fieldname, record_table from removed_custom_fields
         where tenant_id = ${tenant.id} order by removed_at, id`,
    )
    for (const field of removed) {
      await inBatches(batchSize, hasTime, () => database.transaction(tenant.id, (tx) => clearSome(tx, field)))
      await database.transaction(tenant.id, (tx) => forgetCleared(tx, field))
      if (!hasTime()) return
    }
  },
}

/** Clears a field in one batch of records; returns how many. */
async function clearSome(tx: Transaction, { id, fieldname, record_table: table }: RemovedField): Promise<number> {
  const holders = await tx.query<{ id: string }>(sql`
    select v.record_id as id from custom_field_values v
     where v.tenant_id = ${tx.tenantId} and v.field_id = ${id} limit ${literal(batchSize)}`)
  const ids = holders.map((holder) => holder.id)
  if (ids.length === 0) return 0
  await lockRows(tx, table, ids)
  tx.send(sql`
    update ${identifier(table)}
       set custom_fields = custom_fields - ${fieldname}::text, version = version + 1,
           updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and custom_fields ? ${fieldname}`)
  tx.send(sql`
    delete from custom_field_values
     where tenant_id = ${tx.tenantId} and field_id = ${id} and record_id = any(${ids}::uuid[])`)
  return ids.length
}

/** Deletes the entry of a cleared field after one minute, when every process has long reloaded the definitions. */
async function forgetCleared(tx: Transaction, { id }: RemovedField): Promise<void> {
  await tx.query(sql`
    delete from removed_custom_fields r
     where r.tenant_id = ${tx.tenantId} and r.id = ${id} and r.removed_at < current_stamp() - interval '1 minute'
       and not exists (select from custom_field_values v where v.tenant_id = r.tenant_id and v.field_id = r.id)`)
}
