export { pluralOf } from './plurals.ts'

/** A section of the navigation, most used types first. */
export interface NavigationGroup {
  readonly id: 'students' | 'admissions' | 'teaching' | 'attendance' | 'assessment' | 'fees' | 'people' | 'setup'
  readonly types: readonly string[]
}

/** Types without an entry in the navigation: parts of other records, or internal ones. */
export const withoutPlace: readonly string[] = ['Comment', 'DocType', 'Report', 'Tag Link']

/** Where staff find each record type. A type that no group names is under set-up. */
export const navigation: readonly NavigationGroup[] = [
  {
    id: 'students',
    types: [
      'Student',
      'Guardian',
      'Program Enrollment',
      'Enrollment History',
      'Student Promotion',
      'Course Enrollment',
      'Student Group',
      'Waiting List Entry',
      'Student Log',
    ],
  },
  { id: 'admissions', types: ['Student Applicant', 'Student Admission'] },
  { id: 'teaching', types: ['Program', 'Course', 'Course Schedule', 'Topic', 'Article', 'Quiz', 'Question', 'Room'] },
  { id: 'attendance', types: ['Student Attendance', 'Student Leave Application', 'Attendance Code', 'Holiday List'] },
  {
    id: 'assessment',
    types: [
      'Assessment Plan',
      'Assessment Result',
      'Marks Posting',
      'Mark Correction',
      'Issued Report Card',
      'Transfer Credit',
      'Assessment Group',
      'Assessment Criteria',
      'Grading Scale',
    ],
  },
  { id: 'fees', types: ['Fees', 'Payment Record', 'Fee Schedule', 'Fee Structure', 'Fee Category', 'GL Entry'] },
  { id: 'people', types: ['Instructor', 'Employee', 'User', 'ToDo'] },
  {
    id: 'setup',
    types: [
      'Academic Year',
      'Academic Term',
      'Student Category',
      'Student Batch Name',
      'School House',
      'Education Settings',
      'Custom Field',
    ],
  },
]
