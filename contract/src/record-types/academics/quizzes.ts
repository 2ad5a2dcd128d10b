import { recordType } from '../record-type.ts'

export const options = recordType({
  name: 'Options',
  summary: 'An answer that a question offers.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    option: { type: 'Small Text', label: 'Option' },
    is_correct: { type: 'Check', label: 'Is Correct' },
  },
})

export const question = recordType({
  name: 'Question',
  summary: 'A question with the answers to choose from.',
  kind: 'plain',
  naming: { by: 'format', format: 'QUESTION-{#####}' },
  permissions: {
    'Academics User': ['read', 'write', 'create', 'delete'],
    Instructor: ['read', 'write', 'create', 'delete'],
  },
  fields: {
    question: { type: 'Text Editor', label: 'Question', required: true },
    options: { type: 'Table', rows: options, label: 'Options', required: true },
    question_type: {
      type: 'Select',
      label: 'Type',
      options: ['', 'Single Correct Answer', 'Multiple Correct Answer'],
      readOnly: true,
    },
  },
})

export const quizQuestion = recordType({
  name: 'Quiz Question',
  summary: 'A question of a quiz.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    question_link: { type: 'Link', label: 'Question Link', target: 'Question', required: true },
    question: { type: 'Text Editor', label: 'Question', readOnly: true, fetchFrom: 'question_link.question' },
  },
})

export const quiz = recordType({
  name: 'Quiz',
  plural: 'quizzes',
  summary: 'Questions that students answer by themselves.',
  kind: 'plain',
  naming: { by: 'field', field: 'title' },
  renameAllowed: true,
  permissions: {
    'Academics User': ['read', 'write', 'create', 'delete'],
    Instructor: ['read', 'write', 'create', 'delete'],
  },
  fields: {
    title: { type: 'Data', label: 'Title', required: true, unique: true },
    question: { type: 'Table', rows: quizQuestion, label: 'Question', required: true },
    passing_score: { type: 'Float', label: 'Passing Score', required: true, default: 75 },
    max_attempts: { type: 'Int', label: 'Max Attempts', required: true, default: 1 },
    grading_basis: {
      type: 'Select',
      label: 'Grading Basis',
      options: ['Latest Highest Score', 'Latest Attempt'],
      default: 'Latest Highest Score',
    },
    is_time_bound: { type: 'Check', label: 'Is Time-Bound', default: 0 },
    duration: { type: 'Duration', label: 'Duration' },
  },
})

export const quizResult = recordType({
  name: 'Quiz Result',
  summary: 'What was answered to a question of a quiz.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    question: {
      type: 'Link',
      label: 'Question',
      target: 'Question',
      required: true,
      readOnly: true,
      setOnlyOnce: true,
    },
    selected_option: { type: 'Data', label: 'Selected Option', readOnly: true, setOnlyOnce: true },
    quiz_result: {
      type: 'Select',
      label: 'Result',
      options: ['', 'Correct', 'Wrong'],
      required: true,
      readOnly: true,
      setOnlyOnce: true,
    },
  },
})

export const quizActivity = recordType({
  name: 'Quiz Activity',
  summary: 'An attempt of a student at a quiz.',
  kind: 'plain',
  naming: { by: 'format', format: 'EDU-QA-{YYYY}-{#####}' },
  reachedBy: { student: 'student' },
  permissions: { 'Academics User': ['read', 'write', 'create', 'delete'], Instructor: ['read'] },
  fields: {
    enrollment: { type: 'Link', label: 'Enrollment', target: 'Course Enrollment', setOnlyOnce: true },
    student: { type: 'Link', label: 'Student', target: 'Student', readOnly: true, fetchFrom: 'enrollment.student' },
    course: {
      type: 'Link',
      label: 'Course',
      target: 'Course',
      readOnly: true,
      fetchFrom: 'enrollment.course',
      setOnlyOnce: true,
    },
    quiz: { type: 'Link', label: 'Quiz', target: 'Quiz', setOnlyOnce: true },
    status: { type: 'Select', label: 'Status', options: ['', 'Pass', 'Fail'], readOnly: true },
    result: { type: 'Table', rows: quizResult, label: 'Result', setOnlyOnce: true },
    activity_date: { type: 'Data', label: 'Activity Date', setOnlyOnce: true },
    score: { type: 'Data', label: 'Score', setOnlyOnce: true },
    time_taken: { type: 'Duration', label: 'Time Taken', setOnlyOnce: true },
  },
})
