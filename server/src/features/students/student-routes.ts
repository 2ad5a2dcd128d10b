import { customFieldResources, Student, studentOperations } from '@matricula/contract'
import { implement } from '../../http/implement.ts'
import { deletedRecords } from '../../platform/deleted-records.ts'
import { readPage } from '../../platform/lists.ts'
import { readOne } from '../../platform/reading.ts'
import { showCustomFields } from '../../records/index.ts'
import { students } from './student-store.ts'
import { createStudent, updateStudent, upsertStudent } from './students.ts'

export const studentRoutes = showCustomFields(
  customFieldResources.students,
  Student,
  implement(studentOperations, {
    listStudents: (database, { context, query }) => readPage(database, context.tenant.id, students, query),
    listDeletedStudents: (database, { context, query }) =>
      readPage(database, context.tenant.id, deletedRecords(students), query),
    getStudent: (database, { context, params }) => readOne(database, context.tenant.id, students, params.id),
    createStudent: (tx, { context, body }) => createStudent(tx, context, body),
    updateStudent: (tx, { context, params, body }) => updateStudent(tx, context, params.id, body),
    upsertStudentByExternalId: (tx, { context, params, body }) => upsertStudent(tx, context, params.externalId, body),
  }),
)
