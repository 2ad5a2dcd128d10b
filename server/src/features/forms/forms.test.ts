import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { FormSubmission, Static } from '@matricula/contract'
import {
  aDocument,
  anApplication,
  aQuestion,
  aStudent,
  aSubmission,
  aTemplate,
} from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

function ids({ data }: { data: { id: string }[] }): string[] {
  return data.map(({ id }) => id)
}

test('GET /v1/forms/templates: sections and questions in order, and the public address once published', async () => {
  const tenant = await service.tenant()
  const sections = [{ key: 'travel', title: 'Your journey' }]
  const fields = [
    aQuestion('reason', { isRequired: true, section: 'travel' }),
    aQuestion('days', { type: 'number', validation: { min: 1 }, visibleWhen: { field: 'reason', isSet: true } }),
  ]
  const settings = { key: 'leave', sections, fields, isPublic: true } as const
  const draft = await aTemplate(service, tenant, { ...settings, status: 'draft' })
  assert.deepEqual([draft.status, draft.publicUrl, draft.publishedAt, draft.version], ['draft', null, null, 1])
  const published = await aTemplate(service, tenant, { ...settings, status: 'published' })
  assert.equal(published.publicUrl, `https://matricula.example/f/${tenant.slug}/leave`)
  assert.deepEqual(published.sections, [{ key: 'travel', title: 'Your journey', position: 1 }])
  assert.deepEqual(
    published.fields.map(({ key, position, section }) => [key, position, section]),
    [
      ['reason', 1, 'travel'],
      ['days', 2, ''],
    ],
  )
  assert.deepEqual(published.fields[1]?.visibleWhen, { field: 'reason', isSet: true })
  assert.ok(published.publishedAt !== null)
  assert.equal((await aTemplate(service, tenant, { ...settings, isPublic: false })).publicUrl, null)
  assert.equal((await aTemplate(service, tenant, { ...settings, status: 'archived' })).publicUrl, null)
})

test('form templates: changed questions of a published version make a new version, and keep their ids', async () => {
  const tenant = await service.tenant()
  const key = 'leave'
  const draft = await aTemplate(service, tenant, { key, status: 'draft' })
  const still = await aTemplate(service, tenant, { key, status: 'draft', fields: [aQuestion('cause')] })
  assert.deepEqual([still.id, still.version, still.fields[0]?.key], [draft.id, 1, 'cause'])
  const first = await aTemplate(service, tenant, { key, fields: [aQuestion('cause')] })
  const submission = await aSubmission(service, tenant, first)
  const second = await aTemplate(service, tenant, { key, fields: [aQuestion('cause'), aQuestion('days')] })
  assert.deepEqual([first.version, second.version, second.submissionCount], [1, 2, 1])
  assert.equal(second.fields[0]?.id, first.fields[0]?.id)
  const frozen = await service.database.inspect<{ fields: unknown }>(
    'select fields from form_template_versions where tenant_id = $1 and version_number = 1',
    [tenant.id],
  )
  assert.deepEqual(frozen[0]?.fields, first.fields)
  const { body } = await tenant.api.get('/forms/submissions')
  assert.deepEqual([body.data[0].id, body.data[0].templateVersion], [submission.id, 1])
  const { audit, events } = await tenant.traces(first.id)
  assert.deepEqual(events, ['form_template.created', ...Array(3).fill('form_template.updated')])
  assert.deepEqual(audit, events)
})

test('form templates: unchanged settings write nothing', async () => {
  const tenant = await service.tenant()
  const once = await aTemplate(service, tenant, { key: 'leave' })
  const twice = await aTemplate(service, tenant, { key: 'leave' })
  assert.deepEqual(twice, once)
  assert.deepEqual((await tenant.traces(once.id)).events, ['form_template.created'])
})

