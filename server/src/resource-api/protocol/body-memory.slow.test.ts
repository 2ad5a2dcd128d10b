import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import type { MemoryMessage } from './body-memory.fixture.ts'
import { bodyLimits } from './request-arguments.ts'

const service = await startTestService()
const tenant = await service.tenant()
const megabyte = 1024 * 1024

/**
 * What may be left of 25 bodies of 25 MiB, which are 625 MiB: three of them. The memory that bodies were read into
 * stays with the process for the next ones, and so does that of the code that was compiled meanwhile; about thirty MiB
 * together.
 */
const maxLeft = 75 * megabyte

async function startService() {
  const program = new URL('body-memory.fixture.js', import.meta.url)
  const child = fork(program, { execArgv: ['--expose-gc'] })
  afterFile(() => child.kill())
  const exited = once(child, 'exit')
  const message = async (): Promise<MemoryMessage> => (await once(child, 'message'))[0] as MemoryMessage
  const started = message()
  child.send(service.database.connection)
  const { address } = await started
  return {
    address: address as string,
    memory: async () => {
      const reported = message()
      child.send('memory')
      return (await reported).resident as number
    },
    stop: async () => {
      child.disconnect()
      assert.deepEqual(await exited, [0, null])
    },
  }
}

test('after 25 bodies of 25 MiB the process has hardly more memory than before', async () => {
  const running = await startService()
  const { secret } = await tenant.token({
    kind: 'resource',
    name: 'import',
    scopes: [],
    masterDomains: [],
    roles: ['System Manager'],
  })
  const address = `${running.address}/t/${tenant.slug}`
  const staff = new RecordCaller(address, { authorization: secret })
  const json = (fields: object) => [JSON.stringify(fields), { 'content-type': 'application/json' }] as const
  const form = (text: string) => {
    const body = new FormData()
    body.append('file', new Blob([text], { type: 'text/plain' }), 'a.txt')
    return body
  }
  const getRows = (length: number) => Array.from({ length: 9000 }, () => ({ content: 'x'.repeat(length / 9200) }))
  const sendings: ((length: number) => Promise<{ readonly status: number }>)[] = [
    (length) => staff.send('POST', '/api/resource/Room', ...json({ room_name: 'x'.repeat(length) })),
    (length) => staff.send('POST', '/api/resource/Room', ...json({ room_name: 'é'.repeat(length / 2) })),
    (length) => staff.send('POST', '/api/resource/Topic', ...json({ topic_name: 'a', topic_content: getRows(length) })),
    (length) => staff.send('POST', '/api/resource/Room', 'x'.repeat(length), { 'content-type': 'text/plain' }),
    (length) => staff.send('POST', '/api/method/upload_file', form('x'.repeat(length))),
    (length) =>
      staff.send('POST', '/api/resource/Room', 'é'.repeat(length / 2), { 'content-type': 'application/json' }),
  ]
  for (const send of sendings) await send(100_000)
  const before = await running.memory()
  const statuses = new Set<number>()
  for (let sent = 0; sent < 25; sent += 5) {
    const some = Array.from({ length: 5 }, (_, index) =>
      sendings[(sent + index) % sendings.length]?.(bodyLimits.large - 1000),
    )
    for (const response of await Promise.all(some)) statuses.add(response?.status as number)
  }
  assert.ok(statuses.has(200) && statuses.has(417) && statuses.has(400), [...statuses].join())
  const left = (await running.memory()) - before
  process.stdout.write(
    `memory: ${Math.round(before / megabyte)} MiB before, ${Math.round(left / megabyte)} MiB more after\n`,
  )
  await running.stop()
  assert.ok(left < maxLeft, `${Math.round(left / megabyte)} MiB`)
})

test('how much is taken depends on who sends it: little of guests, files of everybody who is known, all of the staff', async () => {
  const staff = await aRecordCaller(service, tenant, ['Academics User'])
  const student = await aRecordCaller(service, tenant, ['Student'])
  const guest = new RecordCaller(staff.address)
  const text = 'x'.repeat(2 * megabyte)
  const form = () => {
    const body = new FormData()
    body.append('file', new Blob([text], { type: 'text/plain' }), 'a.txt')
    return body
  }
  const loadStatus = async (caller: RecordCaller, body: unknown, path = '/api/method/upload_file') =>
    (await caller.post(path, body)).status
  assert.equal(await loadStatus(guest, form()), 413)
  assert.equal(await loadStatus(guest, { usr: text }, '/api/method/login'), 413)
  assert.equal(await loadStatus(student, form()), 200)
  assert.equal(
    await loadStatus(student, { filename: 'a.txt', filedata: text }, '/api/method/frappe.client.attach_file'),
    413,
  )
  assert.equal(await loadStatus(staff, form()), 200)
  assert.equal(
    await loadStatus(staff, { filename: 'a.txt', filedata: text }, '/api/method/frappe.client.attach_file'),
    200,
  )
  const tooLarge = await staff.post('/api/resource/Room', { room_name: 'x'.repeat(bodyLimits.large) })
  assert.deepEqual([tooLarge.status, tooLarge.body.exc_type], [413, 'RequestEntityTooLarge'])
  assert.match(tooLarge.text, /at most 26214400 bytes/)
})

test('a body of more values than a list of records has is refused before it takes their memory', async () => {
  const staff = await aRecordCaller(service, tenant)
  const many = `[${'[],'.repeat(1_100_000)}[]]`
  const header = { 'content-type': 'application/json' }
  const sendings = [
    staff.send('POST', '/api/resource/Room', `{"room_name":${many}}`, header),
    staff.post('/api/method/frappe.client.get_list', { doctype: 'Room', filters: many }),
    staff.post('/api/method/frappe.client.insert_many', { docs: many }),
  ]
  for (const { status, body } of await Promise.all(sendings)) {
    assert.deepEqual([status, body.exc_type], [417, 'DataError'])
    assert.match(body.exception, /A JSON text of this length has at most \d+ values/)
  }
  const form = await staff.send('POST', '/api/resource/Room', 'a=b&'.repeat(100_000), {
    'content-type': 'application/x-www-form-urlencoded',
  })
  assert.deepEqual([form.status, form.body.exc_type], [400, 'JSONDecodeError'])
})

test('a form gives its fields and files as they were sent, whatever is in them', async () => {
  const staff = await aRecordCaller(service, tenant)
  const bytes = Buffer.concat([
    Buffer.from('\r\n--X\r\n\r\n--'),
    Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  ])
  const body = new FormData()
  body.append('file', new Blob([bytes], { type: 'application/octet-stream' }), 'Zeugnis für Ödön.bin')
  body.append('file_name', '')
  const { status, body: response } = await staff.post('/api/method/upload_file', body)
  assert.equal(status, 200, JSON.stringify(response))
  assert.equal(response.message.file_name, 'Zeugnis für Ödön.bin')
  const read = await staff.get(`/api/method/download_file?file_url=${encodeURIComponent(response.message.file_url)}`)
  assert.deepEqual(read.bytes, bytes)
})
