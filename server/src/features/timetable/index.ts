export { timetableRecords } from './course-schedule.ts'
export { type Occupied, requireNoOverlap } from './overlaps.ts'
export { timetableMethods } from './timetable-methods.ts'
