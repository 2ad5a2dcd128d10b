import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { aDocumentTypeId, announced, anUpload, aRequest, aTemplate } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { addRequestTimeouts, defaultRequestTimeouts } from './request-timeouts.ts'

const timeout = { head: 800, headInterval: 100, smallBody: 700, progress: 3000, minBytes: 100 }
const service = await startTestService({ timeouts: timeout })
const tenant = await service.tenant()
const { hostname, port } = new URL(service.address)
const host = `Host: ${hostname}:${port}`

/** What a connection hears until it ends. */
interface Heard {
  readonly status: number
  readonly text: string
}

/** Opens a connection, says something on it, and listens until the service ends it. */
async function until(end: string, say: (socket: Socket) => void): Promise<Heard> {
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (bytes: Buffer) => {
    text += bytes
  })
  socket.on('error', () => {})
  const heard = new Promise<Heard>((resolve) => {
    socket.on(end, () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }))
  })
  say(socket)
  const response = await heard
  socket.destroy()
  return response
}

/** Sends the head of a request and then a byte of its body now and then, until the connection is ended. */
function trickle(head: string[], bytes = 1): (socket: Socket) => void {
  return (socket) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const timer = setInterval(() => socket.writable && socket.write(' '.repeat(bytes)), 50)
    socket.on('close', () => clearInterval(timer))
  }
}

const json = ['Content-Type: application/json', 'Content-Length: 100000']

test('request timeouts: 60 s for small bodies, 30 s without progress for files', () => {
  const { head, smallBody, progress, minBytes } = defaultRequestTimeouts
  assert.deepEqual([head, smallBody, progress, minBytes], [60_000, 60_000, 30_000, 64 * 1024])
})

test('request timeouts: a slow small body is 408 and closes the connection, on every surface', async () => {
  const { secret } = await tenant.token()
  const resource = await tenant.token({ kind: 'resource', roles: ['System Manager'], scopes: [], masterDomains: [] })
  const key = 'Idempotency-Key: one'
  const surfaces = [
    ['POST /v1/payments', [`Authorization: Bearer ${secret}`, key], /"code":"request_timeout"/],
    [`POST /t/${tenant.slug}/api/resource/Room`, [`Authorization: ${resource.secret}`], /"exc_type":"RequestTimeout"/],
    [`POST /t/${tenant.slug}/api/method/login`, [], /"exc_type":"RequestTimeout"/],
    [`POST /t/${tenant.slug}/login`, [], /"exc_type":"RequestTimeout"/],
  ] as const
  for (const [line, headers, reported] of surfaces) {
    const { status, text } = await until('end', trickle([`${line} HTTP/1.1`, host, ...headers, ...json]))
    assert.equal(status, 408, `${line}: ${text}`)
    assert.match(text, reported)
    assert.match(text, /connection: close/i)
  }
})

test('request timeouts: a slow chunked body is 408 too', async () => {
  const { secret } = await tenant.token()
  const head = ['POST /v1/payments HTTP/1.1', host, `Authorization: Bearer ${secret}`, 'Idempotency-Key: two']
  const { status } = await until('end', (socket) => {
    socket.write(`${[...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`)
    const timer = setInterval(() => socket.writable && socket.write('1\r\n \r\n'), 50)
    socket.on('close', () => clearInterval(timer))
  })
  assert.equal(status, 408)
})

test('request timeouts: a form with too little progress is 408 and leaves nothing', async () => {
  const template = await aTemplate(service, tenant)
  const documentTypeId = await aDocumentTypeId(tenant.api, 'birth_certificate')
  const request = await aRequest(tenant.api, { items: [{ documentTypeId, label: 'Certificate' }] })
  const form = ['Content-Type: multipart/form-data; boundary=X', 'Content-Length: 100000', 'Accept: application/json']
  const paths = [
    new URL(template.publicUrl as string).pathname,
    `${new URL(request.publicUrl as string).pathname}/items/${request.items[0]?.id}`,
  ]
  for (const path of paths) {
    const { status, text } = await until('end', (socket) => {
      // Twenty bytes a second, which is less than the service waits for.
      trickle([`POST ${path} HTTP/1.1`, host, ...form])(socket)
      socket.write('--X\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n')
      socket.write('Content-Type: application/pdf\r\n\r\n%PDF-1.4')
    })
    assert.equal(status, 408, text)
    assert.match(text, /The connection was lost before the whole file was received/)
  }
  const { body } = await tenant.api.get(`/vault/documents?status=uploaded`)
  assert.deepEqual(body.data, [])
})

