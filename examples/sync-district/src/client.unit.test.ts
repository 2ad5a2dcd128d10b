import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService, type Reply } from '../../../sdk/dist/testing/a-service.js'
import { Client } from './client.ts'
import { NoAnswer, Refusal } from './refusal.ts'

/** A client of a service that gives these answers in turn, and the last one ever after. */
async function aClient(...replies: Reply[]) {
  const { address, requests } = await aService(...replies)
  const waits: string[] = []
  const stop = new AbortController()
  const client = new Client({
    address,
    token: 'mtc_token',
    stop: stop.signal,
    onWait: (reason) => waits.push(reason),
  })
  return { client, requests, waits, stop }
}

test('a create is sent again with the same key after a lost answer, a 503 and a key in use', async () => {
  const { client, requests } = await aClient(
    'hang up',
    { status: 503, body: { code: 'service_unavailable' } },
    { status: 409, body: { code: 'idempotency_key_in_use' } },
    { status: 201 },
  )
  assert.equal((await client.post('/things', { name: 'x' }, 'first')).status, 201)
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  assert.deepEqual([keys.length, new Set(keys).size], [4, 1])
  assert.match(String(keys[0]), /^[0-9a-f]{64}$/)
})

test('the key of a create follows from its path, body and occasion', async () => {
  const { client, requests } = await aClient({ status: 201 })
  await client.post('/things', { name: 'x' }, 'first')
  await client.post('/things', { name: 'x' }, 'first')
  await client.post('/things', { name: 'y' }, 'first')
  await client.post('/things', { name: 'x' }, 'second')
  await client.post('/others', { name: 'x' }, 'first')
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  assert.equal(keys[0], keys[1])
  assert.equal(new Set(keys).size, 4)
})

test('after a 429 it waits as long as Retry-After says, and says so once', async () => {
  const { client, requests, waits } = await aClient(
    { status: 429, headers: { 'retry-after': '1' }, body: { code: 'rate_limit_exceeded' } },
    { status: 200 },
  )
  const startedAt = Date.now()
  await client.get('/things')
  assert.ok(Date.now() - startedAt >= 1000)
  assert.equal(requests.length, 2)
  assert.deepEqual(waits, ['the quota of the token is used up; going on in 1 s'])
})

test('it holds back when the quota is used up, before it is refused', async () => {
  const { client } = await aClient({ status: 200, headers: { ratelimit: '"default";r=0;t=1' } }, { status: 200 })
  await client.get('/things')
  const heldAt = Date.now()
  await client.get('/things')
  assert.ok(Date.now() - heldAt >= 1000)
})

test('a refusal is thrown at once, with its code and every fault that it names', async () => {
  const body = {
    code: 'validation_failed',
    detail: '#/a: is wrong (and 1 more in errors).',
    errors: [
      { pointer: '#/a', detail: 'is wrong' },
      { name: 'limit', detail: 'is too large' },
    ],
  }
  const { client, requests } = await aClient({ status: 400, body })
  await assert.rejects(client.put('/things', {}), new Refusal(400, new Headers(), JSON.stringify(body)))
  await assert.rejects(client.put('/things', {}), { message: 'validation_failed: #/a is wrong; limit is too large' })
  assert.equal(requests.length, 2)
})

test('an answer that is no problem document is told by its status', async () => {
  const { client } = await aClient({ status: 404, body: {} })
  await assert.rejects(client.get('/things'), { code: 'http_404' })
})

test('a list is walked by cursor to its end', async () => {
  const { client, requests } = await aClient(
    { status: 200, headers: { 'next-cursor': 'a/b' }, body: { data: [1, 2] } },
    { status: 200, body: { data: [3] } },
  )
  const found: number[] = []
  for await (const item of client.walk<number>('/things')) found.push(item)
  assert.deepEqual(found, [1, 2, 3])
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['/v1/things?limit=100&cursor=*', '/v1/things?limit=100&cursor=a%2Fb'],
  )
})

test('a stop ends the wait for the next try at once', async () => {
  const { client, requests, stop } = await aClient({ status: 503, headers: { 'retry-after': '30' } })
  const outcome = client.get('/things')
  while (requests.length === 0) await new Promise(setImmediate)
  stop.abort('SIGINT')
  await assert.rejects(outcome, { name: 'AbortError' })
  assert.ok(!((await outcome.catch((error) => error)) instanceof NoAnswer))
})
