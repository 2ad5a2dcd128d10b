import { recordType } from '../record-type.ts'

export const topicContent = recordType({
  name: 'Topic Content',
  summary: 'Something to read, watch or answer in a topic.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    content_type: { type: 'Select', label: 'Content Type', options: ['', 'Article', 'Video', 'Quiz'], required: true },
    content: { type: 'Dynamic Link', label: 'Content', typeField: 'content_type', required: true },
  },
})

export const topic = recordType({
  name: 'Topic',
  summary: 'A subject within courses.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'topic_name' },
  renameAllowed: true,
  permissions: {
    'System Manager': ['read', 'write', 'create', 'delete'],
    Administrator: ['read', 'write', 'create', 'delete'],
    Instructor: ['read', 'write', 'create', 'delete'],
  },
  fields: {
    topic_name: { type: 'Data', label: 'Name', required: true, unique: true },
    topic_content: { type: 'Table', rows: topicContent, label: 'Topic Content' },
    description: { type: 'Small Text', label: 'Description' },
    hero_image: { type: 'Attach Image', label: 'Hero Image', hidden: true },
  },
})

export const article = recordType({
  name: 'Article',
  summary: 'A text to read.',
  kind: 'plain',
  naming: { by: 'field', field: 'title' },
  renameAllowed: true,
  permissions: {
    'Academics User': ['read', 'write', 'create', 'delete'],
    Instructor: ['read', 'write', 'create', 'delete'],
  },
  fields: {
    title: { type: 'Data', label: 'Title', unique: true },
    author: { type: 'Data', label: 'Author' },
    content: { type: 'Text Editor', label: 'Content' },
    publish_date: { type: 'Date', label: 'Publish Date' },
  },
})

export const courseTopic = recordType({
  name: 'Course Topic',
  summary: 'A topic of a course.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    topic: { type: 'Link', label: 'Topic', target: 'Topic' },
    topic_name: { type: 'Data', label: 'Topic Name', fetchFrom: 'topic.topic_name' },
  },
})

export const courseAssessmentCriteria = recordType({
  name: 'Course Assessment Criteria',
  summary: 'A criterion of a course, with its weight.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    assessment_criteria: { type: 'Link', label: 'Assessment Criteria', target: 'Assessment Criteria', required: true },
    weightage: { type: 'Percent', label: 'Weightage', required: true },
  },
})

export const course = recordType({
  name: 'Course',
  summary: 'Something that is taught.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'course_name' },
  renameAllowed: true,
  searchFields: ['course_name'],
  permissions: {
    'Admissions Officer': ['read'],
    'Academics User': ['read', 'write', 'create', 'delete'],
    Instructor: ['read', 'write', 'create', 'delete'],
    Administrator: ['read', 'write', 'create', 'delete'],
    'Education Manager': ['read', 'write', 'create', 'delete'],
  },
  fields: {
    course_name: { type: 'Data', label: 'Course Name', required: true, unique: true },
    department: { type: 'Link', label: 'Department', target: 'Department' },
    hero_image: { type: 'Attach Image', label: 'Hero Image', hidden: true },
    description: { type: 'Small Text', label: 'Description' },
    topics: { type: 'Table', rows: courseTopic, label: 'Topics' },
    default_grading_scale: { type: 'Link', label: 'Default Grading Scale', target: 'Grading Scale' },
    assessment_criteria: { type: 'Table', rows: courseAssessmentCriteria, label: 'Assessment Criteria' },
    credits: { type: 'Float', label: 'Credits', description: 'The weight of the course in the grade point average.' },
  },
})
