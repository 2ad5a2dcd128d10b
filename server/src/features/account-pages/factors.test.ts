import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { forgetPasskeys } from '../../identity/passkeys/index.ts'
import { type Factor, forgetCodes, grantRoles, saveRequiredFactors } from '../../identity/users/index.ts'
import { aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller, type RecordResponse } from '../../testing/fixtures/record-caller.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aPageUser, besideTransaction, requireFactors } from './account-pages.fixture.ts'
import { getOptions, TestDevice } from './passkey.fixture.ts'

const service = await startTestService()
const { origin } = new URL(service.address)
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const cookie = (response: RecordResponse, name = 'sid') =>
  `${name}=${encodeURIComponent(response.cookies.get(name)?.value ?? '')}`
const getToken = ({ text }: RecordResponse) => /name="csrf_token" value="([\w-]+)"/.exec(text)?.[1] as string
const sealedOf = ({ text }: RecordResponse) => /name="sealed" value="([^"]+)"/.exec(text)?.[1] as string
const operator = { actor: { type: 'operator', id: null, name: 'test' }, requestId: null, address: null } as const

/** A user with a role that requires a factor, who logs in by password. */
async function somebodyRequired(anyOf: readonly Factor[], role = 'Instructor') {
  const who = await aPageUser(service, [role])
  const { guest, email, password, tenant } = who
  await requireFactors(service, tenant, role, anyOf)
  const logIn = (query = '') => guest.post(`/login${query}`, form({ usr: email, pwd: password }))
  /** The pending log-in after the password. */
  const half = async () => {
    const response = await logIn()
    assert.deepEqual([response.headers.get('location'), response.cookies.has('sid')], ['./login-factor', false])
    return guest.with({ cookie: cookie(response, 'log_in_step') })
  }
  const setUpCodes = async (by: RecordCaller) => {
    const page = await by.get('/sign-in-code')
    const secret = /<strong>([A-Z2-7 ]+)<\/strong>/.exec(page.text)?.[1]?.replaceAll(' ', '') as string
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const fields = { csrf_token: getToken(page), sealed: sealedOf(page), code }
    return { secret, fields, answer: await by.post('/sign-in-code', form(fields)) }
  }
  const device = new TestDevice(origin)
  const addPasskey = async (by: RecordCaller) => {
    const page = await by.get('/sign-in-passkey')
    const given = { csrf_token: getToken(page), sealed: sealedOf(page), name: 'Phone' }
    return by.post('/sign-in-passkey', form({ ...given, answer: device.create(getOptions(page.text)) }))
  }
  const usePasskey = async () => {
    const page = await guest.get('/login-passkey')
    const by = guest.with({ cookie: cookie(page, 'passkey') })
    return by.post('/login-passkey', form({ answer: device.get(getOptions(page.text)) }))
  }
  return { ...who, logIn, half, setUpCodes, device, addPasskey, usePasskey }
}

const isIn = async (caller: RecordCaller) => (await caller.get('/me')).status === 200

test('required factors: a user without one sets it up after the password and is then logged in', async () => {
  const { guest, half, setUpCodes, logIn, tenant, id } = await somebodyRequired(['code', 'passkey'])
  const by = await half()
  const page = await by.get('/login-factor')
  assert.match(page.text, /Hillside School requires a second step for people in your role/)
  assert.match(page.text, /href="\.\/sign-in-code"[\s\S]*Set up one-time codes/)
  assert.match(page.text, /href="\.\/sign-in-passkey"[\s\S]*|Add a passkey/)
  const secret = /log_in_step=([^;]+)/.exec(cookie(await logIn(), 'log_in_step'))?.[1] as string
  for (const path of ['/me', '/sign-in', '/update-password']) assert.equal((await by.get(path)).status, 303, path)
  assert.equal((await guest.with({ cookie: `sid=${secret}` }).get('/api/resource/Student')).status, 403)
  assert.equal((await by.post('/login-code', form({ code: '123456' }))).status, 401)
  const first = await by.get('/sign-in-code')
  const forged = form({ csrf_token: 'guess', sealed: sealedOf(first), code: '1' })
  assert.equal((await by.post('/sign-in-code', forged)).status, 400)
  const { answer: response, fields } = await setUpCodes(by)
  assert.equal(response.status, 200)
  assert.equal([...response.text.matchAll(/<code>/g)].length, 10)
  const me = guest.with({ cookie: cookie(response) })
  assert.match((await me.get('/sign-in')).text, /with the password, and a one-time code/)
  const again = await by.post('/sign-in-code', form(fields))
  assert.deepEqual([again.status, again.cookies.has('sid')], [303, false], 'the step is over')
  assert.equal((await logIn()).headers.get('location'), './login-code', 'from now on the code is asked')
  const { audit } = await tenant.traces(id)
  assert.ok(audit.includes('user.codes_added') && audit.includes('user.logged_in'))
})

