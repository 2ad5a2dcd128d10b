export { reportMethods } from './report-methods.ts'
export { getRevealedTypes, reportRecords, reports } from './report-records.ts'
