import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { clientOptions, loadServer } from '../../database/index.ts'
import { Caller } from '../../testing/fixtures/client.ts'
import { aRecordCaller, aStudent } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { orderEvents } from './index.ts'

// Transactions are held open here by hand, without the locks that the service takes.
const service = await startTestService({ guardsLocks: false })
const { inspect } = service.database

interface Told {
  readonly position: string
  readonly id: string
  readonly type: string
  readonly entityId: string
  readonly changed: readonly string[]
}

/** Reads what is there after a position, as a follower does. */
async function readOn(api: Caller, after: string): Promise<{ events: Told[]; next: string }> {
  const events: Told[] = []
  for (let next = after; ; ) {
    const { status, body, text } = await api.get(`/events?after=${next}&limit=${1 + Math.floor(Math.random() * 50)}`)
    assert.equal(status, 200, text)
    events.push(...body.data)
    next = body.next
    if (!body.hasMore) return { events, next }
  }
}

async function latest(api: Caller): Promise<string> {
  return (await api.get('/events?after=latest')).body.next
}

/** A transaction of the tenant that writes an event of a record whenever it is told, and is open until then. */
async function openTransaction(tenant: TestTenant) {
  const client = new pg.Client(
    clientOptions(await loadServer(service.database.connection, tenant.id), 'owner', 'matricula test'),
  )
  await client.connect()
  await client.query('begin')
  return {
    client,
    tell: (entityId: string) =>
      client.query(
        `insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, changed, actor_type, actor_name)
         values ($1, gen_random_uuid(), 'student.updated', current_stamp(), 'student', $2, '{}', 'system', 'test')`,
        [tenant.id, entityId],
      ),
    end: async (how: 'commit' | 'rollback') => {
      await client.query(how)
      await client.end()
    },
  }
}

test('an event of a transaction that was long open comes behind those that were read meanwhile, and keeps nobody waiting', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const early = await aStudent(api)
  const start = await latest(api)
  const open = await openTransaction(tenant)
  await open.tell(early.id)
  const late = await aStudent(api)
  const first = await readOn(api, start)
  assert.deepEqual(
    first.events.map(({ entityId }) => entityId),
    [late.id],
  )
  await open.end('commit')
  const second = await readOn(api, first.next)
  assert.deepEqual(
    second.events.map(({ entityId }) => entityId),
    [early.id],
  )
  assert.ok(Number(second.events[0]?.position) > Number(first.events[0]?.position))
})

test('events of one record come in the order of its changes, also where the later transaction began first', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const [one, shared] = [await aStudent(api), await aStudent(api)]
  const start = await latest(api)
  // Has its number before the other one, and changes the shared record after it.
  const slow = await openTransaction(tenant)
  await slow.tell(one.id)
  await api.patch(`/students/${shared.id}`, { city: 'first' })
  await slow.tell(shared.id)
  await slow.end('commit')
  const { events } = await readOn(api, start)
  const ofShared = events.filter(({ entityId }) => entityId === shared.id)
  assert.deepEqual(
    ofShared.map(({ changed }) => changed),
    [['city'], []],
  )
})

test('what is rolled back is never told, nor is what was ordered told twice', async () => {
  const tenant = await service.tenant()
  const start = await latest(tenant.api)
  const lost = await openTransaction(tenant)
  await lost.tell(tenant.id)
  const student = await aStudent(tenant.api)
  const first = await readOn(tenant.api, start)
  await lost.end('rollback')
  assert.deepEqual((await readOn(tenant.api, first.next)).events, [])
  // As in a database into which a dump was read: the numbers of its transactions are those of another one.
  await inspect('update event_feeds set seen_in = 1 where tenant_id = $1', [tenant.id])
  const next = await aStudent(tenant.api)
  assert.deepEqual(
    (await readOn(tenant.api, start)).events.map(({ entityId }) => entityId),
    [student.id, next.id],
  )
})

