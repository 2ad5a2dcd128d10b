import { importBounds } from '@matricula/contract'
import { type Database, literal, sql } from '../../../database/index.ts'
import { inBatches, type Job } from '../../../jobs/index.ts'
import type { FileStore } from '../../../storage/index.ts'
import { readCustomFields } from '../../../tenancy/custom-fields/index.ts'
import { removeFile } from './import-files.ts'
import type { ImportRunner } from './import-runner.ts'

const batchSize = 50

/** The job that does what killed processes have left of imports, and deletes uploaded files and what was read of them. */
export function importJobsJob(getRunner: (database: Database) => ImportRunner, store: FileStore): Job {
  return {
    name: 'imports',
    everySeconds: 30,
    run: async (database, tenant, hasTime = () => true) => {
      const customFields = await readCustomFields((statement) => database.read(tenant.id, statement), tenant.id)
      await getRunner(database).runAll({ ...tenant, systemOfRecord: tenant.sorByDomain, customFields }, hasTime)
      await inBatches(batchSize, hasTime, () => forgetOld(database, store, tenant.id))
    },
  }
}

/** Files go after some days; of what was imported stays that it was, without a word of the file, so that it can be undone. */
async function forgetOld(database: Database, store: FileStore, tenantId: string): Promise<number> {
  const old = await database.readSlowly<{ id: string; refused_file_id: string | null; is_done: boolean }>(
    tenantId,
    sql`
      select id, refused_file_id, status in ('imported', 'undone') as is_done from import_jobs
       where tenant_id = ${tenantId} and columns <> '[]' and status not in ('checking', 'importing', 'undoing')
         and updated_at < now() - make_interval(days => ${literal(importBounds.keptDays)})
       order by created_at, id limit ${literal(batchSize)}`,
  )
  for (const { id, refused_file_id: refusedId } of old) {
    await removeFile(store, tenantId, id)
    if (refusedId !== null) await removeFile(store, tenantId, refusedId)
  }
  const done = old.filter((each) => each.is_done).map(({ id }) => id)
  const others = old.filter((each) => !each.is_done).map(({ id }) => id)
  await database.transaction(tenantId, async (tx) => {
    tx.send(sql`delete from import_jobs where tenant_id = ${tenantId} and id = any (${others}::uuid[])`)
    tx.send(sql`
      update import_jobs
         set columns = '[]', mapping = '{}', kept = '[]', refused_file_id = null,
             report = report || '{"faults": [], "conflicts": [], "hasRefusedRows": false}'
       where tenant_id = ${tenantId} and id = any (${done}::uuid[])`)
  })
  return old.length
}
