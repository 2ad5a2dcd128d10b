export { showCustomFields } from './custom-fields/client-routes.ts'
export { loadCustomFieldsOfAnswers, takenCustomFields } from './custom-fields/client-values.ts'
export { customFieldRecord } from './custom-fields/custom-field-rules.ts'
export { clearRemovedFieldsJob } from './custom-fields/removed-fields.ts'
export { recordsOfTenant } from './custom-fields/tenant-records.ts'
export { pauseForRows } from './lifecycle/many-rows.ts'
export { RecordEngine } from './lifecycle/record-engine.ts'
export { newRow } from './lifecycle/record-fields.ts'
export { loadNamingDay } from './lifecycle/record-naming.ts'
export { asProblem } from './lifecycle/record-problems.ts'
export { findVisible, getReading, type Reading, readExactly } from './lifecycle/record-reading.ts'
export {
  cancelRecord,
  createRecord,
  deleteRecord,
  mayChangeAll,
  mayDoWith,
  readRecord,
  readSentRecord,
  renameRecord,
  runRecordMethod,
  saveRecord,
  shownRecord,
  TakesLong,
  updateRecord,
} from './lifecycle/record-requests.ts'
export { emptyDocument } from './lifecycle/record-store.ts'
export type { RecordWork, SiteDefaults, WorkMessage } from './lifecycle/record-work.ts'
export { isOwn, requireOwn } from './lifecycle/rights/own-records.ts'
export { peopleNamedIn, ShownRecords } from './lifecycle/rights/shown-records.ts'
export { appendRow, deleteNamed, isRowType, readNamed, updateNamed } from './lifecycle/row-requests.ts'
export { ownValues, removeRow, sharedValues } from './lifecycle/shared-records.ts'
export type { SentRecord } from './lifecycle/submitted-record.ts'
export { safeMarkup } from './lifecycle/values/safe-markup.ts'
export { countUnreadableSecrets, encryptStoredSecrets, foreignSecrets } from './lifecycle/values/sealed-fields.ts'
export { followRenameByType } from './links/record-links.ts'
export { type Caller, callerOfUser, getCaller, isManager } from './model/caller.ts'
export { describedType, docTypeRecord } from './model/declarations/doc-types.ts'
export { declaredTables } from './model/drafting/declared-tables.ts'
export { draftMigration } from './model/drafting/draft-migration.ts'
export { getSum, isMissing, isTrue, readNumber, rounded } from './model/field-values.ts'
export { isHidden, shownTo } from './model/hidden-fields.ts'
export { parseJsonText } from './model/json-text.ts'
export { requireFewItems } from './model/list-argument.ts'
export { getRights, mayDo, missingRight, requireRight, rolesWith } from './model/permissions.ts'
export { recordChoices } from './model/record-choices.ts'
export {
  defineRecord,
  type RecordDefinition,
  type RecordStorage,
  type RecordView,
  type Rules,
} from './model/record-definition.ts'
export type { AnyDocument, RecordOf } from './model/record-document.ts'
export { RecordError } from './model/record-error.ts'
export { getRowName, hashName, nextOfSeries } from './model/record-names.ts'
export { RecordRegistry } from './model/record-registry.ts'
export { getNoun, getRowTable, getTable, getTableFields, getValueFields } from './model/record-tables.ts'
export { ownedElsewhereCode } from './model/system-of-record.ts'
export { addDays, daysBetween, getFiscalYear } from './model/tenant-clock.ts'
export { sentText } from './model/text-argument.ts'
export { readAlternatives, readFilters } from './query/filters/filters.ts'
export { jsonArgument, parsedJson } from './query/filters/json-argument.ts'
export {
  countRecords,
  type ListRow,
  listRecords,
  loadFieldValue,
  loadSingleFieldValue,
  openList,
  type RecordReader,
  recordReader,
} from './query/list-records.ts'
export { countRequest, type ListRequest, parseListRequest } from './query/list-request.ts'
export { countListed } from './query/listed-counts.ts'
export { seesNotes } from './query/note-columns.ts'
export { openRows, RowStream } from './query/row-stream.ts'
export {
  getLimit,
  hasOnlyPersonalRoles,
  isOnlyGuardian,
  isPerson,
  ownershipCondition,
  peopleOfCaller,
  readsOnlyItsOwn,
  requireAll,
  requireMoreThanGroups,
  requireReadableOf,
  requireRightOver,
  seesOnlySome,
} from './query/visibility/ownership.ts'
