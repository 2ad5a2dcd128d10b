import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { before, test } from 'node:test'
import fc from 'fast-check'
import Fastify from 'fastify'
import { defaultRequestTimeouts } from '../../http/lifecycle/request-timeouts.ts'
import { altered } from '../../testing/fixtures/altered.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { type FileService, startFileService } from '../file-service.fixture.ts'
import { chunks, getGrant, inMinutes, newKey, sha256 } from '../file-store.fixture.ts'
import type { DownloadGrant, FileStore, UploadGrant } from '../file-store.ts'
import { addFileRoutes } from './file-routes.ts'

const timeout = { ...defaultRequestTimeouts }
let service: FileService
before(async () => {
  service = await startFileService({ timeouts: timeout })
})
afterFile(() => service.stop())

const diploma = 'the diploma'
const typed = { 'content-type': 'application/pdf' }

async function uploadUrl(changes: Partial<UploadGrant> = {}): Promise<{ key: string; url: string }> {
  const grant = getGrant(diploma, changes)
  return { key: grant.key, url: service.reach((await service.store.signUpload(grant)).url) }
}

async function downloadUrl(changes: Partial<DownloadGrant> = {}, content = diploma): Promise<string> {
  const key = newKey()
  await service.store.write(key, chunks(content), { maxBytes: 1e6 })
  await service.store.freeze(key)
  const asked = { fileName: 'diploma.pdf', mimeType: 'application/pdf', disposition: 'attachment' } as const
  return service.reach(await service.store.signDownload({ key, ...asked, expiresAt: inMinutes(5), ...changes }))
}

/** Sends a request just so: with no header but those given, and without a body when there is none. */
async function send(method: string, url: string, headers: object = {}, body?: string): Promise<IncomingMessage> {
  const sent = request(url, { method, headers: { ...headers } as Record<string, string>, agent: false }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

async function refusal(response: IncomingMessage, status: number, code: string) {
  assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8')
  // biome-ignore lint/suspicious/noExplicitAny: tests look into problems of every code
  const problem = (await json(response)) as any
  assert.deepEqual([response.statusCode, problem.status, problem.code], [status, status, code])
  return problem
}

const loadFiles = (key: string) =>
  readdir(join(service.folder, 'files/uploads', key.split('/')[0] as string)).catch(() => [])

const getLength = (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) })
const put = (url: string, body = diploma, headers: object = {}) =>
  send('PUT', url, { ...typed, ...getLength(body), ...headers }, body)

test('an altered, foreign or made-up token is an unknown address, for any method', async () => {
  const { url } = await uploadUrl()
  const other = await startFileService({ secretKey: 'a secret key of another service, long enough' })
  const foreign = service.reach((await other.store.signUpload(getGrant(diploma))).url)
  await other.stop()
  const addresses = [
    altered(url),
    foreign,
    `${url}A`,
    `${url}/x`,
    `${url}.x`,
    service.reach('https://files.example/service/files/signed/x'),
  ]
  for (const address of addresses) {
    await refusal(await put(address), 404, 'route_not_found')
    await refusal(await send('GET', address), 404, 'route_not_found')
  }
  await refusal(await put(await downloadUrl()), 404, 'route_not_found')
  await refusal(await send('GET', url), 404, 'route_not_found')
  assert.equal((await send('HEAD', url)).statusCode, 404)
})

test('no change to a token, however small, leaves an address that answers', async () => {
  const { key, url } = await uploadUrl()
  const [path, token] = [new URL(url).pathname.replace(/[^/]+$/, ''), url.split('/').at(-1) as string]
  const characters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=')
  await fc.assert(
    fc.asyncProperty(fc.nat(token.length - 1), characters, fc.boolean(), async (position, character, isInserted) => {
      const changed = token.slice(0, position) + character + token.slice(isInserted ? position : position + 1)
      fc.pre(changed !== token)
      const headers = { ...typed, ...getLength(diploma) }
      const response = await service.app.inject({ method: 'PUT', url: path + changed, headers, payload: diploma })
      assert.equal(response.json().code, 'route_not_found')
    }),
    { numRuns: 300 },
  )
  assert.equal(await service.store.stat('upload', key), null)
})

test('an expired address says so', async () => {
  const { key, url } = await uploadUrl({ expiresAt: new Date(Date.now() - 1) })
  await refusal(await put(url), 410, 'link_expired')
  await refusal(await send('GET', await downloadUrl({ expiresAt: new Date(Date.now() - 1) })), 410, 'link_expired')
  assert.equal(await service.store.stat('upload', key), null)
})

