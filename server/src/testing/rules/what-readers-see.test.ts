import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ChangeContext } from '../../changes/request-context.ts'
import type { Transaction } from '../../database/index.ts'
import { importCourse } from '../../features/courses/index.ts'
import type { TemplateSettings } from '../../features/forms/index.ts'
import { importProgram } from '../../features/programs/index.ts'
import { readDocumentTypeSettings, saveDocumentType } from '../../features/requirements/index.ts'
import {
  aCatalogue,
  anApplication,
  anUpload,
  aPayment,
  aQuestion,
  aRequest,
  aStudent,
  aSubmission,
  aTemplate,
  getOperator,
} from '../fixtures/factories.ts'
import { type Outcome, ResourceClient } from '../fixtures/resource-client.ts'
import { until } from '../fixtures/service-process.ts'
import { type ApiResponse, startTestService, type TestTenant } from '../fixtures/test-service.ts'

const service = await startTestService()

/** A tenant in which every record shows something of another one. */
interface School {
  readonly tenant: TestTenant
  readonly resourceClient: ResourceClient
  readonly programId: string
  readonly courseId: string
  readonly student: { id: string; studentCode: string }
  readonly application: { id: string; applicationCode: string }
  readonly template: { id: string; key: string; version: number }
  readonly guardian: string
  /** Where each record that shows something is found; records without an operation of their own by their list alone. */
  readonly places: Readonly<Record<Dependent, { list: string; id: string; hasEntityTag: boolean }>>
}

type Dependent =
  | 'student'
  | 'application'
  | 'payment'
  | 'program'
  | 'course'
  | 'document of the student'
  | 'document of the application'
  | 'request to the student'
  | 'request to the applicant'
  | 'submission of the student'
  | 'submission of the applicant'
  | 'template'

interface Change {
  readonly on: string
  readonly by: string
  readonly seen: readonly Dependent[]
  readonly make: (school: School) => Promise<unknown>
}

async function aSchool(): Promise<School> {
  const tenant = await service.tenant()
  const resourceClient = new ResourceClient(service, tenant)
  const { api } = tenant
  const { programId, courseId } = await aCatalogue(service, tenant)
  const person = { displayName: 'Carmen', email: 'carmen@example.org' }
  const student = await aStudent(api, { programId, externalId: 'S' })
  const application = await anApplication(api, { programId, externalId: 'A', contacts: [person] })
  const { data } = await resourceClient.list('Guardian', { fields: '["name"]' })
  const guardian = data[0].name
  const linked = await resourceClient.update('Student', student.studentCode, { guardians: [{ guardian }] })
  assert.equal(linked.error, null, linked.told)
  const payment = await aPayment(api, { studentId: student.id })
  const template = await aTemplate(service, tenant, { key: 'leave' })
  const [ofStudent, ofApplication] = [
    { entityType: 'student', entityId: student.id },
    { entityType: 'application', entityId: application.id },
  ]
  const documents = { list: '/vault/documents', hasEntityTag: true }
  const requests = { list: '/vault/requests', hasEntityTag: true }
  const submissions = { list: '/forms/submissions', hasEntityTag: false }
  return {
    ...{ tenant, resourceClient, programId, courseId, student, application, template, guardian },
    places: {
      student: { list: '/students', id: student.id, hasEntityTag: true },
      application: { list: '/admissions/applications', id: application.id, hasEntityTag: true },
      payment: { list: '/payments', id: payment.id, hasEntityTag: true },
      program: { list: '/programs', id: programId, hasEntityTag: true },
      course: { list: '/courses', id: courseId, hasEntityTag: true },
      'document of the student': { ...documents, id: (await anUpload(api, ofStudent)).document.id },
      'document of the application': { ...documents, id: (await anUpload(api, ofApplication)).document.id },
      'request to the student': { ...requests, id: (await aRequest(api, ofStudent)).id },
      'request to the applicant': { ...requests, id: (await aRequest(api, ofApplication)).id },
      'submission of the student': {
        ...submissions,
        id: (await aSubmission(service, tenant, template, { studentId: student.id })).id,
      },
      'submission of the applicant': {
        ...submissions,
        id: (await aSubmission(service, tenant, template, { applicationId: application.id })).id,
      },
      template: { list: '/forms/templates', id: template.id, hasEntityTag: false },
    },
  }
}

const requireDone = (outcome: Outcome) => assert.equal(outcome.error, null, outcome.told)
const requireOk = ({ status, text }: ApiResponse) => assert.ok(status < 300, text)
const asOperator = ({ tenant }: School, work: (tx: Transaction, context: ChangeContext) => Promise<unknown>) =>
  service.data.transaction(tenant.id, (tx) => work(tx, getOperator(tenant)))

async function saveLeaveForm(school: School, settings: Partial<TemplateSettings>): Promise<void> {
  await aTemplate(service, school.tenant, { key: 'leave', fields: [aQuestion('reason')], ...settings })
}

const ofStudent = [
  'payment',
  'document of the student',
  'request to the student',
  'submission of the student',
] as const satisfies Dependent[]
const ofApplication = [
  'document of the application',
  'request to the applicant',
  'submission of the applicant',
] as const satisfies Dependent[]
const ofProgram = ['student', 'application', 'course'] as const satisfies Dependent[]

