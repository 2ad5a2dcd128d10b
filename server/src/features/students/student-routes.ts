import { customFieldResources, Student, studentOperations } from '@matricula/contract'
import { implement } from '../../http/implement.ts'
import { type UpsertPlatform, upsertsOf } from '../../http/upserts.ts'
import { deletedRecords } from '../../platform/deleted-records.ts'
import { readPage } from '../../platform/lists.ts'
import { readOne } from '../../platform/reading.ts'
import { showCustomFields } from '../../records/index.ts'
import { students } from './student-store.ts'
import { prepareCreate, studentUpserting, updateStudent } from './students.ts'

/** The operations of students. */
export const studentRoutes = (platform: UpsertPlatform) => {
  const upserts = upsertsOf(studentUpserting, studentOperations.upsertStudentByExternalId, platform)
  const routes = implement(studentOperations, {
    listStudents: (database, { context, query }) => readPage(database, context.tenant.id, students, query),
    listDeletedStudents: (database, { context, query }) =>
      readPage(database, context.tenant.id, deletedRecords(students), query),
    getStudent: (database, { context, params }) => readOne(database, context.tenant.id, students, params.id),
    createStudent: { prepare: (_, { context, body }) => prepareCreate(platform.names, context, body) },
    updateStudent: (tx, { context, params, body }) => updateStudent(tx, context, params.id, body),
    upsertStudentByExternalId: upserts.one,
    batchStudents: upserts.batch,
  })
  return showCustomFields(customFieldResources.students, Student, routes)
}
