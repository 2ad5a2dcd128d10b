import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documents } from '../features/documents/index.ts'
import { payments } from '../features/payments/index.ts'
import { anApplication, anUpload, aPayment, aStudent, deleteRecord } from '../testing/fixtures/factories.ts'
import { ResourceClient } from '../testing/fixtures/resource-client.ts'
import { startTestService, type TestTenant } from '../testing/fixtures/test-service.ts'
import { forgetDeletedRecordsJob } from './deleted-records.ts'

const service = await startTestService()

async function loadResourceClient(): Promise<{ tenant: TestTenant; resourceClient: ResourceClient }> {
  const tenant = await service.tenant()
  return { tenant, resourceClient: new ResourceClient(service, tenant) }
}

/** Puts records into the list of deleted students, each some days after the one before, the last so many days ago. */
async function longGone({ id: tenantId }: TestTenant, count: number, daysAgo: number): Promise<void> {
  await service.database.inspect(
    `insert into deleted_records (tenant_id, entity_type, id, deleted_at)
     select $1, 'student', gen_random_uuid(), now() - make_interval(days => $3, secs => n) from generate_series(1, $2) n`,
    [tenantId, count, daysAgo],
  )
}

test('a student and an application that are deleted are gone from their list and stand in that of the deleted', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  const { api } = tenant
  const student = await aStudent(api, { externalId: 'S-1' })
  const application = await anApplication(api, { externalId: 'A-1' })
  const cases = [
    { type: 'Student', name: student.studentCode, id: student.id, path: '/students', externalId: 'S-1' },
    {
      ...{ type: 'Student Applicant', name: application.applicationCode, id: application.id },
      ...{ path: '/admissions/applications', externalId: 'A-1' },
    },
  ]
  for (const { type, name, id, path, externalId } of cases) {
    const watermark = (await api.get(`${path}?limit=1`)).headers.get('sync-watermark') as string
    assert.equal((await api.get(`${path}/deleted`)).body.pagination.total, 0)
    assert.equal((await resourceClient.remove(type, name)).error, null)
    const { body, headers } = await api.get(`${path}/deleted?updatedSince=${watermark}`)
    const [{ deletedAt }] = body.data
    assert.deepEqual(body, {
      data: [{ id, externalId, deletedAt, mergedInto: null }],
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
    })
    assert.match(deletedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(deletedAt >= watermark && headers.get('sync-watermark') !== null)
    assert.equal((await api.get(path)).body.pagination.total, 0)
    assert.equal((await api.get(`${path}/${id}`)).status, 404)
    const { audit, events } = await tenant.traces(id)
    const noun = type === 'Student' ? 'student' : 'admission_application'
    assert.deepEqual([audit.at(-1), events.at(-1)], [`${noun}.deleted`, `${noun}.deleted`])
  }
})

test('a student who is merged into another says into whom, in the list, the event and the audit', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  const [twice, cached] = [await aStudent(tenant.api, { externalId: 'S-2' }), await aStudent(tenant.api)]
  const merged = await resourceClient.rename('Student', twice.studentCode, cached.studentCode, 1)
  assert.equal(merged.error, null, merged.told)
  const { body } = await tenant.api.get('/students/deleted')
  assert.deepEqual(
    body.data.map(({ id, externalId, mergedInto }: Record<string, string>) => [id, externalId, mergedInto]),
    [[twice.id, 'S-2', cached.id]],
  )
  const traces = await service.database.inspect<{ target: string; told: string }>(
    `select e.merged_into as target, a.after ->> 'mergedInto' as told
       from events e join audit_entries a on a.tenant_id = e.tenant_id and a.entity_id = e.entity_id and a.action = e.type
      where e.tenant_id = $1 and e.entity_id = $2 and e.type = 'student.deleted'`,
    [tenant.id, twice.id],
  )
  assert.deepEqual(traces, [{ target: cached.id, told: cached.id }])
})

