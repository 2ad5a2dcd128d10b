import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { mostWebhooks } from '@matricula/contract'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { startNameServer } from '../../outbound-http/dns-server.fixture.ts'
import { aPayment, aUser } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { startReceiver } from './receiver.fixture.ts'

const names = await startNameServer()
const service = await startTestService({
  webhookAllowedNetworks: '127.0.0.8/29',
  webhookCalls: { nameServers: [names.address] },
})
const receiver = await startReceiver({}, '127.0.0.9')
const url = 'https://erp.example.org/hooks'
const body = { url, types: ['payment.*', 'student.created'] }

/** Fails when a secret is stored in plain text: in a table, or in the log. */
async function assertNotStored(tenant: TestTenant, secret: string): Promise<void> {
  const key = secret.slice('whsec_'.length)
  for (const table of ['webhooks', 'webhook_deliveries', 'idempotency_keys', 'audit_entries', 'events']) {
    const rows = await service.database.inspect(`select t::text as row from ${table} t where tenant_id = $1`, [
      tenant.id,
    ])
    assert.ok(rows.length > 0 || table === 'webhook_deliveries', table)
    assert.ok(!JSON.stringify(rows).includes(key), table)
  }
  assert.ok(!service.logged.join('').includes(key))
}

test('POST /v1/webhooks: only this response and its replay contain the secret, which is stored encrypted', async () => {
  const tenant = await service.tenant()
  const key = { 'idempotency-key': randomUUID() }
  const made = await tenant.api.post('/webhooks', { ...body, description: 'Ledger' }, key)
  assert.equal(made.status, 201)
  const { secret, ...record } = made.body.data
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(made.headers.get('location'), `/v1/webhooks/${record.id}`)
  assert.deepEqual(
    { ...record, id: '', createdAt: '', updatedAt: '' },
    {
      id: '',
      url,
      types: body.types,
      description: 'Ledger',
      status: 'enabled',
      disabledReason: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      createdAt: '',
      updatedAt: '',
    },
  )
  const replay = await tenant.api.post('/webhooks', { ...body, description: 'Ledger' }, key)
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  assert.equal(replay.text, made.text)
  assert.deepEqual((await tenant.api.get(`/webhooks/${record.id}`)).body.data, record)
  const list = await tenant.api.get('/webhooks')
  assert.deepEqual(list.body, { data: [record], pagination: { page: 1, limit: 1, total: 1, totalPages: 1 } })
  await assertNotStored(tenant, secret)
  assert.deepEqual(await tenant.traces(record.id), {
    audit: ['webhook.created'],
    events: ['webhook.created'],
    changed: [Object.keys(record).filter((field) => !['updatedAt'].includes(field))],
  })
})

test('PATCH and DELETE /v1/webhooks/{id}: partial changes; no change writes nothing; a deleted one is 404', async () => {
  const tenant = await service.tenant()
  const made = await tenant.api.post('/webhooks', body)
  const { id, secret: _, ...record } = made.body.data
  const path = `/webhooks/${id}`
  const same = await tenant.api.patch(path, { ...record, id })
  assert.deepEqual([same.status, same.body.data.updatedAt], [200, record.updatedAt])
  const changed = await tenant.api.patch(path, { types: ['*'], description: 'All' }, { 'if-match': '"1"' })
  assert.deepEqual([changed.body.data.types, changed.body.data.description], [['*'], 'All'])
  const stale = await tenant.api.patch(path, { description: 'x' }, { 'if-match': made.headers.get('etag') as string })
  assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'])
  assert.equal(stale.headers.get('etag'), changed.headers.get('etag'))
  const disabled = await tenant.api.patch(path, { enabled: false })
  assert.deepEqual([disabled.body.data.status, disabled.body.data.disabledReason], ['disabled', 'manual'])
  const enabled = await tenant.api.patch(path, { enabled: true })
  assert.deepEqual([enabled.body.data.status, enabled.body.data.disabledReason], ['enabled', null])
  const status = await tenant.api.patch(path, { status: 'disabled' })
  assert.deepEqual(status.body.errors[0].code, 'read_only')
  const gone = await tenant.api.delete(path)
  assert.deepEqual([gone.status, gone.text], [204, ''])
  for (const response of [await tenant.api.get(path), await tenant.api.delete(path)]) assert.equal(response.status, 404)
  const { audit, events } = await tenant.traces(id)
  const expected = ['created', 'updated', 'disabled', 'updated', 'deleted'].map((verb) => `webhook.${verb}`)
  assert.deepEqual([audit, events], [expected, expected])
})

