import { Course, courseOperations, customFieldResources } from '@matricula/contract'
import { implement } from '../../http/implement.ts'
import { readPage } from '../../platform/lists.ts'
import { readOne } from '../../platform/reading.ts'
import { showCustomFields } from '../../records/index.ts'
import { courses } from './course-store.ts'

export const courseRoutes = showCustomFields(
  customFieldResources.courses,
  Course,
  implement(courseOperations, {
    listCourses: (database, { context, query }) => readPage(database, context.tenant.id, courses, query),
    getCourse: (database, { context, params }) => readOne(database, context.tenant.id, courses, params.id),
  }),
)
