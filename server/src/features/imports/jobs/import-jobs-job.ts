import { importBounds } from '@matricula/contract'
import { type Database, literal, sql } from '../../../database/index.ts'
import { inBatches, type Job } from '../../../jobs/index.ts'
import type { FileStore } from '../../../storage/index.ts'
import { readCustomFields } from '../../../tenancy/custom-fields/index.ts'
import { forgetImports, listStoredImports } from './forget-files.ts'
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

/** Files go after some days. */
async function forgetOld(database: Database, store: FileStore, tenantId: string): Promise<number> {
  const isOld = sql`updated_at < now() - make_interval(days => ${literal(importBounds.keptDays)})`
  const old = await listStoredImports(database, tenantId, isOld, batchSize)
  await forgetImports(database, store, tenantId, old)
  return old.length
}
