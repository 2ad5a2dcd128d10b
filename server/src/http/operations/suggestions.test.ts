import assert from 'node:assert/strict'
import { test } from 'node:test'
import { altered } from '../../testing/fixtures/altered.ts'
import { Caller } from '../../testing/fixtures/client.ts'
import { anApplication, aStudent } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

test('validation: an unknown field near a known one gets a suggestion', async () => {
  const { api } = await service.tenant()
  const student = await aStudent(api)
  for (const [sent, meant] of [
    ['studentID', 'studentId'],
    ['student_id', 'studentId'],
    ['decription', 'description'],
    ['colour', null],
    ['x'.repeat(10_000), null],
  ] as const) {
    const { status, body } = await api.post('/payments', { studentId: student.id, [sent]: 'x' })
    const validationError = body.errors.find(({ code }: { code: string }) => code === 'unknown_field')
    const expected = meant === null ? 'is not known here' : `is not known here; did you mean ${meant}?`
    assert.deepEqual([status, validationError.detail], [400, expected])
  }
  const { body } = await api.get('/payments?studentid=x')
  assert.match(body.errors[0].detail, /did you mean studentId\?/)
  assert.doesNotMatch(body.detail, /\?\.$/)
})

test('validation: an unknown status is rejected with the allowed ones', async () => {
  const { api } = await service.tenant()
  const student = await aStudent(api)
  const listed = await api.get('/payments?status=Paid')
  assert.match(listed.body.errors[0].detail, /must be one of pending, paid/)
  const enrolled = await api.patch(`/students/${student.id}`, { status: 'Active' })
  assert.match(enrolled.body.errors[0].detail, /must be one of .*active/)
  const application = await anApplication(api)
  const moved = await api.patch(`/admissions/applications/${application.id}`, { status: 'Accepted' })
  assert.match(
    moved.body.errors[0].detail,
    /a key, such as in_review; GET \/v1\/admissions\/pipeline\/statuses lists them/,
  )
  const unknown = await api.patch(`/admissions/applications/${application.id}`, { status: 'approved' })
  assert.equal(unknown.body.code, 'unknown_pipeline_status')
  assert.match(unknown.body.detail, /It has: .*accepted/)
})

test('authentication: a valid key of the other surface gets a hint, an invalid one does not', async () => {
  const tenant = await service.tenant()
  const key = await tenant.token({ kind: 'resource', scopes: [], masterDomains: [], roles: ['System Manager'] })
  const { secret } = await tenant.token()
  const onClientApi = await new Caller(service.address, key.secret).get('/me')
  assert.deepEqual([onClientApi.status, onClientApi.body.code], [401, 'invalid_token'])
  assert.match(onClientApi.body.detail, /key of the Resource and Method API: use it under \/api/)
  const onRecords = await new RecordCaller(service.address, { authorization: `Bearer ${secret}` }).get(
    '/api/resource/Student',
  )
  assert.equal(onRecords.status, 401)
  assert.match(onRecords.text, /token of the Client API: use it under \/v1/)
  const unknown = await new Caller(service.address, altered(key.secret)).get('/me')
  assert.match(unknown.body.detail, /This token is not valid here/)
})

test('404: a list address with a trailing slash says that the id is missing', async () => {
  const { api } = await service.tenant()
  const { status, body } = await api.get('/students/')
  assert.deepEqual([status, body.code], [404, 'route_not_found'])
  assert.match(
    body.detail,
    /The id is missing: use \/v1\/students\/\{id\} for one record, or \/v1\/students for the list\./,
  )
  assert.doesNotMatch((await api.get('/nothing/')).body.detail, /id is missing/)
})
