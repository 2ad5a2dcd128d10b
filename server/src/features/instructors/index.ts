export { instructorRecords } from './instructor-records.ts'
