import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { clearRemoved, define, refused, untilListed } from './custom-fields.fixture.ts'
import { clearRemovedFieldsJob } from './removed-fields.ts'

const service = await startTestService()

async function loadCount(tenant: TestTenant, from: string): Promise<number> {
  const query = `select count(*)::int as count from ${from} and tenant_id = $1`
  return (await service.database.inspect<{ count: number }>(query, [tenant.id]))[0]?.count ?? -1
}

test('a field that is deleted is seen nowhere at once, and leaves the records in batches beside which others write', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const resourceClient = new ResourceClient(service, tenant)
  await define(resourceClient, 'Student', { house: { fieldtype: 'Data', unique: 0 }, age: { fieldtype: 'Int' } })
  const items = Array.from({ length: 450 }, (_, index) => {
    return { externalId: `S-${index}`, fullName: `Student ${index}`, customFields: { house: 'Red', age: index } }
  })
  const made = await api.post('/students/batch', { items })
  const [{ id }] = made.body.data
  const before = (await api.get(`/students/${id}`)).body.data
  const held = () => loadCount(tenant, `students where custom_fields ? 'house'`)
  const changes = await statementsLike(/^\s*update "?students/, async () => {
    const gone = await resourceClient.remove('Custom Field', 'Student-house')
    assert.deepEqual([gone.status, /450 records had a value/.test(gone.told)], [202, true], gone.told)
  })
  assert.deepEqual([changes, await held()], [[], 450])
  await untilListed(tenant, 'students', 1)
  const shown = (await api.get(`/students/${id}`)).body.data
  assert.deepEqual(shown.customFields, { age: 0 })
  const isGone = async () => !Object.hasOwn((await resourceClient.read('Student', shown.studentCode)).data, 'house')
  await until(isGone, 'what the other key knows')
  const filtered = await resourceClient.list('Student', { filters: '{"house":"Red"}' })
  assert.equal(filtered.status, 417, filtered.told)
  const written = await api.patch(`/students/${id}`, { customFields: { house: 'Blue' } })
  assert.deepEqual([written.status, written.body.errors[0].code], [400, 'unknown_field'])
  const again = { dt: 'Student', fieldname: 'house', fieldtype: 'Int' }
  refused(await resourceClient.create('Custom Field', again), 'ValidationError', /is being taken out of the records/)
  await clearRemovedFieldsJob.run(service.data, tenant, () => false)
  assert.equal(await held(), 250)
  const changed = await api.patch(`/students/${id}`, { customFields: { age: 7 } })
  assert.deepEqual(changed.body.data.customFields, { age: 7 })
  await clearRemovedFieldsJob.run(service.data, tenant)
  assert.deepEqual([await held(), await loadCount(tenant, `custom_field_values where text_value = 'Red'`)], [0, 0])
  assert.ok((await api.get(`/students/${id}`)).body.data.updatedAt > before.updatedAt)
  // Somebody who has not heard for a moment may still be storing a value.
  refused(await resourceClient.create('Custom Field', again), 'ValidationError', /is being taken out of the records/)
  await service.database.inspect(
    `update students set custom_fields = custom_fields || '{"house":"Late"}' where tenant_id = $1 and id = $2`,
    [tenant.id, id],
  )
  await clearRemoved(service, tenant)
  assert.equal(await held(), 0)
  await define(resourceClient, 'Student', { house: { fieldtype: 'Int' } })
  assert.equal(await loadCount(tenant, 'removed_custom_fields where true'), 0)
})

test('an institution that deletes its last field has none, and its integrators are free again once it is cleared', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const resourceClient = new ResourceClient(service, tenant)
  await define(resourceClient, 'Student', { house: { fieldtype: 'Data' } })
  const put = (customFields: object) => api.put('/students/external/A', { fullName: 'Ada', customFields })
  assert.equal((await put({ house: 'Red' })).status, 201)
  await resourceClient.remove('Custom Field', 'Student-house')
  await untilListed(tenant, 'students', 0)
  assert.deepEqual((await put({})).body.data.customFields, {})
  assert.equal((await put({ house: 'Blue' })).status, 400)
  await clearRemoved(service, tenant)
  const free = { house: { any: 'thing' } }
  await until(async () => (await put(free)).status === 200, 'freedom')
  assert.deepEqual((await put(free)).body.data.customFields, free)
})
