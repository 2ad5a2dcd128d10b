export { type ExportFolder, openExportFolder } from './exports/export-folder.ts'
export { type ExportedRecords, exportedKind } from './exports/export-kinds.ts'
export { exportedType } from './exports/export-records.ts'
export { exportParquet } from './exports/parquet/export-parquet.ts'
export { type AnalyticsSchedule, analyticsFilesJob } from './exports/scheduled-exports.ts'
export { type ExportFormat, exportFormats, writeRecordsFile } from './exports/write-export.ts'
export { inspectFile } from './files/open-file.ts'
export { getTemplate, importColumns } from './import-columns.ts'
export type { ImportCaller } from './import-session.ts'
export { findImportsNaming, forgetImports, ImportRunner, importJobsJob, importRoutes } from './jobs/index.ts'
export { readMapping } from './mapping.ts'
export { getRemedy, type ImportError, type ImportErrorCode, UnreadableFile } from './row-errors.ts'
export {
  type ImportReport,
  type ImportRequest,
  runImport,
  runImports,
  unreadableReport,
} from './run-import.ts'
export { listRuns, type StoredRun } from './runs.ts'
export { type UndoReport, undoImport } from './undo-import.ts'
