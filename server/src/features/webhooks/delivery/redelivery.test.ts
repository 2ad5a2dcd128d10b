import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aStudent, aUser } from '../../../testing/fixtures/factories.ts'
import { until } from '../../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import { webhookMailComposer } from '../index.ts'
import { type Receiver, startReceiver } from '../receiver.fixture.ts'
import { deleteDeliveriesJob } from './delete-deliveries.ts'

const service = await startTestService({ webhookAllowedNetworks: '127.0.0.0/8' })
service.deliver()

async function anEndpoint(tenant: TestTenant, receiver: Pick<Receiver, 'url'>, body: object = {}): Promise<string> {
  const response = await tenant.api.post('/webhooks', { url: receiver.url, types: ['student.*'], ...body })
  assert.equal(response.status, 201, response.text)
  return response.body.data.id
}

const loadDeliveries = async (tenant: TestTenant, id: string, query = '') =>
  (await tenant.api.get(`/webhooks/${id}/deliveries?limit=100${query}`)).body.data

const loadPosition = async (tenant: TestTenant): Promise<string> =>
  (await tenant.api.get('/events?after=latest')).body.next

const findIds = (receiver: Receiver) => receiver.received.map(({ headers }) => headers['webhook-id'])

test('redelivery: a range of events is sent with the same ids, also events that were never sent', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const before = await loadPosition(tenant)
  await aStudent(tenant.api) // before the endpoint exists
  const id = await anEndpoint(tenant, receiver)
  for (let count = 0; count < 3; count += 1) await aStudent(tenant.api)
  await until(() => receiver.received.length === 3, 'three deliveries')
  const first = findIds(receiver)
  const until4 = await loadPosition(tenant)
  const response = await tenant.api.post(`/webhooks/${id}/redeliveries`, { after: before, until: until4 })
  assert.deepEqual([response.status, response.body.data], [200, { queued: 4 }])
  await until(() => receiver.received.length === 7, 'all four')
  const events = (await tenant.api.get(`/events?after=${before}&types=student.*`)).body.data
  const again = findIds(receiver).slice(3)
  assert.deepEqual(again.sort(), events.map((event: { id: string }) => event.id).sort())
  assert.ok(first.every((each) => again.includes(each)))
  assert.ok((await tenant.traces(id)).audit.includes('webhook.redelivered'))
})

test('redelivery: one delivery is sent again, also a failed one, and keeps its attempts', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const id = await anEndpoint(tenant, receiver)
  await aStudent(tenant.api)
  await until(async () => (await loadDeliveries(tenant, id, '&status=delivered')).length === 1, 'its arrival')
  const [delivery] = await loadDeliveries(tenant, id)
  await service.database.inspect(`update webhook_deliveries set status = 'failed' where id = $1`, [delivery.id])
  const response = await tenant.api.post(`/webhooks/${id}/redeliveries`, { deliveryId: delivery.id })
  assert.deepEqual(response.body.data, { queued: 1 })
  await until(() => receiver.received.length === 2, 'it again')
  await until(async () => (await loadDeliveries(tenant, id, '&status=delivered')).length === 1, 'the note of it')
  const [again] = await loadDeliveries(tenant, id)
  assert.deepEqual([again.id, again.attempts.length], [delivery.id, 2])
  assert.equal(new Set(findIds(receiver)).size, 1)
})

test('deliveries: what is queued is not sent to an address set by another token, unless its scopes read it', async () => {
  const [down, thief] = [await startReceiver(), await startReceiver()]
  down.respond = (_, response) => response.writeHead(503).end()
  const tenant = await service.tenant()
  const id = await anEndpoint(tenant, down, { types: ['*'] })
  await aStudent(tenant.api)
  await until(
    async () => (await loadDeliveries(tenant, id)).some((each: { attempts: object[] }) => each.attempts.length > 0),
    'a failed attempt',
  )
  const { api } = await tenant.token({ scopes: ['webhooks:read', 'webhooks:write'] })
  assert.equal((await api.patch(`/webhooks/${id}`, { url: thief.url, types: ['*'] })).status, 200)
  const ofStudents = async () =>
    (await loadDeliveries(tenant, id)).find(({ type }: { type: string }) => type.startsWith('student.'))
  const waiting = await ofStudents()
  const rejected = await api.post(`/webhooks/${id}/redeliveries`, { deliveryId: waiting.id })
  assert.deepEqual([rejected.status, rejected.body.code], [404, 'resource_not_found'])
  // What was sent meanwhile has no next attempt.
  await service.database.inspect(
    `update webhook_deliveries set next_attempt_at = now() where webhook_id = $1 and status = 'pending'`,
    [id],
  )
  await service.database.inspect('update webhook_states set due_at = now(), resume_at = null where webhook_id = $1', [
    id,
  ])
  await until(async () => (await ofStudents()).status === 'failed', 'the delivery given up')
  assert.deepEqual(
    thief.received.filter(({ raw }) => raw.includes('student.')),
    [],
  )
})

