import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { assertRosterError, readResponse } from './roster.fixture.ts'

const service = await startTestService()
const tenant = await service.tenant()
const key = await tenant.token({ scopes: ['roster:read'] })
const scope12 = 'https://purl.imsglobal.org/spec/or/v1p2/scope/'
const scope11 = 'http://purl.imsglobal.org/spec/or/v1p1/scope/'
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

async function request(init: RequestInit, { query = '', path = `/t/${tenant.slug}` } = {}) {
  return readResponse(await fetch(`${service.address}${path}/oauth2/token${query}`, { method: 'POST', ...init }))
}

async function read(token: string, path = '/rostering/v1p2/orgs', at = `/t/${tenant.slug}`) {
  const headers = { authorization: `Bearer ${token}` }
  return readResponse(await fetch(`${service.address}${at}/ims/oneroster${path}`, { headers }))
}

test('an access token is granted by Basic and form, by the form alone, by the query, and by Basic alone', async () => {
  const authorization = basic(key.id, key.secret)
  const grant = 'grant_type=client_credentials'
  const scope = encodeURIComponent(
    `${scope12}roster.readonly ${scope12}gradebook.readonly ${scope11}roster-core.readonly x`,
  )
  const ways: Parameters<typeof request>[] = [
    [{ headers: { ...formType, authorization }, body: `${grant}&scope=${scope}` }],
    [{ headers: formType, body: `${grant}&client_id=${key.id}&client_secret=${key.secret}&scope=${scope}` }],
    [{ headers: { authorization } }, { query: `?${grant}&scope=${scope}` }],
    [{ headers: { 'content-type': 'application/json', authorization } }, { query: `?scope=${scope}`, path: '' }],
    [
      {
        headers: { ...formType, authorization: basic(encodeURIComponent(key.id), encodeURIComponent(key.secret)) },
        body: `${grant}&scope=${scope}`,
      },
    ],
  ]
  for (const way of ways) {
    const { status, body, headers } = await request(...way)
    assert.deepEqual(
      [status, body.token_type, body.expires_in, body.scope, headers.get('cache-control')],
      [200, 'bearer', 3600, `${scope12}roster.readonly ${scope11}roster-core.readonly`, 'no-store'],
    )
    assert.equal((await read(body.access_token)).status, 200)
  }
  const { body } = await request({ headers: { authorization } })
  assert.ok(body.scope.split(' ').includes(`${scope12}roster.readonly`) && !body.scope.includes('gradebook'))
})

test('a client that is unknown, of another institution, or sends its secret in the address is refused', async () => {
  const other = await service.tenant()
  const otherKey = await other.token()
  const refused = async (init: RequestInit, query: string, expected: [number, string]) => {
    const { status, body } = await request(init, { query })
    assert.deepEqual([status, body.error], expected)
    assert.ok(body.error_description.length > 10)
  }
  const body = 'grant_type=client_credentials'
  const by = (authorization: string, text = body) => ({ headers: { ...formType, authorization }, body: text })
  await refused(by(basic(key.id, `${key.secret.slice(0, -1)}x`)), '', [401, 'invalid_client'])
  await refused(by(basic(otherKey.id, key.secret)), '', [401, 'invalid_client'])
  await refused(by(basic(otherKey.id, otherKey.secret)), '', [401, 'invalid_client'])
  await refused({ headers: formType, body }, '', [401, 'invalid_client'])
  await refused({}, `?${body}&client_id=${key.id}&client_secret=${key.secret}`, [400, 'invalid_request'])
  await refused(by(basic(key.id, key.secret), 'grant_type=password'), '', [400, 'unsupported_grant_type'])
  await refused(by(basic(key.id, key.secret), `${body}&scope=unknown`), '', [400, 'invalid_scope'])
  await refused(by(basic(key.id, key.secret), `${body}&scope=${scope12}gradebook.readonly`), '', [400, 'invalid_scope'])
  assertRosterError(await request({}, { path: '/t/nobody' }), 404, 'unknownobject')
})

test('a token opens what its scopes are for, whichever version names them', async () => {
  const all = await tenant.token()
  const grant = async (scopes: string) => {
    const { body } = await request({
      headers: { ...formType, authorization: basic(all.id, all.secret) },
      body: `grant_type=client_credentials&scope=${encodeURIComponent(scopes)}`,
    })
    return body.access_token as string
  }
  const core = await grant(`${scope11}roster-core.readonly`)
  assert.equal((await read(core)).status, 200)
  assert.equal((await read(core, '/v1p1/orgs')).status, 200)
  assertRosterError(await read(core, `/rostering/v1p2/schools/${tenant.id}/classes`), 403, 'forbidden')
  assertRosterError(await read(core, '/rostering/v1p2/demographics'), 403, 'forbidden')
  const demographics = await grant(`${scope12}roster-demographics.readonly`)
  assert.equal((await read(demographics, '/rostering/v1p2/demographics')).status, 200)
  assertRosterError(await read(demographics), 403, 'forbidden')
  assertRosterError(await read(key.secret, '/rostering/v1p2/demographics'), 403, 'forbidden')
})

test('a token ends with its key, with its institution and with its quota', async () => {
  const own = await service.tenant()
  const { id, secret } = await own.token({ requestsPerMinute: 5 })
  const path = `/t/${own.slug}`
  const { body } = await request({ headers: { authorization: basic(id, secret) } }, { path })
  const token = body.access_token
  for (let times = 0; times < 5; times += 1) assert.equal((await read(token, undefined, path)).status, 200)
  const busy = await read(token, undefined, path)
  assertRosterError(busy, 429, 'server_busy')
  assert.ok(Number(busy.headers.get('retry-after')) >= 1)
  await own.change({ status: 'suspended' })
  await until(async () => (await read(token, undefined, path)).status === 403, 'the token ends')
  assertRosterError(await read(`${token}x`, undefined, path), 401, 'unauthorisedrequest')
  assertRosterError(await read(token), 401, 'unauthorisedrequest')
  assertRosterError(await read(token, undefined, '/t/nobody'), 404, 'unknownobject')
  assertRosterError(
    await readResponse(await fetch(`${service.address}/ims/oneroster/rostering/v1p2/orgs`)),
    401,
    'unauthorisedrequest',
  )
  await own.change({ status: 'active' })
  await service.database.inspect('update api_keys set revoked_at = now() where tenant_id = $1', [own.id])
  await until(async () => (await read(token, undefined, path)).status === 401, 'the token ends')
})

test('discovery gives the OpenAPI document of a service without a token', async () => {
  for (const [service12, name] of [
    ['rostering', 'onerosterv1p2rostersservice_openapi3_v1p0.json'],
    ['rostering', 'imsorv1p2_rostering_openapi3_v1p0.json'],
    ['gradebook', 'onerosterv1p2gradebookservice_openapi3_v1p0.json'],
  ] as const) {
    const at = `${service.address}/t/${tenant.slug}/ims/oneroster/${service12}/v1p2`
    const document = (await (await fetch(`${at}/discovery/${name}`)).json()) as {
      openapi: string
      servers: { url: string }[]
      paths: object
    }
    assert.deepEqual([document.openapi, document.servers[0]?.url], ['3.0.1', at])
    assert.ok(Object.keys(document.paths).length > 20)
  }
})
