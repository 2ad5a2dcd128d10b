import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  aDocument,
  aDocumentTypeId,
  anApplication,
  aProfile,
  aRequest,
  aStudent,
} from '../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { expireRequestsJob } from './expired-requests.ts'
import { buildRequestToken } from './request-links.ts'

const service = await startTestService()
const day = 24 * 3600 * 1000

function inDays(days: number): string {
  return new Date(Date.now() + days * day).toISOString()
}

/** Expires a request. */
async function letPass(id: string): Promise<void> {
  await service.database.inspect(
    "update document_requests set expires_at = now() - interval '1 second' where id = $1",
    [id],
  )
}

test('POST /v1/vault/requests: an item per type, two weeks of validity, the student as recipient', async () => {
  const { api, traces } = await service.tenant()
  const student = await aStudent(api, { fullName: 'Ada Byron', email: 'ada@example.org' })
  const [transcript, diploma] = [await aDocumentTypeId(api, 'transcript'), await aDocumentTypeId(api, 'diploma')]
  const body = { entityType: 'student', entityId: student.id.toUpperCase(), documentTypeIds: [transcript, diploma] }
  const created = await api.post('/vault/requests', { ...body, externalId: 'R-1' })
  const request = created.body.data
  assert.equal(created.status, 201)
  assert.equal(created.headers.get('location'), `/v1/vault/requests/${request.id}`)
  assert.deepEqual(
    request.items.map(({ id, ...item }: { id: string }) => item),
    [
      { documentTypeId: transcript, label: 'Transcript of records' },
      { documentTypeId: diploma, label: 'Diploma' },
    ].map((item) => ({
      ...item,
      instructions: '',
      isRequired: true,
      status: 'pending',
      rejectionReason: null,
      documentId: null,
    })),
  )
  assert.deepEqual(
    [request.status, request.externalId, request.entityId, request.entityLabel, request.title, request.message],
    ['open', 'R-1', student.id, 'Ada Byron', 'Document request', ''],
  )
  assert.deepEqual(request.recipient, { contactId: null, name: 'Ada Byron', email: 'ada@example.org', phone: null })
  assert.ok(Math.abs(Date.parse(request.expiresAt) - Date.now() - 14 * day) < 60_000)
  assert.deepEqual(await traces(request.id), {
    audit: ['vault_request.created'],
    events: ['vault_request.created'],
    changed: [Object.keys(request).filter((field) => field !== 'updatedAt')],
  })
  const read = await api.get(`/vault/requests/${request.id}`)
  assert.deepEqual(read.body.data, { ...request, publicUrl: null })
  assert.equal(read.headers.get('etag'), created.headers.get('etag'))
  const taken = await api.post('/vault/requests', { ...body, externalId: 'R-1' })
  assert.deepEqual([taken.status, taken.body.code, taken.body.existingId], [409, 'external_id_taken', request.id])
})

test('POST /v1/vault/requests: only this response and its replay contain the public address', async () => {
  const { id: tenantId, api } = await service.tenant()
  const body = { entityType: 'student', entityId: (await aStudent(api)).id }
  const documentTypeIds = [await aDocumentTypeId(api, 'other')]
  const headers = { 'idempotency-key': randomUUID() }
  const created = await api.post('/vault/requests', { ...body, documentTypeIds }, headers)
  const request = created.body.data
  const token = buildRequestToken(service.secretKey, { tenantId, requestId: request.id })
  assert.equal(request.publicUrl, `https://matricula.example/r/${token}`)
  const path = `/vault/requests/${request.id}`
  const others = [
    await api.get(path),
    await api.patch(path, { expiresAt: inDays(3) }),
    await api.get('/vault/requests'),
    await api.patch(path, { status: 'revoked' }),
  ]
  for (const { status, text } of others) {
    assert.equal(status, 200)
    assert.ok(!text.includes(token) && text.includes('"publicUrl":null'))
  }
  const replay = await api.post('/vault/requests', { ...body, documentTypeIds }, headers)
  assert.deepEqual([replay.status, replay.text], [201, created.text])
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
})

