import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment, aPerson, aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

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
  const rejected = await read({ kind: 'payment', id: payment.id })
  assert.deepEqual([rejected.status, rejected.body.code], [403, 'insufficient_scope'])
  const typed = await read({ type: 'Journal Entry', name: 'x' })
  assert.equal(typed.status, 404)
  const user = await read({ type: 'User', name: registrar.email }, bursar)
  assert.deepEqual([user.status, user.body.code], [403, 'insufficient_role'])
  const theirs = await service.tenant()
  const foreign = await aPayment(theirs.api)
  assert.deepEqual((await read({ kind: 'payment', id: foreign.id }, bursar)).body.data, [])
  const { studentCode } = await aStudent(theirs.api, { studentCode: 'ONLY-THEIRS-1' })
  const other = await read({ type: 'Student', name: studentCode as string })
  assert.deepEqual([other.status, other.body.code], [404, 'resource_not_found'])
  for (const query of [{}, { type: 'Student' }, { kind: 'payment' }, { type: 'Student', name: 'x', kind: 'payment' }]) {
    const wrong = await read(query as Record<string, string>)
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'validation_failed'])
  }
})

test('who reads students by scope reads their timelines; who sees some is told of those who changed them and when, without the values', async () => {
  const { studentCode } = await aStudent(tenant.api, { fullName: 'Grace Hopper' })
  const foreign = await aStudent(tenant.api, { fullName: 'Ada Byron' })
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  const whole = await read({ type: 'Student', name: studentCode as string }, bursar)
  assert.equal(whole.status, 200, whole.text)
  assert.ok(whole.body.data[0].changes.length > 0)
  // Somebody of the staff without a scope who sees one child: its guardian.
  const parent = await aPerson(service, tenant, ['Instructor', 'Guardian'])
  const guardian = await aGuardianOf(parent.email, studentCode as string)
  assert.equal(guardian.status, 200, guardian.text)
  const own = await read({ type: 'Student', name: studentCode as string }, parent)
  const others = await read({ type: 'Student', name: foreign.studentCode as string }, parent)
  assert.equal(own.status, 200, own.text)
  assert.ok(
    own.body.data.length > 0 && own.body.data.every(({ changes }: { changes: object[] }) => changes.length === 0),
  )
  assert.deepEqual([others.status, others.body.code], [404, 'resource_not_found'])
})

async function aGuardianOf(email: string, student: string) {
  const manager = await aPerson(service, tenant)
  const made = await manager.caller.post('/api/resource/Guardian', { guardian_name: 'A Parent', user: email })
  const rows = [{ guardian: made.body.data.name, relation: 'Mother' }]
  return manager.caller.put(`/api/resource/Student/${student}`, { guardians: rows })
}