test('required factors: a passkey is set up once; the password alone cannot add another', async () => {
  const { guest, half, addPasskey, usePasskey, setUpCodes } = await somebodyRequired(['passkey'], 'Guardian')
  const added = await addPasskey(await half())
  assert.equal(added.status, 303)
  assert.ok(await isIn(guest.with({ cookie: cookie(added) })))
  const thief = await half()
  const page = await thief.get('/login-factor')
  assert.match(page.text, /Log in with a passkey/)
  assert.doesNotMatch(page.text, /Add a passkey|Set up one-time codes/)
  for (const path of ['/sign-in-passkey', '/sign-in-code']) {
    assert.equal((await thief.get(path)).headers.get('location'), './sign-in', path)
  }
  await assert.rejects(setUpCodes(thief))
  assert.ok(await isIn(guest.with({ cookie: cookie(await usePasskey()) })))
})

test('required factors: a passkey replaces a code; codes and provider accounts replace no passkey', async () => {
  const { tenant, guest, half, addPasskey, usePasskey } = await somebodyRequired(['code'])
  assert.equal((await addPasskey(await half())).status, 303)
  assert.ok(await isIn(guest.with({ cookie: cookie(await usePasskey()) })))
  await service.database.inspect(
    `insert into issuers (tenant_id, id, key, name, issuer, client_id, client_secret)
     values ($1, gen_random_uuid(), 'google', 'Google', 'https://accounts.google.com', 'x', 'x')`,
    [tenant.id],
  )
  await requireFactors(service, tenant, 'Instructor', ['issuer'])
  const response = await usePasskey()
  assert.deepEqual([response.headers.get('location'), response.cookies.has('sid')], ['./login-factor', false])
  const led = await guest.with({ cookie: cookie(response, 'log_in_step') }).get('/login-factor')
  assert.match(led.text, /href="\.\/login-with\?issuer=google"[^>]*>Log in with Google/)
  assert.doesNotMatch(led.text, /Add a passkey/)
  await service.database.inspect('update issuers set is_active = false where tenant_id = $1', [tenant.id])
  assert.ok(await isIn(guest.with({ cookie: cookie(await usePasskey()) })), 'without an issuer nobody is locked out')
})

test('required factors: the password alone adds nothing where a provider account is required', async () => {
  const { tenant, half, id } = await somebodyRequired(['issuer'])
  await service.database.inspect(
    `insert into issuers (tenant_id, id, key, name, issuer, client_id, client_secret)
     values ($1, gen_random_uuid(), 'google', 'Google', 'https://accounts.google.com', 'x', 'x')`,
    [tenant.id],
  )
  const thief = await half()
  for (const path of ['/sign-in-passkey', '/sign-in-code']) {
    assert.equal((await thief.get(path)).headers.get('location'), './sign-in', path)
  }
  assert.deepEqual((await tenant.traces(id)).audit, ['user.created'])
})

test('required factors: requirements for all staff and for everybody apply', async () => {
  const { tenant, guest, email, password } = await aPageUser(service, ['Instructor'])
  const other = await aUser(service, tenant, { email: 'student@school.example', roles: ['Student'] })
  const opens = async (usr: string, pwd: string) => (await guest.post('/login', form({ usr, pwd }))).cookies.has('sid')
  const student = guest.with({
    cookie: cookie(await guest.post('/login', form({ usr: other.email, pwd: other.password }))),
  })
  await requireFactors(service, tenant, 'Desk User', ['code'])
  assert.deepEqual(
    [await opens(email, password), await opens(other.email, other.password), await isIn(student)],
    [false, true, true],
  )
  await requireFactors(service, tenant, 'All', ['code'])
  assert.deepEqual([await opens(other.email, other.password), await isIn(student)], [false, false])
})

test('required factors: a pending log-in must meet a new requirement', async () => {
  const { tenant, guest, email, password } = await aPageUser(service, ['Instructor'])
  const [{ id: roleId } = { id: '' }] = await service.database.inspect<{ id: string }>(
    `select id from roles where tenant_id = $1 and name = 'Instructor'`,
    [tenant.id],
  )
  const required = (anyOf: readonly Factor[]) => ({ role: 'Instructor', anyOf })
  const response = await besideTransaction(
    service,
    tenant.id,
    (tx) => saveRequiredFactors(tx, { ...operator, tenant }, roleId, required([]), required(['code'])),
    () => guest.post('/login', form({ usr: email, pwd: password })),
  )
  assert.deepEqual([response.headers.get('location'), response.cookies.has('sid')], ['./login-factor', false])
})

