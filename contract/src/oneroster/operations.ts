import type { Scope } from '../access.ts'

/** The services of OneRoster 1.2, and the one of 1.1. */
export type OneRosterService = 'rostering' | 'gradebook' | 'resources'

/** What an operation answers: a list, one object, or the outcome of a write. */
export type OneRosterShape = 'list' | 'single' | 'put' | 'delete' | 'post'

/** An operation of OneRoster, at a path below the address of its service. */
export interface OneRosterOperation {
  /** The operationId, as the standard has it for what the standard has. */
  readonly id: string
  readonly service: OneRosterService
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'POST'
  /** Parameters are in braces, `/classes/{classId}/students`. */
  readonly path: string
  readonly shape: OneRosterShape
  /** The key of the body: of a list the plural, of one object the singular. */
  readonly key: string
  /** The collection of its objects. */
  readonly collection: OneRosterCollection
  /** The right that a key needs. */
  readonly scope: Scope
  /** Whether it is a list below another object. */
  readonly isNested: boolean
  /** Whether 1.1 has it too. */
  readonly isInFirstVersion: boolean
}

/** The collections, each with the keys of its lists and of its single objects. */
export const oneRosterCollections = {
  academicSessions: { list: 'academicSessions', single: 'academicSession' },
  classes: { list: 'classes', single: 'class' },
  courses: { list: 'courses', single: 'course' },
  demographics: { list: 'demographics', single: 'demographics' },
  enrollments: { list: 'enrollments', single: 'enrollment' },
  gradingPeriods: { list: 'academicSessions', single: 'academicSession' },
  orgs: { list: 'orgs', single: 'org' },
  schools: { list: 'orgs', single: 'org' },
  students: { list: 'users', single: 'user' },
  teachers: { list: 'users', single: 'user' },
  terms: { list: 'academicSessions', single: 'academicSession' },
  users: { list: 'users', single: 'user' },
  categories: { list: 'categories', single: 'category' },
  lineItems: { list: 'lineItems', single: 'lineItem' },
  results: { list: 'results', single: 'result' },
  scoreScales: { list: 'scoreScales', single: 'scoreScale' },
  assessmentLineItems: { list: 'assessmentLineItems', single: 'assessmentLineItem' },
  assessmentResults: { list: 'assessmentResults', single: 'assessmentResult' },
  resources: { list: 'resources', single: 'resource' },
} as const

export type OneRosterCollection = keyof typeof oneRosterCollections

const upper = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** How the operations of a collection end in the standard: `getStudent`, `getAllStudents`. */
const singularOf: Readonly<Partial<Record<OneRosterCollection, string>>> = {
  gradingPeriods: 'gradingPeriod',
  schools: 'school',
  students: 'student',
  teachers: 'teacher',
  terms: 'term',
}

function getPair(
  service: OneRosterService,
  collection: OneRosterCollection,
  scope: Scope,
  isInFirstVersion: boolean,
): OneRosterOperation[] {
  const { list, single } = oneRosterCollections[collection]
  const shared = { service, method: 'GET', collection, scope, isNested: false, isInFirstVersion } as const
  const singular = singularOf[collection] ?? single
  return [
    { ...shared, id: `getAll${upper(collection)}`, path: `/${collection}`, shape: 'list', key: list },
    { ...shared, id: `get${upper(singular)}`, path: `/${collection}/{sourcedId}`, shape: 'single', key: single },
  ]
}

function nested(
  service: OneRosterService,
  id: string,
  path: string,
  collection: OneRosterCollection,
  isInFirstVersion: boolean,
): OneRosterOperation {
  return {
    id,
    service,
    method: 'GET',
    path,
    shape: 'list',
    key: oneRosterCollections[collection].list,
    collection,
    scope: service === 'rostering' ? 'roster:read' : 'gradebook:read',
    isNested: true,
    isInFirstVersion,
  }
}

function getWrites(collection: OneRosterCollection): OneRosterOperation[] {
  const { single } = oneRosterCollections[collection]
  const shared = {
    service: 'gradebook',
    path: `/${collection}/{sourcedId}`,
    key: single,
    collection,
    scope: 'gradebook:write',
    isNested: false,
    isInFirstVersion: false,
  } as const
  return [
    { ...shared, id: `put${upper(single)}`, method: 'PUT', shape: 'put' },
    { ...shared, id: `delete${upper(single)}`, method: 'DELETE', shape: 'delete' },
  ]
}

function posted(id: string, path: string, collection: 'lineItems' | 'results'): OneRosterOperation {
  return {
    id,
    service: 'gradebook',
    method: 'POST',
    path,
    shape: 'post',
    key: collection,
    collection,
    scope: 'gradebook:write',
    isNested: true,
    isInFirstVersion: false,
  }
}

