/** A JSON Schema of an object of OneRoster 1.2. */
export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: text } as const
const sourcedId = { type: 'string', pattern: '^[0-9A-Za-z./@_-]{1,255}$' } as const
const stamp = { type: 'string', format: 'date-time' } as const
const day = { type: 'string', format: 'date' } as const
const truth = { type: 'string', enum: ['true', 'false'] } as const
const number = { type: 'number' } as const
const oneOf = (...values: string[]) => ({ type: 'string', enum: values }) as const

const closed = (properties: Record<string, object>, required: readonly string[]): ObjectSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const reference = (type: string) =>
  closed({ href: { type: 'string', format: 'uri' }, sourcedId, type: oneOf(type) }, ['href', 'sourcedId', 'type'])
const references = (type: string, minItems = 0) => ({ type: 'array', items: reference(type), minItems })

/** An object of the standard: what every one has, and its own members. */
const object = (properties: Record<string, object>, required: readonly string[]) =>
  closed(
    {
      sourcedId,
      status: oneOf('active', 'tobedeleted'),
      dateLastModified: stamp,
      metadata: { type: 'object', additionalProperties: true },
      ...properties,
    },
    ['sourcedId', 'status', 'dateLastModified', ...required],
  )

/** The roles of users in 1.2. */
export const oneRosterRoles = [
  'aide',
  'counselor',
  'districtAdministrator',
  'guardian',
  'parent',
  'principal',
  'proctor',
  'relative',
  'siteAdministrator',
  'student',
  'systemAdministrator',
  'teacher',
] as const

/** What a result may be. */
export const scoreStatuses = ['exempt', 'fully graded', 'not submitted', 'partially graded', 'submitted'] as const

const objectives = {
  type: 'array',
  items: closed({ source: text, learningObjectiveIds: texts }, ['source', 'learningObjectiveIds']),
}
const objectiveResults = {
  type: 'array',
  items: closed(
    {
      source: text,
      learningObjectiveResults: {
        type: 'array',
        items: closed({ learningObjectiveId: text, score: number, textScore: text }, ['learningObjectiveId']),
      },
    },
    ['source', 'learningObjectiveResults'],
  ),
}

const scoreFlags = { inProgress: truth, incomplete: truth, late: truth, missing: truth }
const scores = {
  scoreScale: reference('scoreScale'),
  scoreStatus: oneOf(...scoreStatuses),
  score: number,
  textScore: text,
  scoreDate: day,
  comment: text,
  learningObjectiveSet: objectiveResults,
  ...scoreFlags,
}

/** The objects of OneRoster 1.2 by the key of a single one. */
export const oneRosterSchemas = {
  academicSession: object(
    {
      title: text,
      startDate: day,
      endDate: day,
      type: oneOf('gradingPeriod', 'schoolYear', 'semester', 'term'),
      parent: reference('academicSession'),
      children: references('academicSession'),
      schoolYear: { type: 'string', pattern: '^\\d{4}$' },
    },
    ['title', 'startDate', 'endDate', 'type', 'schoolYear'],
  ),
  class: object(
    {
      title: text,
      classCode: text,
      classType: oneOf('homeroom', 'scheduled'),
      location: text,
      grades: texts,
      subjects: texts,
      course: reference('course'),
      school: reference('org'),
      terms: references('academicSession', 1),
      subjectCodes: texts,
      periods: texts,
      resources: references('resource'),
    },
    ['title', 'classType', 'course', 'school', 'terms'],
  ),
  course: object(
    {
      title: text,
      schoolYear: reference('academicSession'),
      courseCode: text,
      grades: texts,
      subjects: texts,
      org: reference('org'),
      subjectCodes: texts,
      resources: references('resource'),
    },
    ['title', 'courseCode', 'org'],
  ),
  demographics: object({ birthDate: day, sex: oneOf('male', 'female', 'unspecified', 'other') }, []),
  enrollment: object(
    {
      user: reference('user'),
      class: reference('class'),
      school: reference('org'),
      role: oneOf('administrator', 'proctor', 'student', 'teacher'),
      primary: truth,
      beginDate: day,
      endDate: day,
    },
    ['user', 'class', 'school', 'role'],
  ),
  org: object(
    {
      name: text,
      type: oneOf('department', 'school', 'district', 'local', 'state', 'national'),
      identifier: text,
      parent: reference('org'),
      children: references('org'),
    },
    ['name', 'type', 'identifier'],
  ),
  user: object(
    {
      userMasterIdentifier: text,
      username: text,
      userIds: { type: 'array', items: closed({ type: text, identifier: text }, ['type', 'identifier']) },
      enabledUser: truth,
      givenName: text,
      familyName: text,
      middleName: text,
      preferredFirstName: text,
      preferredMiddleName: text,
      preferredLastName: text,
      pronouns: text,
      roles: {
        type: 'array',
        minItems: 1,
        items: closed(
          {
            roleType: oneOf('primary', 'secondary'),
            role: oneOf(...oneRosterRoles),
            org: reference('org'),
            userProfile: text,
            beginDate: day,
            endDate: day,
          },
          ['roleType', 'role', 'org'],
        ),
      },
      userProfiles: { type: 'array', items: { type: 'object' } },
      primaryOrg: reference('org'),
      identifier: text,
      email: text,
      sms: text,
      phone: text,
      agents: references('user'),
      grades: texts,
      password: text,
      resources: references('resource'),
    },
    ['username', 'enabledUser', 'givenName', 'familyName', 'roles'],
  ),
  resource: object({ title: text, vendorResourceId: text }, ['vendorResourceId']),
  category: object({ title: text, weight: number }, ['title']),
  lineItem: object(
    {
      title: text,
      description: text,
      assignDate: stamp,
      dueDate: stamp,
      class: reference('class'),
      school: reference('org'),
      category: reference('category'),
      gradingPeriod: reference('academicSession'),
      academicSession: reference('academicSession'),
      scoreScale: reference('scoreScale'),
      resultValueMin: number,
      resultValueMax: number,
      learningObjectiveSet: objectives,
    },
    ['title', 'assignDate', 'dueDate', 'class', 'school', 'category'],
  ),
  result: object(
    { lineItem: reference('lineItem'), student: reference('user'), class: reference('class'), ...scores },
    ['lineItem', 'student', 'scoreStatus', 'scoreDate'],
  ),
  scoreScale: object(
    {
      title: text,
      type: text,
      course: reference('course'),
      class: reference('class'),
      scoreScaleValue: {
        type: 'array',
        items: closed({ itemValueLHS: text, itemValueRHS: text }, ['itemValueLHS', 'itemValueRHS']),
      },
    },
    ['title', 'type', 'class', 'scoreScaleValue'],
  ),
  assessmentLineItem: object(
    {
      title: text,
      description: text,
      class: reference('class'),
      parentAssessmentLineItem: reference('assessmentLineItem'),
      scoreScale: reference('scoreScale'),
      resultValueMin: number,
      resultValueMax: number,
      learningObjectiveSet: objectives,
    },
    ['title'],
  ),
  assessmentResult: object(
    {
      assessmentLineItem: reference('assessmentLineItem'),
      student: reference('user'),
      ...scores,
      scorePercentile: number,
    },
    ['assessmentLineItem', 'student', 'scoreStatus', 'scoreDate'],
  ),
} as const satisfies Readonly<Record<string, ObjectSchema>>

export type OneRosterObject = keyof typeof oneRosterSchemas
