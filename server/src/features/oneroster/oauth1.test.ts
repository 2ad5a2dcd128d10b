import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { assertRosterError, readResponse } from './roster.fixture.ts'

const service = await startTestService()
const commandLine = await loadCommandLine(service)
const tenant = await service.tenant()
const settings = { environment: { SECRET_KEY: service.secretKey } }
const { apiKey, token: secret } = await commandLine.json(
  ['token', 'create', '--tenant', tenant.slug, '--name', 'signing client', '--scopes', 'extensions', '--oauth1'],
  settings,
)

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

interface Signing {
  readonly method?: string
  readonly key?: string
  readonly secret?: string
  readonly algorithm?: 'sha1' | 'sha256'
  readonly timestamp?: number
  readonly nonce?: string
}

/** The header of a request, signed as clients do (RFC 5849 §3.4). */
function sign(url: string, signing: Signing = {}): string {
  const { method = 'GET', key = apiKey.id, secret: signedBy = secret, algorithm = 'sha256' } = signing
  const parameters: Record<string, string> = {
    oauth_consumer_key: key,
    oauth_nonce: signing.nonce ?? randomUUID(),
    oauth_signature_method: algorithm === 'sha1' ? 'HMAC-SHA1' : 'HMAC-SHA256',
    oauth_timestamp: String(signing.timestamp ?? Math.floor(Date.now() / 1000)),
    oauth_version: '1.0',
  }
  const { origin, pathname, searchParams } = new URL(url)
  const pairs = [...Object.entries(parameters), ...searchParams].map(
    ([name, value]) => `${encode(name)}=${encode(value)}`,
  )
  const base = [method, encode(origin + pathname), encode(pairs.sort().join('&'))].join('&')
  const signature = createHmac(algorithm, `${encode(signedBy)}&`)
    .update(base)
    .digest('base64')
  const all = { ...parameters, oauth_signature: signature }
  return `OAuth realm="", ${Object.entries(all)
    .map(([name, value]) => `${name}="${encode(value)}"`)
    .join(', ')}`
}

const address = (path: string, at = service.address) => `${at}/t/${tenant.slug}/ims/oneroster${path}`

const call = async (url: string, authorization: string, init: RequestInit = {}) =>
  readResponse(await fetch(url, { ...init, headers: { authorization } }))

test('a signed request reads both versions, by either method, also with a filter and without the tenant in the address', async () => {
  for (const algorithm of ['sha1', 'sha256'] as const) {
    for (const path of [
      '/v1p1/orgs?limit=10',
      '/v1p1/users?filter=familyName%3D%27O%27%27Neil%27&sort=dateLastModified',
      '/rostering/v1p2/orgs',
    ]) {
      const { status, text } = await call(address(path), sign(address(path), { algorithm }))
      assert.equal(status, 200, `${algorithm} ${path} ${text}`)
    }
  }
  const bare = `${service.address}/ims/oneroster/v1p1/orgs`
  assert.equal((await call(bare, sign(bare))).status, 200)
})

test('a nonce is used once, on whatever process', async () => {
  const other = await service.beside()
  const url = address('/v1p1/orgs')
  const header = sign(url)
  const answers = await Promise.all([call(url, header), call(url, header), call(url, header)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
  const there = sign(address('/v1p1/orgs', other), { nonce: 'one' })
  assert.equal((await call(address('/v1p1/orgs', other), there)).status, 200)
  assertRosterError(await call(address('/v1p1/orgs', other), there), 401, 'unauthorisedrequest')
})

test('a wrong secret, address, method or clock is refused, and nothing is written', async () => {
  const url = address('/v1p1/orgs')
  const now = Math.floor(Date.now() / 1000)
  for (const header of [
    sign(url, { secret: 'wrong' }),
    sign(address('/v1p1/users')),
    sign(url, { method: 'POST' }),
    sign(url, { timestamp: now - 400 }),
    sign(url, { timestamp: now + 400 }),
    sign(url, { key: randomUUID() }),
    sign(url, { key: 'x' }),
    sign(url).replace('HMAC-SHA256', 'PLAINTEXT'),
    'OAuth nothing',
  ]) {
    assertRosterError(await call(url, header), 401, 'unauthorisedrequest')
  }
  const put = address('/gradebook/v1p2/categories/x')
  assertRosterError(await call(put, sign(put, { method: 'PUT' }), { method: 'PUT', body: '{}' }), 403, 'forbidden')
  const plain = await tenant.token()
  assertRosterError(await call(url, sign(url, { key: plain.id, secret: plain.secret })), 401, 'unauthorisedrequest')
})

test('signatures end with their key; its token is stored under SECRET_KEY only', async () => {
  const rows = await service.database.inspect<{ secret: string }>('select secret from oauth_consumer_secrets')
  assert.ok(rows.length === 1 && rows[0]?.secret.startsWith('sealed:') && !rows[0].secret.includes(secret))
  const rotated = await commandLine.json(['token', 'rotate', apiKey.id], settings)
  const url = address('/v1p1/orgs')
  for (const each of [secret, rotated.token]) assert.equal((await call(url, sign(url, { secret: each }))).status, 200)
  await commandLine.json(['token', 'revoke', apiKey.id], settings)
  await until(async () => (await call(url, sign(url))).status === 401, 'the signature ends')
})
