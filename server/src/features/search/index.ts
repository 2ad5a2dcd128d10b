export { searchRoutes } from './console-search.ts'
export { searchPeople } from './people-search.ts'
export { searchEntriesJob, takeAllWaiting } from './waiting-entries.ts'
