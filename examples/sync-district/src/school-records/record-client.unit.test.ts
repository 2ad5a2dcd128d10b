import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '@matricula/client'
import { aService, type Reply } from '../../../../sdk/dist/testing/a-service.js'
import { RecordClient } from './record-client.ts'

async function aClient(...replies: Reply[]) {
  const { address, requests } = await aService(...replies)
  const waits: string[] = []
  const stop = new AbortController()
  const onWait = (reason: string) => waits.push(reason)
  return { client: new RecordClient({ address, key: 'mtr_key', stop: stop.signal, onWait }), requests, waits }
}

const made = { status: 200, body: { data: { name: 'ALG-1' } } }

test('a record whose answer was lost is looked for and not made again', async () => {
  const { client, requests } = await aClient('hang up', { status: 200, body: { data: [{ name: 'ALG-1' }] } })
  const name = await client.create('Course', { course_name: 'ALG-1' }, [['name', '=', 'ALG-1']])
  assert.equal(name, 'ALG-1')
  assert.deepEqual(
    requests.map(({ method }) => method),
    ['POST', 'GET'],
  )
  assert.equal(new URL(String(requests[1]?.url), 'http://x').searchParams.get('filters'), '[["name","=","ALG-1"]]')
})

test('a record that was not made after a 503 is made then', async () => {
  const { client, requests } = await aClient({ status: 503, body: {} }, { status: 200, body: { data: [] } }, made)
  assert.equal(await client.create('Course', { course_name: 'ALG-1' }, [['name', '=', 'ALG-1']]), 'ALG-1')
  assert.deepEqual(
    requests.map(({ method, headers }) => [method, headers.authorization]),
    ['POST', 'GET', 'POST'].map((method) => [method, 'Bearer mtr_key']),
  )
})

test('after a 429 it waits as long as Retry-After says, and holds back before the quota is used up', async () => {
  for (const reply of [
    { status: 429, headers: { 'retry-after': '1' }, body: { exc_type: 'TooManyRequestsError' } },
    { status: 200, headers: { ratelimit: '"default";r=0;t=1' }, body: { data: { name: 'x' } } },
  ]) {
    const { client, waits } = await aClient(reply, made)
    const startedAt = Date.now()
    await client.get('Course', 'ALG-1')
    await client.get('Course', 'ALG-1')
    assert.ok(Date.now() - startedAt >= 1000)
    assert.deepEqual(waits, ['the quota of the token is used up; going on in 1 s'])
  }
})

test('a refusal has the class and the words of the service', async () => {
  const reported = JSON.stringify([JSON.stringify({ message: 'It is a holiday.' })])
  const cases: [object, string][] = [
    [
      { exc_type: 'ValidationError', exception: 'frappe.exceptions.ValidationError: No.', _server_messages: reported },
      'ValidationError: It is a holiday.',
    ],
    [{ exc_type: 'ValidationError', exception: 'frappe.exceptions.ValidationError: No.' }, 'ValidationError: No.'],
    [{}, 'http_417: There was an error while fetching the document.'],
  ]
  for (const [body, message] of cases) {
    const { client } = await aClient({ status: 417, body })
    const rejected = await client.get('Course', 'ALG-1').catch((error) => error)
    assert.ok(rejected instanceof Problem)
    assert.equal(rejected.message, message)
  }
})

test('a list is read five hundred rows at a time to its end', async () => {
  const page = (length: number) => ({ status: 200, body: { data: Array.from({ length }, (_, name) => ({ name })) } })
  const { client, requests } = await aClient(page(500), page(1))
  assert.equal((await client.list('Course', ['name'])).length, 501)
  assert.deepEqual(
    requests.map(({ url }) => new URL(String(url), 'http://x').searchParams.get('limit_start')),
    ['0', '500'],
  )
})
