export { searchRoutes } from './console-search.ts'
export { searchEntriesJob, takeAllWaiting } from './waiting-entries.ts'
