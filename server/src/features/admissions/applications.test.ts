import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aCatalogue, anApplication, aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const year = new Date().getUTCFullYear()

async function configure(tenant: TestTenant, key: string, columns: string): Promise<void> {
  await service.database.inspect(`update pipeline_statuses set ${columns} where tenant_id = $1 and key = $2`, [
    tenant.id,
    key,
  ])
}

test('the admission pipeline: a new tenant has the default one, in order', async () => {
  const { api } = await service.tenant()
  const { body } = await api.get('/admissions/pipeline/statuses')
  const statuses = body.data as { key: string; category: string; position: number; isInitial: boolean }[]
  assert.deepEqual(
    statuses.map(({ key, category }) => `${key} ${category}`),
    [
      'new open',
      'in_review open',
      'documents_pending open',
      'interview open',
      'accepted accepted',
      'rejected rejected',
      'withdrawn withdrawn',
      'enrolled enrolled',
    ],
  )
  assert.deepEqual(
    statuses.map(({ position }) => position),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
  assert.deepEqual(
    statuses.filter(({ isInitial }) => isInitial).map(({ key }) => key),
    ['new'],
  )
})

test('POST /v1/admissions/applications: every member, the initial status, a generated code, and history', async () => {
  const { api, traces } = await service.tenant()
  const response = await api.post('/admissions/applications', {
    givenNames: 'Ada',
    familyNames: 'Byron',
    academicYear: '2026',
  })
  assert.equal(response.status, 201)
  const { id, createdAt, updatedAt, ...fields } = response.body.data
  assert.deepEqual(fields, {
    externalId: null,
    applicationCode: `EDU-APP-${year}-00001`,
    fullName: 'Ada Byron',
    programId: null,
    program: '',
    programRef: null,
    status: 'new',
    givenNames: 'Ada',
    familyNames: 'Byron',
    email: null,
    phone: null,
    country: null,
    stateProvince: null,
    city: null,
    address: null,
    academicYear: '2026',
    academicPeriod: null,
    photoUrl: null,
    studentId: null,
    contactId: null,
    primaryContact: null,
    contacts: [],
    customFields: {},
  })
  assert.equal(response.headers.get('location'), `/v1/admissions/applications/${id}`)
  assert.deepEqual((await traces(id)).events, ['admission_application.created'])
  const moves = await service.database.inspect(
    'select from_status, to_status from application_moves where application_id = $1',
    [id],
  )
  assert.deepEqual(moves, [{ from_status: null, to_status: 'new' }])
})

test('POST /v1/admissions/applications: requires a name', async () => {
  const { api } = await service.tenant()
  const rejected = await api.post('/admissions/applications', { email: 'a@example.org' })
  assert.deepEqual([rejected.status, rejected.body.errors[0].pointer], [400, '#/fullName'])
})

test('POST /v1/admissions/applications: 422 for an unknown program or student, 409 for a taken externalId', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const { programId } = await aCatalogue(service, tenant)
  const student = await aStudent(api)
  const first = await anApplication(api, { programId, studentId: student.id, externalId: 'A-1' })
  assert.deepEqual([first.program, first.programRef?.id, first.studentId], ['Nursing', programId, student.id])
  for (const field of ['programId', 'studentId']) {
    const rejected = await api.patch(`/admissions/applications/${first.id}`, { [field]: randomUUID() })
    assert.deepEqual([rejected.status, rejected.body.code], [422, 'reference_not_found'])
    assert.equal(rejected.body.errors[0].pointer, `#/${field}`)
  }
  const taken = await api.post('/admissions/applications', { fullName: 'B', externalId: 'A-1' })
  assert.deepEqual([taken.status, taken.body.code, taken.body.existingId], [409, 'external_id_taken', first.id])
})

test('application status: an invalid, unknown or inactive one is rejected with the allowed ones', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const { id } = await anApplication(api)
  for (const status of ['X', 'a', 'Ünew', '1new', 'x'.repeat(65)]) {
    assert.equal((await api.patch(`/admissions/applications/${id}`, { status })).status, 400)
  }
  await configure(tenant, 'interview', 'is_active = false')
  for (const status of ['no_such', 'interview']) {
    const rejected = await api.patch(`/admissions/applications/${id}`, { status })
    assert.deepEqual([rejected.status, rejected.body.code], [422, 'unknown_pipeline_status'])
    assert.ok(!rejected.body.allowed.includes('interview') && rejected.body.allowed.includes('accepted'))
    const created = await api.post('/admissions/applications', { fullName: 'B', status })
    assert.deepEqual([created.status, created.body.code], [422, 'unknown_pipeline_status'])
  }
})

