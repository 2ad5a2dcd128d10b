import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSecret } from '../../identity/secrets.ts'
import { aRecordCaller, aUser, pdf } from '../../testing/fixtures/factories.ts'
import { RecordCaller, type RecordResponse } from '../../testing/fixtures/record-caller.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { withinASecond } from '../../testing/fixtures/waiting.ts'

const service = await startTestService({ authFailuresPerMinute: 30 })
const base = new RecordCaller(service.address)
const whoAmI = '/api/method/frappe.auth.get_logged_user'

const at = (tenant: TestTenant) => new RecordCaller(`${service.address}/t/${tenant.slug}`)
const base64 = (text: string) => Buffer.from(text).toString('base64')

async function aKey(tenant: TestTenant, roles = ['System Manager']) {
  return tenant.token({ kind: 'resource', name: 'portal', scopes: [], masterDomains: [], roles })
}

test('a key opens its tenant bare, as token, Basic or Bearer, at its own address and at the service’s', async () => {
  const tenant = await service.tenant()
  const { id, secret } = await aKey(tenant)
  const forms = [
    secret,
    `token ${id}:${secret}`,
    `TOKEN ${id.toUpperCase()}:${secret}`,
    `Basic ${base64(`${id}:${secret}`)}`,
    `Bearer ${secret}`,
    `  ${secret}  `,
  ]
  for (const authorization of forms) {
    for (const caller of [base, at(tenant)]) {
      const { status, body, headers } = await caller.with({ authorization }).get(whoAmI)
      assert.deepEqual(
        [authorization.slice(0, 6), status, body],
        [authorization.slice(0, 6), 200, { message: 'Administrator' }],
      )
      assert.ok(headers.get('request-id'))
      assert.match(headers.get('ratelimit') ?? '', /^"default";r=\d+;t=\d+$/)
    }
  }
  const limited = await aKey(tenant, ['Student'])
  assert.equal((await base.with({ authorization: limited.secret }).get(whoAmI)).body.message, 'portal')
})

test('a bad key is 401 AuthenticationError and ends the session that was sent along; one that cannot be read is 400', async () => {
  const tenant = await service.tenant()
  const { id, secret } = await aKey(tenant)
  const client = await tenant.token()
  const bad = [
    'mtr_short',
    newSecret('resource'),
    `${secret}x`,
    client.secret,
    `Bearer ${client.secret}`,
    `token ${secret}`,
    `token ${client.id}:${secret}`,
    `Basic ${base64(secret)}`,
    `Digest ${secret}`,
  ]
  for (const authorization of bad) {
    const { status, body, cookies } = await base.with({ authorization, cookie: 'sid=known' }).get(whoAmI)
    assert.deepEqual([authorization, status, body.exc_type], [authorization, 401, 'AuthenticationError'])
    assert.match(cookies.get('sid')?.line ?? '', /Expires=Thu, 01 Jan 1970/)
    assert.ok(!JSON.stringify(body).includes(secret))
    assert.equal((await base.with({ authorization }).get(whoAmI)).cookies.size, 0)
  }
  const unreadable = await base.with({ authorization: 'Basic ***' }).get(whoAmI)
  assert.deepEqual([unreadable.status, unreadable.body.exc_type], [400, 'InvalidAuthorizationToken'])
  assert.equal((await base.with({ authorization: `token ${id}:${secret}` }).get(whoAmI)).status, 200)
})

test('without credentials, or with a header of three words, everything but ping, login and logout is 403', async () => {
  const tenant = await service.tenant()
  for (const caller of [base, at(tenant), at(tenant).with({ authorization: 'one two three' })]) {
    for (const path of [
      whoAmI,
      '/api/resource/Company',
      '/api/resource/Nonsense',
      '/api/v2/document/Company',
      '/api/method/frappe.client.get_list?doctype=Company',
    ]) {
      const { status, body } = await caller.get(path)
      assert.deepEqual([path, status], [path, 403])
      assert.equal(body.exc_type ?? body.errors[0].type, 'PermissionError')
    }
    assert.deepEqual((await caller.get('/api/method/ping')).body, { message: 'pong' })
    assert.equal((await caller.get('/api/method/logout')).status, 200)
    assert.equal((await caller.post('/api/method/login')).status, 401)
  }
})

