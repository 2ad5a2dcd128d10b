import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller, aUser } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { ask, refusal, someone, told } from './notes.fixture.ts'

const service = await startTestService()
const { tenant, resourceClient, students, courses } = await seedTenant(service)
const [ada, alan] = students
const manager = await aRecordCaller(service, tenant)
const grace = 'grace@school.example'
const clerkName = 'clerk@school.example'
const teacher = await someone(service, tenant, grace, 'Admissions Officer')
const clerk = await someone(service, tenant, clerkName, 'Academics User')
const accountant = await someone(service, tenant, 'money@school.example', 'Accounts User')
const on = (name: string, assign_to: unknown, more: object = {}) => ({ doctype: 'Student', name, assign_to, ...more })
const loadAssigned = async (name: string) =>
  (await resourceClient.list('Student', { fields: '["_assign"]', filters: JSON.stringify({ name }) })).data[0]._assign
const taskPath = (name: string) => `/api/resource/ToDo/${name}`

test('a record is given to users by tasks, each once, taken back, and done, with audit and event', async () => {
  const args = on(ada, JSON.stringify([grace, clerkName]), {
    description: 'Call <b>home</b>',
    date: '2026-12-01',
    priority: 'High',
  })
  const given = await told(clerk, 'add', args)
  assert.deepEqual(
    given.map(({ owner }: { owner: string }) => owner),
    [grace, clerkName],
  )
  const task = (await resourceClient.read('ToDo', given[0].name)).data
  assert.deepEqual(
    [
      task.status,
      task.allocated_to,
      task.reference_type,
      task.reference_name,
      task.date,
      task.priority,
      task.assigned_by,
    ],
    ['Open', grace, 'Student', ada, '2026-12-01', 'High', clerkName],
  )
  assert.deepEqual(JSON.parse(await loadAssigned(ada)), [grace, clerkName])
  const again = await ask(clerk, 'add', on(ada, grace.toUpperCase()))
  assert.deepEqual([again.status, again.body.message.length], [200, 2])
  assert.match(again.body._server_messages, /already/)
  const like = JSON.stringify([['_assign', 'like', `%${grace}%`]])
  assert.deepEqual((await resourceClient.list('Student', { filters: like })).data, [{ name: ada }])
  assert.deepEqual(await refusal(ask(clerk, 'close', on(ada, grace))), [403, 'PermissionError'])
  assert.equal((await told(teacher, 'close', on(ada, ` ${grace.toUpperCase()}`))).length, 1)
  assert.equal((await told(clerk, 'remove', on(ada, `${clerkName.toUpperCase()} `))).length, 0)
  assert.equal(await loadAssigned(ada), null)
  assert.deepEqual(await told(clerk, 'get', { doctype: 'Student', name: ada }), [])
  assert.deepEqual(
    await Promise.all(
      given.map(async ({ name }: { name: string }) => (await resourceClient.read('ToDo', name)).data.status),
    ),
    ['Closed', 'Cancelled'],
  )
  assert.deepEqual(await resourceClient.traces('ToDo', given[0].name), ['todo.created', 'todo.updated'])
})