test('webhook addresses: any that is not public https is rejected with pointer and reason, in whatever form', async () => {
  const { api } = await service.tenant()
  names.names.set('private.example.org', [['10.1.2.3']])
  names.names.set('mixed.example.org', [['93.184.215.14', '192.168.1.1']])
  names.names.set('six.example.org', [['fd00::1']])
  const rejected: [string, string][] = [
    ['nonsense', 'format'],
    ['ftp://example.org/', 'format'],
    [' https://example.org/', 'format'],
    ['https://exa\nmple.org/', 'format'],
    ['https:example.org', 'format'],
    ['https:\\\\example.org\\hook', 'format'],
    ['https://', 'format'],
    ['https://example.org:65536/', 'format'],
    ['javascript:alert(1)', 'format'],
    ['http://example.org/hook', 'inconsistent'],
    ['https://user:password@example.org/', 'inconsistent'],
    ['https://user@example.org/', 'inconsistent'],
    ['https://example.org/#part', 'inconsistent'],
    ['https://private.example.org/', 'inconsistent'],
    ['https://mixed.example.org/', 'inconsistent'],
    ['https://six.example.org/', 'inconsistent'],
    ...[
      '127.0.0.1', // loopback
      '127.1',
      '0x7f000001',
      '2130706433',
      '0177.0.0.1',
      'localhost',
      'localhost.',
      'a.localhost',
      '0.0.0.0', // this network
      '10.0.0.1', // private
      '172.16.5.5',
      '192.168.0.1',
      '100.64.0.1', // shared, RFC 6598
      '169.254.169.254', // link-local, and the metadata service of clouds
      '192.0.0.1', // IETF protocols
      '192.0.2.1', // documentation
      '198.51.100.1',
      '203.0.113.1',
      '198.18.0.1', // benchmarks
      '192.88.99.1', // relays of 6to4
      '224.0.0.1', // multicast
      '240.0.0.1', // reserved
      '255.255.255.255', // broadcast
      '[::]',
      '[::1]',
      '[::ffff:127.0.0.1]', // IPv4-mapped
      '[::ffff:10.0.0.1]',
      '[::127.0.0.1]', // IPv4-compatible
      '[64:ff9b::7f00:1]', // NAT64 of 127.0.0.1
      '[64:ff9b::a9fe:a9fe]',
      '[64:ff9b:1::1]', // NAT64 for local use
      '[2002:7f00:1::1]', // 6to4 of 127.0.0.1
      '[2002:5db8:d70e::1]',
      '[2001::1]', // Teredo
      '[2001:db8::1]', // documentation
      '[3fff::1]',
      '[2001:2::1]', // benchmarks
      '[fe80::1]', // link-local
      '[fec0::1]', // site-local
      '[fc00::1]', // unique local
      '[fd12:3456::1]',
      '[ff02::1]', // multicast
      '[100::1]', // discard
      '[5f00::1]', // segment routing
    ].map((host): [string, string] => [`https://${host}/hook`, 'inconsistent']),
    ...[
      'https:///x',
      'https:////x',
      'https:///erp.example.org/hook',
      'https://?a',
      'https://#',
      'https:/erp.example.org',
    ].map((address): [string, string] => [address, 'format']),
    ['https://x/hook', 'inconsistent'],
    ['https://x./hook', 'inconsistent'],
    ['https://intranet:8443/hook', 'inconsistent'],
    ['https://known/hook', 'inconsistent'],
  ]
  names.names.set('known', [['93.184.215.14']]) // a public address, by a search domain or a local name server
  for (const [address, code] of rejected) {
    const response = await api.post('/webhooks', { url: address, types: ['*'] })
    assert.deepEqual([response.status, response.body.code], [400, 'validation_failed'], address)
    const [validationError] = response.body.errors
    assert.deepEqual(
      [validationError.in, validationError.pointer, validationError.code],
      ['body', '#/url', code],
      address,
    )
  }
  names.names.set('public.example.org', [['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c']])
  names.names.set('nat64.example.org', [['64:ff9b::5db8:d70e']]) // a public address, as networks without IPv4 reach it
  for (const address of [
    'https://93.184.215.14/hook',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:8443/hook?a=b',
    'https://public.example.org/hook',
    'https://nat64.example.org/hook',
    'https://unknown.example.org/hook',
    'HTTPS://PUBLIC.EXAMPLE.ORG',
    'https://bücher.example.org/hook',
  ]) {
    const response = await api.post('/webhooks', { url: address, types: ['*'] })
    assert.equal(response.status, 201, `${address} ${response.text}`)
    const moved = await api.patch(`/webhooks/${response.body.data.id}`, { url: 'https://10.0.0.1/' })
    assert.equal(moved.body.errors?.[0].pointer, '#/url')
  }
})