test('a key is refused at another tenant’s address, and nobody is at an address without a tenant', async () => {
  const [one, other] = [await service.tenant(), await service.tenant()]
  const { secret } = await aKey(one)
  const { status, body } = await at(other).with({ authorization: secret }).get(whoAmI)
  assert.deepEqual([status, body.exc_type], [401, 'AuthenticationError'])
  for (const path of ['/t/nobody/api/method/ping', '/t//api/method/ping', '/t/nobody']) {
    const nowhere = await base.with({ authorization: secret }).get(path)
    assert.deepEqual([path, nowhere.status, nowhere.body.exc_type], [path, 404, 'DoesNotExistError'])
  }
})

test('the host name of a tenant is its address, whatever its case, and other keys are refused there', async () => {
  const [one, other] = [await service.tenant(), await service.tenant()]
  await one.change({ host: 'school.example.org' })
  const { email, password } = await aUser(service, one)
  const send = (authorization: string | null, path: string) =>
    service.app.inject({
      method: 'POST',
      url: path,
      headers: { host: 'School.Example.org:8080', ...(authorization !== null && { authorization }) },
      payload: { usr: email, pwd: password },
    })
  assert.equal((await send((await aKey(one)).secret, whoAmI)).statusCode, 200)
  assert.equal((await send((await aKey(other)).secret, whoAmI)).statusCode, 401)
  const login = await send(null, '/api/method/login')
  assert.deepEqual([login.statusCode, login.json().message], [200, 'Logged In'])
  assert.match(String(login.headers['set-cookie']), /sid=[\w-]{43}; Max-Age=612000; Path=\/;/)
})

test('at its host name a tenant’s people log in and reach its records and files, and nobody of another does', async () => {
  const [one, other] = [await service.tenant(), await service.tenant()]
  await one.change({ host: 'localhost' })
  const host = new RecordCaller(service.address.replace('127.0.0.1', 'localhost'))
  const { email, password } = await aUser(service, one)
  await aUser(service, other)
  const logIn = (at: RecordCaller) => at.post('/api/method/login', { usr: email, pwd: password })
  const getSid = ({ cookies }: RecordResponse) => ({ cookie: `sid=${cookies.get('sid')?.value}` })
  const staff = host.with(getSid(await logIn(host)))
  const made = await staff.post('/api/resource/Room', { room_name: 'Aula' })
  assert.equal(made.status, 200, made.text)
  const form = new FormData()
  form.append('file', new Blob([pdf as never]), 'plan.pdf')
  form.append('is_private', '1')
  const { file_url } = (await staff.send('POST', '/api/method/upload_file', form)).body.message
  assert.ok((await staff.get(file_url)).bytes.equals(pdf))
  assert.equal(
    (
      await at(one)
        .with(getSid(await logIn(at(one))))
        .get(file_url)
    ).status,
    200,
  )
  const otherTenant = host.with(getSid(await logIn(at(other))))
  const { secret } = await aKey(other)
  for (const [caller, status] of [
    [otherTenant, 403],
    [host, 403],
    [host.with({ authorization: secret }), 401],
    [at(one).with({ authorization: secret }), 401],
  ] as const) {
    for (const path of [file_url, '/api/resource/Room', whoAmI]) assert.equal((await caller.get(path)).status, status)
  }
})

