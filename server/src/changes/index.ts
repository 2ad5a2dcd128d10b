export {
  type Change,
  changedFields,
  loadCount,
  recordAccess,
  recordChanges,
  recount,
  rememberChanges,
  storedCount,
} from './changes.ts'
export { type Disclosure, DisclosureLog, idsIn } from './disclosures.ts'
export type { RecordList } from './record-list.ts'
export {
  type Actor,
  type ChangeContext,
  changedProblem,
  matches,
  type OperationCaller,
  type Person,
  type RequestContext,
  requireMatch,
} from './request-context.ts'
export { SyncWatermark } from './sync-watermark.ts'
