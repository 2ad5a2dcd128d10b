import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { ChangeContext } from '../changes/request-context.ts'
import { Caller } from '../testing/fixtures/client.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { withinASecond } from '../testing/fixtures/waiting.ts'
import { revokeApiKey, rotateApiKey } from './api-keys.ts'
import { newSecret } from './secrets.ts'

const service = await startTestService({ authFailuresPerMinute: 20 })
const operator = { actor: { type: 'operator', id: null, name: 'test' }, requestId: null, address: null } as const

test('GET /me tells the token, its tenant and what both are allowed', async () => {
  const tenant = await service.tenant({ modules: ['staff_students'], systemOfRecord: { payments: 'integration' } })
  const { id, api } = await tenant.token({
    name: 'ERP',
    scopes: ['students:read'],
    masterDomains: ['students'],
    requestsPerMinute: 77,
  })
  const { status, body } = await api.get('/me')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    data: {
      tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name },
      apiKey: {
        id,
        name: 'ERP',
        scopes: ['students:read'],
        masterDomains: ['students'],
        rateLimit: { requestsPerMinute: 77 },
      },
      productAccess: {
        enabledModules: ['staff_students'],
        sorByDomain: { students: 'shared', enrollment: 'shared', payments: 'integration' },
      },
    },
  })
})

test('a revoked token is refused within a second, and a suspended tenant too', async () => {
  const tenant = await service.tenant()
  const { id, api } = await tenant.token()
  assert.equal((await api.get('/me')).status, 200)
  const context: ChangeContext = { ...operator, tenant }
  await service.data.transaction(tenant.id, (tx) => revokeApiKey(tx, context, id, 'client'))
  await withinASecond(async () => (await api.get('/me')).body.code === 'token_revoked')
  assert.equal((await tenant.api.get('/me')).status, 200)
  await tenant.change({ status: 'suspended' })
  await withinASecond(async () => (await tenant.api.get('/me')).body.code === 'tenant_suspended')
  await tenant.change({ status: 'active' })
  await withinASecond(async () => (await tenant.api.get('/me')).status === 200)
})

test('a rotated token has two live secrets until the overlap ends; an overlap of 0 ends the old one at once', async () => {
  const tenant = await service.tenant()
  const { id, api } = await tenant.token()
  const context: ChangeContext = { ...operator, tenant }
  const rotate = (overlap: number) =>
    service.data.transaction(tenant.id, (tx) => rotateApiKey(tx, context, id, 'client', overlap))
  const second = new Caller(service.address, (await rotate(3600)).secret)
  assert.deepEqual([(await api.get('/me')).status, (await second.get('/me')).status], [200, 200])
  const third = new Caller(service.address, (await rotate(0)).secret)
  await withinASecond(async () => (await second.get('/me')).body.code === 'token_expired')
  assert.equal((await third.get('/me')).body.data.apiKey.id, id)
  assert.deepEqual((await tenant.traces(id)).events, ['api_key.created', 'api_key.rotated', 'api_key.rotated'])
})

test('an expired token is refused as such', async () => {
  const tenant = await service.tenant()
  const { api } = await tenant.token({ expiresInSeconds: 0 })
  const rejected = await api.get('/me')
  assert.deepEqual([rejected.status, rejected.body.code], [401, 'token_expired'])
})

test('a token that was never issued is refused; its use is not recordedAddresses, that of a valid one is', async () => {
  const rejected = await new Caller(service.address, newSecret('client')).get('/me')
  assert.deepEqual([rejected.status, rejected.body.code], [401, 'invalid_token'])
  const tenant = await service.tenant()
  const { id, api } = await tenant.token()
  await api.get('/me')
  await withinASecond(async () => {
    const rows = await service.database.inspect(
      'select 1 from api_key_secrets where api_key_id = $1 and last_used_at is not null',
      [id],
    )
    return rows.length === 1
  })
})

test('the scheme is taken in any case, other schemes and empty headers are no credentials', async () => {
  const tenant = await service.tenant()
  const { secret } = await tenant.token()
  const ask = (authorization: string) => service.anonymous.get('/me', { authorization })
  assert.equal((await ask(`bearer ${secret}`)).status, 200)
  for (const header of ['', 'Bearer', 'Basic dXNlcjpwYXNz', secret, `Bearer ${secret} extra`]) {
    assert.equal((await ask(header)).body.code, 'authentication_required')
  }
})

test('no token, no secret and no body reaches the log', async () => {
  const tenant = await service.tenant()
  const { secret, api } = await tenant.token()
  await api.post('/students', { fullName: 'Very Private Person', email: 'private@example.org' })
  await api.get('/students?search=Very%20Private%20Person')
  await api.put('/students/external/private-external-id', { fullName: 17 })
  const log = service.logged.join('')
  assert.ok(log.includes('createStudent'))
  for (const text of [secret, secret.slice(4, 20), 'Private', 'private']) assert.ok(!log.includes(text), text)
})

test('after too many invalid tokens an address must wait, but known tokens and requests without one pass', async () => {
  const tenant = await service.tenant()
  assert.equal((await tenant.api.get('/me')).status, 200)
  let rejected = await new Caller(service.address, newSecret('client')).get('/me')
  for (let tries = 0; rejected.status !== 429 && tries < 30; tries += 1) {
    rejected = await new Caller(service.address, tries % 2 === 0 ? 'mtc_nonsense' : newSecret('client')).get('/me')
  }
  assert.deepEqual([rejected.status, rejected.body.code], [429, 'authentication_throttled'])
  assert.ok(Number(rejected.headers.get('retry-after')) >= 1 && Number(rejected.headers.get('retry-after')) <= 60)
  assert.equal((await tenant.api.get('/me')).status, 200)
  assert.equal((await service.anonymous.get('/me')).body.code, 'authentication_required')
  await wait(1000)
  assert.equal((await tenant.api.get('/me')).status, 200)
})
