import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { domains, type Scope } from '@matricula/contract'
import { pino } from 'pino'
import type { OperationCaller } from '../../changes/request-context.ts'
import { SyncWatermark } from '../../changes/sync-watermark.ts'
import { RateLimiter } from '../../concurrency/rate-limit.ts'
import { SeriesNames } from '../../entities/naming-series.ts'
import { Problem } from '../../errors/problem.ts'
import { requestRoutes } from '../../features/requests/index.ts'
import { RequestLinks } from '../../features/requests/request-links.ts'
import { studentRoutes } from '../../features/students/index.ts'
import { Authenticator } from '../../identity/authentication.ts'
import { findSession, openSession } from '../../identity/users/sessions.ts'
import { CachedCustomFields } from '../../tenancy/custom-fields/index.ts'
import { TenantAddresses } from '../../tenancy/tenant-address.ts'
import { Caller } from '../../testing/fixtures/client.ts'
import { aDocumentTypeId, aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { TenantShares } from '../lifecycle/tenant-shares.ts'
import { clientEnvelope } from '../operations/client-envelope.ts'
import type { CallerAuthenticator, Envelope, Mounting } from '../operations/mounting.ts'
import { createHttpServer } from '../server.ts'
import { tokenAuthenticator } from './token-authenticator.ts'

const service = await startTestService()
const publicUrl = 'https://matricula.example'
const { data } = service
const addresses = new TenantAddresses(data, new CachedCustomFields(data))

/** What the roles of this test may do. */
const scopesOf: Readonly<Record<string, readonly Scope[]>> = {
  'System Manager': ['students:read', 'students:write', 'vault:read', 'vault:write'],
  Instructor: ['students:read'],
}

/** A door for people: a session, and its token against forged requests with every write. */
const sessionAuthenticator: CallerAuthenticator = async ({ headers, params, method }): Promise<OperationCaller> => {
  const tenant = await addresses.bySlug((params as { slug: string }).slug)
  const secret = /(?:^|; )sid=([\w-]+)/.exec(headers.cookie ?? '')?.[1]
  const session = tenant && secret !== undefined ? await findSession(data, tenant.id, secret) : null
  if (tenant === null || session === null) throw new Problem('authentication_required', 'Log in.')
  if (method !== 'GET' && headers['x-csrf-token'] !== session.csrfToken) {
    throw new Problem('authentication_required', 'Bring the token of the page.')
  }
  return {
    tenant,
    actor: { type: 'user', id: session.userId, name: session.name },
    side: 'platform',
    scopes: new Set(session.roles.flatMap((role) => scopesOf[role] ?? [])),
    masterDomains: new Set(domains),
    requestsPerMinute: 50,
  }
}

/** Another form than the Client API's. */
const plainEnvelope: Envelope = {
  problemMediaType: 'application/json; charset=utf-8',
  ofProblem: ({ code, message }, requestId) => JSON.stringify({ failure: code, message, requestId }),
  ofRecord: (record) => ({ item: record }),
  recordIn: (body) => (body as { item: unknown }).item,
  ofRows: (rows) => ({ items: rows }),
  pageHeaders: ({ pagination }) => ({ 'x-total-count': String(pagination.total) }),
  cursorPageHeaders: () => ({}),
}

const routes = [
  ...studentRoutes({ names: new SeriesNames(data), publicUrl }),
  ...requestRoutes(new RequestLinks({ secretKey: service.secretKey, publicUrl })),
]
const authenticator = new Authenticator(data, { failuresPerMinute: 1000 })
const mountings: readonly Mounting[] = [
  { prefix: '/v1', routes, authenticator: tokenAuthenticator(authenticator), envelope: clientEnvelope(publicUrl) },
  { prefix: '/t/:slug/desk/v1', routes, authenticator: sessionAuthenticator, envelope: plainEnvelope },
]
const platform = {
  database: data,
  rateLimiter: new RateLimiter(data),
  shares: new TenantShares(),
  watermark: new SyncWatermark(data),
}
const app = createHttpServer(mountings, platform, { publicUrl, log: pino({ level: 'silent' }), trustedProxies: null })
await app.listen({ host: '127.0.0.1', port: 0 })
afterFile(() => app.close())
const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

/** Somebody of an institution with a session at the second door, and an integration of it at the first. */
async function bothAuthenticators(
  roles: readonly string[] = ['System Manager'],
  settings: Parameters<typeof service.tenant>[0] = {},
) {
  const tenant = await service.tenant({ systemOfRecord: { students: 'shared' }, ...settings })
  const { secret: token } = await tenant.token()
  return { tenant, token, api: new Caller(address, token), ...(await aPerson(tenant, roles)) }
}

async function aPerson(tenant: TestTenant, roles: readonly string[]) {
  const user = await aUser(service, tenant, { roles })
  const secret = await data.transaction(tenant.id, async (tx) => openSession(tx, user.id))
  const session = await findSession(data, tenant.id, secret)
  const cookie = `sid=${secret}`
  const resourceClient = `${address}/t/${tenant.slug}/desk/v1`
  const person = new RecordCaller(resourceClient, { cookie, 'x-csrf-token': session?.csrfToken as string })
  return { user, cookie, person, visitor: new RecordCaller(resourceClient) }
}

const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key })
const ada = { fullName: 'Ada Byron', externalId: 'sis-1' }

