import { customFieldResources, Student, studentOperations } from '@matricula/contract'
import { readOne } from '../../entities/index.ts'
import { getUpserts, implement, type UpsertPlatform } from '../../http/index.ts'
import { deletedRecords, readPage } from '../../listing/index.ts'
import { showCustomFields } from '../../record-engine/index.ts'
import { students } from './student-store.ts'
import { prepareCreate, studentUpserting, updateStudent } from './students.ts'

/** The operations of students. */
export const studentRoutes = (platform: UpsertPlatform) => {
  const upserts = getUpserts(studentUpserting, studentOperations.upsertStudentByExternalId, platform)
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
