export { importCourse } from './course-import.ts'
export { courseMethods } from './course-methods.ts'
export { courseRecords } from './course-records.ts'
export { courseRoutes } from './course-routes.ts'