test('request timeouts: an upload continues while it makes progress and ends when it makes none', async () => {
  const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(30_000, ' ')])
  const ticket = await anUpload(tenant.api, announced(bytes))
  const url = new URL(ticket.upload.url)
  const head = [`PUT ${url.pathname}${url.search} HTTP/1.1`, host, 'Content-Type: application/pdf']
  const length = `Content-Length: ${bytes.length}`
  // Without progress the connection ends, and the address takes the file afterwards.
  const stalled = await until('close', (socket) => {
    socket.write(`${[...head, length].join('\r\n')}\r\n\r\n%PDF`)
  })
  assert.ok([0, 408].includes(stalled.status))
  // With progress it takes more than twice the time that a body may take otherwise.
  const begun = performance.now()
  const whole = await until('end', (socket) => {
    socket.write(`${[...head, length, 'Connection: close'].join('\r\n')}\r\n\r\n`)
    let sent = 0
    const timer = setInterval(() => {
      if (sent >= bytes.length || !socket.writable) return clearInterval(timer)
      socket.write(bytes.subarray(sent, sent + 1500))
      sent += 1500
    }, 100)
    socket.on('close', () => clearInterval(timer))
  })
  assert.equal(whole.status, 200, whole.text)
  assert.ok(performance.now() - begun > 2 * timeout.smallBody)
})

test('request timeouts: time spent in the service does not count', async () => {
  const app = Fastify()
  const smallBody = 3000 // more than a busy machine takes to send it
  addRequestTimeouts(app, { ...timeout, smallBody })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  let received = 0
  app.post('/', async ({ raw }) => {
    const end = performance.now() + 1.5 * smallBody
    while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve))
    for await (const chunk of raw) received += chunk.length
    return { received }
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const body = 'x'.repeat(500_000)
  const response = await fetch(address, { method: 'POST', body, headers: { 'content-type': 'text/plain' } })
  assert.deepEqual([response.status, received], [200, body.length])
  await response.text()
  await app.close()
})

test('request timeouts: a slow or missing head is 408 and closes the connection', async () => {
  const heads = [
    (socket: Socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nX-Slow: ')
      const timer = setInterval(() => socket.writable && socket.write('x'), 50)
      socket.on('close', () => clearInterval(timer))
    },
    (socket: Socket) => socket.write('GET /heal'),
    () => {},
  ]
  for (const say of heads) {
    const { status, text } = await until('close', say)
    assert.equal(status, 408)
    assert.match(text, /The address and the headers did not arrive in time/)
  }
})

test('Host header: two or none are rejected on every surface; HTTP/1.0 needs none', async () => {
  const { secret } = await tenant.token()
  const close = 'Connection: close'
  const ask = (line: string, ...headers: string[]) =>
    until('end', (socket) => socket.write(`${[line, ...headers, close].join('\r\n')}\r\n\r\n`))
  const token = `Authorization: Bearer ${secret}`
  for (const path of ['/v1/payments', `/t/${tenant.slug}/api/resource/Room`, '/r/none', '/healthz', '/nothing']) {
    for (const hosts of [[host, 'host: other.example'], [host, host], []]) {
      const { status, text } = await ask(`GET ${path} HTTP/1.1`, ...hosts, token)
      assert.equal(status, 400, `${path} ${hosts.length}: ${text}`)
      assert.match(text, /Host: must be sent exactly once \(RFC 9112/)
    }
  }
  assert.equal((await ask('GET /healthz HTTP/1.0')).status, 200)
  assert.equal((await ask('GET /v1/payments HTTP/1.1', host, token)).status, 200)
})