test('a dump that was read into another cluster is put in order once, whatever the numbers of its transactions were', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api)
  await latest(tenant.api)
  // All that was written there has numbers that lie far ahead of those here.
  await inspect(`update events set transaction_id = '900000000000' where tenant_id = $1`, [tenant.id])
  await inspect(`update event_feeds set seen_in = 1, seen = '900000000001:900000000001:' where tenant_id = $1`, [
    tenant.id,
  ])
  const before = await latest(tenant.api)
  await tenant.api.patch(`/students/${student.id}`, { city: 'Hillside' })
  const { events, next } = await readOn(tenant.api, before)
  assert.deepEqual(
    events.map(({ changed }) => changed),
    [['city']],
  )
  assert.equal(Number(next), Number(before) + 1)
  assert.deepEqual([await latest(tenant.api), await latest(tenant.api)], [next, next])
})

test('a feed that nobody has read is put in order in parts, in the order in which it was written', async () => {
  const tenant = await service.tenant()
  await service.database.inspectAt(
    tenant.id,
    `insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, changed, actor_type, actor_name)
     select $1, gen_random_uuid(), 'student.created', now(), 'student', gen_random_uuid(), '{}', 'system', 'test'
       from generate_series(1, 25000)`,
    [tenant.id],
  )
  const last = await orderEvents(service.data, tenant.id)
  assert.ok(last >= 25_000, String(last))
  const [found] = await inspect(
    `select count(*)::int as count, bool_and(p.position = row) as "isOrdered"
       from (select written, position, row_number() over (order by written) as row
               from event_positions where tenant_id = $1) p`,
    [tenant.id],
  )
  assert.deepEqual(found, { count: last, isOrdered: true })
})

test('events of a tenant whose rows went from node to node and back come in the order in which they happened', async () => {
  const tenant = await service.tenant()
  const before = Number(await latest(tenant.api))
  // Twice at the first node, between and afterwards at others, which number what they write in ranges of their own; always two at the same moment.
  const nodes = [0, 0, 2, 2, 0, 0, 1, 1]
  await service.database.inspectAt(
    tenant.id,
    `insert into events (tenant_id, position, id, type, occurred_at, entity_type, entity_id, changed, actor_type, actor_name)
     overriding system value
     select $1, (node << 48) + 1000000000 + place, gen_random_uuid(), 'student.created',
            timestamptz '2026-01-01' + ((place - 1) / 2) * interval '1 millisecond', 'student',
            ('00000000-0000-7000-8000-' || lpad(place::text, 12, '0'))::uuid, '{}', 'system', 'test'
       from unnest($2::bigint[]) with ordinality as written (node, place)`,
    [tenant.id, nodes],
  )
  await inspect('update event_feeds set seen = null where tenant_id = $1', [tenant.id])
  const { events, next } = await readOn(tenant.api, String(before))
  assert.deepEqual(
    events.map(({ entityId }) => Number(entityId.slice(-12))),
    nodes.map((_, position) => position + 1),
  )
  assert.equal(Number(next), before + nodes.length)
})

test('many at once who put events in order leave none out and give each one position', async () => {
  const tenant = await service.tenant()
  await Promise.all(Array.from({ length: 20 }, () => aStudent(tenant.api)))
  await Promise.all(Array.from({ length: 8 }, () => orderEvents(service.data, tenant.id)))
  const rows = await inspect<{ events: number; positions: number; last: number }>(
    `select (select count(*)::int from events where tenant_id = $1) as events,
            (select count(distinct position)::int from event_positions where tenant_id = $1) as positions,
            (select last_position::int from event_feeds where tenant_id = $1) as last`,
    [tenant.id],
  )
  assert.equal(rows[0]?.events, rows[0]?.positions)
  assert.equal(rows[0]?.events, rows[0]?.last)
})

