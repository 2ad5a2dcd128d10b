import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  aDocument,
  aDocumentTypeId,
  announced,
  anUpload,
  aProfile,
  aRequest,
  aStudent,
} from '../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { expireDocumentsJob } from '../documents/index.ts'

const service = await startTestService()

type Request = Awaited<ReturnType<typeof aRequest>>

/** A tenant and a request for a transcript and, optionally, a diploma. */
async function aTenantWithRequest() {
  const tenant = await service.tenant()
  const documentTypeId = await aDocumentTypeId(tenant.api, 'transcript')
  const optional = { documentTypeId: await aDocumentTypeId(tenant.api, 'diploma'), isRequired: false }
  const request = await aRequest(tenant.api, { items: [{ documentTypeId }, optional] })
  return { tenant, request }
}

async function read({ api }: TestTenant, { id }: Pick<Request, 'id'>): Promise<Request> {
  return (await api.get(`/vault/requests/${id}`)).body.data
}

test('request documents: linked to the request’s record, and their item follows them', async () => {
  const { tenant, request } = await aTenantWithRequest()
  const { api, traces } = tenant
  const { document } = await anUpload(api, { documentTypeKey: 'transcript', requestId: request.id })
  assert.deepEqual([document.requestId, document.source], [request.id, 'api'])
  assert.deepEqual([document.links[0]?.entityType, document.links[0]?.entityId], ['student', request.entityId])
  const announcedOnly = await read(tenant, request)
  assert.deepEqual(
    [announcedOnly.status, announcedOnly.items[0]?.status, announcedOnly.items[0]?.documentId],
    ['open', 'pending', document.id],
  )
  const found = await api.get(`/vault/documents?requestId=${request.id}`)
  assert.deepEqual(
    found.body.data.map(({ id }: { id: string }) => id),
    [document.id],
  )
  await aDocument(service, api, { documentId: document.id })
  const steps: unknown[] = []
  const step = async () => {
    const { status, items, completedAt } = await read(tenant, request)
    steps.push([status, items[0]?.status, items[0]?.rejectionReason, completedAt !== null])
  }
  await step()
  const path = `/vault/documents/${document.id}`
  for (const body of [
    { status: 'in_review' },
    { status: 'rejected', rejectionReason: 'blurred' },
    { status: 'approved' },
    { status: 'archived' },
    { status: 'approved' },
  ]) {
    assert.equal((await api.patch(path, body)).status, 200)
    await step()
  }
  assert.deepEqual(steps, [
    ['partially_completed', 'uploaded', null, false],
    ['partially_completed', 'uploaded', null, false],
    ['open', 'rejected', 'blurred', false],
    ['completed', 'accepted', null, true],
    ['open', 'pending', null, false],
    ['completed', 'accepted', null, true],
  ])
  const { audit, events, changed } = await traces(request.id)
  assert.deepEqual(audit, events)
  assert.deepEqual(events, [
    'vault_request.created',
    'vault_request.updated',
    'vault_request.updated',
    'vault_request.updated',
    'vault_request.completed',
    'vault_request.updated',
    'vault_request.completed',
  ])
  assert.deepEqual(changed.at(-1), ['status', 'items', 'completedAt'])
})

test('request documents: a change gives the request a new version and timestamp', async () => {
  const { tenant, request } = await aTenantWithRequest()
  const document = await aDocument(service, tenant.api, { documentTypeKey: 'transcript', requestId: request.id })
  const before = await tenant.api.get(`/vault/requests/${request.id}`)
  await tenant.api.patch(`/vault/documents/${document.id}`, { status: 'approved' })
  const after = await tenant.api.get(`/vault/requests/${request.id}`)
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'))
  assert.ok(after.body.data.updatedAt > before.body.data.updatedAt)
  const swept = await tenant.api.get(`/vault/requests?updatedSince=${after.body.data.updatedAt}`)
  assert.equal(swept.body.pagination.total, 1)
})

