import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { startNameServer } from '../../../outbound-http/dns-server.fixture.ts'
import { until } from '../../../testing/fixtures/service-process.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { testCertificate } from '../certificate.fixture.ts'
import { type Receiver, startReceiver, startTcpServer } from '../receiver.fixture.ts'

const names = await startNameServer()
const timeoutMs = 1_500
const service = await startTestService({
  webhookAllowedNetworks: '127.0.0.0/8',
  webhookCalls: { nameServers: [names.address], timeoutMs, ca: testCertificate.cert },
})
const { api } = await service.tenant({})

/** The outcome of a ping to an address. */
async function ping(url: string) {
  const made = await api.post('/webhooks', { url, types: ['*'], enabled: false })
  assert.equal(made.status, 201, made.text)
  const response = await api.post(`/webhooks/${made.body.data.id}/test`, undefined)
  await api.delete(`/webhooks/${made.body.data.id}`)
  assert.equal(response.status, 200, response.text)
  const { status, attempts } = response.body.data
  const [{ httpStatus, error, durationMs }] = attempts
  assert.ok(durationMs < timeoutMs + 5_000, `it took ${durationMs} ms`)
  return { status, httpStatus, error }
}

const failed = (error: string, httpStatus: number | null = null) => ({ status: 'failed', httpStatus, error })

/** Reads the request and then writes a raw response. */
const saying = (say: (socket: Socket) => void) => startTcpServer((socket) => socket.once('data', () => say(socket)))

test('webhook responses: only 2xx succeeds, and a redirect is not followed', async () => {
  const receiver = await startReceiver()
  const target = await startReceiver()
  for (const status of [200, 201, 202, 204, 299]) {
    receiver.respond = (_, response) => response.writeHead(status).end()
    assert.deepEqual(await ping(receiver.url), { status: 'delivered', httpStatus: status, error: null })
  }
  for (const status of [400, 401, 404, 410, 429, 500, 503]) {
    receiver.respond = (_, response) => response.writeHead(status).end()
    assert.deepEqual(await ping(receiver.url), failed('http_status', status))
  }
  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    receiver.respond = (_, response) => response.writeHead(status, { location: target.url }).end()
    assert.deepEqual(await ping(receiver.url), failed('redirect', status))
  }
  assert.equal(target.connections, 0)
})

test('webhook responses: slow, endless and missing ones fail at the timeout', async () => {
  const drips = new Set<NodeJS.Timeout>()
  const drip = (text: string) => (socket: Socket) => {
    const timer = setInterval(() => socket.write(text), 50)
    drips.add(timer)
    socket.on('close', () => clearInterval(timer))
  }
  const silent = await saying(() => {})
  const withHeaders = await saying((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    drip('x-more: 1\r\n')(socket)
  })
  const withBody = await saying((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    drip('1\r\nx\r\n')(socket)
  })
  const continuing = await saying(drip('HTTP/1.1 100 Continue\r\n\r\n'))
  const unread = await startTcpServer((socket) => socket.pause())
  const outcomes = await Promise.all([silent, withHeaders, withBody, continuing, unread].map(ping))
  for (const timer of drips) clearInterval(timer)
  assert.deepEqual(
    outcomes,
    outcomes.map(() => failed('timeout')),
  )
})

test('webhook responses: gigabytes fail after the first few bytes, whatever the status, and the connection is closed', async () => {
  let written = 0
  let isCut = false
  const flooding = await saying((socket) => {
    const part = Buffer.alloc(64 * 1024, 'x')
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n')
    const pour = () => {
      while (!socket.destroyed && socket.write(part)) written += part.length
      written += part.length
    }
    socket.on('drain', pour)
    socket.on('close', () => {
      isCut = true
    })
    pour()
  })
  assert.deepEqual(await ping(flooding), failed('answer_too_long'))
  await until(() => isCut, 'the end of the connection')
  assert.ok(written < 64 * 1024 * 1024, `${written} bytes were taken`)
})

