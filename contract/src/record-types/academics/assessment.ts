import { recordType } from '../record-type.ts'

export const gradingScaleInterval = recordType({
  name: 'Grading Scale Interval',
  summary: 'A grade and the percentage from which it is given.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    grade_code: { type: 'Data', label: 'Grade Code', required: true },
    threshold: { type: 'Percent', label: 'Threshold', required: true, default: 0, precision: 1 },
    grade_description: { type: 'Small Text', label: 'Grade Description' },
    grade_points: {
      type: 'Float',
      label: 'Grade Points',
      precision: 3,
      description: 'What the grade counts in the grade point average. A scale without points has no average.',
    },
  },
})

export const gradingScale = recordType({
  name: 'Grading Scale',
  summary: 'How percentages become grades.',
  kind: 'submittable',
  isCatalogue: true,
  naming: { by: 'field', field: 'grading_scale_name' },
  renameAllowed: true,
  permissions: { Instructor: ['read'], 'Academics User': ['read', 'write', 'create', 'delete', 'submit', 'cancel'] },
  fields: {
    grading_scale_name: { type: 'Data', label: 'Grading Scale Name', required: true, unique: true },
    intervals: { type: 'Table', rows: gradingScaleInterval, label: 'Intervals', required: true },
    amended_from: { type: 'Link', label: 'Amended From', target: 'Grading Scale', readOnly: true, noCopy: true },
    description: { type: 'Small Text', label: 'Description' },
  },
})

export const assessmentGroup = recordType({
  name: 'Assessment Group',
  summary: 'Assessments that belong together, in a tree.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'assessment_group_name' },
  renameAllowed: true,
  permissions: { Instructor: ['read'], 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    assessment_group_name: { type: 'Data', label: 'Assessment Group Name', required: true, unique: true },
    parent_assessment_group: {
      type: 'Link',
      label: 'Parent Assessment Group',
      target: 'Assessment Group',
      required: true,
    },
    is_group: { type: 'Check', label: 'Is Group', default: 0 },
    from_date: { type: 'Date', label: 'From Date' },
    to_date: { type: 'Date', label: 'To Date' },
    lft: { type: 'Int', label: 'lft', hidden: true },
    rgt: { type: 'Int', label: 'rgt', hidden: true },
    old_parent: { type: 'Link', label: 'old_parent', target: 'Assessment Group', hidden: true },
  },
})

export const assessmentCriteriaGroup = recordType({
  name: 'Assessment Criteria Group',
  summary: 'Criteria that belong together.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'assessment_criteria_group' },
  renameAllowed: true,
  permissions: { Instructor: ['read'], 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    assessment_criteria_group: { type: 'Data', label: 'Assessment Criteria Group', required: true },
  },
})

export const assessmentCriteria = recordType({
  name: 'Assessment Criteria',
  plural: 'assessment_criteria',
  summary: 'What an assessment looks at.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'assessment_criteria' },
  permissions: { Instructor: ['read'], 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    assessment_criteria: { type: 'Data', label: 'Assessment Criteria', required: true },
    assessment_criteria_group: {
      type: 'Link',
      label: 'Assessment Criteria Group',
      target: 'Assessment Criteria Group',
    },
  },
})

export const assessmentPlanCriteria = recordType({
  name: 'Assessment Plan Criteria',
  summary: 'A criterion of a plan, with its maximum.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    assessment_criteria: { type: 'Link', label: 'Assessment Criteria', target: 'Assessment Criteria', required: true },
    maximum_score: { type: 'Float', label: 'Maximum Score', required: true },
    allow_bonus: { type: 'Check', label: 'Allow Bonus', default: 0 },
  },
})

