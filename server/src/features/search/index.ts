export { searchRoutes } from './console-search.ts'
export { searchEntriesJob } from './waiting-entries.ts'
