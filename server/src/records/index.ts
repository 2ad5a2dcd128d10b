export { type Caller, callerOf, isManager } from './caller.ts'
export { showCustomFields } from './custom-fields/client-routes.ts'
export { customFieldsOfAnswers, takenCustomFields } from './custom-fields/client-values.ts'
export { customFieldRecord } from './custom-fields/custom-field-rules.ts'
export { clearRemovedFieldsJob } from './custom-fields/removed-fields.ts'
export { docTypeRecord } from './declarations/doc-types.ts'
export { declaredTables } from './drafting/declared-tables.ts'
export { draftMigration } from './drafting/draft-migration.ts'
export { isMissing, rounded, sumOf, toNumber } from './field-values.ts'
export { isHidden } from './hidden-fields.ts'
export { isOwn, requireOwn } from './own-records.ts'
export { mayDo, missingRight, rightsOf, rolesWith } from './permissions.ts'
export {
  type AnyMethod,
  addProtocolRoutes,
  asRecordError,
  bodyLimits,
  CallResult,
  clientReads,
  clientWrites,
  deskExports,
  deskReads,
  type FileStorage,
  homePageOf,
  logInByCode,
  logInByPassword,
  logOut,
  mayCall,
  methodsByPath,
  type Page,
  type PageAnswer,
  type PageCall,
  type Parameter,
  paused,
  RecordFile,
  type RecordMethod,
  type Records,
  readingMethod,
  recordMethod,
  refusedLogIn,
  requireResetKey,
  resetPassword,
  type SentFile,
  type StagedCall,
  type StagedMethod,
  searchMethods,
  sessionMethods,
  stagedMethod,
  stepCookie,
  type TenantPages,
  updatePassword,
} from './protocol/index.ts'
export { jsonArgument, parsedJson } from './query/json-argument.ts'
export { countRecords, type ListRow, listRecords, openList } from './query/list-records.ts'
export { countRequest, parseListRequest } from './query/list-request.ts'
export { seesNotes } from './query/note-columns.ts'
export {
  hasOnlyPersonalRoles,
  isPerson,
  limitOf,
  ownershipCondition,
  peopleOfCaller,
  readsOnlyItsOwn,
  requireAll,
  requireMoreThanGroups,
  requireReadableOf,
  requireRightOver,
  seesOnlySome,
} from './query/ownership.ts'
export { openRows, RowStream } from './query/row-stream.ts'
export { recordChoices } from './record-choices.ts'
export {
  defineRecord,
  type RecordDefinition,
  type RecordStorage,
  type RecordView,
  type Rules,
} from './record-definition.ts'
export type { AnyDocument, RecordOf } from './record-document.ts'
export { RecordEngine } from './record-engine.ts'
export { RecordError } from './record-error.ts'
export { newRow } from './record-fields.ts'
export { followRenameByType } from './record-links.ts'
export { nextOfSeries, rowNameOf } from './record-names.ts'
export { namingDayOf } from './record-naming.ts'
export { findVisible, type Reading, readingOf } from './record-reading.ts'
export { RecordRegistry } from './record-registry.ts'
export {
  cancelRecord,
  createRecord,
  deleteRecord,
  readRecord,
  shownRecord,
  updateRecord,
} from './record-requests.ts'
export { emptyDocument } from './record-store.ts'
export { nounOf, rowTableOf, tableFieldsOf, tableOf, valueFieldsOf } from './record-tables.ts'
export type { RecordWork, SiteDefaults } from './record-work.ts'
export { addRecordReferenceRoutes } from './reference/record-reference-routes.ts'
export { safeMarkup } from './safe-markup.ts'
export { countUnreadableSecrets, foreignSecrets, sealStoredSecrets } from './sealed-fields.ts'
export { requireFewItems } from './sent-list.ts'
export { sentText } from './sent-text.ts'
export { ownValues, removeRow, sharedValues } from './shared-records.ts'
export { addDays, daysBetween, fiscalYearOf } from './tenant-clock.ts'
