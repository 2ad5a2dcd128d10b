export { courseRoutes } from './course-routes.ts'