test('second authenticator: the same operations work for a person, with the envelope of their mounting', async () => {
  const { tenant, api, user, person } = await bothAuthenticators()
  const created = await person.send('POST', '/students', ada, keyed())
  assert.deepEqual([created.status, Object.keys(created.body)], [201, ['item']])
  const { id } = created.body.item
  assert.equal(created.headers.get('location'), `/t/${tenant.slug}/desk/v1/students/${id}`)
  assert.equal(created.headers.get('x-ratelimit-limit'), '50')
  const [audit] = await service.database.inspect(
    'select action, actor_type, actor_id, actor_name from audit_entries where tenant_id = $1 and entity_id = $2',
    [tenant.id, id],
  )
  assert.deepEqual(audit, { action: 'student.created', actor_type: 'user', actor_id: user.id, actor_name: user.email })
  const [event] = await service.database.inspect(
    'select type, actor_type, actor_id from events where tenant_id = $1 and entity_id = $2',
    [tenant.id, id],
  )
  assert.deepEqual(event, { type: 'student.created', actor_type: 'user', actor_id: user.id })

  const read = await api.get(`/students/${id}`)
  assert.deepEqual([read.status, read.body], [200, { data: created.body.item }])
  const page = await person.get('/students?limit=1')
  assert.deepEqual([page.status, page.body], [200, { items: [created.body.item] }])
  assert.deepEqual(
    ['x-total-count', 'link', 'sync-watermark'].map((name) => page.headers.get(name)),
    ['1', null, null],
  )
  const first = await api.get('/students?limit=1')
  assert.deepEqual(first.body.pagination, { page: 1, limit: 1, total: 1, totalPages: 1 })
  assert.match(first.headers.get('link') ?? '', /^<https:\/\/matricula\.example\/v1\/students\?limit=1&page=1>/)

  const entityTag = created.headers.get('etag') as string
  const same = await person.send('GET', `/students/${id}`, undefined, { 'if-none-match': entityTag })
  assert.equal(same.status, 304)
  const stale = await person.send('PATCH', `/students/${id}`, { fullName: 'A' }, { 'if-match': '"0"' })
  assert.deepEqual(
    [stale.status, stale.body.failure, stale.headers.get('etag')],
    [412, 'precondition_failed', entityTag],
  )
})

