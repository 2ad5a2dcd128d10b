import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildOpenApi, problems } from '@matricula/contract'
import { startTestService } from '../testing/fixtures/test-service.ts'

const service = await startTestService()
const publicUrl = 'https://matricula.example'
const paths = ['/v1/openapi.json', '/docs', '/docs/style.css', '/docs/icon.svg', '/problems', '/problems/invalid_token']
const encodings = ['identity', 'gzip', 'br']

function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(service.address + path, { redirect: 'error', ...init })
}

test('the OpenAPI document is served without a token, as the declarations say it for this deployment', async () => {
  const response = await get('/v1/openapi.json')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.deepEqual(await response.json(), buildOpenApi({ publicUrl }))
})

test('every document has its media type, a strict policy, nosniff and a Request-Id', async () => {
  const types = ['application/json', 'text/html', 'text/css', 'image/svg+xml', 'text/html', 'text/html']
  for (const [index, path] of paths.entries()) {
    const { status, headers } = await get(path)
    assert.equal(status, 200, path)
    assert.equal(headers.get('content-type')?.split(';')[0], types[index], path)
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.ok(headers.get('request-id'))
  }
})

test('each encoding of a document has a strong ETag of its own, and If-None-Match with it is answered with 304 and no body', async () => {
  for (const path of paths) {
    const tags = new Set<string>()
    for (const encoding of encodings) {
      const headers = { 'accept-encoding': encoding }
      const tag = (await get(path, { headers })).headers.get('etag') as string
      assert.match(tag, /^"[\w-]{43}(-br|-gzip)?"$/)
      tags.add(tag)
      const same = await get(path, { headers: { ...headers, 'if-none-match': `"other", W/${tag}` } })
      assert.deepEqual([same.status, same.headers.get('etag'), await same.text()], [304, tag, ''], path)
      const changed = await get(path, { headers: { ...headers, 'if-none-match': '"other"' } })
      assert.equal(changed.status, 200, path)
    }
    assert.equal(tags.size, encodings.length)
  }
})

test('documents are compressed as the client takes it, and are the same in every encoding', async () => {
  const whole = await (await get('/v1/openapi.json', { headers: { 'accept-encoding': 'identity' } })).text()
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.1, gzip', 'gzip'],
    ['*', 'br'],
    ['deflate', null],
    ['identity, *;q=0', null],
  ]) {
    const response = await get('/v1/openapi.json', { headers: { 'accept-encoding': accepted as string } })
    assert.equal(response.headers.get('content-encoding'), encoding, accepted as string)
    assert.match(response.headers.get('vary') ?? '', /accept-encoding/i)
    const bytes = Number(response.headers.get('content-length'))
    assert.ok(encoding === null || bytes < whole.length / 8, `${accepted}: ${bytes} of ${whole.length}`)
    assert.equal(await response.text(), whole)
  }
})

test('HEAD answers as GET does, without the body', async () => {
  for (const path of [...paths, '/problems/no_such_code']) {
    const whole = await get(path)
    const head = await get(path, { method: 'HEAD' })
    assert.equal(head.status, whole.status, path)
    for (const name of ['content-type', 'content-length', 'etag', 'content-security-policy']) {
      assert.equal(head.headers.get(name), whole.headers.get(name), `${path} ${name}`)
    }
    assert.equal(await head.text(), '')
  }
})

