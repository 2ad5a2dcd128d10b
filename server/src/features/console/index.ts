export { limitAfter, lockRole, nothingTaken, readLimits, saveLimit } from './access-rules.ts'
export { consoleRoutes } from './console-routes.ts'
