import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { forgetPasskeys } from '../../identity/passkeys/index.ts'
import { setEnabled } from '../../identity/users/index.ts'
import { RecordCaller, type RecordResponse } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aPageUser } from './account-pages.fixture.ts'
import { getOptions, TestDevice } from './passkey.fixture.ts'

const service = await startTestService()
const { origin } = new URL(service.address)
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const cookie = (response: RecordResponse, name = 'sid') =>
  `${name}=${encodeURIComponent(response.cookies.get(name)?.value ?? '')}`
const getToken = ({ text }: RecordResponse) => /name="csrf_token" value="([\w-]+)"/.exec(text)?.[1] as string
const sealedOf = ({ text }: RecordResponse) => /name="sealed" value="([^"]+)"/.exec(text)?.[1] as string
const operator = { actor: { type: 'operator', id: null, name: 'test' }, requestId: null, address: null } as const

/** A user logged in by password, with a device that has no passkey yet. */
async function somebodyWithDevice(roles?: readonly string[]) {
  const who = await aPageUser(service, roles)
  const { guest, email, password, tenant, id } = who
  const logIn = async () =>
    guest.with({ cookie: cookie(await guest.post('/login', form({ usr: email, pwd: password }))) })
  const me = await logIn()
  const device = new TestDevice(origin)
  const send = async (response: (options: never) => string, fields: Record<string, string> = {}) => {
    const page = await me.get('/sign-in-passkey')
    const given = { csrf_token: getToken(page), sealed: sealedOf(page), name: 'My phone', ...fields }
    return me.post('/sign-in-passkey', form({ ...given, answer: response(getOptions(page.text) as never) }))
  }
  const traces = async () => (await tenant.traces(id)).audit
  return { ...who, me, logIn, device, send, traces }
}

/** A user with a passkey. */
async function somebodyWithPasskey(roles?: readonly string[]) {
  const who = await somebodyWithDevice(roles)
  const { device, guest, send } = who
  const added = await send((options) => device.create(options))
  assert.deepEqual([added.status, added.headers.get('location')], [303, './sign-in?done=1'], added.text)
  /** Logs in by passkey as the page does, with the given device response. */
  const use = async (response: (options: never) => string, caller: RecordCaller = guest, query = '') => {
    const page = await caller.get(`/login-passkey${query}`)
    const by = caller.with({ cookie: cookie(page, 'passkey') })
    const text = response(getOptions(page.text) as never)
    const post = () => by.post(`/login-passkey${query}`, form({ answer: text }))
    return { page, post, answer: await post() }
  }
  return { ...who, use }
}

async function reasons(tenantId: string, userId: string | null): Promise<string[]> {
  const rows = await service.database.inspect<{ reason: string }>(
    `select after->>'reason' as reason from audit_entries
      where tenant_id = $1 and entity_id is not distinct from $2 and action = 'user.log_in_failed' order by occurred_at, id`,
    [tenantId, userId],
  )
  return rows.map(({ reason }) => reason)
}

for (const role of ['Student', 'Guardian', 'Instructor']) {
  test(`passkeys: a ${role} logs in by one alone, sees its last use, and removes it`, async () => {
    const { guest, device, use, tenant, traces, id, email } = await somebodyWithPasskey([role])
    const query = `?redirect-to=/t/${tenant.slug}/sign-in`
    const { answer: response } = await use((options) => device.get(options), guest, query)
    assert.deepEqual(
      [response.status, response.headers.get('location')],
      [303, `/t/${tenant.slug}/sign-in`],
      response.text,
    )
    const now = guest.with({ cookie: cookie(response) })
    const page = await now.get('/sign-in')
    assert.match(page.text, /with a passkey/)
    assert.match(page.text, /<strong>My phone<\/strong>[\s\S]*Last used/)
    const [, passkey = ''] =
      /value="remove-passkey">\s*<input type="hidden" name="id" value="([\w-]+)"/.exec(page.text) ?? []
    const remove = (csrf_token: string) =>
      now.post('/sign-in', form({ csrf_token, doing: 'remove-passkey', id: passkey }))
    assert.equal((await remove('guess')).status, 400)
    assert.equal((await remove(getToken(page))).status, 303)
    assert.equal((await use((options) => device.get(options))).answer.status, 401)
    const audit = await traces()
    for (const action of ['user.passkey_added', 'user.logged_in', 'user.passkey_removed']) {
      assert.ok(audit.includes(action), action)
    }
    const mails = await service.database.inspect(
      'select kind, recipient from outgoing_mails where tenant_id = $1 and entity_id = $2 order by created_at, id',
      [tenant.id, id],
    )
    assert.deepEqual(mails, [
      { kind: 'sign_in_added', recipient: email },
      { kind: 'sign_in_removed', recipient: email },
    ])
  })
}

