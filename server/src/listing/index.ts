export { deletedRecords, forgetDeletedRecordsJob } from './deleted-records.ts'
export type { Expiry, FiltersOf, ListDefinition, Page, WalkPage } from './list-definition.ts'
export { readPage } from './lists.ts'
export { getCursor, isPage, parseCursor, partsOfCursor } from './page-cursor.ts'
