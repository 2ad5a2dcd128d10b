import { recordType } from './record-type.ts'

export const studentAttendance = recordType({
  name: 'Student Attendance',
  summary: 'Whether a student was there on a day or in a lesson.',
  kind: 'submittable',
  naming: { by: 'series', series: 'EDU-ATT-.YYYY.-#####' },
  titleField: 'student_name',
  permissions: {
    'Academics User': ['read', 'write', 'create', 'delete', 'submit', 'cancel'],
    Student: ['read', 'write', 'create', 'submit'],
    Guardian: ['read'],
  },
  fields: {
    naming_series: { type: 'Select', label: 'Series', options: ['EDU-ATT-.YYYY.-'] },
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Read Only', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
    student_mobile_number: {
      type: 'Read Only',
      label: 'Student Mobile Number',
      readOnly: true,
      fetchFrom: 'student.student_mobile_number',
    },
    course_schedule: { type: 'Link', label: 'Course Schedule', target: 'Course Schedule' },
    student_group: { type: 'Link', label: 'Student Group', target: 'Student Group' },
    date: { type: 'Date', label: 'Date', required: true },
    status: {
      type: 'Select',
      label: 'Status',
      options: ['Present', 'Absent', 'Leave'],
      required: true,
      default: 'Present',
      allowOnSubmit: true,
    },
    leave_application: {
      type: 'Link',
      label: 'Leave Application',
      target: 'Student Leave Application',
      readOnly: true,
    },
    amended_from: { type: 'Link', label: 'Amended From', target: 'Student Attendance', readOnly: true, noCopy: true },
    link_nvfk: { type: 'Link', label: 'Program', target: 'Program', fetchFrom: 'student_group.program' },
  },
})

export const studentLeaveApplication = recordType({
  name: 'Student Leave Application',
  summary: 'Days on which a student asks to be away.',
  kind: 'submittable',
  naming: { by: 'series', series: 'EDU-SLA-.YYYY.-.#####' },
  titleField: 'student_name',
  permissions: {
    Instructor: ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend'],
    'Academics User': ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend'],
    Student: ['read', 'create'],
    Guardian: ['read'],
  },
  fields: {
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Read Only', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
    from_date: { type: 'Date', label: 'From Date', required: true },
    to_date: { type: 'Date', label: 'To Date', required: true },
    total_leave_days: { type: 'Float', label: 'Total Leave Days', readOnly: true },
    attendance_based_on: {
      type: 'Select',
      label: 'Attendance Based On',
      options: ['Student Group', 'Course Schedule'],
      default: 'Student Group',
    },
    student_group: { type: 'Link', label: 'Student Group', target: 'Student Group' },
    course_schedule: { type: 'Link', label: 'Course Schedule', target: 'Course Schedule' },
    mark_as_present: { type: 'Check', label: 'Mark as Present', default: 0 },
    reason: { type: 'Text', label: 'Reason' },
    amended_from: {
      type: 'Link',
      label: 'Amended From',
      target: 'Student Leave Application',
      readOnly: true,
      noCopy: true,
    },
  },
})