test('required factors: a new requirement or role ends sessions without it, and no others', async () => {
  const { tenant, guest, email, password } = await aPageUser(service, ['Instructor'])
  const other = await aUser(service, tenant, { email: 'student@school.example', roles: ['Student'] })
  const logIn = async (usr: string, pwd: string) =>
    guest.with({ cookie: cookie(await guest.post('/login', form({ usr, pwd }))) })
  const [teacher, student] = [await logIn(email, password), await logIn(other.email, other.password)]
  await requireFactors(service, tenant, 'Instructor', ['code'])
  assert.deepEqual([await isIn(teacher), await isIn(student)], [false, true])
  await service.data.transaction(tenant.id, (tx) =>
    grantRoles(tx, { ...operator, tenant }, other.email, ['Instructor']),
  )
  assert.equal(await isIn(student), false)
  await requireFactors(service, tenant, 'Instructor', [])
  assert.ok(await isIn(await logIn(email, password)), 'nothing is required any more')
  const elsewhere = await aPageUser(service, ['Instructor'])
  const response = await elsewhere.guest.post('/login', form({ usr: elsewhere.email, pwd: elsewhere.password }))
  assert.ok(response.cookies.has('sid'))
})

test('required factors: a role that a form gives, or enables again, ends sessions without it', async () => {
  const { tenant, guest, email, password } = await aPageUser(service, ['Student'])
  const manager = new ResourceClient(service, tenant)
  const logIn = async () =>
    guest.with({ cookie: cookie(await guest.post('/login', form({ usr: email, pwd: password }))) })
  const give = async (roles: readonly string[]) =>
    assert.equal((await manager.update('User', email, { roles: roles.map((role) => ({ role })) })).error, null)
  const disable = async (disabled: number) =>
    assert.equal((await manager.update('Role', 'Instructor', { disabled })).error, null)
  await requireFactors(service, tenant, 'Instructor', ['code'])
  const student = await logIn()
  await give(['Student', 'Guardian'])
  assert.ok(await isIn(student))
  await give(['Student', 'Instructor'])
  assert.equal(await isIn(student), false)
  await disable(1)
  const again = await logIn()
  assert.ok(await isIn(again))
  await disable(0)
  assert.equal(await isIn(again), false)
})

test('required factors: Frappe clients get a message, API keys work, and the operator can reset', async () => {
  const { guest, email, password, tenant, half, setUpCodes, addPasskey } = await somebodyRequired(['code'])
  const { status, body, cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
  assert.deepEqual([status, body.exc_type, cookies.has('log_in_step')], [403, 'PermissionError', false])
  assert.match(body._server_messages, /more than a password. Log in once in a browser/)
  assert.ok(!['sid', 'system_user'].some((name) => /[\w-]{20}/.test(cookies.get(name)?.value ?? '')))
  const roles = ['Instructor']
  const { secret } = await tenant.token({ kind: 'resource', name: 'sync', scopes: [], masterDomains: [], roles })
  assert.equal((await guest.with({ authorization: secret }).get('/api/method/frappe.auth.get_logged_user')).status, 200)
  assert.equal((await setUpCodes(await half())).answer.status, 200)
  const asked = await guest.post('/api/method/login', { usr: email, pwd: password })
  assert.deepEqual([asked.status, asked.body.verification.method], [200, 'OTP App'])
  const reset = (forget: typeof forgetCodes | typeof forgetPasskeys) =>
    service.data.transaction<unknown>(tenant.id, (tx) => forget(tx, { ...operator, tenant }, email))
  await reset(forgetCodes)
  assert.equal((await addPasskey(await half())).status, 303)
  await reset(forgetPasskeys)
  assert.equal((await setUpCodes(await half())).answer.status, 200)
})

test('required factors: concurrent set-ups open one session, and none at another institution', async () => {
  const { half, tenant } = await somebodyRequired(['code'])
  const by = await half()
  const page = await by.get('/sign-in-code')
  const secret = /<strong>([A-Z2-7 ]+)<\/strong>/.exec(page.text)?.[1]?.replaceAll(' ', '') as string
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const fields = form({ csrf_token: getToken(page), sealed: sealedOf(page), code })
  const answers = await Promise.all(Array.from({ length: 8 }, () => by.post('/sign-in-code', fields)))
  assert.equal(answers.filter(({ cookies }) => (cookies.get('sid')?.value.length ?? 0) > 20).length, 1)
  const other = await somebodyRequired(['code'])
  const theirs = await other.half()
  const { address } = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const step = await other.logIn()
  const caller = new RecordCaller(address, { cookie: cookie(step, 'log_in_step') })
  assert.equal((await caller.get('/login-factor')).headers.get('location'), './login')
  assert.equal((await theirs.get('/login-factor')).status, 200)
})
