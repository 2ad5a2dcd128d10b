import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment, aPerson, aStudent } from '../../testing/factories.ts'
import { startTestService } from '../../testing/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const registrar = await aPerson(service, tenant, ['Academics User'])
const read = (query: Record<string, string>, { caller } = registrar) =>
  caller.get(`/console/v1/timeline?${new URLSearchParams(query)}`)

test('the timeline of a record says who changed which field from what to what, and by which request', async () => {
  const { caller } = registrar
  const made = await caller.post('/api/resource/Student Category', { category: 'Day' })
  assert.equal(made.status, 200, made.text)
  const { id, studentCode } = await aStudent(tenant.api, { fullName: 'Ada Byron', city: 'Hillside' })
  const changed = await caller.put(`/api/resource/Student/${studentCode}`, { city: 'Grand Bend' })
  assert.equal(changed.status, 200, changed.text)
  const { status, body, text } = await read({ type: 'Student', name: studentCode as string })
  assert.equal(status, 200, text)
  const [newest, oldest] = body.data
  assert.deepEqual(
    [newest.action, newest.actor.name, newest.changes],
    ['student.updated', registrar.email, [{ field: 'city', label: 'City', from: 'Hillside', to: 'Grand Bend' }]],
  )
  assert.equal(newest.requestId, changed.headers.get('request-id'))
  assert.deepEqual([oldest.action, oldest.actor.type], ['student.created', 'api_key'])
  const first = await read({ type: 'Student', name: studentCode as string, limit: '1' })
  assert.deepEqual(
    first.body.data.map((entry: { id: string }) => entry.id),
    [newest.id],
  )
  const cursor = first.headers.get('next-cursor') as string
  const rest = await read({ type: 'Student', name: studentCode as string, cursor })
  assert.deepEqual(
    rest.body.data.map((entry: { id: string }) => entry.id),
    [oldest.id],
  )
  assert.ok(id)
})

test('a timeline is read by who may read the record: by its type, or by the scope of its kind', async () => {
  const payment = await aPayment(tenant.api)
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  const paid = await read({ kind: 'payment', id: payment.id }, bursar)
  assert.deepEqual([paid.status, paid.body.data[0].action], [200, 'payment.created'])
  // A kind opens what is of it alone, whatever id is named.
  assert.deepEqual((await read({ kind: 'vault_document', id: payment.id })).body.data, [])
  const refused = await read({ kind: 'payment', id: payment.id })
  assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'])
  const typed = await read({ type: 'Journal Entry', name: 'x' })
  assert.equal(typed.status, 404)
  const user = await read({ type: 'User', name: registrar.email }, bursar)
  assert.deepEqual([user.status, user.body.code], [403, 'insufficient_role'])
  const theirs = await service.tenant()
  const { studentCode } = await aStudent(theirs.api, { fullName: 'Of Another', studentCode: undefined })
  const foreign = await aStudent(theirs.api)
  assert.deepEqual((await read({ kind: 'vault_document', id: foreign.id })).body.data, [])
  const other = await read({ type: 'Student', name: `${studentCode}-x` })
  assert.deepEqual([other.status, other.body.code], [404, 'resource_not_found'])
  for (const query of [{}, { type: 'Student' }, { kind: 'payment' }, { type: 'Student', name: 'x', kind: 'payment' }]) {
    const wrong = await read(query as Record<string, string>)
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'validation_failed'])
  }
})

test('who reads only what the Resource API shows of a record is told who changed it and when, without the values', async () => {
  const { studentCode } = await aStudent(tenant.api, { fullName: 'Grace Hopper' })
  const teacher = await aPerson(service, tenant, ['Instructor'])
  const { status, body } = await read({ type: 'Student', name: studentCode as string }, teacher)
  if (status === 404) return
  assert.deepEqual([status, body.data[0].action, body.data[0].changes], [200, 'student.created', []])
})
