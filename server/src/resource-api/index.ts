export { deskExports } from './exports/desk-exports.ts'
export { xlsxOfRows } from './exports/xlsx-rows.ts'
export { bulkMethods } from './methods/bulk-methods.ts'
export { clientReads } from './methods/client-reads.ts'
export { clientWrites } from './methods/client-writes.ts'
export { deskReads } from './methods/desk-reads.ts'
export { searchMethods } from './methods/desk-search.ts'
export { discoveryMethods } from './methods/discovery.ts'
export { formWrites } from './methods/form-writes.ts'
export { linkedMethods } from './methods/linked-records.ts'
export {
  CallResult,
  type FileStorage,
  type Page,
  type PageCall,
  type PageResponse,
  RecordFile,
} from './protocol/call.ts'
export { asRecordError } from './protocol/error-responses.ts'
export { addProtocolRoutes } from './protocol/protocol-routes.ts'
export { mayCall, type Records } from './protocol/record-calls.ts'
export {
  type AnyMethod,
  methodsByPath,
  type Parameter,
  type RecordMethod,
  readingMethod,
  recordMethod,
  type StagedCall,
  type StagedMethod,
  stagedMethod,
} from './protocol/record-method.ts'
export { bodyLimits, type SentFile } from './protocol/request-arguments.ts'
export type { TenantPages } from './protocol/tenant-pages.ts'
export { addRecordReferenceRoutes } from './reference/record-reference-routes.ts'
export { requireResetKey, resetPassword, updatePassword } from './sessions/password-methods.ts'
export { stepCookie } from './sessions/session-cookies.ts'
export { logInByCode, logInByPassword, logOut, sessionMethods } from './sessions/session-methods.ts'
export { getHomePage, paused, rejectedLogIn } from './sessions/session-responses.ts'
