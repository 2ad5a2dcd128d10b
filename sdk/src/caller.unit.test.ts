import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallerSettings } from './caller.ts'
import { createClient } from './client.ts'
import { NoAnswer, Problem } from './problem.ts'
import { aService, type Reply } from './testing/a-service.ts'
import { collected } from './testing/collected.ts'

const id = '01985b2e-5a00-7000-8000-000000000101'
const payment = { studentId: id, amount: 5, description: 'Books', dueDate: null }

/** A client of a service that gives these answers in turn, and the last one ever after. */
async function aClient(replies: Reply[], settings: Partial<CallerSettings> = {}) {
  const { address, requests } = await aService(...replies)
  const waits: string[] = []
  const onWait = (reason: string) => waits.push(reason)
  return { client: createClient({ url: address, token: 'mtc_token', onWait, ...settings }), requests, waits }
}

const unavailable = { status: 503, body: { code: 'service_unavailable' } }

test('a creation is sent again with the same key after a lost answer, a 503 and a key in use', async () => {
  const inUse = { status: 409, body: { code: 'idempotency_key_in_use' } }
  const { client, requests } = await aClient(['hang up', unavailable, inUse, { status: 201 }])
  assert.deepEqual(await client.payments.create(payment), { id: 'x' })
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  assert.deepEqual([keys.length, new Set(keys).size], [4, 1])
})

test('each creation has a key of its own, unless the caller gives one', async () => {
  const { client, requests } = await aClient([{ status: 201 }])
  await client.payments.create(payment)
  await client.payments.create(payment)
  await client.payments.create(payment, { idempotencyKey: 'invoice 7' })
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  assert.equal(new Set(keys).size, 3)
  assert.equal(keys[2], 'invoice 7')
})

test('reads, upserts and completions are sent again; changes are not where nobody knows what became of them', async () => {
  const { client, requests } = await aClient(['hang up', { status: 200 }])
  await client.payments.get(id)
  assert.equal(requests.length, 2)
  for (const reply of ['hang up', unavailable] as const) {
    const { client, requests } = await aClient([reply, { status: 200 }])
    await client.payments.upsert('T-1', { amount: 6 })
    assert.equal(requests.length, 2)
  }
  for (const reply of ['hang up', unavailable] as const) {
    const { client, requests } = await aClient([reply, { status: 200 }])
    await assert.rejects(client.payments.update(id, { amount: 6 }), reply === 'hang up' ? NoAnswer : Problem)
    assert.equal(requests.length, 1)
  }
  const { client: other, requests: sent } = await aClient(['hang up', { status: 200 }])
  await assert.rejects(other.applications.unlinkContact(id, id), NoAnswer)
  assert.equal(sent.length, 1)
})

test('a change is sent again when it names the version that it is based on, or its maker says that it does no harm', async () => {
  for (const options of [{ ifMatch: '"4"' }, { isRepeatable: true }]) {
    const { client, requests } = await aClient(['hang up', { status: 200 }])
    await client.payments.update(id, { amount: 6 }, options)
    assert.equal(requests.length, 2)
    assert.equal(requests[1]?.headers['if-match'], options.ifMatch)
  }
})

test('a change that an earlier try may have made is not told as refused when its version is not there any more', async () => {
  const rejected = { status: 412, body: { code: 'precondition_failed' } }
  const { client } = await aClient(['hang up', rejected])
  await assert.rejects(client.payments.update(id, { amount: 6 }, { ifMatch: '"4"' }), (error) => {
    return error instanceof NoAnswer && (error.cause as { code?: string }).code === 'precondition_failed'
  })
  const { client: other } = await aClient([rejected])
  await assert.rejects(other.payments.update(id, { amount: 6 }, { ifMatch: '"4"' }), { code: 'precondition_failed' })
})

test('what was refused for the quota is sent again, a change too, as soon as Retry-After says and not before', async () => {
  const rejected = { status: 429, headers: { 'retry-after': '1' }, body: { code: 'rate_limit_exceeded' } }
  const { client, requests, waits } = await aClient([rejected, { status: 200 }])
  const startedAt = Date.now()
  await client.payments.update(id, { amount: 6 })
  assert.ok(Date.now() - startedAt >= 1000)
  assert.equal(requests.length, 2)
  assert.deepEqual(waits, ['the quota of the token is used up; going on in 1 s'])
})

test('it holds back when the quota is used up, before it is refused', async () => {
  const { client } = await aClient([{ status: 200, headers: { ratelimit: '"default";r=0;t=1' } }, { status: 200 }])
  const startedAt = Date.now()
  await client.payments.get(id)
  await client.payments.get(id)
  assert.ok(Date.now() - startedAt >= 1000)
})

test('a wait that is longer than it is ready for is thrown with what was asked for', async () => {
  const { client, requests } = await aClient([{ status: 503, headers: { 'retry-after': '3600' }, body: {} }])
  await assert.rejects(client.payments.get(id), { retryAfter: 3600, code: 'http_503' })
  assert.equal(requests.length, 1)
})