test('public request links: neither stored nor logged', async () => {
  const { id: tenantId, api } = await service.tenant()
  const { id, publicUrl } = await aRequest(api)
  const token = buildRequestToken(service.secretKey, { tenantId, requestId: id })
  assert.ok(publicUrl?.endsWith(token))
  const signature = Buffer.from(token, 'base64url').subarray(32)
  const secrets = [token, token.slice(-20), signature.toString('hex'), signature.toString('base64')]
  const tables = await service.database.inspect<{ name: string }>(
    "select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')",
  )
  assert.ok(tables.some(({ name }) => name === 'idempotency_keys'))
  const naming: string[] = []
  for (const { name } of tables) {
    for (const { row } of await service.database.inspect<{ row: string }>(`select t::text as row from ${name} t`)) {
      if (row.includes(id)) naming.push(name)
      for (const secret of secrets) assert.ok(!row.includes(secret), name)
    }
  }
  for (const name of ['idempotency_keys', 'audit_entries', 'events']) assert.ok(naming.includes(name), name)
  for (const secret of secrets) assert.ok(!service.logged.join('').includes(secret))
})

test('request items: label and instructions of their own, else of the requirement', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const application = await anApplication(api)
  const documentTypeId = await aDocumentTypeId(api, 'transcript')
  const [requirementId] = await aProfile(service, tenant, 'application', [{ key: 'diploma' }])
  const { items } = await aRequest(api, {
    entityType: 'application',
    entityId: application.id,
    items: [
      { documentTypeId, label: 'Last transcript', instructions: 'Stamped.', isRequired: false },
      { requirementId },
      { requirementId, label: 'A copy', instructions: '' },
    ],
  })
  assert.deepEqual(
    items.map(({ label, instructions, isRequired }) => [label, instructions, isRequired]),
    [
      ['Last transcript', 'Stamped.', false],
      ['Diploma', 'Both sides.', true],
      ['A copy', '', true],
    ],
  )
})

test('request items: fromRequirements adds every missing file', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const { id: entityId } = await aStudent(api)
  const owner = { entityType: 'student', entityId }
  const nothing = await api.post('/vault/requests', { ...owner, fromRequirements: true })
  assert.deepEqual([nothing.status, nothing.body.code], [422, 'rule_violated'])
  await aProfile(service, tenant, 'student', [
    { key: 'transcript' },
    { key: 'diploma', isRequired: false },
    { key: 'other', minFiles: 3 },
    { key: 'birth_certificate' },
  ])
  await aProfile(service, tenant, 'student', [{ key: 'diploma' }])
  await aDocument(service, api, { ...owner, documentTypeKey: 'transcript' })
  await aDocument(service, api, { ...owner, documentTypeKey: 'other' })
  const rejected = await aDocument(service, api, { ...owner, documentTypeKey: 'birth_certificate' })
  await api.patch(`/vault/documents/${rejected.id}`, { status: 'rejected', rejectionReason: 'blurred' })
  const { items } = await aRequest(api, { ...owner, fromRequirements: true })
  assert.deepEqual(items.map(({ label, isRequired }) => [label, isRequired]).sort(), [
    ['Birth certificate', true],
    ['Diploma', true],
    ['Other document (1/2)', true],
    ['Other document (2/2)', true],
  ])
})

test('request recipients: the primary contact unless the body names another', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const contact = { displayName: 'Carmen', email: 'carmen@example.org', phone: '+34 600' }
  const application = await anApplication(api, { fullName: 'Ada', email: 'ada@example.org', contacts: [contact] })
  const contactId = application.contactId as string
  const student = await aStudent(api, { fullName: 'Ada' })
  await service.database.inspect(
    `insert into student_contacts (tenant_id, id, student_id, contact_id, role, is_primary, source)
     values ($1, $2, $3, $4, 'family', true, 'manual')`,
    [tenant.id, randomUUID(), student.id, contactId],
  )
  const owner = { entityType: 'application', entityId: application.id }
  const carmen = { contactId, name: 'Carmen', email: 'carmen@example.org', phone: '+34 600' }
  const findRecipient = async (body: object) => (await aRequest(api, { ...owner, ...body })).recipient
  assert.deepEqual(await findRecipient({}), carmen)
  assert.deepEqual(await findRecipient({ entityType: 'student', entityId: student.id }), carmen)
  assert.deepEqual(await findRecipient({ recipient: { name: '', email: '', phone: null, contactId: null } }), carmen)
  assert.deepEqual(await findRecipient({ recipient: { contactId, email: 'work@example.org' } }), {
    ...carmen,
    email: 'work@example.org',
  })
  assert.deepEqual(await findRecipient({ recipient: { name: 'Uncle Ben' } }), {
    contactId: null,
    name: 'Uncle Ben',
    email: null,
    phone: null,
  })
})

