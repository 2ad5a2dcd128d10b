import assert from 'node:assert/strict'
import { randomBytes, scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { FairQueue, type Origin } from '../../concurrency/fair-queue.ts'
import { PasswordHasher, passwordLength } from '../../identity/users/index.ts'
import { movedBack } from '../../testing/fixtures/database/test-database.ts'
import { aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

/** What passwords were compared with, in order. */
const compared: (string | null)[] = []

class RecordingHasher extends PasswordHasher {
  override isPassword(...[origin, password, storedHash]: Parameters<PasswordHasher['isPassword']>) {
    compared.push(storedHash)
    return super.isPassword(origin, password, storedHash)
  }
}

/** The addresses that work was done for, in order. */
const served: string[] = []

class RecordingQueue extends FairQueue {
  override run<Result>(origin: Origin, work: () => Promise<Result>): Promise<Result> {
    return super.run(origin, () => {
      served.push(origin.address)
      return work()
    })
  }
}

const queue = new RecordingQueue({ atOnce: 1, most: 80 })
const service = await startTestService({ trustedProxies: '127.0.0.1', passwords: new RecordingHasher(queue) })
const from = (tenant: TestTenant, address: string) =>
  new RecordCaller(`${service.address}/t/${tenant.slug}`, { 'x-forwarded-for': address })
const logIn = (tenant: TestTenant, address: string, usr: string, pwd: string) =>
  from(tenant, address).post('/api/method/login', { usr, pwd })
const stored = async (tenant: TestTenant) => {
  const [row] = await service.database.inspect<{ hash: string; changed: string }>(
    'select password_hash as hash, password_changed_at as changed from users where tenant_id = $1',
    [tenant.id],
  )
  return row as { hash: string; changed: string }
}
/** A user whose password was stored long ago, at next to no cost. */
async function aFormerUser(tenant: TestTenant) {
  const user = await aUser(service, tenant)
  const salt = randomBytes(16)
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const hash = `$scrypt$ln=4,r=8,p=1$${text(salt)}$${text(scryptSync(user.password, salt, 32, { N: 16, r: 8, p: 1 }))}`
  await service.database.inspect('update users set password_hash = $2 where tenant_id = $1', [tenant.id, hash])
  return { ...user, hash }
}
const loadFailures = (tenant: TestTenant) =>
  service.database.inspect<{ address: string; failures: number }>(
    'select address, attempts as failures from attempt_counts where tenant_id = $1 order by attempts desc',
    [tenant.id],
  )
/** Holds the queue until it is let go, and waits behind itself so often; some of it may have to make room. */
function hold(tenant: TestTenant, address: string, waiting: number) {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const origin = { tenantId: tenant.id, address }
  const works = Array.from({ length: 1 + waiting }, () => queue.run(origin, () => held).catch(() => {}))
  return async () => {
    letGo()
    await Promise.all(works)
  }
}

for (const where of ['the same institution', 'another institution']) {
  test(`a log-in waits for one of each address that tries many unknown users at ${where}, not for all of them`, async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { email, password } = await aFormerUser(tenant)
    await aFormerUser(other)
    const attacked = where === 'the same institution' ? tenant : other
    const letGo = hold(other, '192.0.2.99', 0)
    const before = served.length
    const attack = Array.from({ length: 60 }, (_, index) =>
      logIn(attacked, `192.0.2.${index % 4}`, `a-${index}@school.example`, password),
    )
    while (queue.waiting < 60) await new Promise((resolve) => setImmediate(resolve))
    const right = logIn(tenant, '192.0.2.77', email, password)
    while (queue.waiting < 61) await new Promise((resolve) => setImmediate(resolve))
    await letGo()
    assert.equal((await right).status, 200)
    const position = served.slice(before).indexOf('192.0.2.77')
    assert.ok(position >= 0 && position <= 4, `${position} were served before`)
    assert.deepEqual(new Set((await Promise.all(attack)).map(({ status }) => status)), new Set([401]))
  })
}

test('where too many wait, a log-in is refused at once with 503, on the page in words, and is no failed attempt', async () => {
  const tenant = await service.tenant()
  const { email, password } = await aUser(service, tenant)
  const letGo = hold(tenant, '192.0.2.1', 80)
  const before = compared.length
  const { status, headers, body } = await logIn(tenant, '192.0.2.1', email, password)
  assert.deepEqual([status, body.exc_type], [503, 'SessionStopped'])
  assert.ok(Number(headers.get('retry-after')) >= 1)
  const form = new URLSearchParams({ usr: email, pwd: password })
  const page = await from(tenant, '192.0.2.1').post('/login?lang=es', form)
  assert.equal(page.status, 503)
  assert.ok(Number(page.headers.get('retry-after')) >= 1)
  assert.match(page.text, /Demasiadas personas están iniciando sesión en este momento/)
  assert.deepEqual([await loadFailures(tenant), compared.length], [[], before])
  const elsewhere = logIn(tenant, '192.0.2.2', email, password)
  while (compared.length === before) await new Promise((resolve) => setImmediate(resolve))
  await letGo()
  assert.equal((await elsewhere).status, 200)
  assert.equal((await logIn(tenant, '192.0.2.1', email, password)).status, 200)
})

test('an attempt that had to make room for another one is not counted as failed', async () => {
  const tenant = await service.tenant()
  const { email, password } = await aUser(service, tenant)
  const letGo = hold(tenant, '192.0.2.1', 78)
  const before = compared.length
  const waiting = [1, 2].map(() => logIn(tenant, '192.0.2.1', email, password))
  while (compared.length < before + 2) await new Promise((resolve) => setImmediate(resolve))
  const elsewhere = [1, 2].map(() => logIn(tenant, '192.0.2.2', email, password))
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ status }) => status),
    [503, 503],
  )
  assert.deepEqual((await loadFailures(tenant)).find(({ address }) => address === '192.0.2.1')?.failures, 0)
  await letGo()
  assert.deepEqual(
    (await Promise.all(elsewhere)).map(({ status }) => status),
    [200, 200],
  )
})

