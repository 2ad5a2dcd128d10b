import { recordType } from '../record-type.ts'

export const guardianStudent = recordType({
  name: 'Guardian Student',
  summary: 'A student of a guardian; computed, never stored.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    student: { type: 'Link', label: 'Student', target: 'Student', readOnly: true },
    student_name: { type: 'Data', label: 'Student Name', readOnly: true },
  },
})

export const guardianInterest = recordType({
  name: 'Guardian Interest',
  summary: 'Something that interests a guardian.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    interest: { type: 'Data', label: 'Interest', required: true },
  },
})

export const guardian = recordType({
  name: 'Guardian',
  summary: 'A guardian of students.',
  domain: 'students',
  kind: 'plain',
  naming: { by: 'series', series: 'EDU-GRD-.YYYY.-.#####' },
  renameAllowed: true,
  titleField: 'guardian_name',
  personField: 'user',
  addressField: 'email_address',
  permissions: {
    'Admissions Officer': ['read', 'write', 'create'],
    'Academics User': ['read', 'write', 'create', 'delete'],
  },
  fields: {
    guardian_name: { type: 'Data', label: 'Guardian Name', required: true },
    email_address: { type: 'Data', label: 'Email Address' },
    mobile_number: { type: 'Data', label: 'Mobile Number' },
    alternate_number: { type: 'Data', label: 'Alternate Number' },
    date_of_birth: { type: 'Date', label: 'Date of Birth', noCopy: true },
    user: { type: 'Link', label: 'User Id', target: 'User' },
    education: { type: 'Data', label: 'Education' },
    occupation: { type: 'Data', label: 'Occupation' },
    designation: { type: 'Data', label: 'Designation' },
    work_address: { type: 'Text', label: 'Work Address' },
    image: { type: 'Attach Image', label: 'Image', hidden: true, noCopy: true },
    customer: { type: 'Link', label: 'Customer', target: 'Customer', noCopy: true },
    students: { type: 'Table', rows: guardianStudent, label: 'Students', readOnly: true },
    interests: { type: 'Table', rows: guardianInterest, label: 'Interests' },
  },
})