test('nobody is given a record who may not read it, is disabled, unknown, or of another institution', async () => {
  const other = await service.tenant()
  await aUser(service, other, { email: 'eve@elsewhere.example' })
  await someone(service, tenant, 'pupil@home.example', 'Student')
  await someone(service, tenant, 'gone@school.example', 'Academics User')
  await resourceClient.update('User', 'gone@school.example', { enabled: 0 })
  const missing = [404, 'DoesNotExistError']
  const denied = [403, 'PermissionError']
  const expected = {
    'eve@elsewhere.example': denied,
    'nobody@school.example': denied,
    'gone@school.example': denied,
    'pupil@home.example': denied,
    'money@school.example': denied,
  }
  for (const [user, outcome] of Object.entries(expected)) {
    assert.deepEqual(await refusal(ask(clerk, 'add', on(alan, [grace, user]))), outcome, user)
    const task = { allocated_to: user, reference_type: 'Student', reference_name: alan, description: 'x' }
    const made = await clerk.post('/api/resource/ToDo', task)
    assert.ok(made.status === 403 || made.status === 417 || made.status === 404, `${user}: ${made.text}`)
  }
  assert.equal(await loadAssigned(alan), null)
  for (const sent of [[], '[]', '{"a":1}', [1], '', ['  ']]) {
    assert.deepEqual(await refusal(ask(clerk, 'add', on(alan, sent))), [417, 'FrappeTypeError'], JSON.stringify(sent))
  }
  const many = Array.from({ length: 51 }, (_, index) => `u${index}@school.example`)
  assert.deepEqual(await refusal(ask(clerk, 'add', on(alan, many))), [417, 'ValidationError'])
  assert.deepEqual(await refusal(ask(accountant, 'add', on(alan, grace))), denied)
  const otherTenant = await aRecordCaller(service, other)
  assert.deepEqual(await refusal(ask(otherTenant, 'add', on(alan, 'eve@elsewhere.example'))), missing)
})

test('a task is seen and changed by whom it is given to and by who gave it, and by nobody else of the staff', async () => {
  const [{ name }] = await told(clerk, 'add', on(alan, grace))
  for (const caller of [clerk, teacher, manager]) assert.equal((await caller.get(taskPath(name))).status, 200)
  const denied = [403, 'PermissionError']
  const outsider = await someone(service, tenant, 'third@school.example', 'Academics User')
  for (const caller of [outsider, accountant]) {
    assert.deepEqual(await refusal(caller.get(taskPath(name))), denied)
    assert.deepEqual(await refusal(caller.put(taskPath(name), { status: 'Closed' })), denied)
    assert.deepEqual((await caller.get('/api/resource/ToDo')).body.data, [])
  }
  assert.deepEqual(await refusal(teacher.put(taskPath(name), { allocated_to: 'money@school.example' })), denied)
  assert.equal((await teacher.put(taskPath(name), { status: 'Closed' })).body.data.status, 'Closed')
  const own = await outsider.post('/api/resource/ToDo', { description: 'Buy chalk' })
  assert.equal(own.status, 200, own.text)
  const forged = {
    description: 'x',
    reference_type: 'Student',
    reference_name: alan,
    allocated_to: 'money@school.example',
  }
  assert.deepEqual(await refusal(accountant.post('/api/resource/ToDo', forged)), denied)
})

test('tasks of users go with their record when that is renamed, merged or removed', async () => {
  const give = async (name: string) =>
    (await told(clerk, 'add', { doctype: 'Course', name, assign_to: clerkName }))[0].name
  await resourceClient.make('Course', { course_name: 'Latin' })
  const task = await give('Latin')
  assert.equal((await resourceClient.rename('Course', 'Latin', 'Greek')).error, null)
  assert.equal((await resourceClient.read('ToDo', task)).data.reference_name, 'Greek')
  await give(courses[1])
  assert.equal((await resourceClient.rename('Course', 'Greek', courses[1], 1)).error, null)
  const fields = '["_assign"]'
  const [row] = (await resourceClient.list('Course', { fields, filters: JSON.stringify({ name: courses[1] }) })).data
  assert.deepEqual(JSON.parse(row._assign), [clerkName])
  await resourceClient.make('Course', { course_name: 'Music' })
  const gone = await give('Music')
  assert.equal((await resourceClient.remove('Course', 'Music')).error, null)
  assert.equal((await resourceClient.read('ToDo', gone)).status, 404)
})

test('the same user sent many times at once gets one task', async () => {
  const student = (await resourceClient.make('Student', { first_name: 'Twice' })).name
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask(clerk, 'add', on(student, grace))))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal((await told(clerk, 'get', { doctype: 'Student', name: student })).length, 1)
})
