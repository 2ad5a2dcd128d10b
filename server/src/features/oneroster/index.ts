export { forgetRosterTracesJob } from './forget-roster-traces.ts'
export { addOneRoster } from './oneroster-routes.ts'