test('redelivery: a ping is 404', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const id = await anEndpoint(tenant, receiver)
  const { body } = await tenant.api.post(`/webhooks/${id}/test`, undefined)
  const again = await tenant.api.post(`/webhooks/${id}/redeliveries`, { deliveryId: body.data.id })
  assert.deepEqual([again.status, again.body.code], [404, 'resource_not_found'])
})

test('redelivery: invalid requests are rejected by code and pointer', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const other = await service.tenant()
  const id = await anEndpoint(tenant, receiver)
  const foreignId = await anEndpoint(other, receiver)
  const foreign = (await other.api.post(`/webhooks/${foreignId}/test`, undefined)).body.data.id
  const path = `/webhooks/${id}/redeliveries`
  const position = await loadPosition(tenant)
  for (const [body, pointer, code] of [
    [{}, '#/deliveryId', 'required'],
    [{ deliveryId: foreign, after: '0' }, '#/after', 'inconsistent'],
    [{ after: '0' }, '#/until', 'required'],
    [{ until: '0' }, '#/after', 'required'],
    [{ after: '2', until: '1' }, '#/until', 'inconsistent'],
    [{ after: '0', until: '10001' }, '#/until', 'too_large'],
    [{ after: position, until: String(Number(position) + 1) }, '#/until', 'too_large'],
    [{ after: '-1', until: '1' }, '#/after', 'pattern'],
    [{ after: 1, until: 2 }, '#/after', 'wrong_type'],
    [{ deliveryId: 'x' }, '#/deliveryId', 'format'],
  ] as const) {
    const { status, body: reported } = await tenant.api.post(path, body)
    assert.deepEqual([status, reported.code], [400, 'validation_failed'], JSON.stringify(body))
    assert.deepEqual([reported.errors[0].pointer, reported.errors[0].code], [pointer, code], JSON.stringify(body))
  }
  for (const deliveryId of [foreign, '01985b2e-5a00-7000-8000-000000000d01']) {
    const { status, body } = await tenant.api.post(path, { deliveryId })
    assert.deepEqual([status, body.code], [404, 'resource_not_found'])
  }
  await service.database.inspect('update event_feeds set forgotten_position = 1 where tenant_id = $1', [tenant.id])
  const expired = await tenant.api.post(path, { after: '0', until: '1' })
  assert.deepEqual([expired.status, expired.body.code, expired.body.earliest], [410, 'position_expired', '1'])
  await tenant.api.patch(`/webhooks/${id}`, { enabled: false })
  const disabled = await tenant.api.post(path, { after: '1', until: position })
  assert.deepEqual([disabled.status, disabled.body.code], [409, 'state_conflict'])
})

test('deliveries: a disabled endpoint receives nothing; enabled again it receives what waited and new events', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const id = await anEndpoint(tenant, receiver)
  receiver.respond = (_, response) => response.writeHead(500).end()
  const waiting = await aStudent(tenant.api)
  await until(async () => (await loadDeliveries(tenant, id))[0]?.attempts.length === 1, 'a failure')
  await tenant.api.patch(`/webhooks/${id}`, { enabled: false })
  const [paused] = await loadDeliveries(tenant, id)
  assert.deepEqual([paused.status, paused.nextAttemptAt], ['pending', null])
  receiver.respond = (_, response) => response.writeHead(204).end()
  receiver.received.length = 0
  await aStudent(tenant.api)
  await service.database.inspect(`update webhook_deliveries set next_attempt_at = now() where webhook_id = $1`, [id])
  // A delivery to another endpoint shows that there was time for it.
  const witness = await startReceiver()
  await anEndpoint(tenant, witness)
  await aStudent(tenant.api)
  await until(() => witness.received.length === 1, 'the delivery to another one')
  assert.equal(receiver.received.length, 0)
  await tenant.api.patch(`/webhooks/${id}`, { enabled: true })
  const later = await aStudent(tenant.api)
  await until(() => receiver.received.length === 2, 'both deliveries')
  const reported = receiver.received.map(({ body }) => body.data.id)
  assert.deepEqual(reported.sort(), [waiting.id, later.id].sort())
})

test('deliveries: none for a suspended tenant; its events are sent once it is active again', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  await anEndpoint(tenant, receiver)
  const other = await service.tenant()
  const witness = await startReceiver()
  await anEndpoint(other, witness)
  await tenant.change({ status: 'suspended' })
  await service.database.inspectAt(
    tenant.id,
    `insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, changed, actor_type, actor_name)
     values ($1, gen_random_uuid(), 'student.updated', now(), 'student', gen_random_uuid(), '{}', 'system', 'test')`,
    [tenant.id],
  )
  await aStudent(other.api)
  await until(() => witness.received.length === 1, 'the delivery of another tenant')
  assert.equal(receiver.received.length, 0)
  await tenant.change({ status: 'active' })
  await until(() => receiver.received.length === 1, 'its delivery')
})

