import { recordType } from '../record-type.ts'

export const studentGuardian = recordType({
  name: 'Student Guardian',
  summary: 'A guardian of a student or an applicant.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    guardian: { type: 'Link', label: 'Guardian', target: 'Guardian', required: true },
    guardian_name: {
      type: 'Data',
      label: 'Guardian Name',
      required: true,
      readOnly: true,
      fetchFrom: 'guardian.guardian_name',
    },
    relation: { type: 'Select', label: 'Relation', options: ['', 'Mother', 'Father', 'Others'] },
  },
})

export const studentSibling = recordType({
  name: 'Student Sibling',
  summary: 'A brother or sister of a student or an applicant.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    studying_in_same_institute: { type: 'Select', label: 'Studying in Same Institute', options: ['NO', 'YES'] },
    full_name: { type: 'Data', label: 'Full Name', fetchFrom: 'student.student_name' },
    gender: { type: 'Link', label: 'Gender', target: 'Gender' },
    student: { type: 'Link', label: 'Student ID', target: 'Student' },
    institution: { type: 'Data', label: 'Institution' },
    program: { type: 'Data', label: 'Program' },
    date_of_birth: { type: 'Date', label: 'Date of Birth' },
  },
})

export const student = recordType({
  name: 'Student',
  summary: 'Somebody who studies at the institution.',
  domain: 'students',
  kind: 'plain',
  naming: { by: 'series', series: 'EDU-STU-.YYYY.-#####' },
  renameAllowed: true,
  titleField: 'student_name',
  personField: 'user',
  addressField: 'student_email_id',
  guardianField: 'guardians',
  reachedBy: { student: 'name' },
  listedBy: {
    _student_group: { type: 'Link', label: 'Student Group', target: 'Student Group', saidBy: 'Student Group' },
    _program: { type: 'Link', label: 'Program', target: 'Program', saidBy: 'Program Enrollment' },
  },
  permissions: {
    'Admissions Officer': ['read'],
    Instructor: ['read'],
    'Academics User': ['read', 'write', 'create', 'delete'],
    Student: ['read'],
    Guardian: ['read'],
  },
  fields: {
    enabled: { type: 'Check', label: 'Enabled', default: 1 },
    first_name: { type: 'Data', label: 'First Name', required: true },
    middle_name: { type: 'Data', label: 'Middle Name' },
    last_name: { type: 'Data', label: 'Last Name' },
    naming_series: {
      type: 'Select',
      label: 'Naming Series',
      options: ['EDU-STU-.YYYY.-'],
      setOnlyOnce: true,
      noCopy: true,
    },
    joining_date: { type: 'Date', label: 'Joining Date', default: 'Today' },
    user: { type: 'Link', label: 'User ID', target: 'User' },
    student_applicant: { type: 'Link', label: 'Student Applicant', target: 'Student Applicant', readOnly: true },
    image: { type: 'Attach Image', label: 'Image', hidden: true },
    student_email_id: { type: 'Data', label: 'Student Email Address', unique: true },
    date_of_birth: { type: 'Date', label: 'Date of Birth' },
    blood_group: {
      type: 'Select',
      label: 'Blood Group',
      options: ['', 'A+', 'A-', 'B+', 'B-', 'O+', 'O-', 'AB+', 'AB-'],
    },
    student_mobile_number: { type: 'Data', label: 'Student Mobile Number', hiddenFrom: ['Instructor'] },
    gender: { type: 'Link', label: 'Gender', target: 'Gender' },
    nationality: { type: 'Data', label: 'Nationality' },
    address_line_1: { type: 'Data', label: 'Address Line 1', hiddenFrom: ['Instructor'] },
    address_line_2: { type: 'Data', label: 'Address Line 2', hiddenFrom: ['Instructor'] },
    pincode: { type: 'Data', label: 'Pincode', hiddenFrom: ['Instructor'] },
    city: { type: 'Data', label: 'City', hiddenFrom: ['Instructor'] },
    state: { type: 'Data', label: 'State', hiddenFrom: ['Instructor'] },
    country: { type: 'Link', label: 'Country', target: 'Country', hiddenFrom: ['Instructor'] },
    guardians: { type: 'Table', rows: studentGuardian, label: 'Guardians' },
    siblings: { type: 'Table', rows: studentSibling, label: 'Siblings' },
    customer: {
      type: 'Link',
      label: 'Customer',
      target: 'Customer',
      readOnly: true,
      isUnchecked: true,
      hiddenFrom: ['Instructor'],
    },
    customer_group: { type: 'Link', label: 'Customer Group', target: 'Customer Group', hiddenFrom: ['Instructor'] },
    date_of_leaving: { type: 'Date', label: 'Date of Leaving' },
    leaving_certificate_number: { type: 'Data', label: 'Leaving Certificate Number', hiddenFrom: ['Instructor'] },
    reason_for_leaving: { type: 'Text', label: 'Reason For Leaving' },
    student_name: { type: 'Data', label: 'Student Name', hidden: true },
  },
})

export const studentSiblings = recordType({
  name: 'Student Siblings',
  summary: 'A brother or sister, in the short form.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    name1: { type: 'Data', label: 'Name', required: true },
    gender: { type: 'Select', label: 'Gender', options: ['', 'Male', 'Female'] },
    date_of_birth: { type: 'Date', label: 'Date of Birth' },
  },
})

export const studentCategory = recordType({
  name: 'Student Category',
  summary: 'A group of students by which fees differ.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'category' },
  renameAllowed: true,
  permissions: { 'Admissions Officer': ['read'], 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    category: { type: 'Data', label: 'Category', required: true, unique: true },
  },
})

export const studentLanguage = recordType({
  name: 'Student Language',
  summary: 'A language that students speak.',
  kind: 'plain',
  naming: { by: 'field', field: 'language_name' },
  permissions: { 'Admissions Officer': ['read'], 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    language_name: { type: 'Data', label: 'Language Name', required: true, unique: true },
  },
})

export const studentBatchName = recordType({
  name: 'Student Batch Name',
  summary: 'A cohort of students.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'batch_name' },
  permissions: {
    'Admissions Officer': ['read'],
    Instructor: ['read'],
    'Academics User': ['read', 'write', 'create', 'delete'],
  },
  fields: {
    batch_name: { type: 'Data', label: 'Batch Name', required: true },
  },
})

export const schoolHouse = recordType({
  name: 'School House',
  summary: 'A house that students belong to.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'house_name' },
  permissions: { 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    house_name: { type: 'Data', label: 'House Name', required: true },
    description: { type: 'Small Text', label: 'Description' },
  },
})

export const studentLog = recordType({
  name: 'Student Log',
  summary: 'A note about a student.',
  kind: 'plain',
  naming: { by: 'series', series: 'EDU-SLOG-.YYYY.-.#####' },
  titleField: 'student_name',
  permissions: { 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Read Only', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
    type: { type: 'Select', label: 'Type', options: ['General', 'Academic', 'Medical', 'Achievement'] },
    date: { type: 'Date', label: 'Date' },
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year' },
    academic_term: { type: 'Link', label: 'Academic Term', target: 'Academic Term' },
    program: { type: 'Link', label: 'Program', target: 'Program' },
    student_batch: { type: 'Link', label: 'Student Batch', target: 'Student Batch Name' },
    log: { type: 'Text Editor', label: 'Log' },
  },
})
