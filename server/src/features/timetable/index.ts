export { timetableRecords } from './course-schedule.ts'
export { requireNoOverlap } from './overlaps.ts'
export { timetableMethods } from './timetable-methods.ts'
