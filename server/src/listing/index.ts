export { deletedRecords, forgetDeletedRecordsJob } from './deleted-records.ts'
export type { FiltersOf, Lapse, ListDefinition, Page, WalkPage } from './list-definition.ts'
export { readPage } from './lists.ts'
export { cursorOf, isPage, parseCursor, partsOfCursor } from './page-cursor.ts'