test('followers of two services see every event once and none out of order, whatever commits when, on both surfaces', async () => {
  const tenant = await service.tenant()
  const other = await service.beside()
  const { secret, api } = await tenant.token()
  const key = await tenant.token({ kind: 'resource', scopes: [], masterDomains: [], roles: ['System Manager'] })
  const apis = [api, new Caller(other, secret)]
  const resourceClients = [
    await aRecordCaller(service, tenant),
    new RecordCaller(`${other}/t/${tenant.slug}`, { authorization: key.secret }),
  ]
  const students = await Promise.all(Array.from({ length: 6 }, () => aStudent(api)))
  const start = await latest(api)
  let isOver = false
  let ended = 0
  const chance = (max: number) => setTimeout(Math.random() * max)
  const anyStudent = () => students[Math.floor(Math.random() * students.length)] as { id: string; studentCode: string }
  const onClientApi = apis.map(async (own, index) => {
    for (let round = 0; !isOver; round += 1) {
      const { status, text } = await own.patch(`/students/${anyStudent().id}`, { city: `${index} ${round}` })
      assert.equal(status, 200, text)
      await chance(20)
    }
  })
  const onRecords = resourceClients.map(async (resourceClient) => {
    while (!isOver) {
      const docs = Array.from({ length: 1 + Math.floor(Math.random() * 20) }, () => ({
        doctype: 'Student',
        first_name: 'Ada',
      }))
      const { status, text } = await resourceClient.post('/api/method/frappe.client.insert_many', { docs })
      assert.equal(status, 200, text)
      await chance(50)
    }
  })
  // Transactions that stay open for very different times between their first event and their last.
  const heldOpen = [0, 1, 2].map(async (index) => {
    while (!isOver) {
      const open = await openTransaction(tenant)
      await open.tell(tenant.id)
      await chance(index * 300)
      await open.tell(tenant.id)
      await open.end(Math.random() < 0.2 ? 'rollback' : 'commit')
      ended += 1
    }
  })
  const seen = apis.map((): Told[] => [])
  const nexts = apis.map(() => start)
  const follow = async (index: number) => {
    const { events, next } = await readOn(apis[index] as Caller, nexts[index] as string)
    seen[index]?.push(...events)
    nexts[index] = next
  }
  const followers = apis.map(async (_, index) => {
    while (!isOver) await follow(index)
  })
  await until(
    async () => ended >= 12 && Number(await latest(api)) - Number(start) > 300,
    'a dozen open transactions among events',
  )
  isOver = true
  await Promise.all([...onClientApi, ...onRecords, ...heldOpen, ...followers])
  for (const index of apis.keys()) await follow(index)
  const written = await inspect<{ id: string; entity: string }>(
    `select id, entity_id as entity from events where tenant_id = $1 order by position`,
    [tenant.id],
  )
  const before = new Set(
    (await readOn(api, '0')).events.filter((event) => Number(event.position) <= Number(start)).map(({ id }) => id),
  )
  const expected = written.filter(({ id }) => !before.has(id))
  assert.ok(expected.length > 50, `${expected.length} events`)
  for (const events of seen) {
    const ids = events.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length, 'an event was told twice')
    const missed = expected.filter(({ id }) => !ids.includes(id))
    assert.deepEqual(missed, [], `${missed.length} of ${expected.length} were missed`)
    const positions = events.map(({ position }) => Number(position))
    assert.ok(positions.every((position, index) => index === 0 || position > (positions[index - 1] as number)))
    for (const { id } of students) {
      const reported = events.filter(({ entityId }) => entityId === id).map((event) => event.id)
      const made = expected.filter(({ entity }) => entity === id).map((row) => row.id)
      assert.deepEqual(reported, made, 'the changes of a record were told out of order')
    }
  }
})

test('the look for everybody who waits finds what is new by index, in a feed of many', async () => {
  const tenant = await service.tenant()
  await service.database.inspectAt(
    tenant.id,
    `insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, changed, actor_type, actor_name)
     select $1, gen_random_uuid(), 'student.created', now(), 'student', gen_random_uuid(), '{}', 'system', 'test'
       from generate_series(1, 20000)`,
    [tenant.id],
  )
  await orderEvents(service.data, tenant.id)
  await inspect('analyze events, event_positions, event_feeds')
  const client = new pg.Client(clientOptions(await loadServer(service.database.connection, tenant.id), 'owner'))
  await client.connect()
  const look = `select * from event_feed_states(array['${tenant.id}']::uuid[])`
  // Before it counts, the session knows its catalogue and its plans.
  for (let time = 1; time <= 7; time += 1) await client.query(look)
  const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${look}`)
  await client.end()
  const buffers = plan.map((row) => row['QUERY PLAN']).join('\n')
  const [, hit, fromDisk = '0'] = /shared hit=(\d+)(?: read=(\d+))?/.exec(buffers) ?? []
  assert.ok(Number(hit) + Number(fromDisk) < 100, buffers)
})
