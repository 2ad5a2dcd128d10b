import { recordType } from '../record-type.ts'
import { programFee } from './programs.ts'

export const programEnrollmentCourse = recordType({
  name: 'Program Enrollment Course',
  summary: 'A course that a student takes within a program.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    course: { type: 'Link', label: 'Course', target: 'Course', required: true },
    course_name: { type: 'Data', label: 'Course Name', readOnly: true, fetchFrom: 'course.course_name' },
  },
})

export const programEnrollment = recordType({
  name: 'Program Enrollment',
  summary: 'A student in a program for a year or a term.',
  domain: 'enrollment',
  kind: 'submittable',
  naming: { by: 'series', series: 'EDU-ENR-.YYYY.-.#####' },
  titleField: 'student_name',
  permissions: {
    'Academics User': ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend'],
    Student: ['read'],
    Guardian: ['read'],
  },
  fields: {
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Read Only', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
    enrollment_date: { type: 'Date', label: 'Enrollment Date', required: true, default: 'Today' },
    program: { type: 'Link', label: 'Program', target: 'Program', required: true },
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year', required: true },
    academic_term: { type: 'Link', label: 'Academic Term', target: 'Academic Term' },
    image: { type: 'Attach Image', label: 'Image', hidden: true },
    student_category: { type: 'Link', label: 'Student Category', target: 'Student Category' },
    student_batch_name: { type: 'Link', label: 'Student Batch', target: 'Student Batch Name', allowOnSubmit: true },
    school_house: { type: 'Link', label: 'School House', target: 'School House', allowOnSubmit: true },
    boarding_student: { type: 'Check', label: 'Boarding Student', default: 0 },
    courses: { type: 'Table', rows: programEnrollmentCourse, label: 'Courses', allowOnSubmit: true },
    fees: { type: 'Table', rows: programFee, label: 'Fees' },
    amended_from: { type: 'Link', label: 'Amended From', target: 'Program Enrollment', readOnly: true, noCopy: true },
  },
})

export const enrollmentHistory = recordType({
  name: 'Enrollment History',
  plural: 'enrollment_history',
  summary: 'When a student entered a program and left it, and why.',
  kind: 'plain',
  naming: { by: 'series', series: 'EDU-EEH-.YYYY.-.#####' },
  titleField: 'student_name',
  searchFields: ['student', 'student_name', 'program'],
  permissions: { 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Read Only', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
    program: { type: 'Link', label: 'Program', target: 'Program', required: true },
    program_enrollment: { type: 'Link', label: 'Program Enrollment', target: 'Program Enrollment' },
    entry_date: { type: 'Date', label: 'Entry Date', required: true },
    entry_code: {
      type: 'Select',
      label: 'Entry Code',
      options: ['New', 'Re-entry', 'Promotion', 'Retention', 'Transfer In', 'Other'],
      required: true,
    },
    exit_date: {
      type: 'Date',
      label: 'Exit Date',
      description: 'From this day on the student is not in the program any more.',
    },
    exit_code: {
      type: 'Select',
      label: 'Exit Code',
      options: [
        '',
        'Promotion',
        'Retention',
        'Graduation',
        'Transfer Out',
        'Withdrawal',
        'Expulsion',
        'Death',
        'Enrollment Cancelled',
        'Other',
      ],
    },
    remarks: { type: 'Small Text', label: 'Remarks' },
  },
})

export const courseEnrollment = recordType({
  name: 'Course Enrollment',
  summary: 'A student in a course.',
  domain: 'enrollment',
  kind: 'plain',
  naming: { by: 'format', format: 'EDU-CE-{YYYY}-{#####}' },
  reachedBy: { student: 'student' },
  permissions: { 'Academics User': ['read', 'write', 'create', 'delete'], Instructor: ['read'] },
  fields: {
    program_enrollment: {
      type: 'Link',
      label: 'Program Enrollment',
      target: 'Program Enrollment',
      required: true,
      setOnlyOnce: true,
    },
    program: { type: 'Data', label: 'Program', readOnly: true, fetchFrom: 'program_enrollment.program' },
    enrollment_date: { type: 'Date', label: 'Enrollment Date', required: true, setOnlyOnce: true },
    course: { type: 'Link', label: 'Course', target: 'Course', required: true, setOnlyOnce: true },
    student: { type: 'Link', label: 'Student', target: 'Student', required: true, setOnlyOnce: true },
    student_name: { type: 'Data', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
  },
})

export const courseActivity = recordType({
  name: 'Course Activity',
  summary: 'Something that a student did in a course.',
  kind: 'plain',
  naming: { by: 'format', format: 'EDU-CA-{YYYY}-{#####}' },
  reachedBy: { student: 'student' },
  permissions: { 'Academics User': ['read', 'write', 'create', 'delete'], Instructor: ['read'] },
  fields: {
    enrollment: {
      type: 'Link',
      label: 'Course Enrollment',
      target: 'Course Enrollment',
      required: true,
      setOnlyOnce: true,
    },
    course: {
      type: 'Data',
      label: 'Course',
      required: true,
      readOnly: true,
      fetchFrom: 'enrollment.course',
      setOnlyOnce: true,
    },
    student: {
      type: 'Data',
      label: 'Student',
      required: true,
      readOnly: true,
      fetchFrom: 'enrollment.student',
      setOnlyOnce: true,
    },
    content_type: {
      type: 'Select',
      label: 'Content Type',
      options: ['', 'Article', 'Video'],
      required: true,
      setOnlyOnce: true,
    },
    content: { type: 'Dynamic Link', label: 'Content', typeField: 'content_type', required: true, setOnlyOnce: true },
    activity_date: { type: 'Datetime', label: 'Activity Date', required: true, setOnlyOnce: true },
  },
})
