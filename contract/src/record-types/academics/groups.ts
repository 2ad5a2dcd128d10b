import { recordType } from '../record-type.ts'

export const studentGroupStudent = recordType({
  name: 'Student Group Student',
  summary: 'A member of a group.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Data', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
    group_roll_number: { type: 'Int', label: 'Group Roll Number' },
    active: { type: 'Check', label: 'Active', default: 1 },
    from_date: { type: 'Date', label: 'From Date' },
    to_date: { type: 'Date', label: 'To Date' },
  },
})

export const studentGroupInstructor = recordType({
  name: 'Student Group Instructor',
  summary: 'A teacher of a group.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    instructor: { type: 'Link', label: 'Instructor', target: 'Instructor', required: true },
    instructor_name: {
      type: 'Read Only',
      label: 'Instructor Name',
      readOnly: true,
      fetchFrom: 'instructor.instructor_name',
    },
  },
})

export const studentGroup = recordType({
  name: 'Student Group',
  summary: 'Students who are taught together.',
  kind: 'plain',
  naming: { by: 'field', field: 'student_group_name' },
  renameAllowed: true,
  searchFields: ['program', 'batch', 'course'],
  taught: {
    teachers: ['instructors', 'instructor', 'employee', 'user_id'],
    members: { rows: 'students', link: 'student', isWhile: 'active' },
  },
  reachedBy: { group: 'name' },
  permissions: { Instructor: ['read'], 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year', required: true },
    group_based_on: {
      type: 'Select',
      label: 'Group Based on',
      options: ['', 'Batch', 'Course', 'Activity'],
      required: true,
    },
    student_group_name: { type: 'Data', label: 'Student Group Name', required: true, unique: true },
    max_strength: { type: 'Int', label: 'Max Strength' },
    academic_term: { type: 'Link', label: 'Academic Term', target: 'Academic Term' },
    program: { type: 'Link', label: 'Program', target: 'Program' },
    batch: { type: 'Link', label: 'Batch', target: 'Student Batch Name' },
    student_category: { type: 'Link', label: 'Student Category', target: 'Student Category' },
    course: { type: 'Link', label: 'Course', target: 'Course' },
    disabled: { type: 'Check', label: 'Disabled', default: 0 },
    students: { type: 'Table', rows: studentGroupStudent, label: 'Students', allowOnSubmit: true },
    instructors: { type: 'Table', rows: studentGroupInstructor, label: 'Instructors' },
  },
})

export const waitingListEntry = recordType({
  name: 'Waiting List Entry',
  plural: 'waiting_list_entries',
  summary: 'A student who waits for a place in a full group.',
  kind: 'plain',
  naming: { by: 'series', series: 'EDU-WLE-.YYYY.-.#####' },
  titleField: 'student_name',
  searchFields: ['student_group', 'student_name'],
  permissions: { 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    student_group: {
      type: 'Link',
      label: 'Student Group',
      target: 'Student Group',
      required: true,
      setOnlyOnce: true,
      inListView: true,
    },
    student: { type: 'Link', label: 'Student', target: 'Student', required: true, setOnlyOnce: true },
    student_name: {
      type: 'Data',
      label: 'Student Name',
      readOnly: true,
      fetchFrom: 'student.student_name',
      inListView: true,
    },
    position: {
      type: 'Int',
      label: 'Position',
      inListView: true,
      description: 'Places are offered in this order. A new entry is the last.',
    },
    status: {
      type: 'Select',
      label: 'Status',
      options: ['Waiting', 'Offered', 'Accepted', 'Declined', 'Lapsed', 'Withdrawn'],
      readOnly: true,
      inListView: true,
    },
    requested_on: { type: 'Date', label: 'Requested On', default: 'Today' },
    offered_on: { type: 'Date', label: 'Offered On', readOnly: true },
    offer_expires_on: { type: 'Date', label: 'Offer Expires On', readOnly: true },
    note: { type: 'Small Text', label: 'Note' },
  },
})
