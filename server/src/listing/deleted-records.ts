import { type DeletedRecord, deletedRecordDays, type Static } from '@matricula/contract'
import type { RecordList } from '../changes/index.ts'
import { literal, type Sql, sql } from '../database/index.ts'
import { inBatches, type Job } from '../jobs/index.ts'
import type { ListDefinition } from './list-definition.ts'

interface DeletedRow {
  id: string
  total: number
  external_id: string | null
  merged_into: string | null
  created_at: string
}

/** The deleted records of a list, in the order of deletion. `recordChanges` writes them. */
export function deletedRecords({ entityType, noun }: RecordList): ListDefinition<DeletedRow, DeletedRecordItem> {
  return {
    entityType,
    noun: `deleted ${noun}`,
    table: 'deleted_records',
    alias: 'd',
    within: sql`d.entity_type = ${entityType}`,
    stampedBy: 'deleted_at',
    select: (tenantId: string, condition: Sql) => sql`
      select d.id, d.external_id, d.merged_into, d.deleted_at as created_at
        from deleted_records d
       where d.tenant_id = ${tenantId} and d.entity_type = ${entityType} and ${condition}`,
    toRecord: ({ id, external_id, merged_into, created_at }) => {
      return { id, externalId: external_id, deletedAt: created_at, mergedInto: merged_into }
    },
    versions: () => [],
    filters: {},
  }
}

type DeletedRecordItem = Static<typeof DeletedRecord>

/** Batch size: deletions per transaction. */
const batchSize = 1000

/** Deletes tombstones older than the retention of the contract. */
export const forgetDeletedRecordsJob: Job = {
  name: 'forget-deleted-records',
  everySeconds: 6 * 3600,
  run: async (database, tenant, hasTime = () => true) =>
    inBatches(batchSize, hasTime, async () => {
      const forgotten = await database.transaction(tenant.id, (tx) =>
        tx.query(sql`
          delete from deleted_records
           where tenant_id = ${tx.tenantId}
             and (entity_type, id) in (
                   select entity_type, id from deleted_records
                    where tenant_id = ${tx.tenantId}
                      and deleted_at < now() - make_interval(days => ${literal(deletedRecordDays)})
                    limit ${literal(batchSize)})
          returning 1 as forgotten`),
      )
      return forgotten.length
    }),
}
