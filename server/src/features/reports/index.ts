export { reportMethods } from './report-methods.ts'
export { getTypes, reportRecords, reports } from './report-records.ts'
