import { recordType } from '../record-type.ts'

export const instructorLog = recordType({
  name: 'Instructor Log',
  summary: 'Something that an instructor taught.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year', required: true },
    academic_term: { type: 'Link', label: 'Academic Term', target: 'Academic Term' },
    department: { type: 'Link', label: 'Department', target: 'Department' },
    program: { type: 'Link', label: 'Program', target: 'Program', required: true },
    course: { type: 'Link', label: 'Course', target: 'Course' },
    student_group: { type: 'Link', label: 'Student Group', target: 'Student Group' },
    other_details: { type: 'Small Text', label: 'Other details' },
  },
})

export const instructor = recordType({
  name: 'Instructor',
  summary: 'Somebody who teaches.',
  kind: 'plain',
  naming: { by: 'rule' },
  titleField: 'instructor_name',
  accountField: 'employee.user_id',
  permissions: {
    Instructor: ['read'],
    'Education Manager': ['read', 'write', 'create', 'delete'],
    'System Manager': ['read', 'write', 'create', 'delete'],
  },
  fields: {
    instructor_name: {
      type: 'Data',
      label: 'Instructor Name',
      required: true,
      fetchFrom: 'employee.employee_name',
      fetchIfEmpty: true,
    },
    employee: { type: 'Link', label: 'Employee', target: 'Employee' },
    gender: { type: 'Link', label: 'Gender', target: 'Gender', fetchFrom: 'employee.gender' },
    email: { type: 'Data', label: 'Email' },
    status: { type: 'Select', label: 'Status', options: ['Active', 'Left'], default: 'Active' },
    naming_series: { type: 'Select', label: 'Naming Series', options: ['EDU-INS-.YYYY.-'], setOnlyOnce: true },
    department: {
      type: 'Link',
      label: 'Department',
      target: 'Department',
      createMissing: true,
      fetchFrom: 'employee.department',
    },
    image: { type: 'Attach Image', label: 'Image', hidden: true },
    instructor_log: { type: 'Table', rows: instructorLog, label: 'Instructor Log' },
  },
})
