import { Course, courseOperations, customFieldResources } from '@matricula/contract'
import { readOne } from '../../entities/index.ts'
import { implement } from '../../http/index.ts'
import { readPage } from '../../listing/index.ts'
import { showCustomFields } from '../../record-engine/index.ts'
import { courses } from './course-store.ts'

export const courseRoutes = showCustomFields(
  customFieldResources.courses,
  Course,
  implement(courseOperations, {
    listCourses: (database, { context, query }) => readPage(database, context.tenant.id, courses, query),
    getCourse: (database, { context, params }) => readOne(database, context.tenant.id, courses, params.id),
  }),
)