export const assessmentPlan = recordType({
  name: 'Assessment Plan',
  summary: 'An examination of a group in a course.',
  kind: 'submittable',
  naming: { by: 'series', series: 'EDU-ASP-.YYYY.-.#####' },
  titleField: 'assessment_name',
  reachedBy: { group: 'student_group' },
  permissions: {
    Instructor: ['read'],
    'Academics User': ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend'],
  },
  fields: {
    student_group: { type: 'Link', label: 'Student Group', target: 'Student Group', required: true },
    assessment_name: { type: 'Data', label: 'Assessment Name' },
    assessment_group: { type: 'Link', label: 'Assessment Group', target: 'Assessment Group', required: true },
    grading_scale: {
      type: 'Link',
      label: 'Grading Scale',
      target: 'Grading Scale',
      required: true,
      fetchFrom: 'course.default_grading_scale',
      fetchIfEmpty: true,
    },
    program: { type: 'Link', label: 'Program', target: 'Program', fetchFrom: 'student_group.program' },
    course: {
      type: 'Link',
      label: 'Course',
      target: 'Course',
      required: true,
      fetchFrom: 'student_group.course',
      fetchIfEmpty: true,
    },
    academic_year: {
      type: 'Link',
      label: 'Academic Year',
      target: 'Academic Year',
      fetchFrom: 'student_group.academic_year',
    },
    academic_term: {
      type: 'Link',
      label: 'Academic Term',
      target: 'Academic Term',
      fetchFrom: 'student_group.academic_term',
    },
    schedule_date: { type: 'Date', label: 'Schedule Date', required: true, default: 'Today', noCopy: true },
    room: { type: 'Link', label: 'Room', target: 'Room' },
    examiner: { type: 'Link', label: 'Examiner', target: 'Instructor' },
    examiner_name: { type: 'Data', label: 'Examiner Name', readOnly: true, fetchFrom: 'examiner.instructor_name' },
    from_time: { type: 'Time', label: 'From Time', required: true, noCopy: true },
    to_time: { type: 'Time', label: 'To Time', required: true, noCopy: true },
    supervisor: { type: 'Link', label: 'Supervisor', target: 'Instructor' },
    supervisor_name: {
      type: 'Data',
      label: 'Supervisor Name',
      readOnly: true,
      fetchFrom: 'supervisor.instructor_name',
    },
    maximum_assessment_score: { type: 'Float', label: 'Maximum Assessment Score', required: true },
    assessment_criteria: { type: 'Table', rows: assessmentPlanCriteria, label: 'Assessment Criteria', required: true },
    amended_from: { type: 'Link', label: 'Amended From', target: 'Assessment Plan', readOnly: true, noCopy: true },
  },
})

export const assessmentResultDetail = recordType({
  name: 'Assessment Result Detail',
  summary: 'What a student reached in one criterion.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    assessment_criteria: {
      type: 'Link',
      label: 'Assessment Criteria',
      target: 'Assessment Criteria',
      required: true,
      readOnly: true,
    },
    maximum_score: { type: 'Float', label: 'Maximum Score', readOnly: true },
    score: { type: 'Float', label: 'Score', required: true },
    outcome: {
      type: 'Select',
      label: 'Outcome',
      options: ['Assessed', 'Not Assessed', 'Excused'],
      default: 'Assessed',
    },
    grade: { type: 'Data', label: 'Grade', readOnly: true },
  },
})

export const assessmentResult = recordType({
  name: 'Assessment Result',
  summary: 'What a student reached in an assessment.',
  kind: 'submittable',
  naming: { by: 'series', series: 'EDU-RES-.YYYY.-.#####' },
  titleField: 'student_name',
  reachedBy: { group: 'student_group', student: 'student' },
  permissions: {
    Instructor: ['read', 'write', 'create', 'submit'],
    'Academics User': ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend'],
    Student: ['read'],
    Guardian: ['read'],
  },
  fields: {
    assessment_plan: { type: 'Link', label: 'Assessment Plan', target: 'Assessment Plan', required: true },
    program: { type: 'Link', label: 'Program', target: 'Program', fetchFrom: 'assessment_plan.program' },
    course: { type: 'Link', label: 'Course', target: 'Course', fetchFrom: 'assessment_plan.course' },
    academic_year: {
      type: 'Link',
      label: 'Academic Year',
      target: 'Academic Year',
      fetchFrom: 'assessment_plan.academic_year',
    },
    academic_term: {
      type: 'Link',
      label: 'Academic Term',
      target: 'Academic Term',
      fetchFrom: 'assessment_plan.academic_term',
    },
    student: { type: 'Link', label: 'Student', target: 'Student', required: true },
    student_name: { type: 'Data', label: 'Student Name', readOnly: true, fetchFrom: 'student.student_name' },
    student_group: {
      type: 'Link',
      label: 'Student Group',
      target: 'Student Group',
      fetchFrom: 'assessment_plan.student_group',
    },
    assessment_group: {
      type: 'Link',
      label: 'Assessment Group',
      target: 'Assessment Group',
      fetchFrom: 'assessment_plan.assessment_group',
    },
    grading_scale: {
      type: 'Link',
      label: 'Grading Scale',
      target: 'Grading Scale',
      readOnly: true,
      fetchFrom: 'assessment_plan.grading_scale',
    },
    details: { type: 'Table', rows: assessmentResultDetail, label: 'Details', required: true },
    maximum_score: {
      type: 'Float',
      label: 'Maximum Score',
      readOnly: true,
      fetchFrom: 'assessment_plan.maximum_assessment_score',
    },
    total_score: { type: 'Float', label: 'Total Score', readOnly: true },
    grade: { type: 'Data', label: 'Grade', readOnly: true },
    comment: { type: 'Small Text', label: 'Comment' },
    amended_from: { type: 'Link', label: 'Amended From', target: 'Assessment Result', readOnly: true, noCopy: true },
  },
})
