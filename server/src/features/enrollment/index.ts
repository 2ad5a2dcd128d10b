import type { RecordDefinition } from '../../record-engine/index.ts'
import { courseEnrollmentRecord } from './course-enrollment.ts'
import { enrollmentHistoryRecord } from './enrollment-history.ts'
import { programEnrollmentRecord } from './program-enrollment.ts'

export { findCurrentEnrollment, findYearOfStudent } from './current-enrollment.ts'
export { type EnrollmentSelection, enabledByName, enrolledStudents } from './enrolled-students.ts'
export { recordExit } from './enrollment-history.ts'
export { enrollmentMethods } from './enrollment-methods.ts'
export { searchParameters, searchStudents } from './link-search.ts'
export { callingStudent } from './self-enrollment.ts'

/** The record types of enrolments. */
export const enrollmentRecords: readonly RecordDefinition[] = [
  programEnrollmentRecord,
  courseEnrollmentRecord,
  enrollmentHistoryRecord,
]