test('GET /v1/forms/submissions: answers, owner, documents and submitter', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api, { fullName: 'Ada Byron' })
  const document = await aDocument(service, tenant.api)
  const template = await aTemplate(service, tenant, { name: 'Leave' })
  const answers = [
    { fieldKey: 'reason', label: 'Why?', type: 'text', value: 'A wedding' },
    { fieldKey: 'days', label: 'How long?', type: 'number', value: 3 },
    { fieldKey: 'proof', label: 'Proof', type: 'file', value: [document.id] },
  ] satisfies Static<typeof FormSubmission>['answers']
  const files = [{ documentId: document.id, fieldKey: 'proof' }]
  const made = await aSubmission(service, tenant, template, { studentId: student.id, answers, files })
  const { body } = await tenant.api.get('/forms/submissions')
  const [found] = body.data
  assert.deepEqual(found, made)
  assert.deepEqual([found.entityType, found.entityId, found.entityLabel], ['student', student.id, 'Ada Byron'])
  assert.deepEqual(found.values, { reason: 'A wedding', days: 3, proof: [document.id] })
  assert.deepEqual([found.answers, found.files], [answers, files])
  assert.deepEqual([found.submittedBy, found.status], [{ name: 'Carmen Dyer', email: null }, 'submitted'])
  assert.deepEqual([found.templateName, found.templateVersion], ['Leave', 1])
  assert.deepEqual(await tenant.traces(found.id).then(({ audit, events }) => [audit, events]), [
    ['form_submission.created'],
    ['form_submission.created'],
  ])
})

test('GET /v1/forms/submissions: each filter returns its matches with the exact total', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const [leave, enrolment] = [
    await aTemplate(service, tenant),
    await aTemplate(service, tenant, { status: 'archived' }),
  ]
  const [student, application] = [await aStudent(api), await anApplication(api)]
  const alone = await aSubmission(service, tenant, leave)
  const ofStudent = await aSubmission(service, tenant, leave, { studentId: student.id })
  const ofApplication = await aSubmission(service, tenant, enrolment, { applicationId: application.id })
  for (const [query, expected] of [
    ['', [alone, ofStudent, ofApplication]],
    [`templateId=${leave.id}`, [alone, ofStudent]],
    ['entityType=none', [alone]],
    ['entityType=student', [ofStudent]],
    ['entityType=application', [ofApplication]],
    [`entityId=${student.id}`, [ofStudent]],
    [`entityType=application&entityId=${application.id}`, [ofApplication]],
    [`entityType=application&entityId=${student.id}`, []],
    [`studentId=${student.id}`, [ofStudent]],
    [`applicationId=${application.id}`, [ofApplication]],
    ['status=submitted', [alone, ofStudent, ofApplication]],
    ['status=withdrawn', []],
    [`status=submitted&templateId=${enrolment.id}`, [ofApplication]],
    [`templateId=${randomUUID()}`, []],
    [`updatedSince=${ofApplication.updatedAt}&templateId=${enrolment.id}`, [ofApplication]],
  ] as const) {
    const { status, body } = await api.get(`/forms/submissions?${query}`)
    assert.equal(status, 200, query)
    assert.deepEqual([ids(body), body.pagination.total], [expected.map(({ id }) => id), expected.length], query)
  }
  for (const [query, expected] of [
    ['', [leave, enrolment]],
    ['status=published', [leave]],
    ['status=archived', [enrolment]],
    ['status=draft', []],
  ] as const) {
    const { body } = await api.get(`/forms/templates?${query}`)
    assert.deepEqual([ids(body), body.pagination.total], [expected.map(({ id }) => id), expected.length], query)
  }
  for (const query of ['entityType=course', 'templateId=x', 'status=published', 'search=x']) {
    const { status, body } = await api.get(`/forms/submissions?${query}`)
    assert.deepEqual([status, body.code], [400, 'validation_failed'], query)
  }
})

test('GET /v1/forms/submissions: cursor pagination returns each submission once, in order of creation', async () => {
  const tenant = await service.tenant()
  const template = await aTemplate(service, tenant)
  const made: string[] = []
  for (let count = 0; count < 5; count += 1) made.push((await aSubmission(service, tenant, template)).id)
  const met: string[] = []
  let cursor: string | null = '*'
  while (cursor !== null) {
    const { headers, body } = await tenant.api.get(`/forms/submissions?limit=2&cursor=${encodeURIComponent(cursor)}`)
    assert.equal(body.pagination.total, 5)
    met.push(...ids(body))
    cursor = headers.get('next-cursor')
  }
  assert.deepEqual(met, made)
  const { body } = await tenant.api.get('/forms/templates')
  assert.equal(body.data[0].submissionCount, 5)
})