test('a file of another type, or in an encoding, is refused with the type that is taken', async () => {
  const { key, url } = await uploadUrl()
  for (const type of ['text/html', 'application/pdfx', 'pdf', '', ';', 'application/pdf, text/html']) {
    const problem = await refusal(await put(url, diploma, { 'content-type': type }), 415, 'unsupported_media_type')
    assert.deepEqual(problem.allowed, ['application/pdf'])
  }
  await refusal(await put(url, diploma, { 'content-encoding': 'gzip' }), 415, 'unsupported_media_type')
  assert.deepEqual(await loadFiles(key), [])
  assert.equal((await put(url, diploma, { 'content-type': 'Application/PDF; a=b' })).statusCode, 200)
})

test('a file without a length, or of another one, is refused', async () => {
  const { key, url } = await uploadUrl()
  const inChunks = await send('PUT', url, { ...typed, 'transfer-encoding': 'chunked' }, diploma)
  const chunked = await refusal(inChunks, 400, 'validation_failed')
  assert.deepEqual(chunked.errors[0].name, 'Content-Length')
  assert.equal(chunked.errors[0].code, 'required')
  const short = await refusal(await put(url, diploma.slice(1)), 400, 'validation_failed')
  assert.equal(short.errors[0].code, 'too_small')
  await refusal(await send('PUT', url, typed), 400, 'validation_failed')
  const long = await refusal(await put(url, `${diploma}!`), 413, 'content_too_large')
  assert.equal(long.maxBytes, diploma.length)
  assert.deepEqual(await loadFiles(key), [])
})

test('a file with another SHA-256 than announced is refused with both', async () => {
  const expected = sha256(Buffer.from(diploma))
  const { key, url } = await uploadUrl({ checksumSha256: expected })
  const problem = await refusal(await put(url, 'the forgery'), 422, 'file_rejected')
  assert.deepEqual(problem.expected, { checksumSha256: expected })
  assert.deepEqual(problem.found, { checksumSha256: sha256(Buffer.from('the forgery')) })
  assert.deepEqual(await loadFiles(key), [])
  assert.equal((await put(url)).statusCode, 200)
})

test('an address of a frozen file takes nothing more', async () => {
  const { key, url } = await uploadUrl()
  assert.equal((await put(url)).statusCode, 200)
  await service.store.freeze(key)
  const problem = await refusal(await put(url, 'the forgery'), 409, 'state_conflict')
  assert.equal(problem.currentState, 'completed')
  assert.deepEqual(await loadFiles(key), [])
})

test('an upload that is under way when its file is frozen changes nothing', async () => {
  const { key, url } = await uploadUrl()
  const late = request(url, { method: 'PUT', headers: { ...typed, ...getLength(diploma) }, agent: false })
  late.write('the for')
  await until(async () => (await loadFiles(key)).length === 1, 'a file that is written')
  assert.equal((await put(url)).statusCode, 200)
  assert.equal(await service.store.freeze(key), 'frozen')
  late.end('gery')
  const [response] = (await once(late, 'response')) as [IncomingMessage]
  await refusal(response, 409, 'state_conflict')
  assert.deepEqual(await loadFiles(key), [])
  const stored = await service.store.open('frozen', key)
  assert.equal(await text(stored as NonNullable<typeof stored>), diploma)
})

test('a sender who goes away, or pauses too long, leaves nothing', async () => {
  const { key, url } = await uploadUrl()
  for (const isGone of [true, false]) {
    timeout.progress = isGone ? defaultRequestTimeouts.progress : 300
    const sent = request(url, { method: 'PUT', headers: { ...typed, ...getLength(diploma) }, agent: false })
    sent.write('the')
    const ended = new Promise<void>((resolve) => {
      sent.once('response', (response: IncomingMessage) => {
        assert.equal(response.statusCode, 408)
        response.resume()
      })
      sent.on('error', () => {})
      sent.once('close', () => resolve())
    })
    await until(async () => (await loadFiles(key)).length === 1, 'a file that is written')
    if (isGone) sent.destroy(new Error('gone'))
    await ended
    await until(async () => (await loadFiles(key)).length === 0, 'no file any more')
  }
  timeout.progress = defaultRequestTimeouts.progress
  assert.equal((await put(url)).statusCode, 200)
})

test('a refused sender is told so while it still sends; soon after, the connection is cut', async () => {
  const { key, url } = await uploadUrl()
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = `PUT ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/pdf\r\nContent-Length: 1000000000\r\n\r\n`
  socket.write(head)
  const [response] = (await once(socket, 'data')) as [Buffer]
  assert.match(response.toString(), /^HTTP\/1\.1 413 /)
  let isClosed = false
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true
      resolve()
    })
  })
  const part = Buffer.alloc(1024 * 1024)
  let sent = 0
  while (!isClosed) {
    sent += part.length
    if (!socket.write(part)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
  }
  assert.ok(sent >= 16e6 && sent < 100e6, `${sent} bytes were taken`)
  assert.deepEqual(await loadFiles(key), [])
})

