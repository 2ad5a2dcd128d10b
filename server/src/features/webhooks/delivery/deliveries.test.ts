import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { aPayment, aStudent } from '../../../testing/fixtures/factories.ts'
import { until } from '../../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import { type Receiver, startReceiver, wereSentInOrder } from '../receiver.fixture.ts'

const service = await startTestService({ webhookAllowedNetworks: '127.0.0.0/8' })
service.deliver()

/** An endpoint of a tenant at a receiver. */
async function anEndpoint(tenant: TestTenant, receiver: Pick<Receiver, 'url'>, body: object = {}) {
  const response = await tenant.api.post('/webhooks', { url: receiver.url, types: ['student.*', 'payment.*'], ...body })
  assert.equal(response.status, 201, response.text)
  return response.body.data
}

const loadDeliveries = async (tenant: TestTenant, id: string, query = '') =>
  (await tenant.api.get(`/webhooks/${id}/deliveries?limit=100${query}`)).body.data

/** Makes every pending delivery due now. */
const hurry = (tenant: TestTenant) =>
  service.database.inspect(
    `with retried as (update webhook_deliveries set next_attempt_at = now() where tenant_id = $1 and status = 'pending')
     update webhook_states set due_at = now(), resume_at = null where tenant_id = $1`,
    [tenant.id],
  )

test('deliveries: an event is sent when it happens, signed by Standard Webhooks, with ids only', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const { id, secret } = await anEndpoint(tenant, receiver)
  const student = await aStudent(tenant.api, { externalId: 'S-1', fullName: 'Tyrone Dyer' })
  await until(() => receiver.received.length > 0, 'a delivery')
  const [delivery] = receiver.received
  assert.ok(delivery)
  const { method, headers, raw, body } = delivery
  assert.equal(method, 'POST')
  assert.equal(headers['content-type'], 'application/json')
  assert.match(headers['user-agent'] ?? '', /^Matricula\/\d+\.\d+\.\d+$/)
  assert.deepEqual(new StandardWebhook(secret).verify(raw, headers), body)
  assert.throws(() => new StandardWebhook(secret).verify(`${raw} `, headers))
  const [event] = (await tenant.api.get('/events?types=student.created')).body.data
  assert.equal(headers['webhook-id'], event.id)
  assert.deepEqual(body, {
    type: 'student.created',
    timestamp: event.occurredAt,
    data: {
      id: student.id,
      externalId: 'S-1',
      entityType: 'student',
      changed: event.changed,
      position: event.position,
      tenant: tenant.slug,
    },
  })
  assert.doesNotMatch(raw, /Tyrone/)
  await until(async () => (await loadDeliveries(tenant, id, '&status=delivered')).length === 1, 'the note of it')
  const [recorded] = await loadDeliveries(tenant, id)
  assert.deepEqual(
    { ...recorded, id: '', createdAt: '', attempts: [] },
    {
      id: '',
      eventId: event.id,
      type: 'student.created',
      position: event.position,
      status: 'delivered',
      attempts: [],
      nextAttemptAt: null,
      createdAt: '',
    },
  )
  assert.equal(recorded.attempts.length, 1)
  assert.deepEqual([recorded.attempts[0].httpStatus, recorded.attempts[0].error], [204, null])
  const { lastSuccessAt, lastFailureAt } = (await tenant.api.get(`/webhooks/${id}`)).body.data
  assert.deepEqual([lastSuccessAt, lastFailureAt], [recorded.attempts[0].at, null])
})

test('deliveries: an endpoint receives its types, each event once and in order', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const { id: endpoint } = await anEndpoint(tenant, receiver, { types: ['payment.*'] })
  const student = await aStudent(tenant.api)
  const payments = await Promise.all(Array.from({ length: 20 }, () => aPayment(tenant.api, { studentId: student.id })))
  await Promise.all(payments.map(({ id }) => tenant.api.patch(`/payments/${id}`, { status: 'paid' })))
  await until(() => receiver.received.length >= 40, 'forty deliveries')
  const expected = (await tenant.api.get('/events?types=payment.*')).body.data
  const reported = receiver.received.map(({ body }) => body.data.position)
  const numbers = (positions: string[]) => positions.map(Number).sort((one, other) => one - other)
  assert.deepEqual(
    numbers(reported),
    expected.map(({ position }: { position: string }) => Number(position)),
  )
  await until(
    async () => (await loadDeliveries(tenant, endpoint, '&status=delivered')).length === 40,
    'the note of them',
  )
  assert.ok(await wereSentInOrder(service, endpoint))
})

