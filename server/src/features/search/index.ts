export { searchRoutes } from './console-search.ts'
