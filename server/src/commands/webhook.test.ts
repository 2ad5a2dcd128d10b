import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { startReceiver } from '../features/webhooks/receiver.fixture.ts'
import { loadCommandLine } from '../testing/fixtures/command-line.ts'
import { aStudent } from '../testing/fixtures/factories.ts'
import { until } from '../testing/fixtures/service-process.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'

const service = await startTestService({ webhookAllowedNetworks: '127.0.0.0/8' })
const commandLine = await loadCommandLine(service)
const environment = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', SECRET_KEY: service.secretKey }
const json = (...args: string[]) => commandLine.json(['webhook', ...args], { environment })
const run = (...args: string[]) => commandLine.run(['webhook', ...args], { environment })

test('an operator makes, lists, changes, tests, rotates and removes an endpoint on the command line', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const { webhook } = await json('create', '--tenant', tenant.slug, '--url', receiver.url, '--types', 'student.*')
  assert.match(webhook.secret, /^whsec_/)
  const { secret: _, ...record } = webhook
  assert.deepEqual((await json('list', '--tenant', tenant.slug)).webhooks, [record])
  assert.deepEqual((await tenant.api.get(`/webhooks/${webhook.id}`)).body.data, record)
  const { delivery } = await json('test', webhook.id)
  assert.equal(delivery.status, 'delivered')
  const rotated = (await json('rotate', webhook.id, '--overlap', '2h')).webhook.secret
  await json('test', webhook.id)
  const last = receiver.received.at(-1)
  assert.ok(last)
  for (const secret of [webhook.secret, rotated]) new StandardWebhook(secret).verify(last.raw, last.headers)
  const changed = await json('update', webhook.id, '--types', 'payment.*, student.created', '--disable')
  assert.deepEqual([changed.webhook.types, changed.webhook.status], [['payment.*', 'student.created'], 'disabled'])
  assert.equal((await json('update', webhook.id, '--enable')).webhook.status, 'enabled')
  const listed = await run('list', '--tenant', tenant.slug)
  assert.match(listed.stdout, new RegExp(`${webhook.id}  enabled\\n  address +${receiver.url}`))
  assert.equal((await json('delete', webhook.id)).webhook.id, webhook.id)
  assert.equal((await tenant.api.get(`/webhooks/${webhook.id}`)).status, 404)
  const traces = (await tenant.traces(webhook.id)).audit
  assert.deepEqual(
    traces.filter((action) => action !== 'webhook.tested'),
    ['created', 'rotated', 'disabled', 'updated', 'deleted'].map((verb) => `webhook.${verb}`),
  )
})

test('an operator sees what failed of what, and has it sent again, one or between positions', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const { webhook } = await json('create', '--tenant', tenant.slug, '--url', receiver.url, '--types', 'student.*')
  receiver.respond = (_, response) => response.writeHead(503).end()
  const { next: before } = (await tenant.api.get('/events?after=latest')).body
  await aStudent(tenant.api)
  service.deliver()
  await until(async () => (await json('deliveries', webhook.id)).deliveries[0]?.attempts.length > 0, 'an attempt')
  const shown = await run('deliveries', webhook.id)
  assert.match(shown.stdout, /pending +student\.created .* tried, last 503 http_status after \d+ ms, next at /)
  receiver.respond = (_, response) => response.writeHead(204).end()
  const [delivery] = (await json('deliveries', webhook.id)).deliveries
  assert.deepEqual(await json('redeliver', webhook.id, '--delivery', delivery.id), { queued: 1 })
  await until(async () => (await json('deliveries', webhook.id, '--status', 'delivered')).total === 1, 'its arrival')
  const { next } = (await tenant.api.get('/events?after=latest')).body
  const count = receiver.received.length
  assert.deepEqual(await json('redeliver', webhook.id, '--after', before, '--until', next), { queued: 1 })
  await until(() => receiver.received.length > count, 'the same again')
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  assert.equal(ids.size, 1)
})

test('the last deliveries are shown, however many there are', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  const { webhook } = await json('create', '--tenant', tenant.slug, '--url', receiver.url, '--types', 'student.*')
  const pings: string[] = []
  for (let count = 0; count < 5; count += 1) pings.push((await json('test', webhook.id)).delivery.id)
  const { deliveries, total } = await json('deliveries', webhook.id, '--limit', '3')
  assert.deepEqual([deliveries.map(({ id }: { id: string }) => id), total], [pings.slice(-3), 5])
})

test('wrong words end with 2 and what is not there with 1, each with what to do', async () => {
  const { slug } = await service.tenant()
  const create = ['create', '--tenant', slug, '--types', 'student.*', '--url']
  const unknown = '01985b2e-5a00-7000-8000-000000000c01'
  for (const [argv, code, reported] of [
    [[...create, 'https://10.0.0.1/'], 2, /--url must lead to public addresses/],
    [[...create, 'nonsense'], 2, /--url must be an https address/],
    [
      ['create', '--tenant', slug, '--url', 'https://erp.example.org/', '--types', 'x.y'],
      2,
      /--types names the type "x\.y"/,
    ],
    [['update', unknown, '--enable', '--disable'], 2, /not both/],
    [['rotate', unknown, '--overlap', '90m'], 2, /whole hours/],
    [['redeliver', unknown], 2, /--delivery, or --after/],
    [['deliveries', unknown, '--status', 'lost'], 2, /pending, delivered, failed/],
    [['test', unknown], 1, /webhook list/],
    [['delete', 'nonsense'], 1, /webhook list/],
  ] as const) {
    const outcome = await run(...argv)
    assert.equal(outcome.code, code, outcome.stderr)
    assert.match(outcome.stderr, reported)
    assert.doesNotMatch(outcome.stderr, /\n {4}at /)
  }
  for (const verb of ['create', 'list', 'update', 'delete', 'rotate', 'test', 'deliveries', 'redeliver']) {
    const help = await run(verb, '--help')
    assert.match(help.stdout, /--json/)
  }
})

test('doctor says which endpoints fail, since when and of what, without what an address may keep secret', async () => {
  const receiver = await startReceiver()
  const tenant = await service.tenant()
  receiver.respond = (_, response) => response.writeHead(500).end()
  const url = `${receiver.url}/secret-part?token=secret-too`
  const { webhook } = await json('create', '--tenant', tenant.slug, '--url', url, '--types', 'student.*')
  service.deliver()
  await aStudent(tenant.api)
  await until(
    async () => (await tenant.api.get(`/webhooks/${webhook.id}`)).body.data.lastFailureAt !== null,
    'a failure',
  )
  const { stdout } = await commandLine.run(['doctor'], { environment })
  assert.match(
    stdout,
    new RegExp(`warning +webhooks +failing: .*127\\.0\\.0\\.1:\\d+ of ${tenant.slug} since .* \\(http_status\\)`),
  )
  assert.doesNotMatch(stdout, /secret-part|secret-too/)
  const metrics = async () => (await fetch(`${service.address}/metrics`)).text()
  await until(
    async () => /matricula_webhook_attempts\{outcome="failed"\} [1-9]/.test(await metrics()),
    'the failed attempt in the metrics',
  )
  await until(async () => /matricula_webhooks_failing [1-9]/.test(await metrics()), 'the endpoint in the metrics')
  const other = await commandLine.run(['doctor'], { environment: { ...environment, SECRET_KEY: 'y'.repeat(32) } })
  assert.match(other.stdout, /FAILURE +webhooks +\d+ have a secret under another SECRET_KEY/)
})