test('deliveries: a retry has the same id and body and a new timestamp, by the schedule, until it succeeds', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const { id, secret } = await anEndpoint(tenant, receiver)
  receiver.respond = (_, response) => response.writeHead(500).end('Tyrone was here')
  await aStudent(tenant.api)
  await until(async () => (await loadDeliveries(tenant, id))[0]?.attempts.length === 1, 'the first attempt')
  const [failed] = await loadDeliveries(tenant, id)
  assert.equal(failed.status, 'pending')
  assert.deepEqual([failed.attempts[0].httpStatus, failed.attempts[0].error], [500, 'http_status'])
  const wait = Date.parse(failed.nextAttemptAt) - Date.parse(failed.attempts[0].at)
  assert.ok(wait >= 5_000 && wait < 8_000, `tried again after ${wait} ms`)
  receiver.respond = (_, response) => response.writeHead(200).end()
  await until(() => receiver.received.length === 2, 'the second attempt')
  const [first, second] = receiver.received
  assert.ok(first && second && second.at - first.at >= 4_900)
  assert.equal(second.headers['webhook-id'], first.headers['webhook-id'])
  assert.equal(second.raw, first.raw)
  assert.ok(Number(second.headers['webhook-timestamp']) > Number(first.headers['webhook-timestamp']))
  new StandardWebhook(secret).verify(second.raw, second.headers)
  await until(async () => (await loadDeliveries(tenant, id))[0].status === 'delivered', 'the end')
  const [delivered] = await loadDeliveries(tenant, id)
  assert.equal(delivered.attempts.length, 2)
  assert.doesNotMatch(JSON.stringify(delivered), /Tyrone/)
})

test('deliveries: ten failures end a delivery, with the waits of the schedule between', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const { id } = await anEndpoint(tenant, receiver)
  receiver.respond = (_, response) => response.writeHead(500).end()
  await aStudent(tenant.api)
  const waits: number[] = []
  for (let tried = 1; tried <= 10; tried += 1) {
    await until(async () => (await loadDeliveries(tenant, id))[0]?.attempts.length === tried, `attempt ${tried}`)
    const [{ nextAttemptAt, attempts }] = await loadDeliveries(tenant, id)
    if (nextAttemptAt !== null) waits.push((Date.parse(nextAttemptAt) - Date.parse(attempts.at(-1).at)) / 1000)
    await hurry(tenant)
  }
  const [{ status }] = await loadDeliveries(tenant, id)
  assert.equal(status, 'failed')
  const hour = 3600
  const plan = [5, 300, 1800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
  assert.equal(waits.length, plan.length)
  for (const [position, min] of plan.entries()) {
    const wait = waits[position] as number
    assert.ok(wait >= min && wait <= min * 1.2 + 3, `${wait} s instead of ${min} s`)
  }
})

test('deliveries: 410 disables the endpoint at once, with an event, an audit entry and a mail to administrators', async () => {
  const receiver = await startReceiver()
  const other = await startReceiver()
  const tenant = await service.tenant()
  const { id } = await anEndpoint(tenant, receiver)
  await anEndpoint(tenant, other, { types: ['webhook.disabled'] })
  receiver.respond = (_, response) => response.writeHead(410).end()
  await aStudent(tenant.api)
  await until(() => other.received.length === 1, 'the event of it')
  const { status, disabledReason } = (await tenant.api.get(`/webhooks/${id}`)).body.data
  assert.deepEqual([status, disabledReason], ['disabled', 'gone'])
  assert.equal(other.received[0]?.body.data.id, id)
  assert.deepEqual((await tenant.traces(id)).audit, ['webhook.created', 'webhook.disabled'])
  // Its lease is released at once, so that it continues as soon as it is enabled.
  const held = 'select from webhook_states where webhook_id = $1 and lease is not null'
  await until(async () => (await service.database.inspect(held, [id])).length === 0, 'the release of its lease')
  await aStudent(tenant.api)
  const [{ nextAttemptAt }] = await loadDeliveries(tenant, id)
  assert.equal(nextAttemptAt, null)
  assert.equal(receiver.received.length, 1)
})