test('request documents: two concurrent approvals complete the request once', async () => {
  const { api, traces } = await service.tenant()
  const documentTypeIds = [await aDocumentTypeId(api, 'transcript'), await aDocumentTypeId(api, 'diploma')]
  const request = await aRequest(api, { documentTypeIds })
  const made = [
    await aDocument(service, api, { documentTypeKey: 'transcript', requestId: request.id }),
    await aDocument(service, api, { documentTypeKey: 'diploma', requestId: request.id }),
  ]
  const answers = await Promise.all(made.map(({ id }) => api.patch(`/vault/documents/${id}`, { status: 'approved' })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.equal((await api.get('/vault/requests?status=completed')).body.pagination.total, 1)
  const { events } = await traces(request.id)
  assert.deepEqual(
    events.filter((type) => type === 'vault_request.completed'),
    ['vault_request.completed'],
  )
})

test('request documents: an expired one is pending again, unless the request was complete', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const documentTypeIds = [await aDocumentTypeId(api, 'transcript'), await aDocumentTypeId(api, 'diploma')]
  const [unfinished, complete] = [await aRequest(api, { documentTypeIds }), await aRequest(api, { documentTypeIds })]
  const approve = async (documentTypeKey: string, requestId: string) => {
    const { id } = await aDocument(service, api, { documentTypeKey, requestId })
    await api.patch(`/vault/documents/${id}`, { status: 'approved', expiresAt: '2999-01-01' })
  }
  await approve('transcript', unfinished.id)
  await approve('transcript', complete.id)
  await approve('diploma', complete.id)
  await service.database.inspect(
    "update documents set expires_at = now() - interval '1 second' where tenant_id = $1 and expires_at is not null",
    [tenant.id],
  )
  await expireDocumentsJob.run(service.data, tenant)
  const [first, second] = [await read(tenant, unfinished), await read(tenant, complete)]
  assert.deepEqual([first.status, first.items[0]?.status], ['open', 'pending'])
  assert.deepEqual([second.status, second.items[0]?.status], ['completed', 'accepted'])
})

test('uploads for a request: need an open item of the type in an open request of this tenant', async () => {
  const { tenant, request } = await aTenantWithRequest()
  const { api } = tenant
  const refusal = async (body: object) => {
    const intent = { documentTypeKey: 'transcript', ...announced(), ...body }
    const { status, body: problem } = await api.post('/vault/documents/upload-intents', intent)
    return [status, problem.code, problem.rule ?? problem.currentState ?? problem.errors?.[0].pointer]
  }
  const foreign = await aRequest((await service.tenant()).api)
  for (const requestId of [randomUUID(), foreign.id]) {
    assert.deepEqual(await refusal({ requestId }), [422, 'reference_not_found', '#/requestId'])
  }
  assert.deepEqual(await refusal({ documentTypeKey: 'photo', requestId: request.id, mimeType: 'image/png' }), [
    ...[422, 'rule_violated', 'request_asks_for_document_type'],
  ])
  await aDocument(service, api, { documentTypeKey: 'transcript', requestId: request.id })
  assert.deepEqual(await refusal({ requestId: request.id }), [409, 'state_conflict', 'partially_completed'])
  const diploma = { documentTypeKey: 'diploma', requestId: request.id }
  await service.database.inspect(
    "update document_requests set expires_at = now() - interval '1 second' where id = $1",
    [request.id],
  )
  assert.deepEqual(await refusal(diploma), [409, 'state_conflict', 'expired'])
  await api.patch(`/vault/requests/${request.id}`, { status: 'revoked' })
  assert.deepEqual(await refusal(diploma), [409, 'state_conflict', 'revoked'])
  assert.equal((await api.get(`/vault/documents?requestId=${request.id}`)).body.pagination.total, 1)
})

test('requirements: read as requested while an open request names them', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const { id: entityId } = await aStudent(api)
  const [transcript] = await aProfile(service, tenant, 'student', [{ key: 'transcript' }, { key: 'diploma' }])
  const asked = { entityType: 'student', entityId, items: [{ requirementId: transcript }] }
  const request = await aRequest(api, asked)
  const requirements = async () => {
    const { body } = await api.get(`/vault/requirements?studentId=${entityId}`)
    return [
      ...body.data.requirements.map((item: Record<string, unknown>) => [item.status, item.requestId]),
      body.data.summary.missing,
    ]
  }
  assert.deepEqual(await requirements(), [['requested', request.id], ['missing', null], 2])
  await service.database.inspect('update requirements set due_days = null where id = $1', [transcript])
  const { body } = await api.get(`/vault/requirements?studentId=${entityId}`)
  assert.equal(body.data.requirements[0].dueAt, request.expiresAt)
  await aDocument(service, api, { documentTypeKey: 'transcript', requestId: request.id })
  assert.deepEqual(await requirements(), [['uploaded', request.id], ['missing', null], 1])
  const other = await aRequest(api, { entityType: 'student', entityId, fromRequirements: true })
  assert.deepEqual(await requirements(), [['uploaded', request.id], ['requested', other.id], 1])
  await api.patch(`/vault/requests/${other.id}`, { status: 'revoked' })
  assert.deepEqual(await requirements(), [['uploaded', request.id], ['missing', null], 1])
})