test('request titles: the default is in the locale and names nobody', async () => {
  const { api } = await service.tenant()
  const titles: string[] = []
  for (const locale of ['en', 'es', 'pt']) titles.push((await aRequest(api, { locale })).title)
  assert.deepEqual(titles, ['Document request', 'Solicitud de documentos', 'Solicitação de documentos'])
  assert.equal((await aRequest(api, { locale: 'es', title: 'Matrícula' })).title, 'Matrícula')
})

test('POST /v1/vault/requests: items are given in one way, of records of this tenant', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const { id: entityId } = await aStudent(ours.api)
  const [documentTypeId, foreignTypeId] = [
    await aDocumentTypeId(ours.api, 'other'),
    await aDocumentTypeId(theirs.api, 'other'),
  ]
  const [foreignRequirementId] = await aProfile(service, theirs, 'student', [{ key: 'other' }])
  const [otherRequirementId] = await aProfile(service, ours, 'application', [{ key: 'other' }])
  const foreignStudent = await aStudent(theirs.api)
  const foreignPerson = (await anApplication(theirs.api, { contacts: [{ displayName: 'Eve' }] })).contactId
  const documentTypeIds = [documentTypeId]
  const refusal = async (body: object) => {
    const { status, body: problem } = await ours.api.post('/vault/requests', {
      entityType: 'student',
      entityId,
      ...body,
    })
    return [status, problem.errors?.[0].pointer ?? problem.rule, problem.errors?.[0].code]
  }
  assert.deepEqual(await refusal({}), [400, '#/items', 'required'])
  assert.deepEqual(await refusal({ fromRequirements: false }), [400, '#/items', 'required'])
  assert.deepEqual(await refusal({ items: [] }), [400, '#/items', 'too_short'])
  assert.deepEqual(await refusal({ items: [{}] }), [400, '#/items/0/documentTypeId', 'required'])
  assert.deepEqual(await refusal({ items: [{ documentTypeId, requirementId: entityId }] }), [
    ...[400, '#/items/0/documentTypeId', 'inconsistent'],
  ])
  assert.deepEqual(await refusal({ items: [{ documentTypeId, surprise: 1 }] }), [
    ...[400, '#/items/0/surprise', 'unknown_field'],
  ])
  assert.deepEqual(await refusal({ documentTypeIds, fromRequirements: true }), [400, '#/items', 'inconsistent'])
  assert.deepEqual(await refusal({ documentTypeIds: Array(51).fill(documentTypeId) }), [
    ...[400, '#/documentTypeIds', 'too_long'],
  ])
  assert.deepEqual(await refusal({ documentTypeIds, expiresInDays: 3, expiresAt: inDays(3) }), [
    ...[400, '#/expiresInDays', 'inconsistent'],
  ])
  for (const expiresAt of [inDays(-1), inDays(90.01), '2020-01-01']) {
    assert.deepEqual(await refusal({ documentTypeIds, expiresAt }), [422, 'request_expires_within_bounds', undefined])
  }
  assert.deepEqual(await refusal({ documentTypeIds, entityId: foreignStudent.id }), [
    ...[422, '#/entityId', 'inconsistent'],
  ])
  assert.deepEqual(await refusal({ documentTypeIds: [documentTypeId, foreignTypeId] }), [
    ...[422, '#/documentTypeIds/1', 'inconsistent'],
  ])
  for (const requirementId of [foreignRequirementId, otherRequirementId]) {
    assert.deepEqual(await refusal({ items: [{ requirementId }] }), [
      ...[422, '#/items/0/requirementId', 'inconsistent'],
    ])
  }
  assert.deepEqual(await refusal({ documentTypeIds, recipient: { contactId: foreignPerson } }), [
    ...[422, '#/recipient/contactId', 'inconsistent'],
  ])
  assert.deepEqual(await refusal({ documentTypeIds, notify: true }), [422, 'recipient_has_email', undefined])
  assert.equal((await ours.api.get('/vault/requests')).body.pagination.total, 0)
})

