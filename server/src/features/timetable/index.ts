export { timetableRecords } from './course-schedule.ts'
export { requireFreeStudents, requireNoOverlap } from './overlaps.ts'
export { ownTimetableRoutes } from './own-timetable.ts'
export { timetableMethods } from './timetable-methods.ts'
