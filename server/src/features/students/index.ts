export { retellStudents } from './student-contacts.ts'
export { studentRecords } from './student-records.ts'
export { requireStudentReference } from './student-ref.ts'
export { studentRoutes } from './student-routes.ts'
