import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Caller } from '../../../testing/fixtures/client.ts'
import { loadCommandLine } from '../../../testing/fixtures/command-line.ts'
import { aRecordCaller, aStudent } from '../../../testing/fixtures/factories.ts'
import { start, until, untilReady } from '../../../testing/fixtures/service-process.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { startReceiver, wereSentInOrder } from '../receiver.fixture.ts'

const service = await startTestService({ webhookAllowedNetworks: '127.0.0.0/8' })
const { environment, folder, json: matricula } = await loadCommandLine(service)

const writingMilliseconds = 8_000

interface ReceivedEvent {
  readonly position: string
  readonly id: string
  readonly type: string
}

test('two services under load, one with four workers: feed and webhooks return each event once, in one order', async () => {
  const tenant = await service.tenant()
  const { secret, api } = await tenant.token()
  const students = await Promise.all(Array.from({ length: 6 }, () => aStudent(api)))
  // The job of the other service changes their status.
  const studentId = students[0]?.id
  const overdue = { studentId, amount: 450, description: 'Tuition', dueDate: '2020-01-01' }
  for (let count = 0; count < 40; count += 1) assert.equal((await api.post('/payments', overdue)).status, 201)
  const start0 = (await api.get('/events?after=latest')).body.next as string
  const receivers = [await startReceiver(), await startReceiver()]
  const endpoints: string[] = []
  for (const { url } of receivers) {
    const made = await api.post('/webhooks', { url, types: ['student.*', 'payment.*', 'api_key.*'] })
    assert.equal(made.status, 201, made.text)
    endpoints.push(made.body.data.id)
  }

  const settings = {
    DATABASE_URL: environment.DATABASE_URL as string,
    SECRET_KEY: service.secretKey,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WORKERS: '4',
  }
  const other = await start(folder, settings)
  await untilReady(other)
  service.deliver()

  let isOver = false
  const apis = [api, new Caller(other.address, secret)]
  const resourceClient = await aRecordCaller(service, tenant)
  const writers = apis.flatMap((own, position) =>
    [0, 1].map(async (writer) => {
      for (let round = 0; !isOver; round += 1) {
        const { id } = students[Math.floor(Math.random() * students.length)] as { id: string }
        const { status, text } = await own.patch(`/students/${id}`, { city: `${position} ${writer} ${round}` })
        assert.equal(status, 200, text)
        await pause(Math.random() * 20)
      }
    }),
  )
  const records = async () => {
    while (!isOver) {
      const length = 1 + Math.floor(Math.random() * 20)
      const docs = Array.from({ length }, () => ({ doctype: 'Student', first_name: 'Ada' }))
      const { status, text } = await resourceClient.post('/api/method/frappe.client.insert_many', { docs })
      assert.equal(status, 200, text)
      await pause(Math.random() * 50)
    }
  }
  const commands = async () => {
    let made = 0
    for (; !isOver || made === 0; made += 1) {
      await matricula(['token', 'create', '--tenant', tenant.slug, '--name', `key ${made}`, '--scopes', 'all'])
    }
  }
  const followers = apis.map(async (own) => {
    const events: ReceivedEvent[] = []
    let next = start0
    const read = async (wait: number) => {
      const { status, body, text } = await own.get(
        `/events?after=${next}&limit=100&wait=${wait}&types=student.*,payment.*,api_key.*`,
      )
      assert.equal(status, 200, text)
      events.push(...body.data)
      next = body.next
      return body.hasMore as boolean
    }
    while (!isOver) await read(1)
    return { events, finish: () => untilDone(read) }
  })
  const writing = [...writers, records(), commands()]
  await pause(writingMilliseconds)
  const isMoved = async () => (await api.get('/payments?status=overdue&limit=1')).body.pagination.total === 40
  await until(isMoved, 'the job of the other service')
  isOver = true
  await Promise.all(writing)
  const ends = await Promise.all(followers)
  for (const { finish } of ends) await finish()

  const written = await service.database.inspect<{ id: string; type: string; entity: string }>(
    `select e.id, e.type, e.entity_id as entity
       from events e join event_positions p on p.tenant_id = e.tenant_id and p.written = e.position
      where e.tenant_id = $1 and p.position > $2 and e.type ~ '^(student|payment|api_key)\\.' order by p.position`,
    [tenant.id, start0],
  )
  const expected = written.map(({ id }) => id)
  for (const type of ['student.updated', 'student.created', 'payment.status_changed', 'api_key.created']) {
    assert.ok(
      written.some((row) => row.type === type),
      `no ${type} was written`,
    )
  }
  for (const { events } of ends) {
    assert.deepEqual(
      events.map(({ id }) => id),
      expected,
    )
  }
  for (const { received } of receivers) {
    await until(
      () => received.length >= expected.length,
      () => `${received.length} of ${expected.length} deliveries`,
    )
    const ids = received.map(({ headers }) => headers['webhook-id'])
    assert.deepEqual(ids.sort(), [...expected].sort())
  }
  for (const id of endpoints) assert.ok(await wereSentInOrder(service, id), 'deliveries left out of order')
})

async function untilDone(read: (wait: number) => Promise<boolean>): Promise<void> {
  while (await read(0));
}
