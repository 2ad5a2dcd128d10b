import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import { Problem } from '../../../errors/problem.ts'
import { afterFile } from '../../../testing/runner/file-end.ts'
import { createHttpServer } from '../../server.ts'
import { addPageAssets } from './page-assets.ts'
import { ClosedLink } from './page-problem.ts'
import { pageLimits } from './page-throttle.ts'
import { addPublicPages, type PublicPage } from './public-pages.ts'
import type { Visit } from './visit.ts'

const logged: string[] = []
const log = pino({ level: 'info', base: null }, { write: (line: string) => logged.push(line) })
const known = 'known-link'
const whom = { institution: 'Hillside School', contact: 'office@school.example', locale: 'es', language: 'en' }
const received: { name: string; size: number; largest: number }[] = []
let broken: unknown = null
/** Ends when the upload that is being read has failed. */
let cutOff = () => {}

async function open({ params }: Visit): Promise<{ kind: 'page'; html: string }> {
  if (params.token === 'over') throw new ClosedLink('link_expired', whom)
  if (params.token === 'broken') throw new Error('a secret of the service')
  if (params.token !== known) throw new Problem('resource_not_found', 'There is no such request.')
  return { kind: 'page', html: '<p>open</p>' }
}

const pages: PublicPage[] = [
  { id: 'openTestPage', method: 'GET', path: '/r/:token', secret: 'token', answer: open },
  {
    id: 'sendTestFile',
    method: 'POST',
    path: '/r/:token/items/:item',
    secret: 'token',
    answer: async (visit) => {
      try {
        for await (const part of visit.parts()) {
          if (part.kind !== 'file') continue
          if (part.fileName === 'refused') {
            const problem = new Problem('file_rejected', 'No.', { expected: {}, found: {} })
            return { kind: 'refused', problem, message: 'Nein.', html: '<p>Nein.</p>' }
          }
          let size = 0
          let largest = 0
          for await (const chunk of part.bytes) {
            size += chunk.length
            largest = Math.max(largest, chunk.length)
          }
          received.push({ name: part.fileName, size, largest })
        }
      } catch (error) {
        broken = error
        cutOff()
        throw error
      }
      return { kind: 'done', goTo: `r/${visit.params.token}#item-${visit.params.item}` }
    },
  },
]

const app = createHttpServer([], {} as never, {
  publicUrl: 'https://matricula.example',
  log,
  trustedProxies: '127.0.0.1',
})
addPublicPages(app, pages, { publicUrl: 'https://matricula.example', assets: addPageAssets(app), log })
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
const address = `http://127.0.0.1:${port}`
afterFile(() => app.close())

let client = 0
/** Asks as a client of its own, so that what one test uses up does not hold back another. */
function from(another = true): Record<string, string> {
  if (another) client += 1
  return { 'x-forwarded-for': `192.0.2.${client}` }
}

function get(path: string, headers: Record<string, string> = from()): Promise<Response> {
  return fetch(address + path, { headers, redirect: 'manual' })
}

function upload(name: string, size: number, headers: Record<string, string> = {}): Promise<Response> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(size)], { type: 'application/pdf' }), name)
  return fetch(`${address}/r/${known}/items/i1?lang=pt`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { ...from(), ...headers },
  })
}

test('public pages: every response has the strict headers', async () => {
  for (const path of [`/r/${known}`, '/r/unknown', '/r/over', '/r/broken', '/r/a/b/c']) {
    const { headers } = await get(path)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
    )
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.match(headers.get('x-robots-tag') ?? '', /noindex/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(self\), microphone=\(\)/)
    assert.equal(headers.get('set-cookie'), null)
  }
})

test('public pages: a problem is a page in the language of the reader without internal details', async () => {
  const unknown = await get('/r/unknown', { ...from(), 'accept-language': 'pt-BR' })
  assert.equal(unknown.status, 404)
  assert.match(await unknown.text(), /<html lang="pt">[\s\S]*Esta página não existe/)
  const over = await get('/r/over')
  assert.equal(over.status, 410)
  assert.match(await over.text(), /<html lang="es">[\s\S]*Hillside School[\s\S]*office@school\.example/)
  const failed = await get('/r/broken?lang=en')
  assert.equal(failed.status, 500)
  assert.doesNotMatch(await failed.text(), /secret|at open/)
})

test('public pages: a script gets a problem document in the language of the reader', async () => {
  const response = await get('/r/over?lang=pt', { ...from(), accept: 'application/json' })
  assert.equal(response.status, 410)
  assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  assert.equal(response.headers.get('content-language'), 'pt')
  const problem = (await response.json()) as { code: string; detail: string }
  assert.equal(problem.code, 'link_expired')
  assert.match(problem.detail, /Este link expirou/)
})

test('public pages: a form redirects with 303, and a script gets 200', async () => {
  const plain = await upload('a.pdf', 10)
  assert.deepEqual([plain.status, plain.headers.get('location')], [303, '../../../r/known-link#item-i1'])
  const url = new URL(plain.headers.get('location') as string, plain.url)
  assert.equal(url.pathname, '/r/known-link')
  assert.equal((await upload('a.pdf', 10, { accept: 'application/json' })).status, 200)
})

test('public pages: a file beyond the body limit is streamed and never buffered as a whole', async () => {
  received.length = 0
  const size = 24 * 1024 * 1024
  assert.equal((await upload('large.pdf', size)).status, 303)
  assert.equal(received[0]?.size, size)
  assert.ok((received[0]?.largest ?? 0) <= 1024 * 1024)
})