test('deliveries: Retry-After pauses every delivery of the endpoint', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const id = await anEndpoint(tenant, receiver)
  receiver.respond = (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end()
  await aStudent(tenant.api)
  await until(async () => (await loadDeliveries(tenant, id))[0]?.attempts.length === 1, 'the refusal')
  const [{ nextAttemptAt, attempts }] = await loadDeliveries(tenant, id)
  const wait = (Date.parse(nextAttemptAt) - Date.parse(attempts[0].at)) / 1000
  assert.ok(wait >= 3599 && wait < 3610, `${wait} s`)
  const witness = await startReceiver()
  await anEndpoint(tenant, witness)
  await aStudent(tenant.api)
  await until(() => witness.received.length === 1, 'the delivery to another one')
  assert.equal(receiver.received.length, 1)
})

test('deliveries: five days of failures disable the endpoint, with a mail to administrators without the address', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  await aUser(service, tenant, { email: 'ada@school.example', roles: ['System Manager'] })
  await aUser(service, tenant, { email: 'teacher@school.example', roles: ['Instructor'] })
  const id = await anEndpoint(tenant, receiver, { url: `${receiver.url}?token=secret` })
  receiver.respond = (_, response) => response.writeHead(500).end()
  await aStudent(tenant.api)
  await until(async () => (await tenant.api.get(`/webhooks/${id}`)).body.data.lastFailureAt !== null, 'a failure')
  const fail = async (since: string) => {
    // While a process holds the lease, it writes its state back.
    const setBack = () =>
      service.database.inspect(
        `update webhook_states set failing_since = now() - $2::interval, due_at = now()
          where webhook_id = $1 and lease is null returning 1 as found`,
        [id, since],
      )
    await until(async () => (await setBack()).length === 1, 'the release of its lease')
    const failed = receiver.received.length
    await aStudent(tenant.api)
    await until(() => receiver.received.length > failed, 'another failure')
  }
  await fail('4 days 23 hours')
  assert.equal((await tenant.api.get(`/webhooks/${id}`)).body.data.status, 'enabled')
  await fail('5 days 1 minute')
  await until(async () => (await tenant.api.get(`/webhooks/${id}`)).body.data.status === 'disabled', 'its end')
  assert.equal((await tenant.api.get(`/webhooks/${id}`)).body.data.disabledReason, 'failing')
  assert.deepEqual((await tenant.traces(id)).events, ['webhook.created', 'webhook.disabled'])
  const mails = await service.database.inspect<{ recipient: string }>(
    `select id, kind, entity_id as "entityId", recipient, locale from outgoing_mails where tenant_id = $1 and kind = 'webhook_disabled'`,
    [tenant.id],
  )
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['ada@school.example'],
  )
  for (const locale of ['en', 'es', 'pt'] as const) {
    const letter = await webhookMailComposer(service.data, tenant, { ...mails[0], locale } as never)
    assert.match(letter?.subject ?? '', /127\.0\.0\.1:\d+/)
    assert.match(letter?.text ?? '', new RegExp(id))
    assert.doesNotMatch(letter?.text ?? '', /secret|hook\?/)
  }
  await tenant.api.patch(`/webhooks/${id}`, { enabled: true })
  assert.equal(await webhookMailComposer(service.data, tenant, mails[0] as never), null)
})

test('the job forget-deliveries: deletes old deliveries and those of deleted endpoints; pending ones stay', async () => {
  const tenant = await service.tenant()
  const id = await anEndpoint(tenant, { url: 'http://127.0.0.1:9/' }, { enabled: false })
  const gone = await anEndpoint(tenant, { url: 'http://127.0.0.1:9/' }, { enabled: false })
  const put = (webhookId: string, status: string, days: number, count: number) =>
    service.database.inspect(
      `insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, type, status, next_attempt_at, updated_at)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), 'student.created', $3,
              case when $3 = 'pending' then now() end, now() - make_interval(days => $4)
         from generate_series(1, $5)`,
      [tenant.id, webhookId, status, days, count],
    )
  await put(id, 'delivered', 8, 1500)
  await put(id, 'delivered', 6, 2)
  await put(id, 'failed', 31, 3)
  await put(id, 'failed', 29, 4)
  await put(id, 'pending', 90, 5)
  await put(gone, 'pending', 1, 1500)
  await tenant.api.delete(`/webhooks/${gone}`)
  await deleteDeliveriesJob.run(service.data, tenant)
  const left = await service.database.inspect<{ webhook_id: string; status: string; count: number }>(
    `select webhook_id, status, count(*)::int as count from webhook_deliveries where tenant_id = $1 group by 1, 2 order by 2`,
    [tenant.id],
  )
  assert.deepEqual(left, [
    { webhook_id: id, status: 'delivered', count: 2 },
    { webhook_id: id, status: 'failed', count: 4 },
    { webhook_id: id, status: 'pending', count: 5 },
  ])
})
