import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Database } from '../../../database/index.ts'
import { until } from '../../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import { type Receiver, startReceiver, wereSentInOrder } from '../receiver.fixture.ts'

const service = await startTestService({ webhookAllowedNetworks: '127.0.0.0/8' })

async function anEndpoint(tenant: TestTenant, receiver: Pick<Receiver, 'url'>): Promise<string> {
  const response = await tenant.api.post('/webhooks', { url: receiver.url, types: ['student.*'] })
  assert.equal(response.status, 201, response.text)
  return response.body.data.id
}

/** Creates this many events. */
const happen = (tenant: TestTenant, count: number) =>
  service.database.inspectAt(
    tenant.id,
    `insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, changed, actor_type, actor_name)
     select $1, gen_random_uuid(), 'student.updated', now(), 'student', gen_random_uuid(), '{}', 'system', 'test'
       from generate_series(1, $2)`,
    [tenant.id, count],
  )

const getPositions = ({ received }: Receiver) => received.map(({ body }) => Number(body.data.position))

test('several processes: each event is delivered once and in order, whichever process holds the lease', async () => {
  const tenant = await service.tenant()
  const receivers = [await startReceiver(), await startReceiver(), await startReceiver()]
  const ids: string[] = []
  for (const receiver of receivers) ids.push(await anEndpoint(tenant, receiver))
  const databases = [0, 1, 2].map(() => new Database(service.database.connection))
  const ends = databases.map((database) => service.deliver(database))
  for (let round = 0; round < 10; round += 1) {
    await happen(tenant, 30)
    await until(() => receivers.some(({ received }) => received.length >= round * 30), 'some of them')
  }
  await until(() => receivers.every(({ received }) => received.length >= 300), 'all deliveries')
  for (const end of ends) await end()
  for (const database of databases) await database.close()
  for (const receiver of receivers) {
    assert.deepEqual([receiver.received.length, new Set(getPositions(receiver)).size], [300, 300])
  }
  for (const id of ids) assert.ok(await wereSentInOrder(service, id))
})

test('several processes: a killed one loses nothing; another one sends unrecorded attempts again with the same id', async () => {
  const tenant = await service.tenant()
  const receiver = await startReceiver()
  receiver.respond = (_, response) => setTimeout(() => response.writeHead(204).end(), 20)
  const id = await anEndpoint(tenant, receiver)
  await happen(tenant, 400)
  const args = [JSON.stringify(service.database.connection), service.secretKey]
  const program = fileURLToPath(new URL('./delivering-process.fixture.js', import.meta.url))
  const child = fork(program, args)
  after(() => child.kill('SIGKILL'))
  await until(() => receiver.received.length > 60, 'some deliveries')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const before = receiver.received.length
  assert.ok(before < 400, `${before} were sent already`)
  // Otherwise the next process would wait until the lease expires.
  const [state] = await service.database.inspect<{ lease: string | null }>(
    'select lease from webhook_states where webhook_id = $1',
    [id],
  )
  assert.ok(state?.lease)
  await service.database.inspect('update webhook_states set leased_until = now() where webhook_id = $1', [id])
  const end = service.deliver()
  await until(() => new Set(getPositions(receiver)).size === 400, 'everything')
  await end()
  const twice = receiver.received.length - 400
  assert.ok(twice <= 100, `${twice} were sent twice`)
  const idOf = new Map<number, string>()
  for (const { headers, body } of receiver.received) {
    const position = Number(body.data.position)
    assert.equal(idOf.get(position) ?? headers['webhook-id'], headers['webhook-id'])
    idOf.set(position, headers['webhook-id'] as string)
  }
  const [recorded] = await service.database.inspect<{ delivered: number; others: number }>(
    `select count(*) filter (where status = 'delivered')::int as delivered,
            count(*) filter (where status <> 'delivered')::int as others
       from webhook_deliveries where webhook_id = $1`,
    [id],
  )
  assert.deepEqual(recorded, { delivered: 400, others: 0 })
})

test('deliveries: a slow, hanging or dead endpoint delays no other one, nor does a flood of another tenant', async () => {
  const [flooding, quiet] = [await service.tenant(), await service.tenant()]
  const fast = await startReceiver()
  const hanging = await startReceiver()
  hanging.respond = () => {}
  const slow = await startReceiver()
  slow.respond = (_, response) => setTimeout(() => response.writeHead(204).end(), 300)
  const dead = await startReceiver()
  dead.close()
  const theirs = await startReceiver()
  for (const receiver of [hanging, slow, dead]) await anEndpoint(flooding, receiver)
  const id = await anEndpoint(flooding, fast)
  await anEndpoint(quiet, theirs)
  await happen(flooding, 2_000)
  const end = service.deliver()
  await until(() => fast.received.length > 50, 'the flood')
  await happen(quiet, 1)
  await until(() => theirs.received.length === 1, 'the one event of the other tenant')
  assert.ok(fast.received.length < 2_000, 'the flood was over before')
  await until(() => fast.received.length === 2_000, 'the end of the flood')
  // The hanging endpoint has not responded, and only a few of its deliveries were sent.
  assert.ok(hanging.connections < 50, `${hanging.connections} connections`)
  assert.ok(slow.received.length < 2_000)
  await end()
  assert.ok(await wereSentInOrder(service, id))
})
