export { reportMethods } from './report-methods.ts'
export { reportRecords } from './report-records.ts'