test('webhook responses: anything but HTTP, and a closed connection, fail', async () => {
  const say = (text: string) => saying((socket) => socket.end(text))
  assert.deepEqual(await ping(await say('220 mail.example.org ESMTP\r\n')), failed('answer_malformed'))
  const longHeader = `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`
  assert.deepEqual(await ping(await say(longHeader)), failed('answer_malformed'))
  assert.deepEqual(await ping(await say('')), failed('connection_lost'))
  assert.deepEqual(await ping(await startTcpServer((socket) => socket.destroy())), failed('connection_lost'))
  const cutShort = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'
  assert.deepEqual(await ping(await say(cutShort)), failed('connection_lost'))
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'
  assert.deepEqual(await ping(await saying((socket) => socket.write(upgrade))), failed('connection_lost'))
  const closed = await startReceiver()
  closed.close()
  assert.deepEqual(await ping(closed.url), failed('connection_refused'))
  assert.deepEqual(await ping('https://nobody.example.org/'), failed('name_not_found'))
})

test('webhook TLS: an untrusted certificate, or one for another name, fails before anything is sent', async () => {
  const receiver = await startReceiver(testCertificate)
  names.names.set('receiver.example.org', [['127.0.0.1']])
  names.names.set('other.example.org', [['127.0.0.1']])
  const right = `https://receiver.example.org:${receiver.port}/hook`
  assert.deepEqual(await ping(right), { status: 'delivered', httpStatus: 204, error: null })
  receiver.received.length = 0
  assert.deepEqual(await ping(`https://other.example.org:${receiver.port}/hook`), failed('certificate'))
  assert.deepEqual(await ping(receiver.url), failed('certificate'))
  const plain = await startReceiver()
  assert.deepEqual(await ping(`https://receiver.example.org:${plain.port}/hook`), failed('tls'))
  const usual = await startTestService({
    webhookAllowedNetworks: '127.0.0.0/8',
    webhookCalls: { nameServers: [names.address] },
  })
  const other = await usual.tenant()
  const { id } = (await other.api.post('/webhooks', { url: right, types: ['*'] })).body.data
  const distrusted = (await other.api.post(`/webhooks/${id}/test`, undefined)).body.data
  assert.equal(distrusted.attempts[0].error, 'certificate')
  assert.equal(receiver.received.length, 0)
})

test('webhook addresses: the connection uses the checked address, so a name that is changed later is not called (DNS rebinding)', async () => {
  const strict = await startTestService({ webhookCalls: { nameServers: [names.address], ca: testCertificate.cert } })
  const tenant = await strict.tenant()
  const receiver: Receiver = await startReceiver(testCertificate)
  const publicly = ['93.184.215.14']
  for (const [name, later] of [
    ['loopback', '127.0.0.1'],
    ['private', '10.0.0.1'],
    ['link-local', '169.254.169.254'],
    ['six', '::1'],
    ['mapped', '::ffff:127.0.0.1'],
    ['nat64', '64:ff9b::7f00:1'],
    ['sixtofour', '2002:7f00:1::1'],
    ['teredo', '2001:0:7f00:1::1'],
    ['unique-local', 'fd00::1'],
  ] as const) {
    const host = `${name}.example.org`
    names.names.set(host, [publicly, [later]])
    const url = `https://${host}:${receiver.port}/hook`
    const made = await tenant.api.post('/webhooks', { url, types: ['*'] })
    assert.equal(made.status, 201, made.text)
    names.asked.length = 0
    const response = await tenant.api.post(`/webhooks/${made.body.data.id}/test`, undefined)
    assert.equal(response.body.data.attempts[0].error, 'address_not_allowed', name)
    // One look-up: the address cannot change between check and connection.
    assert.deepEqual(names.asked.sort(), [`A ${host}`, `AAAA ${host}`])
  }
  // A name with a public and a private address is not called either.
  names.names.set('mixed.example.org', [publicly, [...publicly, '127.0.0.1']])
  const mixed = { url: `https://mixed.example.org:${receiver.port}/`, types: ['*'] }
  const { id } = (await tenant.api.post('/webhooks', mixed)).body.data
  const response = await tenant.api.post(`/webhooks/${id}/test`, undefined)
  assert.equal(response.body.data.attempts[0].error, 'address_not_allowed')
  // An address that was registered while it was allowed is checked against the current configuration.
  await strict.database.inspect(`update webhooks set url = $2 where id = $1`, [
    id,
    `http://127.0.0.1:${receiver.port}/`,
  ])
  const plain = await tenant.api.post(`/webhooks/${id}/test`, undefined)
  assert.equal(plain.body.data.attempts[0].error, 'address_not_allowed')
  assert.equal(receiver.connections, 0)
})
