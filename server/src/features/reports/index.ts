export { reportMethods } from './report-methods.ts'
export { reportRecords, reports, typesOf } from './report-records.ts'
