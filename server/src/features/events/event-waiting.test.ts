import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { revokeApiKey } from '../../identity/api-keys.ts'
import type { Caller } from '../../testing/fixtures/client.ts'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { aStudent, getOperator } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

async function latest(api: Caller): Promise<string> {
  return (await api.get('/events?after=latest')).body.next
}

interface Frame {
  readonly id: string
  readonly data: { type: string; position: string; entityId: string }
}

/** A stream of events that is open, with everything that came over it. */
class OpenStream {
  readonly answer: IncomingMessage
  readonly request: ClientRequest
  text = ''
  isOver = false

  constructor(request: ClientRequest, response: IncomingMessage) {
    this.request = request
    this.answer = response
    response.setEncoding('utf8')
    response.on('data', (text: string) => {
      this.text += text
    })
    response.on('close', () => {
      this.isOver = true
    })
    response.on('error', () => {})
  }

  get frames(): Frame[] {
    const frames = this.text.split('\n\n').filter((frame) => frame.startsWith('id: '))
    return frames.map((frame) => {
      const [id = '', data = ''] = frame.split('\n')
      return { id: id.slice(4), data: JSON.parse(data.slice(6)) }
    })
  }
}

async function openStream(secret: string, path: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const request = get(`${service.address}/v1${path}`, {
    agent: false,
    headers: { authorization: `Bearer ${secret}`, accept: 'text/event-stream', ...headers },
  })
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return new OpenStream(request, response)
}

/** How many statements about events this process sends while so many looks pass. */
const statementsIn = async (count: number) => (await statementsLike(/event_/, () => looks(count))).length

/** Lets some time of the service pass: that of so many looks. */
const looks = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 200))

test('a reader that waits is answered as soon as there is something, and otherwise when its time is over', async () => {
  const { api } = await service.tenant()
  const start = await latest(api)
  const waiting = api.get(`/events?after=${start}&wait=30`)
  const student = await aStudent(api)
  const { body } = await waiting
  assert.deepEqual([body.data.length, body.data[0].entityId, body.hasMore], [1, student.id, false])
  const began = performance.now()
  const nothing = await api.get(`/events?after=${body.next}&wait=1`)
  assert.deepEqual(nothing.body, { data: [], next: body.next, hasMore: false })
  assert.ok(performance.now() - began > 900)
})

test('a reader waits on where only events happen that it does not read, and goes on behind them', async () => {
  const tenant = await service.tenant()
  const { api } = await tenant.token({ scopes: ['events:read', 'payments:read'] })
  const start = await latest(api)
  const waiting = api.get(`/events?after=${start}&wait=4`)
  await aStudent(tenant.api)
  const { body } = await waiting
  assert.deepEqual(body.data, [])
  assert.ok(Number(body.next) > Number(start))
})

test('a thousand readers who wait cost the database no more than one, are all woken, and leave nothing behind when they hang up', async () => {
  const tenant = await service.tenant()
  const { secret, api } = await tenant.token()
  const start = await latest(api)
  const one = await openStream(secret, `/events?after=${start}`)
  await until(() => one.text.includes('retry:'), 'the first stream')
  await looks(2)
  const ofOne = await statementsIn(10)
  const all = [one]
  for (let count = 0; count < 20; count += 1) {
    all.push(...(await Promise.all(Array.from({ length: 50 }, () => openStream(secret, `/events?after=${start}`)))))
  }
  await until(() => all.every(({ text }) => text.includes('retry:')), 'a thousand streams')
  await looks(2)
  const ofAll = await statementsIn(10)
  assert.ok(ofOne > 0 && ofAll <= ofOne * 3, `${ofAll} statements for a thousand, ${ofOne} for one`)
  // The look for all of them takes one for a moment.
  await until(() => service.data.rooms.every(({ held }) => held === 0), 'no connection held by those who wait')
  const student = await aStudent(api)
  await until(() => all.every(({ frames }) => frames[0]?.data.entityId === student.id), 'the event at everybody')
  for (const { request } of all) request.destroy()
  await until(async () => (await statementsIn(5)) === 0, 'nobody waiting any more')
})

test('a stream tells the same events with their positions as ids, and resumes after Last-Event-ID', async () => {
  const tenant = await service.tenant()
  const { secret, api } = await tenant.token()
  const start = await latest(api)
  const first = await aStudent(api)
  const stream = await openStream(secret, `/events?after=${start}`)
  assert.match(stream.answer.headers['content-type'] ?? '', /^text\/event-stream/)
  assert.equal(stream.answer.headers['cache-control'], 'no-store')
  const second = await aStudent(api)
  await until(() => stream.frames.length === 2, 'two events')
  const listed = (await api.get(`/events?after=${start}`)).body.data
  assert.deepEqual(
    stream.frames.map(({ data }) => data),
    listed,
  )
  assert.deepEqual(
    stream.frames.map(({ id, data }) => [id, data.entityId]),
    [
      [listed[0].position, first.id],
      [listed[1].position, second.id],
    ],
  )
  stream.request.destroy()
  const resumed = await openStream(secret, `/events?after=${start}`, { 'last-event-id': listed[0].position })
  await until(() => resumed.frames.length > 0, 'the second event')
  assert.deepEqual(
    resumed.frames.map(({ id }) => id),
    [listed[1].position],
  )
  resumed.request.destroy()
})

