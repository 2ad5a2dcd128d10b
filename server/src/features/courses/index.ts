export { importCourse } from './course-import.ts'
export { courseRecords } from './course-records.ts'
export { courseRoutes } from './course-routes.ts'
