import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../app/config.ts'
import { aRecordCaller, aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const portal = 'https://portal.example'
const service = await startTestService({ allowedOrigins: [portal, 'http://localhost:5173'] })
const closed = await startTestService()
const tenant = await service.tenant()

const saysOfOrigins = (headers: Headers) =>
  [...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary')

test('a page of an allowed origin asks before it calls, and is told what it may send', async () => {
  for (const origin of [portal, 'http://localhost:5173']) {
    for (const path of ['/api/resource/Student', `/t/${tenant.slug}/api/method/login`, `/t/${tenant.slug}`, '/']) {
      const asked = {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,content-type,x-frappe-csrf-token',
      }
      const { status, text, headers } = await new RecordCaller(service.address, asked).send('OPTIONS', path)
      assert.deepEqual([path, status, text], [path, 200, ''])
      assert.deepEqual(Object.fromEntries(saysOfOrigins(headers)), {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'PUT',
        'access-control-allow-headers': asked['access-control-request-headers'],
        'access-control-max-age': '86400',
        vary: 'Origin',
      })
    }
  }
})

test('what it calls then is for it to read, a refusal as well', async () => {
  const caller = (await aRecordCaller(service, tenant)).with({ origin: portal })
  for (const [path, status] of [
    ['/api/resource/Student', 200],
    ['/api/resource/Student/none', 404],
    ['/api/resource/%zz', 404],
    ['/private/files/none.pdf', 404],
  ] as const) {
    const response = await caller.get(path)
    assert.deepEqual([path, response.status], [path, status])
    assert.equal(response.headers.get('access-control-allow-origin'), portal)
    assert.equal(response.headers.get('access-control-allow-credentials'), 'true')
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /Retry-After/)
    assert.equal(response.headers.get('vary'), 'Origin')
  }
  const { email, password } = await aUser(service, tenant)
  const login = await new RecordCaller(`${service.address}/t/${tenant.slug}`, { origin: portal }).post(
    '/api/method/login',
    { usr: email, pwd: password },
  )
  assert.deepEqual([login.status, login.headers.get('access-control-allow-origin')], [200, portal])
})

test('a page of an allowed origin logs in, writes and logs out with a session, whatever its browser says of the site', async () => {
  const own = await service.tenant()
  const { email, password } = await aUser(service, own)
  const at = `${service.address}/t/${own.slug}`
  for (const site of ['cross-site', 'same-site']) {
    const page = new RecordCaller(at, { origin: portal, 'sec-fetch-site': site })
    const login = await page.post('/api/method/login', { usr: email, pwd: password })
    assert.equal(login.status, 200)
    const caller = page.with({ cookie: `sid=${login.cookies.get('sid')?.value}` })
    assert.equal((await caller.post('/api/resource/Student Category', { category: site })).status, 200)
    const other = caller.with({ origin: 'https://portal.example.evil' })
    assert.equal((await other.post('/api/resource/Student Category', { category: 'Forged' })).status, 403)
    assert.equal((await caller.post('/api/method/logout')).status, 200)
    assert.equal((await caller.get('/api/method/frappe.auth.get_logged_user')).status, 403)
  }
})

test('a page of any other origin is told nothing, and nor is anybody about the Client API and the pages for people', async () => {
  const caller = await aRecordCaller(service, tenant)
  for (const origin of ['https://other.example', 'https://portal.example.evil', 'http://portal.example', 'null']) {
    const { headers } = await caller.with({ origin }).get('/api/resource/Student')
    assert.deepEqual([origin, saysOfOrigins(headers)], [origin, [['vary', 'Origin']]])
  }
  for (const path of [
    '/v1/me',
    '/v1/students',
    `/t/${tenant.slug}/login`,
    '/login',
    '/docs/records',
    '/healthz',
    '/v1/openapi.json',
  ]) {
    for (const method of ['GET', 'OPTIONS']) {
      const headers = { origin: portal, 'access-control-request-method': 'GET' }
      const response = await fetch(service.address + path, { method, headers })
      const said = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))
      assert.deepEqual([path, said], [path, []])
    }
  }
})

test('without origins in its configuration the service says nothing of them at all', async () => {
  const headers = { origin: portal, 'access-control-request-method': 'GET' }
  for (const method of ['GET', 'OPTIONS']) {
    const response = await new RecordCaller(closed.address, headers).send(method, '/api/method/ping')
    assert.deepEqual(saysOfOrigins(response.headers), [])
  }
})

test('ALLOW_ORIGINS takes origins as browsers send them, and stops the start for everything else', () => {
  const read = (ALLOW_ORIGINS: string) => readConfig({ ALLOW_ORIGINS }).allowedOrigins
  assert.deepEqual(read(''), [])
  assert.deepEqual(read(`${portal}, http://localhost:5173`), [portal, 'http://localhost:5173'])
  for (const wrong of [
    ...['*', 'portal.example', `${portal}/`, `${portal}/page`, `${portal}:443`, 'https://Portal.example', 'null'],
    ...['file:///tmp', `${portal} http://localhost`, 'javascript:alert(1)', 'https://user@portal.example'],
  ]) {
    assert.throws(() => read(wrong), /ALLOW_ORIGINS must be origins separated by commas/)
  }
})
