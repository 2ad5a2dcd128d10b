import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { aPerson, aRecordCaller, aStudent } from '../testing/fixtures/factories.ts'
import { RecordCaller } from '../testing/fixtures/record-caller.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()

const closed = ['no-store', 'nosniff']
const conditional = ['private, no-cache', 'nosniff']
const told = (headers: Headers) => [headers.get('cache-control'), headers.get('x-content-type-options')]

test('Cache-Control: Client API responses are no-store; a single record is private, no-cache', async () => {
  const { id } = await aStudent(tenant.api)
  const read = await tenant.api.get(`/students/${id}`)
  const etag = read.headers.get('etag') as string
  assert.deepEqual([read.status, ...told(read.headers)], [200, ...conditional])
  assert.match(etag, /^"/)
  const same = await tenant.api.get(`/students/${id}`, { 'if-none-match': etag })
  assert.deepEqual([same.status, same.headers.get('etag'), ...told(same.headers)], [304, etag, ...conditional])
  for (const [path, status] of [
    ['/students', 200],
    ['/me', 200],
    ['/events', 200],
    ['/students/none', 404],
    ['/students?limit=x', 400],
    ['/none', 404],
  ] as const) {
    const response = await tenant.api.get(path)
    assert.deepEqual([path, response.status, ...told(response.headers)], [path, status, ...closed])
  }
  const changed = await tenant.api.patch(`/students/${id}`, { city: 'Lima' })
  assert.deepEqual([changed.status, ...told(changed.headers)], [200, ...closed])
})

test('Cache-Control: Resource and Method API, console and errors are no-store', async () => {
  const resourceClient = await aRecordCaller(service, tenant)
  const { data } = (await resourceClient.post('/api/resource/Student Category', { category: 'Kept' })).body
  for (const [path, status] of [
    [`/api/resource/Student Category/${data.name}`, 200],
    ['/api/resource/Student', 200],
    ['/api/resource/Student/none', 404],
    ['/api/resource/%zz', 404],
    ['/api/method/ping', 200],
    ['/api/method/none', 417],
  ] as const) {
    const response = await resourceClient.get(path)
    if (path !== '/api/method/none') assert.equal(response.status, status, path)
    assert.deepEqual([path, ...told(response.headers)], [path, ...closed])
  }
  const { caller } = await aPerson(service, tenant)
  for (const path of ['/console/v1/boot', '/console/v1/none', '/console/v1/students']) {
    const response = await caller.get(path)
    assert.deepEqual([path, ...told(response.headers)], [path, ...closed])
  }
  const otherTenant = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  for (const path of ['/api/resource/Student', '/console/v1/boot', '/none']) {
    const response = await otherTenant.get(path)
    assert.ok(response.status >= 400)
    assert.deepEqual([path, ...told(response.headers), response.cookies.size], [path, ...closed, 0])
  }
  for (const path of ['/healthz', '/readyz', '/metrics', '/v1/students', '/nowhere', '/%']) {
    assert.deepEqual([path, ...told((await fetch(service.address + path)).headers)], [path, ...closed])
  }
})

test('response headers: requests that cannot be parsed get the same headers', async () => {
  const { hostname, port } = new URL(service.address)
  const socket = connect(Number(port), hostname)
  socket.end('nonsense\r\n\r\n')
  let text = ''
  for await (const bytes of socket) text += bytes
  assert.match(text, /^HTTP\/1\.1 400 [\s\S]*Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n/)
})

test('Cache-Control: public documents may be cached', async () => {
  for (const path of ['/v1/openapi.json', '/docs', '/problems/validation_failed']) {
    const { status, headers } = await fetch(service.address + path)
    assert.deepEqual([path, status, ...told(headers)], [path, 200, 'no-cache', 'nosniff'])
    assert.ok(headers.has('etag'), path)
  }
})