test('a stream shows by a comment every fifteen seconds that it lives', async () => {
  const tenant = await service.tenant()
  const { secret, api } = await tenant.token()
  const stream = await openStream(secret, `/events?after=${await latest(api)}`)
  const began = performance.now()
  await until(() => /(^|\n)(:[^\n]*)\n\n/.test(stream.text), 'the comment')
  assert.ok(performance.now() - began > 10_000)
  stream.request.destroy()
})

test('a stream that cannot begin is refused as a request is', async () => {
  const tenant = await service.tenant()
  const { secret } = await tenant.token({ scopes: ['events:read'] })
  for (const [path, headers, status] of [
    ['/events', { 'last-event-id': 'x' }, 400],
    ['/events', { 'last-event-id': '9'.repeat(100) }, 400],
    ['/events?after=999999', {}, 400],
    ['/events?types=student.*', {}, 403],
    ['/events?limit=0', {}, 400],
    ['/events', { authorization: 'Bearer mtc_nonsense' }, 401],
  ] as const) {
    const { answer: response, request } = await openStream(secret, path, headers)
    assert.equal(response.statusCode, status, path)
    assert.match(response.headers['content-type'] ?? '', /^application\/problem\+json/)
    request.destroy()
  }
})

async function revoke(tenant: TestTenant, id: string): Promise<void> {
  await service.data.transaction(tenant.id, (tx) => revokeApiKey(tx, getOperator(tenant), id, 'client'))
}

test('a stream ends when its token is revoked, and tells nothing of what happens afterwards', async () => {
  const tenant = await service.tenant()
  const { id, secret } = await tenant.token()
  const stream = await openStream(secret, `/events?after=${await latest(tenant.api)}`)
  await revoke(tenant, id)
  await until(() => stream.isOver, 'the end of the stream')
  await aStudent(tenant.api)
  assert.ok(stream.frames.every(({ data }) => data.type === 'api_key.revoked'))
})

test('a reader that waits is refused when its token is revoked or its tenant suspended meanwhile', async () => {
  for (const end of ['revoked', 'suspended']) {
    const tenant = await service.tenant()
    const { id, api } = await tenant.token()
    const waiting = api.get(`/events?after=${await latest(api)}&types=payment.*&wait=4`)
    if (end === 'revoked') await revoke(tenant, id)
    else await tenant.change({ status: 'suspended' })
    const { status, body } = await waiting
    assert.deepEqual([status, body.code], end === 'revoked' ? [401, 'token_revoked'] : [403, 'tenant_suspended'])
  }
})

test('a client that takes nothing is not written to without end', async () => {
  const tenant = await service.tenant()
  const { secret, api } = await tenant.token()
  const start = await latest(api)
  await service.database.inspectAt(
    tenant.id,
    `insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, changed, actor_type, actor_name)
     select $1, gen_random_uuid(), 'student.created', now(), 'student', gen_random_uuid(), array[repeat('field', 40)], 'system', 'test'
       from generate_series(1, 60000)`,
    [tenant.id],
  )
  const request = get(`${service.address}/v1/events?after=${start}&limit=1000`, {
    agent: false,
    headers: { authorization: `Bearer ${secret}`, accept: 'text/event-stream' },
  })
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.pause()
  await until(async () => (await statementsIn(3)) === 0, 'the service waiting for its client')
  assert.ok(response.socket.bytesRead < 60_000 * 200, `${response.socket.bytesRead} bytes were sent to nobody`)
  request.destroy()
})

test('streams and readers that wait end at once when the service stops', async () => {
  const tenant = await service.tenant()
  const { secret, api } = await tenant.token()
  const start = await latest(api)
  const stream = await openStream(secret, `/events?after=${start}`)
  await until(() => stream.text !== '', 'the begin of the stream')
  const asked = once(service.app.server, 'request')
  const waiting = api.get(`/events?after=${start}&wait=30`)
  await asked
  await looks(1)
  const began = performance.now()
  await service.app.close()
  assert.deepEqual((await waiting).body.data, [])
  await until(() => stream.isOver, 'the end of the stream')
  assert.ok(performance.now() - began < 10_000)
})
