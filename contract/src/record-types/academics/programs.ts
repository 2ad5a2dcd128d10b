import { recordType } from '../record-type.ts'

export const programCourse = recordType({
  name: 'Program Course',
  summary: 'A course of a program.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    course: { type: 'Link', label: 'Course', target: 'Course', required: true },
    course_name: { type: 'Data', label: 'Course Name', readOnly: true, fetchFrom: 'course.course_name' },
    required: { type: 'Check', label: 'Mandatory', default: 1 },
  },
})

export const programFee = recordType({
  name: 'Program Fee',
  summary: 'A fee that enrolment leads to.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    academic_term: {
      type: 'Link',
      label: 'Academic Term',
      target: 'Academic Term',
      fetchFrom: 'fee_schedule.academic_term',
    },
    fee_structure: {
      type: 'Link',
      label: 'Fee Structure',
      target: 'Fee Structure',
      required: true,
      fetchFrom: 'fee_schedule.fee_structure',
      fetchIfEmpty: true,
    },
    fee_schedule: { type: 'Link', label: 'Fee Schedule', target: 'Fee Schedule' },
    student_category: {
      type: 'Link',
      label: 'Student Category',
      target: 'Student Category',
      fetchFrom: 'fee_schedule.student_category',
    },
    due_date: { type: 'Date', label: 'Due Date', fetchFrom: 'fee_schedule.due_date' },
    amount: { type: 'Currency', label: 'Amount', readOnly: true, fetchFrom: 'fee_schedule.total_amount' },
  },
})

export const program = recordType({
  name: 'Program',
  summary: 'What students enrol in.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'program_name' },
  renameAllowed: true,
  searchFields: ['program_name'],
  permissions: {
    'Admissions Officer': ['read'],
    'System Manager': ['read', 'write', 'create', 'delete'],
    'Academics User': ['read', 'write', 'create', 'delete'],
    Instructor: ['read', 'write', 'create', 'delete'],
    Guest: ['read'],
    Student: ['read'],
    Guardian: ['read'],
  },
  fields: {
    program_name: { type: 'Data', label: 'Program Name', required: true, unique: true },
    department: { type: 'Link', label: 'Department', target: 'Department' },
    hero_image: { type: 'Attach Image', label: 'Image', hidden: true },
    program_abbreviation: { type: 'Data', label: 'Program Abbreviation' },
    /** Upstream's earlier versions have it, and its method `enroll_in_program` asks for it. */
    allow_self_enroll: { type: 'Check', label: 'Allow Self Enroll', default: 0 },
    courses: { type: 'Table', rows: programCourse, label: 'Courses' },
  },
})
