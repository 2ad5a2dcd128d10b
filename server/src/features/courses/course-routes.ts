import { courseOperations } from '@matricula/contract'
import { implement } from '../../http/implement.ts'
import { readPage } from '../../platform/lists.ts'
import { readOne } from '../../platform/reading.ts'
import { courses } from './course-store.ts'

export const courseRoutes = implement(courseOperations, {
  listCourses: (database, { context, query }) => readPage(database, context.tenant.id, courses, query),
  getCourse: (database, { context, params }) => readOne(database, context.tenant.id, courses, params.id),
})
