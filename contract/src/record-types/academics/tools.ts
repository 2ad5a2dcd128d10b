import { recordType } from '../record-type.ts'

export const courseSchedulingTool = recordType({
  name: 'Course Scheduling Tool',
  summary: 'Plans the lessons of a group in a course on some days of every week.',
  kind: 'single',
  naming: { by: 'type' },
  permissions: { 'Academics User': ['read', 'write', 'create'] },
  fields: {
    student_group: { type: 'Link', label: 'Student Group', target: 'Student Group', required: true },
    course: { type: 'Link', label: 'Course', target: 'Course', required: true },
    program: { type: 'Link', label: 'Program', target: 'Program', readOnly: true },
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year', readOnly: true },
    academic_term: { type: 'Link', label: 'Academic Term', target: 'Academic Term', readOnly: true },
    instructor: { type: 'Link', label: 'Instructor', target: 'Instructor', required: true },
    instructor_name: {
      type: 'Read Only',
      label: 'Instructor Name',
      readOnly: true,
      fetchFrom: 'instructor.instructor_name',
    },
    room: { type: 'Link', label: 'Room', target: 'Room', required: true },
    class_schedule_color: {
      type: 'Select',
      label: 'Class Schedule Color',
      options: ['blue', 'green', 'red', 'orange', 'yellow', 'teal', 'violet', 'cyan', 'amber', 'pink', 'purple'],
    },
    from_time: { type: 'Time', label: 'From Time', required: true },
    course_start_date: { type: 'Date', label: 'Course Start Date', required: true },
    to_time: { type: 'Time', label: 'To Time', required: true },
    course_end_date: { type: 'Date', label: 'Course End Date', required: true },
    reschedule: { type: 'Check', label: 'Reschedule', default: 0 },
  },
})

export const programEnrollmentToolStudent = recordType({
  name: 'Program Enrollment Tool Student',
  summary: 'Somebody who is to be enrolled.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    student_applicant: { type: 'Link', label: 'Student Applicant', target: 'Student Applicant' },
    student: { type: 'Link', label: 'Student', target: 'Student' },
    student_name: { type: 'Data', label: 'Student Name', readOnly: true },
    student_batch_name: { type: 'Link', label: 'Student Batch Name', target: 'Student Batch Name' },
    student_category: { type: 'Link', label: 'Student Category', target: 'Student Category', readOnly: true },
  },
})

export const programEnrollmentTool = recordType({
  name: 'Program Enrollment Tool',
  summary: 'Enrols many applicants or students at once.',
  kind: 'single',
  naming: { by: 'type' },
  permissions: { 'Education Manager': ['read', 'write', 'create'] },
  fields: {
    get_students_from: {
      type: 'Select',
      label: 'Get Students From',
      options: ['', 'Student Applicant', 'Program Enrollment'],
      required: true,
    },
    program: { type: 'Link', label: 'Program', target: 'Program', required: true },
    student_batch: { type: 'Link', label: 'Student Batch', target: 'Student Batch Name' },
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year', required: true },
    academic_term: { type: 'Link', label: 'Academic Term', target: 'Academic Term' },
    enrollment_date: { type: 'Date', label: 'Enrollment Date' },
    students: { type: 'Table', rows: programEnrollmentToolStudent, label: 'Students' },
    new_program: { type: 'Link', label: 'New Program', target: 'Program' },
    new_student_batch: { type: 'Link', label: 'New Student Batch', target: 'Student Batch Name' },
    new_academic_year: { type: 'Link', label: 'New Academic Year', target: 'Academic Year' },
    new_academic_term: { type: 'Link', label: 'New Academic Term', target: 'Academic Term' },
  },
})

export const studentPromotionStudent = recordType({
  name: 'Student Promotion Student',
  summary: 'What becomes of a student at the end of a year.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Data', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
    program_enrollment: { type: 'Data', label: 'Program Enrollment', readOnly: true },
    decision: {
      type: 'Select',
      label: 'Decision',
      options: ['Promote', 'Retain', 'Graduate', 'Exclude'],
      required: true,
    },
    outcome: {
      type: 'Select',
      label: 'Outcome',
      options: ['', 'Promoted', 'Retained', 'Graduated', 'Excluded', 'Already Enrolled', 'Refused'],
      readOnly: true,
    },
    message: { type: 'Small Text', label: 'Message', readOnly: true },
    new_enrollment: { type: 'Data', label: 'New Enrollment', readOnly: true },
    new_modified: { type: 'Data', label: 'Last Updated On', readOnly: true, hidden: true },
    ended_history: { type: 'Data', label: 'Enrollment History', readOnly: true, hidden: true },
    began_history: { type: 'Check', label: 'New', readOnly: true, hidden: true, default: 0 },
    former_joining_date: { type: 'Date', label: 'Joining Date', readOnly: true, hidden: true },
  },
})