test('a refusal is thrown at once, with its code, every fault and the members of its problem', async () => {
  const errors = [
    { in: 'body', pointer: '#/amount', code: 'too_small', detail: 'must be greater than 0' },
    { in: 'query', name: 'limit', code: 'too_large', detail: 'must be at most 100' },
  ]
  const body = { code: 'validation_failed', detail: 'and so on', requestId: 'r', errors }
  const { client, requests } = await aClient([{ status: 400, body }])
  const error = await client.payments.get(id).catch((thrown) => thrown)
  assert.ok(error instanceof Problem && error instanceof Error)
  assert.equal(error.message, 'validation_failed: #/amount must be greater than 0; limit must be at most 100')
  assert.deepEqual([error.status, error.requestId, error.errors], [400, 'r', errors])
  assert.equal(requests.length, 1)
})

test('the code of a problem narrows its type to what it has', async () => {
  const { client } = await aClient([{ status: 409, body: { code: 'external_id_taken', existingId: id } }])
  const error: unknown = await client.payments.create(payment).catch((thrown) => thrown)
  if (!(error instanceof Problem)) throw error
  if (error.code !== 'external_id_taken') throw error
  const existing: string | undefined = error.existingId
  assert.equal(existing, id)
  // @ts-expect-error a problem of this code tells of no scopes
  assert.equal(error.grantedScopes, undefined)
})

test('what is sent is checked against the contract while it is compiled', async () => {
  const { client } = await aClient([{ status: 200 }])
  // @ts-expect-error there is no such field
  await client.payments.update(id, { amont: 5 })
  // @ts-expect-error there is no such status
  client.payments.list({ status: 'late' })
  // @ts-expect-error an amount is needed
  await client.payments.create({ studentId: id, description: 'Books', dueDate: null })
  // @ts-expect-error the operation has this path parameter
  await assert.rejects(client.call('getPayment', {}), TypeError)
})

test('an answer that is no problem document is told by its status', async () => {
  const { client } = await aClient([{ status: 404, body: {} }])
  await assert.rejects(client.payments.get(id), { code: 'http_404', status: 404 })
})

test('it follows no redirect, so that the token goes nowhere else', async () => {
  const other = await aService({ status: 200 })
  const { client } = await aClient([{ status: 302, headers: { location: other.address } }])
  await assert.rejects(client.payments.get(id), { code: 'http_302' })
  assert.equal(other.requests.length, 0)
})

test('a key in an address arrives as it is, and one that would be lost on its way is refused before', async () => {
  const { client, requests } = await aClient([{ status: 200 }])
  await client.students.upsert('a/b ü?#%2F', {})
  assert.equal(requests[0]?.url, '/v1/students/external/a%2Fb%20%C3%BC%3F%23%252F')
  for (const key of ['.', '..', '']) await assert.rejects(client.students.upsert(key, {}), TypeError)
  assert.equal(requests.length, 1)
})

test('an answer that takes too long is none', async () => {
  let tries = 0
  const counted: typeof fetch = (input) => {
    tries += 1
    return fetch(input)
  }
  const { client } = await aClient(['say nothing'], { timeout: 50, attempts: 2, fetch: counted })
  await assert.rejects(client.payments.get(id), { name: 'NoAnswer', message: /no answer from .* within 0\.05 s/ })
  assert.equal(tries, 2)
})

test('what the service is asked to wait does not count as its slowness', async () => {
  const { client } = await aClient(['answer late'], { timeout: 50, attempts: 1 })
  await assert.rejects(client.payments.get(id), NoAnswer)
  await client.call('listEvents', { query: { wait: 5 } })
})

test('a signal cuts a read off at once, ends a wait at once, and lets a write be answered', async () => {
  const stop = new AbortController()
  const silent = await aClient(['say nothing'])
  const read = silent.client.payments.get(id, { signal: stop.signal })
  const waiting = await aClient([{ status: 503, headers: { 'retry-after': '30' }, body: {} }])
  const wait = waiting.client.payments.get(id, { signal: stop.signal })
  const slow = await aClient(['answer late'])
  const write = slow.client.payments.update(id, { amount: 6 }, { signal: stop.signal })
  for (const { requests } of [silent, waiting, slow]) while (requests.length === 0) await new Promise(setImmediate)
  stop.abort(new Error('that will do'))
  await assert.rejects(read, { message: 'that will do' })
  await assert.rejects(wait, { message: 'that will do' })
  assert.deepEqual(await write, { id: 'x' })
  await assert.rejects(slow.client.payments.get(id, { signal: stop.signal }), { message: 'that will do' })
  assert.equal(slow.requests.length, 1)
})

test('a list is walked by cursor to its end, a hundred records at a time, with its filters', async () => {
  const { client, requests } = await aClient([
    { status: 200, headers: { 'next-cursor': 'a/b', 'sync-watermark': 'W' }, body: { data: [1, 2], pagination: {} } },
    { status: 200, headers: { 'sync-watermark': 'X' }, body: { data: [3], pagination: {} } },
  ])
  const list = client.payments.list({ status: 'paid' })
  assert.deepEqual(await collected(list), [1, 2, 3])
  assert.equal(list.watermark, 'W')
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['/v1/payments?limit=100&status=paid&cursor=*', '/v1/payments?limit=100&status=paid&cursor=a%2Fb'],
  )
})

test('an address that is none is refused when the client is made', () => {
  assert.throws(() => createClient({ url: 'matricula.example', token: 'x' }), TypeError)
  assert.throws(() => createClient({ url: 'file:///etc', token: 'x' }), TypeError)
})
