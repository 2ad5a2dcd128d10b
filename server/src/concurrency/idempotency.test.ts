import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../database/index.ts'
import { aStudent } from '../testing/fixtures/factories.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { untilWaiting } from '../testing/fixtures/waiting.ts'
import { forgetExpiredKeys } from './idempotency.ts'

const service = await startTestService()

test('many requests with the same key at once make one record; the others wait, or are told to', async () => {
  const { api } = await service.tenant()
  const headers = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.post('/students', { fullName: 'Ada' }, headers)),
  )
  const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id))
  assert.equal(ids.size, 1)
  for (const response of answers.filter(({ status }) => status !== 201)) {
    assert.deepEqual([response.status, response.body.code], [409, 'idempotency_key_in_use'])
    assert.equal(response.headers.get('retry-after'), '1')
  }
  assert.equal((await api.get('/students')).body.pagination.total, 1)
  const later = await api.post('/students', { fullName: 'Ada' }, headers)
  assert.deepEqual([later.status, later.headers.get('idempotent-replayed')], [201, 'true'])
})

test('a key is told to be in use at once, whatever the request waits for that uses it, and nothing of the second is begun', async () => {
  const { id, api } = await service.tenant()
  const student = await aStudent(api)
  const headers = { 'idempotency-key': randomUUID() }
  const payment = { studentId: student.id, amount: 1, description: 'x', dueDate: null }
  const send = () => api.post('/payments', payment, headers)
  const held = await service.data.transaction(id, async (tx) => {
    await tx.query(sql`select from students where tenant_id = ${id} and id = ${student.id} for update`)
    const first = send()
    await untilWaiting(service.database, 1)
    const second = await send()
    assert.deepEqual([second.status, second.body.code], [409, 'idempotency_key_in_use'])
    await untilWaiting(service.database, 1)
    return { first }
  })
  const first = await held.first
  const later = await send()
  assert.deepEqual([first.status, later.status, later.headers.get('idempotent-replayed')], [201, 201, 'true'])
  assert.equal(later.text, first.text)
})

test('the order of the keys of a body does not matter; a quoted key is the bare one', async () => {
  const { api } = await service.tenant()
  const key = randomUUID()
  const first = await api.post('/students', '{"fullName":"Ada","city":"Lima"}', { 'idempotency-key': key })
  const again = await api.post('/students', '{"city":"Lima", "fullName":"Ada"}', { 'idempotency-key': `"${key}"` })
  assert.deepEqual([again.status, again.text], [first.status, first.text])
})

test('the same key with another body or at another operation is refused, and says where it was used', async () => {
  const { api } = await service.tenant()
  const headers = { 'idempotency-key': randomUUID() }
  const student = (await api.post('/students', { fullName: 'Ada' }, headers)).body.data
  const body = await api.post('/students', { fullName: 'Grace' }, headers)
  assert.deepEqual([body.status, body.body.code], [422, 'idempotency_key_reused'])
  assert.equal(body.body.originalOperation, 'createStudent')
  const payment = { studentId: student.id, amount: 1, description: 'x', dueDate: null }
  const operation = await api.post('/payments', payment, headers)
  assert.deepEqual([operation.status, operation.body.code], [422, 'idempotency_key_reused'])
})

test('a key belongs to its API key and its tenant, and outlives a rotation of the secret', async () => {
  const tenant = await service.tenant()
  const headers = { 'idempotency-key': 'shared' }
  const first = await tenant.api.post('/students', { fullName: 'Ada' }, headers)
  const { api } = await tenant.token()
  const second = await api.post('/students', { fullName: 'Ada' }, headers)
  const other = await (await service.tenant()).api.post('/students', { fullName: 'Ada' }, headers)
  assert.deepEqual([first.status, second.status, other.status], [201, 201, 201])
  assert.notEqual(first.body.data.id, second.body.data.id)
})

test('a refusal of the handler is kept; one of an earlier check is not, so that the corrected request may use the key', async () => {
  const { api } = await service.tenant()
  await aStudent(api, { externalId: 'S-1' })
  const headers = { 'idempotency-key': randomUUID() }
  const taken = await api.post('/students', { fullName: 'Ada', externalId: 'S-1' }, headers)
  assert.equal(taken.body.code, 'external_id_taken')
  const again = await api.post('/students', { fullName: 'Ada', externalId: 'S-1' }, headers)
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [409, 'true'])
  assert.equal(again.body.code, 'external_id_taken')
  const other = { 'idempotency-key': randomUUID() }
  assert.equal((await api.post('/students', { fullName: 17 }, other)).status, 400)
  assert.equal((await api.post('/students', {}, other)).status, 400)
  assert.equal((await api.post('/students', { fullName: 'Ada' }, other)).status, 201)
})

test('a kept refusal has written nothing', async () => {
  const { api } = await service.tenant()
  const rejected = await api.post('/admissions/applications', {
    fullName: 'Ada',
    contacts: [{ displayName: 'Carmen', email: 'c@example.org' }, { contactId: randomUUID() }],
  })
  assert.deepEqual([rejected.status, rejected.body.code], [422, 'reference_not_found'])
  assert.equal(rejected.body.errors[0].pointer, '#/contacts/1/contactId')
  assert.equal((await api.get('/admissions/applications')).body.pagination.total, 0)
})

test('a key is forgotten after its time, and works as a new one from then on', async () => {
  const tenant = await service.tenant()
  const headers = { 'idempotency-key': 'old' }
  const first = await tenant.api.post('/students', { fullName: 'Ada' }, headers)
  await service.database.inspect(
    `update idempotency_keys set expires_at = now() - interval '1 s' where tenant_id = $1`,
    [tenant.id],
  )
  const second = await tenant.api.post('/students', { fullName: 'Grace' }, headers)
  assert.equal(second.status, 201)
  assert.notEqual(second.body.data.id, first.body.data.id)
  await service.database.inspect(
    `update idempotency_keys set expires_at = now() - interval '1 s' where tenant_id = $1`,
    [tenant.id],
  )
  assert.equal(await forgetExpiredKeys(service.data, tenant.id, 10), 1)
})

test('a key is ignored where it is not required', async () => {
  const { api } = await service.tenant()
  const headers = { 'idempotency-key': 'x' }
  const created = await api.put('/students/external/1', { fullName: 'Ada' }, headers)
  const updated = await api.put('/students/external/1', { fullName: 'Grace' }, headers)
  assert.deepEqual([created.status, updated.status, updated.body.data.fullName], [201, 200, 'Grace'])
})