test('webhook addresses: WEBHOOK_ALLOWED_NETWORKS allows its networks, also without TLS, and no others', async () => {
  const { api } = await service.tenant()
  names.names.set('own', [['127.0.0.9']])
  names.names.set('partly', [['127.0.0.9', '93.184.215.14']])
  for (const [address, status] of [
    ['http://127.0.0.9/hook', 201],
    ['https://127.0.0.15/hook', 201],
    ['https://own/hook', 201],
    ['http://own/hook', 201],
    ['https://partly/hook', 400],
    ['http://127.0.0.1/hook', 400],
    ['http://93.184.215.14/hook', 400],
  ] as const) {
    assert.equal((await api.post('/webhooks', { url: address, types: ['*'] })).status, status, address)
  }
})

test('webhook types: unknown ones are errors with their pointer; those that the token does not read are 403', async () => {
  const tenant = await service.tenant()
  for (const [types, pointer, code] of [
    [['payment.*', 'payment.exploded'], '#/types/1', 'not_in_enum'],
    [['*', 'payment.created'], '#/types/0', 'inconsistent'],
    [[], '#/types', 'too_short'],
    [Array.from({ length: 51 }, () => 'payment.*'), '#/types', 'too_long'],
    [['webhook.ping'], '#/types/0', 'not_in_enum'],
    [['__proto__.*'], '#/types/0', 'not_in_enum'],
  ] as const) {
    const response = await tenant.api.post('/webhooks', { url, types })
    assert.deepEqual([response.status, response.body.code], [400, 'validation_failed'], String(types))
    assert.deepEqual([response.body.errors[0].pointer, response.body.errors[0].code], [pointer, code])
  }
  const { api } = await tenant.token({ scopes: ['webhooks:write', 'students:read'] })
  const rejected = await api.post('/webhooks', { url, types: ['student.*', 'payment.created'] })
  assert.deepEqual([rejected.body.code, rejected.body.requiredScope], ['insufficient_scope', 'payments:read'])
  const own = (await api.post('/webhooks', { url, types: ['student.*'] })).body.data
  const wider = await api.patch(`/webhooks/${own.id}`, { types: ['payment.*'] })
  assert.equal(wider.body.code, 'insufficient_scope')
  const foreign = (await tenant.api.post('/webhooks', { url, types: ['payment.*'] })).body.data
  const redirected = await api.patch(`/webhooks/${foreign.id}`, { url: 'https://other.example.org/' })
  assert.equal(redirected.body.code, 'insufficient_scope')
  assert.equal((await api.patch(`/webhooks/${foreign.id}`, { description: 'seen' })).status, 200)
})

test('webhook types: an endpoint for all types receives only what its creator could read', async () => {
  const tenant = await service.tenant()
  const { api } = await tenant.token({ scopes: ['webhooks:write', 'webhooks:read', 'payments:read'] })
  const target = await startReceiver({}, '127.0.0.9')
  await api.post('/webhooks', { url: target.url, types: ['*'] })
  const stop = service.deliver()
  await tenant.token()
  const { id } = await aPayment(tenant.api)
  await until(() => target.received.some(({ body: reported }) => reported.data.id === id), 'the event of the payment')
  const types = new Set(target.received.map(({ body: reported }) => reported.type))
  assert.deepEqual([...types].sort(), ['payment.created'])
  await stop()
})

test('webhook types: scopes are checked when an event is sent, also for types selected by name', async () => {
  const tenant = await service.tenant()
  const target = await startReceiver({}, '127.0.0.9')
  const { id: endpoint } = (
    await tenant.api.post('/webhooks', { url: target.url, types: ['api_key.*', 'user.created', 'payment.*'] })
  ).body.data
  await service.database.inspect('update webhooks set scopes = $3 where tenant_id = $1 and id = $2', [
    tenant.id,
    endpoint,
    ['webhooks:write', 'payments:read'],
  ])
  const stop = service.deliver()
  await tenant.token()
  await aUser(service, tenant)
  const { id } = await aPayment(tenant.api)
  await until(() => target.received.some(({ body: reported }) => reported.data.id === id), 'the event of the payment')
  assert.deepEqual(
    target.received.map(({ body: reported }) => reported.type),
    ['payment.created'],
  )
  await stop()
  const { api } = await tenant.token({ scopes: ['webhooks:write', 'webhooks:read', 'payments:read'] })
  const rejected = await api.post('/webhooks', { url: target.url, types: ['webhook.disabled'] })
  assert.deepEqual([rejected.status, rejected.body.requiredScope], [403, 'audit:read'])
})

