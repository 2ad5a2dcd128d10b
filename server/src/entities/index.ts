export {
  asWritten,
  findMany,
  findOne,
  type Locked,
  lockKeyed,
  lockOne,
  type ReadDefinition,
  readBack,
  readOne,
  requireLocked,
  type Versioned,
  versioned,
} from './entity-reads.ts'
export { followRename } from './follow-rename.ts'
export {
  nextInSeries,
  nextManyInSeries,
  nextNames,
  passInSeries,
  passManyInSeries,
  SeriesNames,
} from './naming-series.ts'
export { RecentInserts } from './recent-inserts.ts'
export {
  type Columns,
  type Kept,
  type NewValues,
  type StoredFields,
  type StoredRow,
  storedFields,
  storedTable,
  toRecordset,
} from './stored-fields.ts'
export { findTakenProblem, takenProblem, type UniqueValue } from './unique-values.ts'
export {
  createOrChange,
  leavesUnchanged,
  lockAll,
  lookUpAll,
  prepareUpsert,
  readLocked,
  type Upsert,
  type Upserted,
  type Upserting,
  whichAreThere,
} from './upserting.ts'