test('everything that a page loads is served by this service', async () => {
  for (const path of [
    '/docs',
    '/docs/api/students',
    '/problems',
    '/problems/invalid_token',
    '/problems/no_such_code',
  ]) {
    const page = await (await get(path)).text()
    const loaded = [...page.matchAll(/<link [^>]*href="([^"]*)"|<\w+ [^>]*src="([^"]*)"/g)].map(
      ([, href, src]) => (href ?? src) as string,
    )
    assert.ok(loaded.length > 0, path)
    for (const link of loaded) {
      const target = new URL(link, service.address + path)
      assert.equal(target.origin, service.address)
      assert.equal((await fetch(target)).status, 200, `${path} loads ${link}`)
    }
  }
  assert.doesNotMatch(await (await get('/docs/style.css')).text(), /url\(|@import/)
})

test('the type of every problem is the address of a page that names its code', async () => {
  for (const [code, { title }] of Object.entries(problems)) {
    const response = await get(`/problems/${code}`)
    assert.equal(response.status, 200, code)
    const page = await response.text()
    assert.ok(page.includes(`<code>${code}</code>`) && page.includes(`<h1>${title}</h1>`), code)
  }
})

test('the type of a refusal that the service gives leads to the page of its code', async () => {
  const { body } = await service.anonymous.get('/me')
  assert.equal(body.type, `${publicUrl}/problems/authentication_required`)
  const page = await get(new URL(body.type).pathname)
  assert.equal(page.status, 200)
})

test('a code that does not exist is answered with a page and 404', async () => {
  for (const path of ['/problems/no_such_code', '/problems/__proto__', '/problems/%3Cscript%3E']) {
    const response = await get(path)
    assert.equal(response.status, 404, path)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.doesNotMatch(await response.text(), /<script>/)
  }
})

test('an address that there is not answers a browser with a page and a program with a problem, both 404', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  for (const path of [
    '/docs/nothing',
    '/docs/methods/nothing',
    '/v1',
    '/nowhere/at/all',
    '/t/nobody',
    '/t/nobody/x/y',
    '/%zz',
  ]) {
    const page = await get(path, { headers: browser })
    assert.equal(page.status, 404, path)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8', path)
    assert.match(page.headers.get('vary') ?? '', /accept/)
    const text = await page.text()
    assert.match(text, /<h1>There is no page at this address<\/h1>/)
    const [, style = ''] = /href="([^"]*style\.css)"/.exec(text) ?? []
    assert.equal((await fetch(new URL(style, service.address + path))).status, 200, `${path} loads ${style}`)
    for (const accept of ['*/*', 'application/json', 'application/json, text/html', '']) {
      const problem = await get(path, { headers: { accept } })
      assert.equal(problem.status, 404, path)
      assert.match(problem.headers.get('content-type') ?? '', /json/, `${path} ${accept}`)
    }
  }
  const deep = await get('/x'.repeat(7000), { headers: { ...browser, 'accept-encoding': 'identity' } })
  assert.equal(deep.status, 404)
  assert.ok((await deep.text()).length < 20_000, 'a long address makes no long page')
  const sent = await get('/nowhere', { method: 'POST', headers: browser })
  assert.match(sent.headers.get('content-type') ?? '', /problem\+json/)
})

test('the address of an institution tells a browser whose it is and where to log in', async () => {
  const tenant = await service.tenant({ name: 'Hillside <College>' })
  for (const path of [`/t/${tenant.slug}`, `/t/${tenant.slug}/`]) {
    const page = await get(path, { headers: { accept: 'text/html' } })
    const text = await page.text()
    assert.equal(page.status, 200)
    assert.match(text, /<h1>Hillside &#60;College&#62;<\/h1>/)
    const [, login = ''] = /href="([^"]*login)"/.exec(text) ?? []
    const target = new URL(login, service.address + path)
    assert.equal(target.pathname, `/t/${tenant.slug}/login`)
    assert.equal((await fetch(target)).status, 200)
    assert.equal((await get(path)).status, 404, 'a program finds nothing here')
  }
})

test('a slash at the end of an index leads to the index', async () => {
  for (const path of ['/docs', '/problems', '/docs/guides']) {
    const response = await get(`${path}/`, { redirect: 'manual' })
    assert.equal(response.status, 308)
    assert.equal(new URL(response.headers.get('location') as string, `${service.address}${path}/`).pathname, path)
  }
})