test('application status: any move is allowed unless configured; a forbidden one lists the allowed ones', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const { id } = await anApplication(api, { status: 'enrolled' })
  assert.equal((await api.patch(`/admissions/applications/${id}`, { status: 'new' })).status, 200)
  await configure(tenant, 'new', `allowed_next = '{in_review,withdrawn}'`)
  const rejected = await api.patch(`/admissions/applications/${id}`, { status: 'accepted' })
  assert.deepEqual([rejected.status, rejected.body.code], [409, 'transition_not_allowed'])
  assert.deepEqual(rejected.body.allowed, ['in_review', 'withdrawn'])
  const moved = await api.patch(`/admissions/applications/${id}`, { status: 'in_review', city: 'Lima' })
  assert.deepEqual([moved.status, moved.body.data.status], [200, 'in_review'])
  const { events, audit } = await tenant.traces(id)
  assert.deepEqual(events, [
    'admission_application.created',
    'admission_application.status_changed',
    'admission_application.status_changed',
  ])
  assert.deepEqual(audit, events)
  const moves = await service.database.inspect(
    'select from_status, to_status from application_moves where application_id = $1 order by moved_at, id',
    [id],
  )
  assert.deepEqual(moves, [
    { from_status: null, to_status: 'enrolled' },
    { from_status: 'enrolled', to_status: 'new' },
    { from_status: 'new', to_status: 'in_review' },
  ])
})

test('upserting an application: repeated with the same contacts changes nothing; a new contact is linked', async () => {
  const { api, traces } = await service.tenant()
  const path = '/admissions/applications/external/A-1'
  const contacts = [
    {
      displayName: 'Carmen Dyer',
      phone: '(950) 342 7522',
      role: 'family',
      relationshipLabel: 'Mother',
      isPrimary: true,
    },
    { displayName: 'Nameless Uncle', role: 'family' },
  ]
  const created = await api.put(path, { fullName: 'Tyrone Dyer', contacts })
  assert.deepEqual([created.status, created.body.data.contacts.length], [201, 2])
  const again = await api.put(path, { fullName: 'Tyrone Dyer', contacts })
  assert.deepEqual([again.status, again.body], [200, created.body])
  const sentBack = await api.put(path, created.body.data)
  assert.deepEqual([sentBack.status, sentBack.body], [200, created.body])
  assert.deepEqual((await traces(created.body.data.id)).events, ['admission_application.created'])
  const more = await api.put(path, { contacts: [{ displayName: 'Manuel Dyer', email: 'm@example.org' }] })
  assert.equal(more.body.data.contacts.length, 3)
  const foreign = await api.put(path, { contacts: [{ ...created.body.data.contacts[0], id: randomUUID() }] })
  assert.deepEqual([foreign.status, foreign.body.errors[0].pointer], [400, '#/contacts/0/id'])
})

test('upserting an application: contacts are found in any format, and nulls in free-form objects change nothing', async () => {
  const { api } = await service.tenant()
  const first = { displayName: 'P', phone: '950-999-1111', email: 'p@example.org', role: 'family' }
  await api.put('/admissions/applications/external/b0', { fullName: 'B', contacts: [first] })
  for (const contact of [
    { displayName: 'P', phone: '(950) 999 1111', role: 'family' },
    { email: 'other@example.org', phone: '950.999.1111' },
    { email: 'P@EXAMPLE.org', metadata: { a: null, b: { c: null } } },
  ]) {
    const body = { fullName: 'B', customFields: { k: null, deep: { gone: null, kept: 1 } }, contacts: [contact] }
    const path = `/admissions/applications/external/${randomUUID()}`
    const created = await api.put(path, body)
    assert.deepEqual(created.body.data.customFields, { deep: { kept: 1 } })
    const again = await api.put(path, body)
    assert.deepEqual([again.status, again.body], [200, created.body])
  }
})

test('upserting an application: concurrent requests with a new externalId make one application', async () => {
  const { api } = await service.tenant()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api.put('/admissions/applications/external/race', { fullName: 'Ada' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(7).fill(200), 201])
  assert.equal((await api.get('/admissions/applications')).body.pagination.total, 1)
})

test('GET /v1/admissions/applications: each filter returns its matches', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const { programId } = await aCatalogue(service, tenant)
  const student = await aStudent(api)
  const wanted = await anApplication(api, {
    fullName: 'Núria Àlex',
    externalId: 'A-1',
    programId,
    studentId: student.id,
    academicYear: '2026',
    academicPeriod: 'Fall',
    status: 'accepted',
    contacts: [{ displayName: 'Carmen', email: 'c@example.org' }],
  })
  await anApplication(api)
  const queries = [
    'status=accepted',
    `programId=${programId}`,
    `studentId=${student.id}`,
    'externalId=A-1',
    'search=nuria',
  ]
  for (const query of [...queries, 'academicYear=2026', 'academicPeriod=Fall', `contactId=${wanted.contactId}`]) {
    const { body } = await api.get(`/admissions/applications?${query}`)
    assert.deepEqual([body.pagination.total, body.data[0]?.id], [1, wanted.id], query)
  }
})