/** Every way in which what one record shows of another changes. */
const changes: readonly Change[] = [
  {
    on: 'the name of a student',
    by: 'PATCH of the Client API',
    seen: ofStudent,
    make: async ({ tenant, student }) =>
      requireOk(await tenant.api.patch(`/students/${student.id}`, { fullName: 'Grace' })),
  },
  {
    on: 'the name of a student',
    by: 'upsert',
    seen: ofStudent,
    make: async ({ tenant }) => requireOk(await tenant.api.put('/students/external/S', { fullName: 'Grace' })),
  },
  {
    on: 'the code of a student',
    by: 'PATCH of the Client API',
    seen: ['payment'],
    make: async ({ tenant, student }) =>
      requireOk(await tenant.api.patch(`/students/${student.id}`, { studentCode: 'G-1' })),
  },
  {
    on: 'the name of a student',
    by: 'the Resource API',
    seen: ofStudent,
    make: async ({ resourceClient, student }) =>
      requireDone(await resourceClient.update('Student', student.studentCode, { last_name: 'Hopper' })),
  },
  {
    on: 'the code of a student',
    by: 'rename_doc',
    seen: ['payment'],
    make: async ({ resourceClient, student }) =>
      requireDone(await resourceClient.rename('Student', student.studentCode, 'G-1')),
  },
  {
    on: 'the name of an applicant',
    by: 'PATCH of the Client API',
    seen: ofApplication,
    make: async ({ tenant, application }) =>
      requireOk(await tenant.api.patch(`/admissions/applications/${application.id}`, { fullName: 'Grace' })),
  },
  {
    on: 'the name of an applicant',
    by: 'upsert',
    seen: ofApplication,
    make: async ({ tenant }) =>
      requireOk(await tenant.api.put('/admissions/applications/external/A', { fullName: 'Grace' })),
  },
  {
    on: 'the name of an applicant',
    by: 'the Resource API',
    seen: ofApplication,
    make: async ({ resourceClient, application }) => {
      const year = { year_start_date: '2026-08-01', year_end_date: '2027-07-31' }
      const { name } = await resourceClient.make('Academic Year', { academic_year_name: '2026', ...year })
      const named = { first_name: 'Grace', academic_year: name }
      requireDone(await resourceClient.update('Student Applicant', application.applicationCode, named))
    },
  },
  {
    on: 'the name of a program',
    by: 'rename_doc',
    seen: ofProgram,
    make: async ({ resourceClient }) => requireDone(await resourceClient.rename('Program', 'Nursing', 'Care')),
  },
  {
    on: 'the level of a program',
    by: 'import',
    seen: ofProgram,
    make: (school) =>
      asOperator(school, (tx, context) => importProgram(tx, context, { name: 'Nursing', educationLevel: 'tertiary' })),
  },
  {
    on: 'the status of a program',
    by: 'import',
    seen: ofProgram,
    make: (school) =>
      asOperator(school, (tx, context) => importProgram(tx, context, { name: 'Nursing', status: 'archived' })),
  },
  {
    on: 'the courses of a program',
    by: 'the Resource API',
    seen: ['program', 'course'],
    make: async ({ resourceClient }) => requireDone(await resourceClient.update('Program', 'Nursing', { courses: [] })),
  },
  {
    on: 'the programs of a course',
    by: 'import',
    seen: ['program', 'course'],
    make: (school) => asOperator(school, (tx, context) => importCourse(tx, context, { name: 'Anatomy', programs: [] })),
  },
  {
    on: 'the course of a program',
    by: 'merging it into another',
    seen: ['program'],
    make: async ({ resourceClient }) => {
      await resourceClient.make('Course', { course_name: 'Bones' })
      requireDone(await resourceClient.rename('Course', 'Anatomy', 'Bones', 1))
    },
  },
  {
    on: 'a contact',
    by: 'the Resource API',
    seen: ['student', 'application'],
    make: async ({ resourceClient, guardian }) =>
      requireDone(await resourceClient.update('Guardian', guardian, { guardian_name: 'Carmela' })),
  },
  {
    on: 'a contact',
    by: 'linking that fills it in',
    seen: ['student', 'application'],
    make: async ({ tenant }) => {
      const contacts = [{ displayName: 'Carmen', email: 'carmen@example.org', phone: '+34 600 000 000' }]
      requireOk(await tenant.api.post('/admissions/applications', { fullName: 'Ida', contacts }))
    },
  },
  {
    on: 'the contacts of an application',
    by: 'the Client API',
    seen: ['application'],
    make: async ({ tenant, application }) =>
      requireOk(await tenant.api.post(`/admissions/applications/${application.id}/contacts`, { displayName: 'Tom' })),
  },
  {
    on: 'the contacts of a student',
    by: 'the Resource API',
    seen: ['student'],
    make: async ({ resourceClient, student }) =>
      requireDone(await resourceClient.update('Student', student.studentCode, { guardians: [] })),
  },
  {
    on: 'the name of a document type',
    by: 'apply',
    seen: ['document of the student', 'document of the application'],
    make: (school) =>
      asOperator(school, async (tx, context) => {
        const before = (await readDocumentTypeSettings(tx)).get('birth_certificate')
        assert.ok(before)
        await saveDocumentType(tx, context, before, { ...before, name: 'Proof of birth' })
      }),
  },
  {
    on: 'the name of a form template',
    by: 'apply',
    seen: ['template', 'submission of the student', 'submission of the applicant'],
    make: (school) => saveLeaveForm(school, { name: 'Absence' }),
  },
  {
    on: 'the number of submissions',
    by: 'sending a form',
    seen: ['template'],
    make: ({ tenant, template }) => aSubmission(service, tenant, template),
  },
]