test('public pages: a rejection before the file was read reaches its sender, as page or problem', async () => {
  const page = await upload('refused', 4 * 1024 * 1024)
  assert.deepEqual([page.status, await page.text()], [422, '<p>Nein.</p>'])
  const problem = await upload('refused', 4 * 1024 * 1024, { accept: 'application/json' })
  const body = (await problem.json()) as { code: string; detail: string }
  assert.deepEqual([problem.status, body.code, body.detail], [422, 'file_rejected', 'Nein.'])
})

test('public pages: an interrupted upload is upload_incomplete, not an internal error', async () => {
  logged.length = 0
  const failed = new Promise<void>((resolve) => {
    cutOff = resolve
  })
  const socket = connect(port, '127.0.0.1')
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
  socket.write(
    `POST /r/${known}/items/i1 HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 9999\r\n\r\n${head}abc`,
    () => setImmediate(() => socket.destroy()),
  )
  await once(socket, 'close')
  await failed
  assert.ok(broken instanceof Error)
  assert.ok(!logged.some((line) => line.includes('request failed')), logged.join(''))
})

test('public pages: a body that is not a form is rejected', async () => {
  const send = (type: string, body: string) =>
    fetch(`${address}/r/${known}/items/i1`, {
      method: 'POST',
      headers: { ...from(), 'content-type': type, accept: 'application/json' },
      body,
    })
  for (const [type, body, status] of [
    ['application/json', '{}', 415],
    ['multipart/form-data', 'x', 400],
    ['multipart/form-data; boundary=x', 'no boundary in here', 409],
    ['text/plain', 'x'.repeat(100_000), 413],
  ] as const) {
    assert.equal((await send(type, body)).status, status, `${type} ${body.slice(0, 10)}`)
  }
})

test('public pages: a cross-site form is rejected', async () => {
  const loadStatus = async (headers: Record<string, string>) => (await upload('a.pdf', 1, headers)).status
  assert.equal(await loadStatus({ 'sec-fetch-site': 'cross-site' }), 422)
  assert.equal(await loadStatus({ 'sec-fetch-site': 'same-site' }), 422)
  assert.equal(await loadStatus({ origin: 'https://evil.example' }), 422)
  assert.equal(await loadStatus({ origin: 'null' }), 303)
  assert.equal(await loadStatus({ origin: 'https://matricula.example' }), 303)
  assert.equal(await loadStatus({ origin: address }), 303)
  assert.equal(await loadStatus({ 'sec-fetch-site': 'same-origin' }), 303)
})

test('public pages: guessing links is throttled, while known links still open from that address', async () => {
  const headers = from()
  assert.equal((await get(`/r/${known}`, headers)).status, 200)
  const statuses: number[] = []
  for (let guess = 0; guess <= pageLimits.unknownPerAddress; guess += 1) {
    const response = await get(`/r/guess-${guess}`, headers)
    statuses.push(response.status)
    if (response.status === 429) assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  }
  assert.deepEqual([...new Set(statuses)], [404, 429])
  assert.equal(statuses.indexOf(429), pageLimits.unknownPerAddress)
  assert.equal((await get(`/r/${known}`, headers)).status, 200)
  assert.equal((await get('/r/guess-1', from())).status, 404)
})

test('public pages: rate limits per link and per address', async () => {
  const spent = async (headers: () => Record<string, string>, limit: number, path: () => string) => {
    for (let count = 0; count < limit; count += 1) await (await get(path(), headers())).arrayBuffer()
    return (await get(path(), headers())).status
  }
  const one = from()
  assert.equal(
    await spent(
      () => one,
      pageLimits.perAddress,
      () => '/r/a/b/c',
    ),
    429,
  )
  const addresses = () => ({ 'x-forwarded-for': `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}::1` })
  assert.equal(await spent(addresses, pageLimits.perLink, () => `/r/${known}`), 429)
})

test('public pages: addresses of one IPv6 network share a rate limit', async () => {
  for (let host = 1; host <= pageLimits.unknownPerAddress; host += 1) {
    await get('/r/guess', { 'x-forwarded-for': `2001:db8:1:2::${host.toString(16)}` })
  }
  assert.equal((await get('/r/guess', { 'x-forwarded-for': '2001:db8:1:2:ffff::1' })).status, 429)
  assert.equal((await get('/r/guess', { 'x-forwarded-for': '2001:db8:1:3::1' })).status, 404)
})

test('public pages: secret paths are neither in the log nor in the metrics', async () => {
  logged.length = 0
  await get('/r/a-secret-token')
  await get('/r/broken')
  await upload('private-name.pdf', 5)
  const all = logged.join('')
  assert.ok(all.includes('"operation":"openTestPage"') && all.includes('"operation":"sendTestFile"'))
  for (const secret of ['a-secret-token', known, 'private-name', '/r/', 'a secret of'])
    assert.ok(!all.includes(secret), all)
})

test('public pages: assets have hashed, immutable addresses, and scripts find their imports', async () => {
  const asset = async (path: string) => {
    const response = await get(path)
    assert.equal(response.status, 200, path)
    assert.match(response.headers.get('cache-control') ?? '', /immutable/)
    return response.text()
  }
  const folder = /href="\.\.\/(pages\/[\w-]{16})\/style\.css"/.exec(await (await get('/r/unknown')).text())?.[1]
  assert.match(await asset(`/${folder}/style.css`), /--accent/)
  const seen = new Set<string>()
  const visit = async (name: string): Promise<void> => {
    if (seen.has(name)) return
    seen.add(name)
    const script = await asset(`/${folder}/${name}`)
    for (const [, next] of script.matchAll(/from ['"]\.\/([^'"]+)['"]/g)) await visit(next as string)
  }
  await visit('request-page.js')
  await visit('form-page.js')
  assert.ok(seen.size >= 8, [...seen].join())
  assert.equal((await get('/pages/other/style.css')).status, 404)
})
