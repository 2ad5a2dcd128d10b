import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aCatalogue, aDocument, anApplication, anUpload, aProfile, aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

test('each requirement shows how its document stands, and only an approved, unexpired one satisfies it', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const student = await aStudent(api)
  const asked = [{ key: 'transcript' }, { key: 'diploma', isRequired: false }]
  const [transcript, diploma] = await aProfile(service, tenant, 'student', asked)
  const read = async () => (await api.get(`/vault/requirements?studentId=${student.id}`)).body.data
  const first = await read()
  assert.deepEqual(
    first.requirements.map(({ requirementId, status }: Record<string, string>) => [requirementId, status]),
    [
      [transcript, 'missing'],
      [diploma, 'missing'],
    ],
  )
  assert.equal(Date.parse(first.requirements[0].dueAt) - Date.parse(student.createdAt), 30 * 24 * 3600 * 1000)
  const owner = { documentTypeKey: 'transcript', entityType: 'student', entityId: student.id }
  await anUpload(api, owner)
  const steps: unknown[] = [(await read()).requirements[0].status]
  const document = await aDocument(service, api, owner)
  const path = `/vault/documents/${document.id}`
  steps.push((await read()).requirements[0].status)
  for (const body of [
    { status: 'in_review' },
    { status: 'rejected', rejectionReason: 'blurred' },
    { status: 'approved', expiresAt: '2999-01-01' },
    { expiresAt: '2020-01-01' },
    { status: 'archived' },
  ]) {
    assert.equal((await api.patch(path, body)).status, 200)
    const { requirements, summary } = await read()
    steps.push([requirements[0].status, requirements[0].rejectionReason, summary.isComplete])
  }
  assert.deepEqual(steps, [
    'missing',
    'uploaded',
    ['in_review', null, false],
    ['rejected', 'blurred', false],
    ['satisfied', null, true],
    ['expired', null, false],
    ['missing', null, false],
  ])
  await service.database.inspect(
    'insert into requirement_waivers (tenant_id, id, requirement_id, student_id) values ($1, $2, $3, $4)',
    [tenant.id, randomUUID(), transcript, student.id],
  )
  assert.deepEqual((await read()).summary, {
    total: 2,
    required: 1,
    satisfied: 0,
    missing: 1,
    inReview: 0,
    rejected: 0,
    expired: 0,
    waived: 1,
    isComplete: true,
  })
})

test('a requirement may need several files', async () => {
  const tenant = await service.tenant()
  const { id: entityId } = await aStudent(tenant.api)
  await aProfile(service, tenant, 'student', [{ key: 'other', minFiles: 2 }])
  for (const status of ['missing', 'satisfied']) {
    const { id } = await aDocument(service, tenant.api, { documentTypeKey: 'other', entityType: 'student', entityId })
    await tenant.api.patch(`/vault/documents/${id}`, { status: 'approved' })
    const { body } = await tenant.api.get(`/vault/requirements?entityType=student&entityId=${entityId}`)
    assert.equal(body.data.requirements[0].status, status)
  }
})

test('a profile concerns the records that meet all its conditions', async () => {
  const tenant = await service.tenant()
  const { programId } = await aCatalogue(service, tenant)
  const { id } = await aStudent(tenant.api, { programId, country: 'Peru' })
  await aProfile(service, tenant, 'student', [{ key: 'other' }], { programIds: [programId], countries: ['Peru'] })
  await aProfile(service, tenant, 'student', [{ key: 'other' }], { programIds: [programId], countries: ['Chile'] })
  await aProfile(service, tenant, 'student', [{ key: 'other' }], { statuses: ['graduated'] })
  await aProfile(service, tenant, 'application', [{ key: 'other' }])
  const { body } = await tenant.api.get(`/vault/requirements?studentId=${id}`)
  assert.deepEqual([body.data.profiles.length, body.data.summary.total], [1, 1])
  const profiles = await tenant.api.get('/vault/requirement-profiles')
  assert.equal(profiles.body.pagination.total, 4)
  const chosen = profiles.body.data.find((profile: { id: string }) => profile.id === body.data.profiles[0].id)
  assert.deepEqual(chosen.conditions.countries, ['Peru'])
  assert.equal(chosen.requirements[0].documentType.key, 'other')
})

test('exactly one record is named, and it is one of this tenant', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const { id } = await aStudent(ours.api)
  const { id: foreign } = await aStudent(theirs.api)
  const queries = ['', '?entityType=student', `?entityId=${id}`, `?studentId=${id}&applicationId=${id}`]
  for (const query of [...queries, `?studentId=${id}&entityType=student`, '?studentId=x']) {
    const { status, body } = await ours.api.get(`/vault/requirements${query}`)
    assert.deepEqual([status, body.code], [400, 'validation_failed'], query)
  }
  for (const query of [`studentId=${foreign}`, `applicationId=${id}`, `studentId=${randomUUID()}`]) {
    const { status, body } = await ours.api.get(`/vault/requirements?${query}`)
    assert.deepEqual([status, body.code], [404, 'resource_not_found'], query)
  }
})

test('an application reaches a status that needs documents once every required one is approved', async () => {
  const tenant = await service.tenant()
  const { api, traces } = tenant
  const { id } = await anApplication(api)
  const asked = [{ key: 'transcript' }, { key: 'diploma' }, { key: 'photo', isRequired: false }]
  const [transcript, diploma] = await aProfile(service, tenant, 'application', asked)
  await service.database.inspect(
    "update pipeline_statuses set requires_complete = true where tenant_id = $1 and key = 'accepted'",
    [tenant.id],
  )
  const move = () => api.patch(`/admissions/applications/${id}`, { status: 'accepted' })
  const rejected = await move()
  assert.deepEqual([rejected.status, rejected.body.code], [409, 'requirements_incomplete'])
  assert.deepEqual(rejected.body.missing, [
    { requirementId: transcript, label: 'Transcript of records' },
    { requirementId: diploma, label: 'Diploma' },
  ])
  const created = await api.post('/admissions/applications', { fullName: 'Ada', status: 'accepted' })
  assert.deepEqual([created.status, created.body.code], [409, 'requirements_incomplete'])
  for (const documentTypeKey of ['transcript', 'diploma']) {
    const document = await aDocument(service, api, { documentTypeKey, entityType: 'application', entityId: id })
    await api.patch(`/vault/documents/${document.id}`, { status: 'approved' })
  }
  assert.equal((await move()).body.data.status, 'accepted')
  assert.equal((await traces(id)).events.at(-1), 'admission_application.status_changed')
})
