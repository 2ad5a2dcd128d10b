import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aPerson } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const registrar = await aPerson(service, tenant, ['Academics User'])
const colleague = await aPerson(service, tenant, ['Academics User'])
const path = '/api/resource/Student'

const make = (key: string, fields: object, { caller } = registrar) =>
  caller.send('POST', path, fields, { 'idempotency-key': key })
const made = async (name: string) => {
  const filters = encodeURIComponent(JSON.stringify([['first_name', '=', name]]))
  return (await registrar.caller.get(`${path}?filters=${filters}`)).body.data as { name: string }[]
}

test('a record that is sent again with its key is made once, and answered as it is by now', async () => {
  const [key, fields] = [randomUUID(), { first_name: 'Once', city: 'Lima' }]
  const first = await make(key, fields)
  assert.equal(first.status, 200, first.text)
  const { name } = first.body.data
  await registrar.caller.put(`${path}/${name}`, { city: 'Cusco' })
  const again = await make(key, { city: 'Lima', first_name: 'Once' })
  assert.deepEqual([again.status, again.body.data.name, again.body.data.city], [200, name, 'Cusco'])
  assert.deepEqual(await made('Once'), [{ name }])
  const traces = await service.database.inspect<{ audits: number; events: number }>(
    `select (select count(*)::int from audit_entries where tenant_id = $1 and action = 'student.created') as audits,
            (select count(*)::int from events where tenant_id = $1 and type = 'student.created') as events`,
    [tenant.id],
  )
  assert.deepEqual(traces, [{ audits: 1, events: 1 }])
})

test('of requests with one key at once, one makes the record and the others get it or are asked to come back', async () => {
  const [key, fields] = [randomUUID(), { first_name: 'Together' }]
  const answers = await Promise.all(Array.from({ length: 6 }, () => make(key, fields)))
  const names = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.data.name))
  assert.equal(names.size, 1)
  for (const { status, body } of answers) assert.ok(status === 200 || body.exc_type === 'RequestTimeout', `${status}`)
  assert.deepEqual(await made('Together'), [{ name: [...names][0] }])
})

test('a key is its person’s, means one record, and what was refused with it can be sent again', async () => {
  const key = randomUUID()
  const rejected = await make(key, { last_name: 'Nameless' })
  assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'MandatoryError'])
  assert.equal((await make(key, { first_name: 'Mine' })).status, 200)
  const other = await make(key, { first_name: 'Another' })
  assert.deepEqual([other.status, other.body.exc_type], [417, 'ValidationError'])
  assert.equal((await make(key, { first_name: 'Theirs' }, colleague)).status, 200)
  assert.equal((await made('Another')).length, 0)
  assert.equal((await made('Theirs')).length, 1)
  const wrong = await make('x'.repeat(300), { first_name: 'Wrong' })
  assert.deepEqual([wrong.status, wrong.body.exc_type], [417, 'ValidationError'])
})

test('whoever may make a record and not read it is answered again as at first, and nobody else', async () => {
  const own = await service.tenant()
  const manager = await aPerson(service, own)
  const limit = { takenRights: [{ type: 'Student', rights: ['read'] }] }
  const limited = await manager.caller.send('PATCH', '/console/v1/access-rules/Academics%20User', limit)
  assert.equal(limited.status, 200, limited.text)
  const writer = await aPerson(service, own, ['Academics User'])
  await until(
    async () => (await writer.caller.get(path)).status === 403,
    () => 'the right to be taken',
  )
  const [key, fields] = [randomUUID(), { first_name: 'Unread' }]
  const first = await make(key, fields, writer)
  assert.equal(first.status, 200, first.text)
  assert.equal((await writer.caller.get(`${path}/${first.body.data.name}`)).status, 403)
  const again = await make(key, fields, writer)
  assert.deepEqual([again.status, again.body.data], [200, first.body.data])
  assert.equal((await manager.caller.get('/api/v2/doctype/Student/count')).body.data, 1)
})
