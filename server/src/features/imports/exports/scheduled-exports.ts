import type { Job } from '../../../jobs/index.ts'
import { locationWithin, openExportFolder } from './export-folder.ts'
import { exportParquet } from './parquet/export-parquet.ts'

/** When analytics files are made without being asked for, and where they go. */
export interface AnalyticsSchedule {
  readonly everySeconds: number
  /** A folder, or `s3://bucket/prefix?endpoint=…&region=…`. */
  readonly to: string
}

/** The job that writes the tables of each institution as Parquet files, to a place of its own for each time. */
export function analyticsFilesJob({ everySeconds, to }: AnalyticsSchedule): Job {
  return {
    name: 'analytics-files',
    everySeconds,
    run: async (database, { id, slug }) => {
      const stamp = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`
      const target = await openExportFolder(locationWithin(to, `${slug}/${stamp}`))
      try {
        await exportParquet(database, id, target)
        await target.finish()
      } finally {
        await target.close()
      }
    },
  }
}