test('passkeys: the page stores nothing, runs only its own script, and names no person', async () => {
  const { guest, device, send, id, email } = await somebodyWithDevice()
  const page = await guest.get('/login-passkey')
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self';/)
  assert.match(page.text, /<script type="module" src="[^"]*\/passkey\.js"><\/script>/)
  assert.match((await guest.get('/login')).text, /href="\.\/login-passkey"/)
  const asked = getOptions(page.text)
  assert.deepEqual([asked.userVerification, asked.rpId, asked.allowCredentials], ['required', '127.0.0.1', undefined])
  await send((options: { user: { id: string }; authenticatorSelection: object }) => {
    assert.equal(Buffer.from(options.user.id, 'base64url').toString('hex'), id.replaceAll('-', ''))
    assert.deepEqual(options.authenticatorSelection, {
      ...{ residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    })
    return device.create(options as never)
  })
  assert.ok(!service.logged.some((line) => line.includes(email)))
})

test('passkeys: replayed, altered, foreign, unverified and forged responses open nothing', async () => {
  const { use, device, guest, tenant, id } = await somebodyWithPasskey()
  const { post, answer: response } = await use((options) => device.get(options))
  assert.equal(response.status, 303)
  const again = await post()
  assert.deepEqual([again.status, again.cookies.has('sid')], [401, false], 'a challenge is answered once')
  const lies = {
    origin: { origin: 'https://evil.example' },
    'another port': { origin: `${origin}0` },
    challenge: { challenge: 'AAAA' },
    host: { rpId: 'evil.example' },
    unverified: { isVerified: false },
    forged: { isForged: true },
    person: { userHandle: 'AAAA' },
    making: { type: 'webauthn.create' },
    'a counter going back': { counter: 1 },
  }
  for (const [name, lie] of Object.entries(lies)) {
    const lied = await use((options) => device.get(options, lie))
    assert.deepEqual([lied.answer.status, lied.answer.cookies.has('sid')], [401, false], name)
  }
  const texts = [
    '',
    '{}',
    'null',
    '[]',
    '{"id":"AAAA"}',
    '{"id":{"toString":1}}',
    'x'.repeat(30_000),
    '{"id":"AAAA","response":{}}',
  ]
  for (const text of texts) assert.equal((await use(() => text)).answer.status, 401, text.slice(0, 40))
  const otherTenant = new TestDevice(origin)
  assert.match((await use((options) => otherTenant.get(options))).answer.text, /This passkey is not registered here/)
  const page = await guest.get('/login-passkey')
  const stored = device.get(getOptions(page.text))
  for (const caller of [guest, guest.with({ cookie: cookie(await guest.get('/login-passkey'), 'passkey') })]) {
    assert.equal((await caller.post('/login-passkey', form({ answer: stored }))).status, 401, 'another browser')
  }
  const own = guest.with({ cookie: cookie(page, 'passkey') })
  const cross = await own.with({ 'sec-fetch-site': 'cross-site' }).post('/login-passkey', form({ answer: stored }))
  assert.equal(cross.status, 403)
  assert.equal((await own.post('/login-passkey', form({ answer: stored }))).status, 303, 'in its own it does')
  const failed = await reasons(tenant.id, id)
  assert.equal(failed.at(-1), 'passkey_refused')
  assert.ok(failed.includes('passkey_counter') && (await reasons(tenant.id, null)).includes('passkey_unknown'))
})

test('passkeys: concurrent responses open one session, also with the same counter', async () => {
  const { guest, device } = await somebodyWithPasskey()
  const ask = async () => {
    const page = await guest.get('/login-passkey')
    return { options: getOptions(page.text), by: guest.with({ cookie: cookie(page, 'passkey') }) }
  }
  const statuses = async (attempts: { by: RecordCaller; answer: string }[]) => {
    const answers = await Promise.all(
      attempts.map(({ by, answer: response }) => by.post('/login-passkey', form({ answer: response }))),
    )
    return answers.map(({ status }) => status).sort()
  }
  const [one, other] = [await ask(), await ask()]
  const response = device.get(one.options)
  assert.deepEqual(
    await statuses([
      { ...one, answer: response },
      { ...one, answer: response },
    ]),
    [303, 401],
  )
  const third = await ask()
  const counter = 100
  const copies = [other, third].map(({ by, options }) => ({ by, answer: device.get(options, { counter }) }))
  assert.deepEqual(await statuses(copies), [303, 401])
})

test('passkeys: a synchronised one without a counter works repeatedly, each response once', async () => {
  const { send, device, guest } = await somebodyWithDevice()
  const counter = 0
  assert.equal((await send((options) => device.create(options, { counter }))).status, 303)
  for (let time = 0; time < 2; time += 1) {
    const page = await guest.get('/login-passkey')
    const by = guest.with({ cookie: cookie(page, 'passkey') })
    const response = device.get(getOptions(page.text), { counter })
    assert.equal((await by.post('/login-passkey', form({ answer: response }))).status, 303)
    const again = await by.post('/login-passkey', form({ answer: response }))
    assert.deepEqual([again.status, again.cookies.has('sid')], [401, false])
  }
})

test('passkeys: invalid at another institution, for a disabled user, and by another host name', async () => {
  const { device, use, tenant, email } = await somebodyWithPasskey()
  const other = await somebodyWithPasskey()
  const elsewhere = await use((options) => device.get(options), other.guest)
  assert.deepEqual([elsewhere.answer.status, elsewhere.answer.cookies.has('sid')], [401, false])
  await tenant.change({ host: 'localhost' })
  const byHost = new RecordCaller(service.address.replace('127.0.0.1', 'localhost'))
  const page = await use((options) => device.get(options, { origin: byHost.address }), byHost)
  assert.deepEqual([getOptions(page.page.text).rpId, page.answer.status], ['localhost', 401])
  const enable = (isEnabled: boolean) =>
    service.data.transaction(tenant.id, (tx) => setEnabled(tx, { ...operator, tenant }, email, isEnabled))
  await enable(false)
  const closed = await use((options) => device.get(options))
  assert.deepEqual([closed.answer.status, closed.answer.cookies.has('sid')], [401, false])
  assert.match(closed.answer.text, /This account has been closed/)
  await enable(true)
  assert.equal((await use((options) => device.get(options))).answer.status, 303)
})

test('passkeys: added once, by its own recent session, verified, for this origin', async () => {
  const { me, send, device, guest, id, logIn } = await somebodyWithDevice()
  const refused = async (response: (options: never) => string, fields: Record<string, string> = {}) => {
    const { status } = await send(response, fields)
    assert.ok([400, 417].includes(status), String(status))
  }
  await refused((options) => device.create(options), { csrf_token: 'guess' })
  await refused((options) => device.create(options), { sealed: 'guess' })
  for (const lie of [
    { origin: 'https://evil.example' },
    { isVerified: false },
    { challenge: 'AAAA' },
    { rpId: 'evil' },
    { isCertified: true },
    { credentialId: randomBytes(4000) },
  ]) {
    await refused((options) => device.create(options, lie))
  }
  await refused((options) => device.create(options).replace(/"attestationObject":"[^"]*"/, '"attestationObject":"oA"'))
  await refused(() => '')
  const [page, second] = [await me.get('/sign-in-passkey'), await logIn()]
  const response = device.create(getOptions(page.text))
  const theirs = {
    csrf_token: getToken(await second.get('/sign-in-passkey')),
    sealed: sealedOf(page),
    name: 'x',
    answer: response,
  }
  assert.equal((await second.post('/sign-in-passkey', form(theirs))).status, 417, 'what was asked of another session')
  const given = { ...theirs, csrf_token: getToken(page), name: '  <b>My\u202e phone</b> ' }
  assert.equal((await me.post('/sign-in-passkey', form(given))).status, 303)
  assert.equal((await me.post('/sign-in-passkey', form(given))).status, 417)
  await refused((options) => device.create(options))
  assert.match((await me.get('/sign-in')).text, /&#60;b&#62;My\s+phone/)
  const named = await service.database.inspect('select rp_id, transports from passkeys where user_id = $1', [id])
  assert.deepEqual(named, [{ rp_id: '127.0.0.1', transports: ['internal'] }])
  assert.equal((await guest.get('/sign-in-passkey')).headers.get('location'), './sign-in')
  await service.database.inspect(`update sessions set created_at = now() - interval '31 minutes' where user_id = $1`, [
    id,
  ])
  assert.equal((await me.get('/sign-in-passkey')).headers.get('location'), './sign-in')
})

test('passkeys: the operator removes those of a user, and sessions end', async () => {
  const { tenant, email, use, device, me, traces } = await somebodyWithPasskey()
  const forget = (user: string) =>
    service.data.transaction(tenant.id, (tx) => forgetPasskeys(tx, { ...operator, tenant }, user))
  assert.deepEqual([await forget(email), await forget(email)], [1, 0])
  assert.equal((await me.get('/sign-in')).status, 303)
  assert.equal((await use((options) => device.get(options))).answer.status, 401)
  assert.ok((await traces()).includes('user.passkey_removed'))
  await assert.rejects(forget('nobody@school.example'), /There is no user/)
})

test('passkeys: an address with many failures must wait, also with a valid one', async () => {
  const { tenant, use, device } = await somebodyWithPasskey()
  assert.equal((await use(() => 'nonsense')).answer.status, 401)
  await service.database.inspect(
    'update attempt_counts set attempts = attempts + 99, counted_at = now() where tenant_id = $1',
    [tenant.id],
  )
  const { answer: response } = await use((options) => device.get(options))
  assert.deepEqual([response.status, response.cookies.has('sid')], [429, false], response.text)
  assert.ok(Number(response.headers.get('retry-after')) > 0)
})

test('passkeys: without https the page says what to configure and asks no device', async () => {
  const { tenant } = await aPageUser(service)
  await tenant.change({ host: 'school.example' })
  const page = (host: string, url: string, method: 'GET' | 'POST' = 'GET') =>
    service.app.inject({ method, url, headers: { host, origin: `https://${host}`, 'x-forwarded-proto': 'https' } })
  for (const method of ['GET', 'POST'] as const) {
    const { statusCode, body } = await page('school.example', '/login-passkey', method)
    assert.equal(statusCode, method === 'GET' ? 200 : 417)
    assert.match(body, /the service does not see HTTPS at this address\. .*TRUSTED_PROXIES/)
    assert.doesNotMatch(body, /id="passkey"|<script/)
  }
  for (const [host, path] of [
    ['matricula.example', `/t/${tenant.slug}`],
    ['localhost', `/t/${tenant.slug}`],
  ] as const) {
    const { body } = await page(host, `${path}/login-passkey`)
    assert.doesNotMatch(body, /TRUSTED_PROXIES/, host)
    assert.match(body, /id="passkey"/, host)
  }
})

test('passkeys: a new password does not make an old session count as a recent log-in', async () => {
  const { guest, use, device, password, id } = await somebodyWithPasskey()
  const me = guest.with({ cookie: cookie((await use((options) => device.get(options))).answer) })
  const page = await me.get('/update-password')
  await service.database.inspect(`update sessions set created_at = now() - interval '31 minutes' where user_id = $1`, [
    id,
  ])
  const chosen = 'correct horse battery staple'
  const fields = { csrf_token: getToken(page), old_password: password, new_password: chosen, again: chosen }
  const changed = await me.post('/update-password', form(fields))
  assert.equal(changed.status, 303, changed.text)
  const now = guest.with({ cookie: cookie(changed) })
  assert.match((await now.get('/sign-in')).text, /with a passkey/)
  assert.equal((await now.get('/sign-in-passkey')).headers.get('location'), './sign-in')
})
