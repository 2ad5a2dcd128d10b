import type { ImportKindName } from './import-kinds.ts'

/** The roles of which somebody needs one to import files in the console. */
export const importRoles = [
  'Education Manager',
  'Academics User',
  'Accounts Manager',
  'Accounts User',
  'Admissions Officer',
] as const

/** What opens a kind to somebody: rights to all records of a type, or a scope. */
interface KindRight {
  readonly type: string | null
  readonly scope?: 'payments:write'
  /** Whether its records are submitted, which is a right of its own. */
  readonly isSubmitted?: true
}

/** Who may import which kind. */
export const importRights: Readonly<Record<ImportKindName, KindRight>> = {
  students: { type: 'Student' },
  applications: { type: 'Student Applicant' },
  contacts: { type: 'Guardian' },
  payments: { type: null, scope: 'payments:write' },
  programs: { type: 'Program' },
  courses: { type: 'Course' },
  enrollments: { type: 'Program Enrollment', isSubmitted: true },
  attendance: { type: 'Student Attendance', isSubmitted: true },
  'assessment-results': { type: 'Assessment Result', isSubmitted: true },
}
