export { timetableRecords } from './course-schedule.ts'
export { requireFreeStudents, requireNoOverlap } from './overlaps.ts'
export { timetableMethods } from './timetable-methods.ts'