/** Sweeps a list with a watermark, by cursor, to its end. */
async function sweep({ tenant }: School, list: string, since: string): Promise<Map<string, { updatedAt: string }>> {
  const found = new Map<string, { updatedAt: string }>()
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '100', updatedSince: since, cursor })
    const { status, body, headers, text } = await tenant.api.get(`${list}?${query}`)
    assert.equal(status, 200, text)
    for (const record of body.data) found.set(record.id, record)
    cursor = headers.get('next-cursor')
  }
  return found
}

const lists = ['/students', '/admissions/applications', '/payments', '/programs', '/courses', '/vault/documents']
const allLists = [...lists, '/vault/requests', '/forms/submissions', '/forms/templates']

/** A watermark that is behind everything that was written so far. */
async function settledWatermark(school: School): Promise<string> {
  let watermark = ''
  await until(async () => {
    const { headers } = await school.tenant.api.get('/students?limit=1')
    watermark = headers.get('sync-watermark') as string
    const left = await Promise.all(allLists.map((list) => sweep(school, list, watermark)))
    return left.every((found) => found.size === 0)
  }, 'a watermark behind what was written')
  return watermark
}

async function findTag({ tenant, places: locations }: School, dependent: Dependent): Promise<string | null> {
  const { list, id, hasEntityTag } = locations[dependent]
  return hasEntityTag ? (await tenant.api.get(`${list}/${id}`)).headers.get('etag') : null
}

describe('what a record shows of another is swept when it changes there:', () => {
  for (const { on, by, seen, make } of changes) {
    test(`${on}, by ${by}`, async () => {
      const school = await aSchool()
      const watermark = await settledWatermark(school)
      const before = new Map<Dependent, string | null>()
      for (const dependent of seen) before.set(dependent, await findTag(school, dependent))
      await make(school)
      for (const dependent of seen) {
        const { list, id, hasEntityTag } = school.places[dependent]
        const record = (await sweep(school, list, watermark)).get(id)
        assert.ok(record !== undefined, `the sweep left out the ${dependent}`)
        assert.ok(record.updatedAt >= watermark, dependent)
        if (!hasEntityTag) continue
        const { headers, body } = await school.tenant.api.get(`${list}/${id}`)
        assert.notEqual(headers.get('etag'), before.get(dependent), dependent)
        assert.equal(body.data.updatedAt, record.updatedAt)
        const page = await school.tenant.api.get(`${list}?updatedSince=${encodeURIComponent(record.updatedAt)}`)
        assert.ok(page.body.data.some((found: { id: string }) => found.id === id))
        assert.equal(page.body.pagination.total, page.body.data.length)
      }
    })
  }
})

describe('what other records do not show makes none of them change:', () => {
  let school: School
  before(async () => {
    school = await aSchool()
  })

  const unseen: [string, () => Promise<unknown>, string[]][] = [
    [
      'the city of a student',
      () => school.tenant.api.patch(`/students/${school.student.id}`, { city: 'Lima' }),
      ['/students'],
    ],
    [
      'the department of a program',
      async () => {
        await school.resourceClient.make('Department', { department_name: 'Health' })
        requireDone(await school.resourceClient.update('Program', 'Nursing', { department: 'Health' }))
      },
      ['/programs'],
    ],
    [
      'the description of a form',
      () => saveLeaveForm(school, { description: 'For a day or two.' }),
      ['/forms/templates'],
    ],
  ]
  for (const [what, make, changed] of unseen) {
    test(what, async () => {
      const watermark = await settledWatermark(school)
      await make()
      const found = await Promise.all(allLists.map(async (list) => [list, (await sweep(school, list, watermark)).size]))
      assert.deepEqual(
        found.filter(([, size]) => size !== 0).map(([list]) => list),
        changed,
      )
    })
  }
})

test('a changed name of what is shown writes no audit row and no event of those that show it', async () => {
  const school = await aSchool()
  const traces = () => Promise.all(Object.values(school.places).map(({ id }) => school.tenant.traces(id)))
  const before = await traces()
  requireDone(await school.resourceClient.rename('Program', 'Nursing', 'Care'))
  const after = await traces()
  const changed = Object.keys(school.places).filter(
    (_, index) => after[index]?.audit.length !== before[index]?.audit.length,
  )
  assert.deepEqual(changed, ['program'])
})