test('second authenticator: each mounting rejects the credentials of the other in its own format', async () => {
  const { token, cookie, person, visitor: pageClient, tenant } = await bothAuthenticators()
  const byToken = await pageClient.send('GET', '/students', undefined, { authorization: `Bearer ${token}` })
  assert.deepEqual([byToken.status, byToken.body.failure], [401, 'authentication_required'])
  assert.equal(byToken.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(byToken.body.requestId, byToken.headers.get('request-id'))
  const byCookie = await new Caller(address, null).get('/students', { cookie })
  assert.deepEqual([byCookie.status, byCookie.body.code], [401, 'authentication_required'])
  assert.equal(byCookie.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  const forged = await person.send('POST', '/students', ada, { ...keyed(), 'x-csrf-token': 'guessed' })
  assert.deepEqual([forged.status, forged.body.failure], [401, 'authentication_required'])
  const { person: otherTenant } = await aPerson(await service.tenant(), ['System Manager'])
  const elsewhere = otherTenant.address.replace(/school-\w+/, tenant.slug)
  const { cookie: foreign } = await aPerson(await service.tenant(), ['System Manager'])
  const other = await new RecordCaller(elsewhere, { cookie: foreign }).get('/students')
  assert.deepEqual([other.status, other.body.failure], [401, 'authentication_required'])
  assert.equal((await service.database.inspect('select 1 from students where tenant_id = $1', [tenant.id])).length, 0)
})

test('second authenticator: scopes, side of the system of record and modules of the caller apply', async () => {
  const { person: reader } = await bothAuthenticators(['Instructor'])
  assert.equal((await reader.get('/students')).status, 200)
  const rejected = await reader.send('POST', '/students', ada, keyed())
  assert.deepEqual([rejected.status, rejected.body.failure], [403, 'insufficient_scope'])
  const theirs = await bothAuthenticators(undefined, { systemOfRecord: { students: 'integration' } })
  const owned = await theirs.person.send('POST', '/students', ada, keyed())
  assert.deepEqual([owned.status, owned.body.failure], [403, 'system_of_record_elsewhere'])
  assert.match(owned.body.message, /owned by another system of the institution/)
  assert.equal((await theirs.api.post('/students', ada)).status, 201)
  const ours = await bothAuthenticators(undefined, { systemOfRecord: { students: 'platform' } })
  assert.equal((await ours.person.send('POST', '/students', ada, keyed())).status, 201)
  assert.equal((await ours.api.post('/students', ada)).body.code, 'system_of_record_elsewhere')
  const bare = await bothAuthenticators(undefined, { modules: ['platform_integrations'] })
  assert.equal((await bare.person.get('/vault/requests')).body.failure, 'module_not_enabled')
})

test('second authenticator: a stored response belongs to its caller and keeps its envelope, errors too', async () => {
  const { person, api, tenant } = await bothAuthenticators()
  const key = randomUUID()
  const first = await person.send('POST', '/students', ada, keyed(key))
  const again = await person.send('POST', '/students', ada, keyed(key))
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed'), again.text], [201, 'true', first.text])
  assert.equal(again.headers.get('location'), first.headers.get('location'))
  const taken = await api.post('/students', ada, keyed(key))
  assert.deepEqual([taken.status, taken.body.code], [409, 'external_id_taken'])
  assert.equal((await api.post('/students', ada, keyed(key))).headers.get('idempotent-replayed'), 'true')
  const twice = randomUUID()
  const rejected = await person.send('POST', '/students', ada, keyed(twice))
  const replayed = await person.send('POST', '/students', ada, keyed(twice))
  assert.deepEqual(
    [rejected.status, rejected.body.failure, rejected.body.requestId],
    [409, 'external_id_taken', rejected.headers.get('request-id')],
  )
  assert.deepEqual([replayed.text, replayed.headers.get('idempotent-replayed')], [rejected.text, 'true'])
  assert.equal(replayed.headers.get('content-type'), 'application/json; charset=utf-8')
  const missing = await person.send('POST', '/students', ada)
  assert.deepEqual([missing.status, missing.body.failure], [400, 'idempotency_key_missing'])

  const documentTypeId = await aDocumentTypeId(tenant.api, 'transcript')
  const { id: entityId } = first.body.item
  const asked = { entityType: 'student', entityId, documentTypeIds: [documentTypeId] }
  const request = await person.send('POST', '/vault/requests', asked, keyed(key.replace(/^./, 'x')))
  const reported = await person.send('POST', '/vault/requests', asked, keyed(key.replace(/^./, 'x')))
  assert.match(request.body.item.publicUrl, /^https:\/\/matricula\.example\/r\//)
  assert.deepEqual([reported.headers.get('idempotent-replayed'), reported.body], ['true', request.body])
})

test('second authenticator: errors have the format of the mounting', async () => {
  const { person, visitor: pageClient, api } = await bothAuthenticators()
  const faulty = await person.send('POST', '/students', { fullName: 7 }, keyed())
  assert.deepEqual([faulty.status, faulty.body.failure], [400, 'validation_failed'])
  const broken = await person.send('POST', '/students', '{"', { ...keyed(), 'content-type': 'application/json' })
  assert.deepEqual([broken.status, broken.body.failure], [400, 'malformed_json'])
  const long = await person.send('POST', '/students', `{"fullName":"${'a'.repeat(1024 * 1024)}"}`, {
    ...keyed(),
    'content-type': 'application/json',
  })
  assert.deepEqual([long.status, long.body.failure], [413, 'content_too_large'])
  for (const caller of [person, pageClient]) {
    const unknown = await caller.send('POST', '/pupils', '{')
    assert.deepEqual([unknown.status, unknown.body.failure], [404, 'route_not_found'])
    const wrong = await caller.send('DELETE', '/students')
    assert.deepEqual([wrong.status, wrong.body.failure], [405, 'method_not_allowed'])
    assert.equal(wrong.headers.get('allow'), 'GET, HEAD, POST')
  }
  const unknown = await api.get('/pupils')
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'route_not_found'])
  const wrong = await api.delete('/students')
  assert.deepEqual(
    [wrong.status, wrong.body.code, wrong.headers.get('allow')],
    [405, 'method_not_allowed', 'GET, HEAD, POST'],
  )
})
