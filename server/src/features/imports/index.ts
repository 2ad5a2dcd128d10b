export { inspectFile } from './files/open-file.ts'
export type { ImportCaller, ImportPlatform } from './import-session.ts'
export { readMapping } from './mapping.ts'
export { type ImportError, type ImportErrorCode, UnreadableFile } from './row-errors.ts'
export {
  type ImportReport,
  type ImportRequest,
  runImport,
  unreadableReport,
} from './run-import.ts'
export { listRuns, type StoredRun } from './runs.ts'
export { type UndoReport, undoImport } from './undo-import.ts'
