import { DisclosureLog } from '../../../changes/index.ts'
import type { Job } from '../../../jobs/index.ts'
import { discloseEverybody } from '../../disclosures/index.ts'
import { locationWithin, openExportFolder } from './export-folder.ts'
import { exportParquet } from './parquet/export-parquet.ts'
import { findTables } from './parquet/parquet-tables.ts'

/** When analytics files are made without being asked for, and where they go. */
export interface AnalyticsSchedule {
  readonly everySeconds: number
  /** A folder, or `s3://bucket/prefix?endpoint=…&region=…`. */
  readonly to: string
}

/**
 * The job that writes the tables of each institution as Parquet files, to a place of its own for each time. Each run is recorded as a
 * disclosure of everything about everybody, with where the files went and how many tables they are, before the first file is written.
 */
export function analyticsFilesJob(
  { everySeconds, to }: AnalyticsSchedule,
  log: ConstructorParameters<typeof DisclosureLog>[1],
): Job {
  return {
    name: 'analytics-files',
    everySeconds,
    run: async (database, tenant) => {
      const { id, slug } = tenant
      const stamp = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`
      const location = locationWithin(to, `${slug}/${stamp}`)
      const target = await openExportFolder(location)
      const disclosures = new DisclosureLog(database, log)
      try {
        const tables = (await findTables(database, id)).length
        const actor = { type: 'system', id: null, name: 'analytics files' } as const
        await discloseEverybody(database, (disclosure) => disclosures.add(disclosure), {
          context: { tenant, actor, requestId: null, address: null },
          surface: 'export',
          operation: 'analytics files',
          // Without the query of a bucket's address, which says only how it is reached.
          filter: { kind: 'parquet', tables, to: location.split('?', 1)[0] },
        })
        await disclosures.close()
        await exportParquet(database, id, target)
        await target.finish()
      } finally {
        await target.close()
      }
    },
  }
}
