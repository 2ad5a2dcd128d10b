export { type Arguments, CallResult, type FileStorage, RecordFile } from './call.ts'
export { clientReads } from './client-reads.ts'
export { clientWrites } from './client-writes.ts'
export { deskReads } from './desk-reads.ts'
export { searchMethods } from './desk-search.ts'
export { addProtocolRoutes } from './protocol-routes.ts'
export type { Records } from './record-calls.ts'
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
export { bodyLimits, type SentFile } from './request-arguments.ts'
export { sessionMethods } from './session-methods.ts'