test('after a hundred failures of an address about any users, everybody there waits; other addresses and institutions do not', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()]
  const { email, password } = await aUser(service, tenant)
  await aUser(service, other)
  assert.equal((await logIn(tenant, '192.0.2.1', email, password)).status, 200)
  assert.equal((await logIn(tenant, '192.0.2.1', 'one@school.example', 'wrong')).status, 401)
  await service.database.inspect(`update attempt_counts set attempts = 99 where tenant_id = $1 and kind = 'log_in'`, [
    tenant.id,
  ])
  assert.equal((await logIn(tenant, '192.0.2.1', 'two@school.example', 'wrong')).status, 401)
  const { status, body, headers } = await logIn(tenant, '192.0.2.1', email, password)
  assert.deepEqual([status, body.exc_type], [429, 'SecurityException'])
  assert.ok(Number(headers.get('retry-after')) > 0 && Number(headers.get('retry-after')) <= 60)
  assert.equal((await logIn(tenant, '192.0.2.2', email, password)).status, 200)
  assert.equal((await logIn(other, '192.0.2.1', email, password)).status, 200)
  await service.database.inspect(
    `update attempt_counts set ${movedBack('counted_at', '1 minute')} where tenant_id = $1`,
    [tenant.id],
  )
  assert.equal((await logIn(tenant, '192.0.2.1', email, password)).status, 200)
})

test('no log-in resets what its address failed with, whatever its user is called', async () => {
  const tenant = await service.tenant()
  const { email, password } = await aUser(service, tenant)
  const people = [{ name: email, password }]
  for (const name of ['any user', 'log_in']) {
    const other = await aUser(service, tenant, { email: `${name.replace(' ', '.')}@school.example` })
    await service.database.inspect('update users set name = $3 where tenant_id = $1 and id = $2', [
      tenant.id,
      other.id,
      name,
    ])
    people.push({ name, password: other.password })
  }
  assert.equal((await logIn(tenant, '192.0.2.1', 'one@school.example', 'wrong')).status, 401)
  await service.database.inspect(
    `update attempt_counts set attempts = 99, counted_at = now() where tenant_id = $1 and kind = 'log_in'`,
    [tenant.id],
  )
  for (const status of [200, 429]) {
    for (const { name, password: own } of people) {
      assert.deepEqual([name, (await logIn(tenant, '192.0.2.1', name, own)).status], [name, status])
    }
    if (status === 200) assert.equal((await logIn(tenant, '192.0.2.1', 'two@school.example', 'wrong')).status, 401)
  }
})

