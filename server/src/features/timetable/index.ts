export { timetableRecords } from './course-schedule.ts'
export { type Occupied, requireNoOverlap } from './overlaps.ts'
