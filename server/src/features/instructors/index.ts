export { instructorRecords } from './instructor-records.ts'
export { instructorsOfCaller } from './instructors-of-caller.ts'
