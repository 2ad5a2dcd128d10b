export { importCourse } from './course-import.ts'
export { courseRoutes } from './course-routes.ts'
