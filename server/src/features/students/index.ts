export { changePersonOfStudents } from './student-contacts.ts'
export { requireStudentReference } from './student-ref.ts'
export { studentRoutes } from './student-routes.ts'
