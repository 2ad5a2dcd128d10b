import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordRegistry } from '../../app/record-definitions.ts'
import { SecretSeal } from '../../identity/sealed-secrets.ts'
import { countUnreadableSecrets, encryptStoredSecrets } from '../../record-engine/index.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aCardDebt, account } from './card-school.fixture.ts'
import { gatewayEvent, StandInGateway } from './stand-in-gateway.fixture.ts'

const gateway = await StandInGateway.start()
const service = await startTestService({ cardGatewayUrl: gateway.url })
const seal = new SecretSeal(service.secretKey)
type Debt = Awaited<ReturnType<typeof aCardDebt>>
const secrets = [account.razorpay_secret, account.razorpay_webhook_secret]
const settings = 'Education Settings'

async function storedIn({ tenant }: Debt): Promise<string[]> {
  const [row] = await service.database.inspect<{ secret: string; webhook: string }>(
    `select razorpay_secret as secret, razorpay_webhook_secret as webhook from education_settings where tenant_id = $1`,
    [tenant.id],
  )
  return [row?.secret ?? '', row?.webhook ?? '']
}

const store = ({ tenant }: Debt, secret: string, webhook: string) =>
  service.database.inspect(
    'update education_settings set razorpay_secret = $2, razorpay_webhook_secret = $3 where tenant_id = $1',
    [tenant.id, secret, webhook],
  )

/** The tables with a row of the tenant that contains a text. */
async function tablesWith({ tenant }: Debt, text: string): Promise<string[]> {
  const tables = await service.database.inspect<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await service.database.inspect(
      `select 1 as found from ${name} t where tenant_id = $1 and position($2 in t::text) > 0 limit 1`,
      [tenant.id, text],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('gateway secrets: never in plain text in database or log, and shown as asterisks', async () => {
  const debt = await aCardDebt(service)
  const order = await debt.order()
  await debt.confirm(order, gateway.capture(order).id)
  assert.equal((await debt.payment()).status, 'paid')
  for (const secret of secrets) {
    assert.deepEqual(await tablesWith(debt, secret), [])
    assert.ok(!service.logged.some((line) => line.includes(secret)))
  }
  for (const stored of await storedIn(debt)) assert.ok(seal.isOwn(stored), stored)
  const { data } = await debt.resourceClient.read(settings, settings)
  assert.deepEqual(
    [data.razorpay_secret, data.razorpay_webhook_secret],
    secrets.map((secret) => '*'.repeat(secret.length)),
  )
  const sealed = await debt.resourceClient.list(settings, { fields: '["razorpay_webhook_secret"]' })
  assert.ok(!JSON.stringify(sealed.data ?? []).includes('sealed:'))
})

test('gateway secrets: sending the same or asterisks changes nothing; audits omit the value', async () => {
  const debt = await aCardDebt(service)
  const stored = await storedIn(debt)
  const before = await debt.resourceClient.traces(settings, settings)
  const { data } = await debt.resourceClient.read(settings, settings)
  await debt.resourceClient.update(settings, settings, account)
  await debt.resourceClient.update(settings, settings, { razorpay_secret: data.razorpay_secret })
  assert.deepEqual([await storedIn(debt), await debt.resourceClient.traces(settings, settings)], [stored, before])
  await debt.resourceClient.update(settings, settings, { razorpay_secret: 'another secret' })
  assert.equal((await debt.resourceClient.traces(settings, settings)).length, before.length + 1)
  assert.deepEqual(await tablesWith(debt, 'another secret'), [])
  const order = await debt.order()
  const rejected = await debt.confirm(order, gateway.capture(order).id)
  assert.equal(rejected.status, 417, 'signed with the old secret')
  await debt.resourceClient.update(settings, settings, { razorpay_secret: (await storedIn(debt))[0] })
  assert.notEqual((await storedIn(debt))[0], stored[0], 'the stored form is a secret like any other when it is sent')
})

test('gateway secrets: plain text of an earlier version is encrypted at start and works', async () => {
  const debt = await aCardDebt(service)
  const { data } = await debt.resourceClient.read(settings, settings)
  await store(debt, account.razorpay_secret, account.razorpay_webhook_secret)
  const inspect = (text: string) => service.database.inspect<{ secret: string }>(text)
  assert.deepEqual(await countUnreadableSecrets(inspect, recordRegistry, seal), { plain: 2, foreign: 0 })
  const reports = await encryptStoredSecrets(service.data, recordRegistry, seal)
  assert.deepEqual(reports, [{ tenant: debt.tenant.slug, sealed: 2, foreign: 0 }])
  assert.deepEqual(await encryptStoredSecrets(service.data, recordRegistry, seal), [])
  for (const stored of await storedIn(debt)) assert.ok(seal.isOwn(stored), stored)
  assert.deepEqual((await debt.resourceClient.read(settings, settings)).data, data, 'nothing that is shown changes')
  const order = await debt.order()
  assert.equal((await debt.hook(gatewayEvent(gateway.capture(order), secrets[1] ?? ''))).status, 200)
  assert.equal((await debt.payment()).status, 'paid')
})

test('gateway secrets: unreadable with another SECRET_KEY, with advice; entering them again works', async () => {
  const debt = await aCardDebt(service)
  const order = await debt.order()
  const other = new SecretSeal('another secret key of more than 32 characters')
  await store(debt, other.seal('x', 'y'), other.seal('x', 'y'))
  const rejected = await debt.options()
  assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'ValidationError'])
  assert.match(
    rejected.body.exception,
    new RegExp(`another SECRET_KEY \\(key id ${other.keyId}.*enter the secret anew`),
  )
  const paid = gateway.capture(order)
  const hook = await debt.hook(gatewayEvent(paid, secrets[1] ?? ''))
  assert.deepEqual([hook.status, hook.headers.get('retry-after')], [503, '3600'])
  assert.ok(
    service.logged.some((line) => line.includes('card webhook cannot be checked') && line.includes(other.keyId)),
  )
  assert.deepEqual(await encryptStoredSecrets(service.data, recordRegistry, seal), [
    { tenant: debt.tenant.slug, sealed: 0, foreign: 2 },
  ])
  assert.equal(
    (await debt.resourceClient.update(settings, settings, { private_uploads: 1 })).status,
    200,
    'other settings change',
  )
  assert.equal((await debt.setAccount()).status, 200)
  assert.equal((await debt.hook(gatewayEvent(paid, secrets[1] ?? ''))).status, 200)
  assert.equal((await debt.payment()).status, 'paid')
})