test('a suspended tenant is refused within a second, and so is a revoked or expired key', async () => {
  const tenant = await service.tenant()
  const caller = await aRecordCaller(service, tenant)
  assert.equal((await caller.get(whoAmI)).status, 200)
  await tenant.change({ status: 'suspended' })
  await withinASecond(async () => (await caller.get(whoAmI)).status === 403)
  const { body } = await at(tenant).post('/api/method/login', { usr: 'a', pwd: 'b' })
  assert.match(body._error_message, /suspended/)
  await tenant.change({ status: 'active' })
  const expired = await tenant.token({ kind: 'resource', roles: ['System Manager'], expiresInSeconds: 0 })
  const { status, body: rejection } = await base.with({ authorization: expired.secret }).get(whoAmI)
  assert.deepEqual([status, /has expired/.test(rejection.message)], [401, true])
})

test('a key opens nothing by a role that is disabled, and all that it did once it is enabled', async () => {
  const tenant = await service.tenant()
  const manager = await aRecordCaller(service, tenant)
  const { secret } = await aKey(tenant, ['Academics User', 'Accounts User'])
  const caller = base.with({ authorization: secret })
  const open = async () => [
    (await caller.get('/api/resource/Student')).status,
    (await caller.get('/api/resource/Payment%20Entry')).status,
  ]
  const disable = async (role: string, disabled: number) =>
    (await manager.put(`/api/resource/Role/${encodeURIComponent(role)}`, { disabled })).status
  assert.deepEqual(await open(), [200, 200])
  assert.equal(await disable('Academics User', 1), 200)
  await withinASecond(async () => (await open()).join() === '403,200')
  assert.equal(await disable('Academics User', 0), 200)
  await withinASecond(async () => (await open()).join() === '200,200')
  for (const role of ['System Manager', 'All', 'Guest', 'Desk User']) assert.equal(await disable(role, 1), 417, role)
})

test('a key has its quota, and a request beyond it is 429 with Retry-After', async () => {
  const tenant = await service.tenant()
  const { secret } = await tenant.token({ kind: 'resource', roles: ['System Manager'], requestsPerMinute: 2 })
  const caller = base.with({ authorization: secret })
  const answers = [await caller.get(whoAmI), await caller.get(whoAmI), await caller.get(whoAmI)]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429],
  )
  assert.equal(answers[2]?.body.exc_type, 'TooManyRequestsError')
  assert.ok(Number(answers[2]?.headers.get('retry-after')) >= 1)
  assert.equal(answers[0]?.headers.get('x-ratelimit-limit'), '2')
})

test('after too many bad keys from an address unknown ones are 429 without a look, and known ones pass', async () => {
  const tenant = await service.tenant()
  const caller = await aRecordCaller(service, tenant)
  assert.equal((await caller.get(whoAmI)).status, 200)
  const tried = async () => (await base.with({ authorization: 'mtr_bad' }).get(whoAmI)).status
  const statuses = new Set<number>()
  for (let attempt = 0; attempt < 31; attempt += 1) statuses.add(await tried())
  assert.ok(statuses.has(429))
  const throttled = await base.with({ authorization: newSecret('resource') }).get(whoAmI)
  assert.deepEqual([throttled.status, throttled.body.exc_type], [429, 'TooManyRequestsError'])
  assert.ok(Number(throttled.headers.get('retry-after')) >= 1)
  assert.equal((await caller.get(whoAmI)).status, 200)
})

test('no key, cookie or name of a person stands in the log', async () => {
  const tenant = await service.tenant()
  const { secret } = await aKey(tenant)
  const { email, password } = await aUser(service, tenant, { email: 'secret.person@school.example' })
  await base.with({ authorization: secret }).get(whoAmI)
  const { cookies } = await at(tenant).post('/api/method/login', { usr: email, pwd: password })
  const log = service.logged.join('')
  assert.ok(log.includes('recordApi'))
  for (const word of [secret, cookies.get('sid')?.value as string, email, password, 'Ada Byron']) {
    assert.ok(!log.includes(word), word)
  }
})