export const studentPromotion = recordType({
  name: 'Student Promotion',
  summary: 'Moves the students of a program and year to the next ones, with a preview and an undo.',
  kind: 'plain',
  naming: { by: 'series', series: 'EDU-PRO-.YYYY.-.#####' },
  searchFields: ['program', 'academic_year'],
  permissions: { 'Education Manager': ['read', 'write', 'create', 'delete'] },
  fields: {
    program: { type: 'Link', label: 'Program', target: 'Program', required: true },
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year', required: true },
    academic_term: { type: 'Link', label: 'Academic Term', target: 'Academic Term' },
    student_batch: { type: 'Link', label: 'Student Batch', target: 'Student Batch Name' },
    new_program: { type: 'Link', label: 'New Program', target: 'Program', required: true },
    new_academic_year: { type: 'Link', label: 'New Academic Year', target: 'Academic Year', required: true },
    new_academic_term: { type: 'Link', label: 'New Academic Term', target: 'Academic Term' },
    new_student_batch: { type: 'Link', label: 'New Student Batch', target: 'Student Batch Name' },
    enrollment_date: { type: 'Date', label: 'Enrollment Date' },
    submit_enrollments: { type: 'Check', label: 'Submit Enrollments', default: 1 },
    students: { type: 'Table', rows: studentPromotionStudent, label: 'Students' },
    status: {
      type: 'Select',
      label: 'Status',
      options: ['Draft', 'Queued', 'Completed', 'Failed', 'Undo Queued', 'Undone'],
      readOnly: true,
      noCopy: true,
    },
    done: { type: 'Int', label: 'Done', readOnly: true, noCopy: true },
    total: { type: 'Int', label: 'Total', readOnly: true, noCopy: true },
    error_log: { type: 'Small Text', label: 'Error Log', readOnly: true, noCopy: true },
  },
})

export const studentGroupCreationToolCourse = recordType({
  name: 'Student Group Creation Tool Course',
  summary: 'A group that is to be made.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    group_based_on: { type: 'Select', label: 'Group Based On', options: ['', 'Batch', 'Course'], required: true },
    course: { type: 'Link', label: 'Course', target: 'Course' },
    batch: { type: 'Link', label: 'Batch', target: 'Student Batch Name' },
    student_group_name: { type: 'Data', label: 'Student Group Name', required: true },
    course_code: { type: 'Read Only', label: 'Course Code', readOnly: true, fetchFrom: 'course.course_name' },
    max_strength: { type: 'Int', label: 'Max Strength' },
  },
})

export const studentGroupCreationTool = recordType({
  name: 'Student Group Creation Tool',
  summary: 'Makes a group for every batch and course of a program.',
  kind: 'single',
  naming: { by: 'type' },
  permissions: { 'Education Manager': ['read', 'write', 'create'] },
  fields: {
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year', required: true },
    academic_term: { type: 'Link', label: 'Academic Term', target: 'Academic Term' },
    program: { type: 'Link', label: 'Program', target: 'Program', required: true },
    separate_groups: { type: 'Check', label: 'Separate course based Group for every Batch' },
    courses: { type: 'Table', rows: studentGroupCreationToolCourse, label: 'Courses', required: true },
  },
})

export const studentAttendanceTool = recordType({
  name: 'Student Attendance Tool',
  summary: 'Calls the roll of a group or a lesson.',
  kind: 'single',
  naming: { by: 'type' },
  permissions: { Instructor: ['read', 'write', 'create'], 'Academics User': ['read', 'write', 'create'] },
  fields: {
    based_on: { type: 'Select', label: 'Based On', options: ['Student Group', 'Course Schedule'] },
    group_based_on: {
      type: 'Select',
      label: 'Group Based On',
      options: ['Batch', 'Course', 'Activity'],
      default: 'Batch',
    },
    student_group: { type: 'Link', label: 'Student Group', target: 'Student Group', required: true },
    academic_year: {
      type: 'Link',
      label: 'Academic Year',
      target: 'Academic Year',
      readOnly: true,
      fetchFrom: 'student_group.academic_year',
    },
    academic_term: {
      type: 'Link',
      label: 'Academic Term',
      target: 'Academic Term',
      readOnly: true,
      fetchFrom: 'student_group.academic_term',
    },
    course_schedule: { type: 'Link', label: 'Course Schedule', target: 'Course Schedule', required: true },
    date: { type: 'Date', label: 'Date', required: true },
  },
})

export const assessmentResultTool = recordType({
  name: 'Assessment Result Tool',
  summary: 'Enters the results of a group in an assessment.',
  kind: 'single',
  naming: { by: 'type' },
  permissions: { 'Academics User': ['read', 'write', 'create'], Instructor: ['read', 'write', 'create'] },
  fields: {
    assessment_plan: { type: 'Link', label: 'Assessment Plan', target: 'Assessment Plan', required: true },
    student_group: { type: 'Link', label: 'Student Group', target: 'Student Group', required: true, readOnly: true },
  },
})

export const studentReportGenerationTool = recordType({
  name: 'Student Report Generation Tool',
  summary: 'Prints the report card of a student.',
  kind: 'single',
  naming: { by: 'type' },
  permissions: { 'System Manager': ['read', 'write', 'create'] },
  fields: {
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Read Only', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
    program: { type: 'Link', label: 'Program', target: 'Program', required: true },
    student_batch: { type: 'Link', label: 'Batch', target: 'Student Batch Name' },
    assessment_group: { type: 'Link', label: 'Assessment Group', target: 'Assessment Group', required: true },
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year', required: true },
    academic_term: { type: 'Link', label: 'Academic Term', target: 'Academic Term' },
    add_letterhead: { type: 'Check', label: 'Add letterhead', default: 1 },
    letter_head: { type: 'Link', label: 'Letter Head', target: 'Letter Head' },
    parents_meeting: { type: 'Data', label: 'Total Parents Teacher Meeting' },
    parents_attendance: { type: 'Data', label: 'No. of Meetings Attended by Parents' },
    show_marks: { type: 'Check', label: 'Show Marks', default: 0 },
    terms: { type: 'Link', label: 'Terms', target: 'Terms and Conditions' },
    assessment_terms: { type: 'Small Text', label: 'Assessment Terms', readOnly: true, fetchFrom: 'terms.terms' },
  },
})
