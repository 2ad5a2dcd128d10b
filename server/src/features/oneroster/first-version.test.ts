import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneRosterOperations } from '@matricula/contract'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aRoster, assertRosterError } from './roster.fixture.ts'

const service = await startTestService()
const roster = await aRoster(service)
const { call, tenant } = roster
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('1.1: users have one role, lists of organisations and agents, and true and false as texts', async () => {
  const { body, headers } = await call('/v1p1/users?sort=familyName')
  assert.equal(headers.get('x-total-count'), String(body.users.length))
  for (const user of body.users) {
    assert.ok(['student', 'teacher', 'guardian', 'administrator'].includes(user.role))
    assert.ok(Array.isArray(user.agents) && Array.isArray(user.userIds) && Array.isArray(user.grades))
    assert.deepEqual([user.enabledUser, user.orgs[0].sourcedId, user.orgs[0].type], ['true', tenant.id, 'org'])
    assert.ok(!user.username.includes('@') && user.identifier !== '' && stamp.test(user.dateLastModified))
    assert.match(user.orgs[0].href, /\/ims\/oneroster\/v1p1\/orgs\//)
    assert.ok(!('roles' in user) && !('userMasterIdentifier' in user))
  }
  const { body: guardians } = await call("/v1p1/users?filter=role%3D'guardian'")
  assert.equal(guardians.users[0].agents.length, 1)
})

test('1.1: every collection is read as Microsoft and Moodle read it, and none is written', async () => {
  const collections = oneRosterOperations.filter(
    ({ shape, isNested, isInFirstVersion, service: of }) =>
      shape === 'list' && !isNested && isInFirstVersion && of === 'rostering',
  )
  for (const { path, key } of collections) {
    const { status, body, headers } = await call(`/v1p1${path}?offset=0&limit=100`)
    assert.deepEqual([status, Object.keys(body), headers.get('x-total-count')], [200, [key], String(body[key].length)])
    assert.match(headers.get('content-type') as string, /^application\/json/)
  }
  const { body } = await call("/v1p1/classes?filter=dateLastModified%3E'2020-01-01'&limit%20=100")
  assert.equal(body.classes.length, 2)
  assert.deepEqual((await call('/v1p1/schools/1000000/enrollments')).body, { enrollments: [] })
  assertRosterError(await call('/v1p1/users', { method: 'PUT', body: '{}' }), 405, 'invaliddata')
  assertRosterError(await call("/v1p1/users?filter=roles.role='student'"), 400, 'invalid_filter_field')
})

test('1.1: demographics have the date of birth and the sex where they are known, and nothing else', async () => {
  const [first] = (await call("/v1p1/students?filter=givenName='Ada'")).body.users
  await tenant.api.patch(`/students/${first.sourcedId}`, { dateOfBirth: '2015-12-10', gender: 'Female' })
  const { body } = await call(`/v1p1/demographics/${first.sourcedId}`)
  const { status, dateLastModified, ...facts } = body.demographics
  assert.deepEqual([status, facts], ['active', { sourcedId: first.sourcedId, birthDate: '2015-12-10', sex: 'female' }])
  assert.match(dateLastModified, stamp)
  const { body: all } = await call('/rostering/v1p2/demographics')
  assert.deepEqual(all.demographics.map((each: object) => 'birthDate' in each).sort(), [false, true])
})
