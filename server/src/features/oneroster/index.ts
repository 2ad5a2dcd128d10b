export { type BundleCounts, writeBundle } from './csv/write-bundle.ts'
export { forgetRosterTracesJob } from './forget-roster-traces.ts'
export { addOneRoster } from './oneroster-routes.ts'
