export {
  CallResult,
  type FileStorage,
  type Page,
  type PageAnswer,
  type PageCall,
  RecordFile,
} from './call.ts'
export { clientReads } from './client-reads.ts'
export { clientWrites } from './client-writes.ts'
export { deskExports } from './desk-exports.ts'
export { deskReads } from './desk-reads.ts'
export { searchMethods } from './desk-search.ts'
export { requireResetKey, resetPassword, updatePassword } from './password-methods.ts'
export { addProtocolRoutes } from './protocol-routes.ts'
export { mayCall, type Records } from './record-calls.ts'
export {
  type AnyMethod,
  type MethodDeclaration,
  methodsByPath,
  type Parameter,
  type RecordMethod,
  readingMethod,
  recordMethod,
  type StagedCall,
  type StagedMethod,
  stagedMethod,
} from './record-method.ts'
export { asRecordError } from './refusals.ts'
export { bodyLimits, type SentFile } from './request-arguments.ts'
export { homePageOf, paused, refusedLogIn } from './session-answers.ts'
export { stepCookie } from './session-cookies.ts'
export { logInByCode, logInByPassword, logOut, sessionMethods } from './session-methods.ts'
export type { TenantPages } from './tenant-pages.ts'