const rosterCollections = [
  'academicSessions',
  'classes',
  'courses',
  'enrollments',
  'gradingPeriods',
  'orgs',
  'schools',
  'students',
  'teachers',
  'terms',
  'users',
] as const
const firstGradebook: ReadonlySet<string> = new Set(['categories', 'lineItems', 'results'])
const gradebookCollections = [
  'categories',
  'lineItems',
  'results',
  'scoreScales',
  'assessmentLineItems',
  'assessmentResults',
] as const

/** Every operation of OneRoster that is served. */
export const oneRosterOperations: readonly OneRosterOperation[] = [
  ...rosterCollections.flatMap((collection) => getPair('rostering', collection, 'roster:read', true)),
  ...getPair('rostering', 'demographics', 'roster-demographics:read', true),
  nested('rostering', 'getClassesForCourse', '/courses/{courseId}/classes', 'classes', true),
  nested('rostering', 'getClassesForSchool', '/schools/{schoolId}/classes', 'classes', true),
  nested('rostering', 'getCoursesForSchool', '/schools/{schoolId}/courses', 'courses', true),
  nested('rostering', 'getEnrollmentsForSchool', '/schools/{schoolId}/enrollments', 'enrollments', true),
  nested('rostering', 'getStudentsForSchool', '/schools/{schoolId}/students', 'students', true),
  nested('rostering', 'getTeachersForSchool', '/schools/{schoolId}/teachers', 'teachers', true),
  nested('rostering', 'getTermsForSchool', '/schools/{schoolId}/terms', 'terms', true),
  nested(
    'rostering',
    'getStudentsForClassInSchool',
    '/schools/{schoolId}/classes/{classId}/students',
    'students',
    true,
  ),
  nested(
    'rostering',
    'getTeachersForClassInSchool',
    '/schools/{schoolId}/classes/{classId}/teachers',
    'teachers',
    true,
  ),
  nested(
    'rostering',
    'getEnrollmentsForClassInSchool',
    '/schools/{schoolId}/classes/{classId}/enrollments',
    'enrollments',
    true,
  ),
  nested('rostering', 'getStudentsForClass', '/classes/{classId}/students', 'students', true),
  nested('rostering', 'getTeachersForClass', '/classes/{classId}/teachers', 'teachers', true),
  nested('rostering', 'getClassesForStudent', '/students/{studentId}/classes', 'classes', true),
  nested('rostering', 'getClassesForTeacher', '/teachers/{teacherId}/classes', 'classes', true),
  nested('rostering', 'getClassesForUser', '/users/{userId}/classes', 'classes', true),
  nested('rostering', 'getClassesForTerm', '/terms/{termId}/classes', 'classes', true),
  nested('rostering', 'getGradingPeriodsForTerm', '/terms/{termId}/gradingPeriods', 'gradingPeriods', true),
  ...gradebookCollections.flatMap((collection) => [
    ...getPair('gradebook', collection, 'gradebook:read', firstGradebook.has(collection)),
    ...getWrites(collection),
  ]),
  nested('gradebook', 'getCategoriesForClass', '/classes/{classId}/categories', 'categories', true),
  nested('gradebook', 'getLineItemsForClass', '/classes/{classId}/lineItems', 'lineItems', true),
  nested('gradebook', 'getResultsForClass', '/classes/{classId}/results', 'results', true),
  nested('gradebook', 'getScoreScalesForClass', '/classes/{classId}/scoreScales', 'scoreScales', false),
  nested('gradebook', 'getScoreScalesForSchool', '/schools/{schoolId}/scoreScales', 'scoreScales', false),
  nested(
    'gradebook',
    'getResultsForLineItemForClass',
    '/classes/{classId}/lineItems/{lineItemId}/results',
    'results',
    true,
  ),
  nested(
    'gradebook',
    'getResultsForStudentForClass',
    '/classes/{classId}/students/{studentId}/results',
    'results',
    true,
  ),
  nested(
    'gradebook',
    'getResultsForAcademicSessionForClass',
    '/classes/{classId}/academicSessions/{academicSessionId}/results',
    'results',
    false,
  ),
  posted('postLineItemsForClass', '/classes/{classId}/lineItems', 'lineItems'),
  posted('postLineItemsForSchool', '/schools/{schoolId}/lineItems', 'lineItems'),
  posted('postResultsForLineItem', '/lineItems/{lineItemId}/results', 'results'),
  posted(
    'postResultsForAcademicSessionForClass',
    '/classes/{classId}/academicSessions/{academicSessionId}/results',
    'results',
  ),
  {
    id: 'getAllResources',
    service: 'resources',
    method: 'GET',
    path: '/resources',
    shape: 'list',
    key: 'resources',
    collection: 'resources',
    scope: 'roster:read',
    isNested: false,
    isInFirstVersion: false,
  },
]