test(`POST /v1/webhooks: a tenant has at most ${mostWebhooks} endpoints, also for concurrent requests`, async () => {
  const { api } = await service.tenant()
  const answers = await Promise.all(Array.from({ length: mostWebhooks + 3 }, () => api.post('/webhooks', body)))
  const rejected = answers.filter(({ status }) => status !== 201)
  assert.deepEqual(
    rejected.map((response) => [response.status, response.body.code, response.body.limit]),
    Array.from({ length: 3 }, () => [409, 'webhook_limit_reached', mostWebhooks]),
  )
})

test('rotating a webhook secret: both secrets sign during the overlap; a second rotation ends the oldest at once', async () => {
  const tenant = await service.tenant()
  const made = (await tenant.api.post('/webhooks', { url: receiver.url, types: ['student.*'] })).body.data
  const path = `/webhooks/${made.id}`
  const key = { 'idempotency-key': randomUUID() }
  const rotated = await tenant.api.post(`${path}/rotate-secret`, {}, key)
  assert.equal(rotated.status, 200)
  assert.equal((await tenant.api.post(`${path}/rotate-secret`, {}, key)).text, rotated.text)
  const second = rotated.body.data.secret
  const [until24] = await service.database.inspect<{ hours: number }>(
    `select extract(epoch from previous_secret_until - now())::float8 / 3600 as hours from webhooks where id = $1`,
    [made.id],
  )
  assert.ok(Math.abs((until24?.hours ?? 0) - 24) < 0.1)
  const ping = async () => {
    receiver.received.length = 0
    const response = await tenant.api.post(`${path}/test`, undefined)
    assert.equal(response.body.data.status, 'delivered', response.text)
    const [reported] = receiver.received
    assert.ok(reported)
    return reported
  }
  const signs = (secret: string, reported: Awaited<ReturnType<typeof ping>>) => {
    try {
      new StandardWebhook(secret).verify(reported.raw, reported.headers)
      return true
    } catch {
      return false
    }
  }
  const both = await ping()
  assert.deepEqual([signs(made.secret, both), signs(second, both)], [true, true])
  await assertNotStored(tenant, second)
  const third = (await tenant.api.post(`${path}/rotate-secret`, { overlapHours: 1 })).body.data.secret
  const later = await ping()
  assert.deepEqual([signs(made.secret, later), signs(second, later), signs(third, later)], [false, true, true])
  await service.database.inspect(
    `update webhooks set previous_secret_until = now() - interval '1 second' where id = $1`,
    [made.id],
  )
  const over = await ping()
  assert.deepEqual([signs(second, over), signs(third, over)], [false, true])
  const last = (await tenant.api.post(`${path}/rotate-secret`, { overlapHours: 0 })).body.data.secret
  const alone = await ping()
  assert.deepEqual([signs(third, alone), signs(last, alone)], [false, true])
  for (const overlapHours of [-1, 169, 1.5]) {
    assert.equal((await tenant.api.post(`${path}/rotate-secret`, { overlapHours })).status, 400)
  }
  const { audit, events } = await tenant.traces(made.id)
  assert.equal(events.filter((type) => type === 'webhook.rotated').length, 3)
  assert.equal(audit.filter((action) => action === 'webhook.tested').length, 4)
})

test('POST /v1/webhooks/{id}/test: sends a ping at once, also to a disabled endpoint, and changes no state', async () => {
  const tenant = await service.tenant()
  const made = (await tenant.api.post('/webhooks', { url: receiver.url, types: ['*'], enabled: false })).body.data
  receiver.received.length = 0
  receiver.respond = (_, response) => response.writeHead(410).end()
  const answer = await tenant.api.post(`/webhooks/${made.id}/test`, undefined)
  assert.equal(answer.status, 200)
  const { id, eventId, createdAt: _, attempts, ...delivery } = answer.body.data
  assert.deepEqual(delivery, { type: 'webhook.ping', position: null, status: 'failed', nextAttemptAt: null })
  assert.deepEqual([attempts.length, attempts[0].httpStatus, attempts[0].error], [1, 410, 'http_status'])
  const [reported] = receiver.received
  assert.equal(reported?.headers['webhook-id'], eventId)
  assert.deepEqual(
    [reported?.body.type, reported?.body.data],
    [
      'webhook.ping',
      { id: made.id, externalId: null, entityType: 'webhook', changed: [], position: null, tenant: tenant.slug },
    ],
  )
  assert.equal((await tenant.api.get(`/webhooks/${made.id}`)).body.data.disabledReason, 'manual')
  const listed = (await tenant.api.get(`/webhooks/${made.id}/deliveries`)).body.data
  assert.deepEqual(
    listed.map((each: { id: string }) => each.id),
    [id],
  )
})
