import { recordType } from '../record-type.ts'

export const marksPosting = recordType({
  name: 'Marks Posting',
  summary: 'The marks of a course in a year or a term, or of one group in it, are final from here on.',
  kind: 'plain',
  naming: { by: 'series', series: 'EDU-MPO-.YYYY.-.#####' },
  permissions: { 'Academics User': ['read', 'create'] },
  fields: {
    course: { type: 'Link', label: 'Course', target: 'Course', required: true, inListView: true },
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year', inListView: true },
    academic_term: { type: 'Link', label: 'Academic Term', target: 'Academic Term', inListView: true },
    student_group: { type: 'Link', label: 'Student Group', target: 'Student Group', inListView: true },
    comment: { type: 'Small Text', label: 'Comment' },
    results: { type: 'Int', label: 'Results', readOnly: true, noCopy: true },
    posted_by: { type: 'Data', label: 'Posted By', readOnly: true, noCopy: true },
    posted_on: { type: 'Datetime', label: 'Posted On', readOnly: true, noCopy: true },
  },
})

export const markCorrectionChange = recordType({
  name: 'Mark Correction Change',
  summary: 'What a correction changed in one criterion.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    assessment_criteria: {
      type: 'Link',
      label: 'Assessment Criteria',
      target: 'Assessment Criteria',
      required: true,
    },
    old_outcome: { type: 'Data', label: 'Old Outcome' },
    old_score: { type: 'Float', label: 'Old Score' },
    new_outcome: { type: 'Data', label: 'New Outcome' },
    new_score: { type: 'Float', label: 'New Score' },
  },
})

export const markCorrection = recordType({
  name: 'Mark Correction',
  summary: 'A change of posted marks: the old and the new value, by whom, when and why.',
  kind: 'plain',
  naming: { by: 'series', series: 'EDU-MCO-.YYYY.-.#####' },
  titleField: 'student_name',
  reachedBy: { group: 'student_group', student: 'student' },
  permissions: { Instructor: ['read'], 'Academics User': ['read', 'create'] },
  fields: {
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Data', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
    assessment_plan: { type: 'Link', label: 'Assessment Plan', target: 'Assessment Plan', required: true },
    course: { type: 'Link', label: 'Course', target: 'Course', fetchFrom: 'assessment_plan.course' },
    student_group: {
      type: 'Link',
      label: 'Student Group',
      target: 'Student Group',
      fetchFrom: 'assessment_plan.student_group',
    },
    old_result: { type: 'Link', label: 'Old Result', target: 'Assessment Result' },
    new_result: { type: 'Link', label: 'New Result', target: 'Assessment Result' },
    changes: { type: 'Table', rows: markCorrectionChange, label: 'Changes', required: true },
    old_total: { type: 'Float', label: 'Old Total Score' },
    old_grade: { type: 'Data', label: 'Old Grade' },
    new_total: { type: 'Float', label: 'New Total Score' },
    new_grade: { type: 'Data', label: 'New Grade' },
    reason: { type: 'Small Text', label: 'Reason', required: true },
    corrected_by: { type: 'Data', label: 'Corrected By' },
    corrected_on: { type: 'Datetime', label: 'Corrected On' },
  },
})

export const issuedReportCard = recordType({
  name: 'Issued Report Card',
  summary: 'A report card of posted marks as it was issued. It never changes; a correction issues the next edition.',
  kind: 'plain',
  naming: { by: 'series', series: 'EDU-REP-.YYYY.-.#####' },
  titleField: 'student_name',
  permissions: { 'Academics User': ['read'] },
  fields: {
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Data', label: 'Student Name' },
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year', required: true },
    academic_term: { type: 'Link', label: 'Academic Term', target: 'Academic Term' },
    edition: { type: 'Int', label: 'Edition' },
    issued_on: { type: 'Datetime', label: 'Issued On' },
    result_names: { type: 'Text', label: 'Result Names', hidden: true },
    card: { type: 'Text', label: 'Card', hidden: true },
  },
})

export const transferCredit = recordType({
  name: 'Transfer Credit',
  summary: 'Credits that a student earned at another institution, as this one accepts them.',
  kind: 'submittable',
  naming: { by: 'series', series: 'EDU-TRC-.YYYY.-.#####' },
  titleField: 'student_name',
  permissions: {
    'Academics User': ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend'],
    Student: ['read'],
    Guardian: ['read'],
  },
  fields: {
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Data', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
    institution: { type: 'Data', label: 'Institution', required: true },
    course_title: { type: 'Data', label: 'Course There', required: true },
    course: {
      type: 'Link',
      label: 'Course',
      target: 'Course',
      description: 'The course here that it stands for, if there is one.',
    },
    completed_on: { type: 'Date', label: 'Completed On' },
    credits: { type: 'Float', label: 'Credits', required: true },
    grade: { type: 'Data', label: 'Grade' },
    counts_in_average: { type: 'Check', label: 'Counts in the Grade Point Average', default: 0 },
    grade_points: { type: 'Float', label: 'Grade Points', precision: 3 },
    amended_from: { type: 'Link', label: 'Amended From', target: 'Transfer Credit', readOnly: true, noCopy: true },
  },
})