test('PATCH /v1/vault/requests/{id}: revoked once; every later change is rejected', async () => {
  const { api, traces } = await service.tenant()
  const { id } = await aRequest(api)
  const path = `/vault/requests/${id}`
  const revoked = await api.patch(path, { status: 'revoked', reason: 'On paper.' })
  assert.deepEqual(
    [revoked.status, revoked.body.data.status, revoked.body.data.revokedReason],
    [200, 'revoked', 'On paper.'],
  )
  assert.ok(revoked.body.data.revokedAt)
  for (const body of [{ status: 'revoked' }, { status: 'revoked', reason: 'Again.' }, {}, revoked.body.data]) {
    const again = await api.patch(path, body)
    assert.deepEqual([again.status, again.text], [200, revoked.text])
  }
  const changes = [{ expiresAt: inDays(3) }, { status: 'open' }, { reason: 'Other.' }]
  for (const body of [...changes, { status: 'revoked', expiresAt: inDays(3) }]) {
    const rejected = await api.patch(path, body)
    assert.deepEqual(
      [rejected.status, rejected.body.code, rejected.body.currentState],
      [409, 'state_conflict', 'revoked'],
    )
  }
  const { audit, events } = await traces(id)
  assert.deepEqual(audit, ['vault_request.created', 'vault_request.revoked'])
  assert.deepEqual(events, audit)
})

test('PATCH /v1/vault/requests/{id}: changes the expiry within bounds, and no other status', async () => {
  const { api, traces } = await service.tenant()
  const request = await aRequest(api)
  const path = `/vault/requests/${request.id}`
  const expiresAt = inDays(80)
  const moved = await api.patch(path, { expiresAt })
  assert.deepEqual([moved.status, moved.body.data.expiresAt, moved.body.data.status], [200, expiresAt, 'open'])
  assert.equal((await api.patch(path, { expiresAt })).text, moved.text)
  for (const other of [inDays(-1), inDays(91)]) {
    const rejected = await api.patch(path, { expiresAt: other })
    assert.deepEqual([rejected.status, rejected.body.rule], [422, 'request_expires_within_bounds'])
  }
  const refusal = async (body: object) => {
    const { status, body: problem } = await api.patch(path, body)
    return [status, problem.errors?.[0].pointer, problem.errors?.[0].code]
  }
  assert.deepEqual(await refusal({ status: 'completed' }), [400, '#/status', 'not_in_enum'])
  assert.deepEqual(await refusal({ reason: 'x' }), [400, '#/reason', 'inconsistent'])
  assert.deepEqual(await refusal({ status: 'revoked', expiresAt: inDays(2) }), [400, '#/expiresAt', 'inconsistent'])
  assert.deepEqual(await refusal({ title: 'x' }), [400, '#/title', 'read_only'])
  assert.deepEqual((await traces(request.id)).changed.slice(1), [['expiresAt']])
})

test('PATCH /v1/vault/requests/{id}: of two concurrent changes the second sees the first', async () => {
  const { api, traces } = await service.tenant()
  const { id } = await aRequest(api)
  const path = `/vault/requests/${id}`
  const revocations = await Promise.all(
    Array.from({ length: 6 }, (_, index) => api.patch(path, { status: 'revoked', reason: `${index}` })),
  )
  assert.equal(new Set(revocations.map(({ text }) => text)).size, 1)
  assert.deepEqual((await traces(id)).events, ['vault_request.created', 'vault_request.revoked'])
  const other = await aRequest(api)
  const etag = (await api.get(`/vault/requests/${other.id}`)).headers.get('etag') as string
  const moves = await Promise.all(
    [3, 4].map((days) => api.patch(`/vault/requests/${other.id}`, { expiresAt: inDays(days) }, { 'if-match': etag })),
  )
  assert.deepEqual(moves.map(({ status }) => status).sort(), [200, 412])
})