test('a small refused upload leaves the connection open for the next one', async () => {
  const { url } = await uploadUrl()
  const rejected = await fetch(url, { method: 'PUT', body: `${diploma}!`, headers: typed })
  assert.equal(rejected.status, 413)
  await rejected.text()
  assert.equal((await fetch(url, { method: 'PUT', body: diploma, headers: typed })).status, 200)
})

test('a file longer than any JSON body passes', async () => {
  const bytes = 'x'.repeat(3_000_000)
  const { url } = await uploadUrl({ sizeBytes: bytes.length, mimeType: 'application/json' })
  assert.equal((await put(url, bytes, { 'content-type': 'application/json' })).statusCode, 200)
})

test('nothing in a file that is handed out can run, load, be guessed at, be kept, or be used by another site', async () => {
  const { statusCode, headers } = await send('GET', await downloadUrl())
  assert.equal(statusCode, 200)
  const { date, connection, 'keep-alive': _, ...own } = headers
  assert.match(own.etag ?? '', /^"[0-9a-f-]{36}\/[0-9a-f-]{36}"$/)
  delete own.etag
  assert.deepEqual(own, {
    'content-type': 'application/pdf',
    'content-length': '11',
    'content-disposition': 'attachment; filename="diploma.pdf"',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'accept-ranges': 'bytes',
  })
})

test('HEAD answers as GET does, without the file and without ranges', async () => {
  const url = await downloadUrl()
  const [get, head] = await Promise.all([send('GET', url), send('HEAD', url, { range: 'bytes=0-1' })])
  const { date: _, ...ofHead } = head.headers
  const { date: __, ...ofGet } = get.headers
  assert.equal(head.statusCode, 200)
  assert.deepEqual(ofHead, ofGet)
  assert.equal(await text(head), '')
})

test('a range is a part of the file; one that begins after its end is refused with its size', async () => {
  const url = await downloadUrl()
  const expected: [string, number, string | undefined, string][] = [
    ['bytes=0-2', 206, 'bytes 0-2/11', 'the'],
    ['bytes=4-', 206, 'bytes 4-10/11', 'diploma'],
    ['bytes=-2', 206, 'bytes 9-10/11', 'ma'],
    ['bytes=0-0,2-3', 200, undefined, diploma],
    ['bytes=11-', 416, 'bytes */11', ''],
  ]
  for (const [range, status, contentRange, content] of expected) {
    const response = await send('GET', url, { range })
    assert.deepEqual([response.statusCode, response.headers['content-range']], [status, contentRange], range)
    assert.equal(response.headers['content-length'], String(content.length), range)
    assert.equal(await text(response), content)
  }
})

test('with If-Range, a range is given of the file that it names, else the whole of it', async () => {
  const url = await downloadUrl()
  const { etag = '' } = (await send('HEAD', url)).headers
  const answers = [etag, `"${randomUUID()}"`, `W/${etag}`, new Date().toUTCString()].map((condition) =>
    send('GET', url, { range: 'bytes=0-2', 'if-range': condition }),
  )
  assert.deepEqual(
    (await Promise.all(answers)).map(({ statusCode }) => statusCode),
    [206, 200, 200, 200],
  )
})

test('no file name adds a header, and every one is an ASCII header', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (fileName) => {
      const url = new URL(await downloadUrl({ fileName }, ''))
      const response = await service.app.inject({ method: 'GET', url: url.pathname })
      assert.equal(response.statusCode, 200)
      assert.match(response.headers['content-disposition'] as string, /^attachment; filename="[\x20-\x7e]+"/)
      assert.equal(response.headers['x-content-type-options'], 'nosniff')
    }),
    { numRuns: 50 },
  )
})

test('a file that is no longer kept is not found', async () => {
  const url = await downloadUrl({ key: newKey() })
  await refusal(await send('GET', url), 404, 'resource_not_found')
})

test('with files elsewhere there are no addresses to serve', async () => {
  const app = Fastify()
  addFileRoutes(app, { grants: null } as FileStore)
  assert.equal((await app.inject({ method: 'GET', url: '/files/signed/x' })).statusCode, 404)
  assert.ok(!app.hasRoute({ method: 'PUT', url: '/files/signed/*' }))
  await app.close()
})