test('a deletion that is refused leaves nothing in the list, and a record that is made again has another id', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  const { api } = tenant
  const student = await aStudent(api, { studentCode: 'A-7' })
  await aPayment(api, { studentId: student.id })
  assert.equal((await resourceClient.remove('Student', 'A-7')).error, 'LinkExistsError')
  assert.equal((await api.get('/students/deleted')).body.pagination.total, 0)
  const other = await aStudent(api, { studentCode: 'A-8', externalId: 'again' })
  assert.equal((await resourceClient.remove('Student', 'A-8')).error, null)
  const again = await aStudent(api, { studentCode: 'A-8', externalId: 'again' })
  assert.notEqual(again.id, other.id)
  const { body } = await api.get('/students/deleted')
  assert.deepEqual([body.data.length, body.data[0].id, body.data[0].externalId], [1, other.id, 'again'])
})

test('whatever deletes a payment or a document, its change lists it', async () => {
  const { tenant } = await loadResourceClient()
  const { api } = tenant
  const payment = await aPayment(api)
  const { document } = await anUpload(api)
  const cases = [
    [payments, '/payments', payment],
    [documents, '/vault/documents', document],
  ] as const
  for (const [list, path, record] of cases) {
    await deleteRecord(service, tenant, list, record)
    const { body } = await api.get(`${path}/deleted`)
    assert.deepEqual([body.pagination.total, body.data[0].id], [1, record.id])
    assert.equal((await api.get(path)).body.pagination.total, 0)
    assert.equal((await tenant.traces(record.id)).events.at(-1), `${list.entityType}.deleted`)
  }
})

test('the deleted are listed in the order in which they went, by pages and by cursor, each tenant its own', async () => {
  const { tenant } = await loadResourceClient()
  const other = await loadResourceClient()
  await longGone(tenant, 7, 3)
  await longGone(other.tenant, 2, 3)
  const { api } = tenant
  const whole = (await api.get('/students/deleted?limit=100')).body
  assert.equal(whole.pagination.total, 7)
  const stamps = whole.data.map(({ deletedAt }: { deletedAt: string }) => deletedAt)
  assert.deepEqual(stamps, [...stamps].sort())
  const second = (await api.get('/students/deleted?limit=3&page=2')).body
  assert.deepEqual(second.data, whole.data.slice(3, 6))
  assert.deepEqual(second.pagination, { page: 2, limit: 3, total: 7, totalPages: 3 })
  const walked = []
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const { body, headers } = await api.get(`/students/deleted?limit=3&cursor=${encodeURIComponent(cursor)}`)
    walked.push(...body.data)
    cursor = headers.get('next-cursor')
  }
  assert.deepEqual(walked, whole.data)
  const since = (await api.get(`/students/deleted?updatedSince=${stamps[4]}`)).body
  assert.deepEqual([since.data, since.pagination.total], [whole.data.slice(4), 3])
  assert.equal((await api.get('/admissions/applications/deleted')).body.pagination.total, 0)
  for (const query of [
    'limit=0',
    'limit=101',
    'page=0',
    'status=active',
    'updatedSince=yesterday',
    'page=1&cursor=*',
  ]) {
    const { status, body } = await api.get(`/students/deleted?${query}`)
    assert.deepEqual([query, status, body.code], [query, 400, 'validation_failed'])
  }
})

test('the deleted are kept for 400 days, then forgotten, however many there are', async () => {
  const { tenant } = await loadResourceClient()
  const { tenant: other } = await loadResourceClient()
  await longGone(tenant, 2500, 401)
  await longGone(tenant, 3, 399)
  await longGone(other, 1, 401)
  await forgetDeletedRecordsJob.run(service.data, tenant)
  assert.equal((await tenant.api.get('/students/deleted')).body.pagination.total, 3)
  assert.equal((await other.api.get('/students/deleted')).body.pagination.total, 1)
})

test('“deleted” is no id: only reading it lists, and the scope of the resource is asked for', async () => {
  const { tenant } = await loadResourceClient()
  const patched = await tenant.api.patch('/students/deleted', { city: 'Lima' })
  assert.deepEqual([patched.status, patched.body.code], [404, 'resource_not_found'])
  const { api } = await tenant.token({ scopes: ['payments:read'] })
  const rejected = await api.get('/students/deleted')
  assert.deepEqual([rejected.status, rejected.body.code], [403, 'insufficient_scope'])
  assert.equal((await api.get('/payments/deleted')).status, 200)
})