test('request expiry: reads, counts and filters at the exact time; the job reports it once', async () => {
  const tenant = await service.tenant()
  const { api, traces } = tenant
  const [late, stored] = [await aRequest(api), await aRequest(api)]
  const before = await api.get(`/vault/requests/${late.id}`)
  await letPass(late.id)
  const read = await api.get(`/vault/requests/${late.id}`, { 'if-none-match': before.headers.get('etag') as string })
  assert.deepEqual([read.status, read.body.data.status], [200, 'expired'])
  const assertAgreement = async () => {
    assert.deepEqual(await foundBy(tenant, 'status=expired'), [late.id])
    assert.deepEqual(await foundBy(tenant, 'status=open'), [stored.id])
    assert.deepEqual(await foundBy(tenant, `status=expired&studentId=${late.entityId}`), [late.id])
    assert.deepEqual(await foundBy(tenant, `status=open&studentId=${late.entityId}`), [])
    assert.deepEqual(await foundBy(tenant, 'status=expired&cursor=*'), [late.id])
    assert.deepEqual(await foundBy(tenant, ''), [late.id, stored.id])
  }
  await assertAgreement()
  await expireRequestsJob.run(service.data, tenant)
  await expireRequestsJob.run(service.data, tenant)
  await assertAgreement()
  assert.deepEqual((await traces(late.id)).changed.slice(1), [['status']])
  const reopened = await api.patch(`/vault/requests/${late.id}`, { expiresAt: inDays(1) })
  assert.equal(reopened.body.data.status, 'open')
  assert.deepEqual(await foundBy(tenant, 'status=open'), [late.id, stored.id])
  await letPass(late.id)
  const revoked = await api.patch(`/vault/requests/${late.id}`, { status: 'revoked' })
  assert.equal(revoked.body.data.status, 'revoked')
  assert.deepEqual((await traces(late.id)).events.slice(-2), ['vault_request.updated', 'vault_request.revoked'])
})

test('GET /v1/vault/requests: each filter returns its matches', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const ofStudent = await aRequest(api)
  const application = await anApplication(api)
  const ofApplication = await aRequest(api, { entityType: 'application', entityId: application.id })
  await api.patch(`/vault/requests/${ofStudent.id}`, { status: 'revoked' })
  assert.deepEqual(await foundBy(tenant, ''), [ofStudent.id, ofApplication.id])
  assert.deepEqual(await foundBy(tenant, `studentId=${ofStudent.entityId}`), [ofStudent.id])
  assert.deepEqual(await foundBy(tenant, `applicationId=${application.id}`), [ofApplication.id])
  assert.deepEqual(await foundBy(tenant, 'status=revoked'), [ofStudent.id])
  assert.deepEqual(await foundBy(tenant, 'status=completed'), [])
  const { updatedAt } = (await api.get(`/vault/requests/${ofStudent.id}`)).body.data
  assert.deepEqual(await foundBy(tenant, `updatedSince=${updatedAt}`), [ofStudent.id])
})

test('requests: the name of the record follows its changes', async () => {
  const { api } = await service.tenant()
  const request = await aRequest(api)
  const before = await api.get(`/vault/requests/${request.id}`)
  await api.patch(`/students/${request.entityId}`, { fullName: 'Ada Lovelace' })
  const read = await api.get(`/vault/requests/${request.id}`, {
    'if-none-match': before.headers.get('etag') as string,
  })
  assert.deepEqual([read.status, read.body.data.entityLabel], [200, 'Ada Lovelace'])
})

test('request counts: exact after every change', async () => {
  const differing = await service.database.inspect(`
    select coalesce(kept.tenant_id, counted.tenant_id) as tenant_id
      from (select tenant_id, status, sum(count) as count from record_counts
             where entity_type = 'vault_request' group by tenant_id, status having sum(count) <> 0) kept
      full join (select tenant_id, status, count(*) as count from document_requests group by tenant_id, status) counted
        on counted.tenant_id = kept.tenant_id and counted.status = kept.status
     where kept.count is distinct from counted.count`)
  assert.deepEqual(differing, [])
})

/** The ids of a list, after checks of its total and of the status of its records. */
async function foundBy({ api }: TestTenant, query: string): Promise<string[]> {
  const { body } = await api.get(`/vault/requests?${query}`)
  assert.equal(body.pagination.total, body.data.length, query)
  const status = new URLSearchParams(query).get('status')
  for (const request of body.data) if (status !== null) assert.equal(request.status, status)
  return body.data.map(({ id }: { id: string }) => id)
}