test('the addresses of one IPv6 network count as one', async () => {
  const tenant = await service.tenant()
  const { email } = await aUser(service, tenant)
  for (const address of ['2001:db8::1', '2001:db8::2:3']) {
    assert.equal((await logIn(tenant, address, email, 'wrong')).status, 401)
  }
  assert.deepEqual(await loadFailures(tenant), [
    { address: '2001:db8:0:0', failures: 2 },
    { address: '2001:db8:0:0', failures: 2 },
  ])
})

test('an unknown user is measured by what is stored of the next one, and gets in with nobody’s password', async () => {
  const tenant = await service.tenant()
  const { email, password } = await aUser(service, tenant)
  const { hash } = await stored(tenant)
  for (const [user, expected] of [
    ['aaron@school.example', hash],
    ['zoe@school.example', null],
    [email, hash],
  ] as const) {
    const isKnown = user === email
    assert.equal((await logIn(tenant, '192.0.2.1', user, password)).status, isKnown ? 200 : 401)
    assert.equal(compared.at(-1), expected)
  }
})

test('a password or a name that is too long is refused and counted like a wrong one, without the work of one', async () => {
  const tenant = await service.tenant()
  const { email } = await aUser(service, tenant)
  const before = compared.length
  for (const [usr, pwd] of [
    [email, 'x'.repeat(passwordLength.maximum + 1)],
    [email, '😀'.repeat(passwordLength.maximum + 1)],
    [`${'x'.repeat(140)}@school.example`, 'wrong'],
  ] as const) {
    const { status, body } = await logIn(tenant, '192.0.2.1', usr, pwd)
    assert.deepEqual([status, body.message], [401, 'Invalid login credentials'])
  }
  assert.equal(compared.length, before)
  const failures = (await loadFailures(tenant)).map((row) => row.failures)
  assert.deepEqual(failures, [3, 2, 1])
  await service.database.inspect(`update attempt_counts set attempts = 100 where tenant_id = $1 and kind = 'log_in'`, [
    tenant.id,
  ])
  const rows = () =>
    service.database.inspect(`select from audit_entries where tenant_id = $1 and action = 'user.log_in_failed'`, [
      tenant.id,
    ])
  const written = (await rows()).length
  assert.equal((await logIn(tenant, '192.0.2.1', 'x'.repeat(150), 'wrong')).status, 429)
  assert.equal((await rows()).length, written)
})

test('a password that was stored at another cost opens, also twice at once, and is stored anew; nothing else changes', async () => {
  const tenant = await service.tenant()
  const { id, email, password, hash: old } = await aFormerUser(tenant)
  const { changed } = await stored(tenant)
  assert.equal((await logIn(tenant, '192.0.2.1', email, 'wrong')).status, 401)
  assert.equal((await stored(tenant)).hash, old)
  const both = await Promise.all([1, 2].map(() => logIn(tenant, '192.0.2.1', email, password)))
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  const renewed = await stored(tenant)
  assert.match(renewed.hash, /^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
  assert.deepEqual(renewed.changed, changed)
  const caller = from(tenant, '192.0.2.1').with({ cookie: `sid=${both[0]?.cookies.get('sid')?.value}` })
  assert.equal((await caller.get('/api/method/frappe.auth.get_logged_user')).body.message, email)
  assert.equal((await logIn(tenant, '192.0.2.1', email, password)).status, 200)
  assert.equal((await stored(tenant)).hash, renewed.hash)
  const { audit, events } = await tenant.traces(id)
  const logIns = ['user.logged_in', 'user.logged_in', 'user.logged_in']
  assert.deepEqual([audit, events], [['user.created', 'user.log_in_failed', ...logIns], ['user.created']])
})
