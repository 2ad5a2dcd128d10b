export { guardianRecords } from './guardian-records.ts'
