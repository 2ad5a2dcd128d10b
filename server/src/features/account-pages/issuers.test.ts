import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import {
  type IssuerSettings,
  readIssuers,
  saveIssuer,
  unlinkAccount,
  unlinkAccounts,
} from '../../identity/identity-providers/index.ts'
import { SecretSeal } from '../../identity/sealed-secrets.ts'
import { newCodeSecret, setEnabled, setUpCodes } from '../../identity/users/index.ts'
import { altered } from '../../testing/fixtures/altered.ts'
import { aPerson, aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller, type RecordResponse } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { besideTransaction, requireFactors } from './account-pages.fixture.ts'
import { anIdentityProvider, type ProviderAccount } from './issuer.fixture.ts'

const service = await startTestService({ webhookAllowedNetworks: '127.0.0.0/8' })
const tenant = await service.tenant({ name: 'Hillside School' })
const root = `${service.address}/t/${tenant.slug}`
const accounts: Record<string, ProviderAccount> = {}
const issuer = await anIdentityProvider(accounts, [`${root}/login-back`])
afterFile(() => issuer.close())
const operator = { actor: { type: 'operator', id: null, name: 'test' }, requestId: null, address: null } as const
const seal = new SecretSeal(service.secretKey)

/** Configures the identity provider of an institution. */
async function declare(more: Partial<IssuerSettings> = {}): Promise<void> {
  const after = {
    ...{ key: 'google', name: 'Google', issuer: issuer.address, clientId: issuer.clientId },
    ...{ domains: [], trustsAddresses: false, createsUsers: false, newUserRoles: [], isActive: true },
    ...more,
  }
  await service.data.transaction(tenant.id, async (tx) => {
    const before = (await readIssuers(tx)).get(after.key) ?? null
    await saveIssuer(tx, { ...operator, tenant }, seal, { before, after, secret: issuer.clientSecret })
  })
}

const guest = new RecordCaller(root)
const getCookie = (response: RecordResponse) =>
  `log_in=${encodeURIComponent(response.cookies.get('log_in')?.value ?? '')}`

/** Logs in at the identity provider from the log-in page and comes back. */
async function comeBack(login: string, query = '') {
  const begun = await guest.get(`/login-with?issuer=google${query}`)
  assert.equal(begun.status, 303, begun.text)
  const back = await issuer.passThrough(begun.headers.get('location') as string, login)
  const cookie = getCookie(begun)
  const path = back.href.slice(root.length)
  return { cookie, path, answer: await guest.with({ cookie }).get(path) }
}

/** The audit of log-ins and accounts, oldest first. */
async function audited(userId: string | null): Promise<string[]> {
  const rows = await service.database.inspect<{ action: string; reason: string | null }>(
    `select action, after->>'reason' as reason from audit_entries
      where tenant_id = $1 and entity_id is not distinct from $2 and action ~ 'log|link' order by occurred_at, id`,
    [tenant.id, userId],
  )
  return rows.map(({ action, reason }) => (reason === null ? action : `${action} ${reason}`))
}

test('identity providers: a verified address links the account to its user, also after it changes', async () => {
  await declare()
  const user = await aUser(service, tenant, { email: 'ada@school.example', roles: ['Student'] })
  accounts.ada = { email: 'Ada@School.example', email_verified: true, name: 'Ada' }
  assert.match((await guest.get('/login')).text, /href="\.\/login-with\?issuer=google"[^>]*>Log in with Google/)
  const { answer: response, cookie, path } = await comeBack('ada', `&redirect-to=/t/${tenant.slug}/sign-in`)
  assert.deepEqual([response.status, response.headers.get('location')], [303, `/t/${tenant.slug}/sign-in`])
  const me = guest.with({ cookie: `sid=${response.cookies.get('sid')?.value}` })
  const page = await me.get('/sign-in')
  assert.match(page.text, /with another account[\s\S]*<strong>Google<\/strong> ada@school\.example/)
  assert.equal(response.cookies.get('log_in')?.value, '')
  const again = await guest.with({ cookie }).get(path)
  assert.deepEqual([again.status, again.cookies.has('sid')], [401, false], 'what came back works once')
  accounts.ada = { email: 'grace@school.example', email_verified: true }
  assert.equal((await comeBack('ada')).answer.status, 303)
  assert.deepEqual(await audited(user.id), ['user.account_linked', 'user.logged_in', 'user.logged_in'])
  const mails = await service.database.inspect('select kind, recipient from outgoing_mails where tenant_id = $1', [
    tenant.id,
  ])
  assert.deepEqual(mails, [{ kind: 'sign_in_added', recipient: 'ada@school.example' }])
  const token = /name="csrf_token" value="([\w-]+)"/.exec(page.text)?.[1] as string
  const [, id = ''] = /value="unlink">\s*<input type="hidden" name="id" value="([\w-]+)"/.exec(page.text) ?? []
  const unlink = (csrf_token: string) => me.post('/sign-in', new URLSearchParams({ csrf_token, doing: 'unlink', id }))
  assert.equal((await unlink('guess')).status, 400)
  assert.equal((await unlink(token)).status, 303)
  assert.equal((await audited(user.id)).at(-1), 'user.account_unlinked')
  assert.equal((await comeBack('ada')).answer.status, 401, 'nobody has the address that the account has now')
  accounts.ada = { email: user.email, email_verified: true }
  const refusedAgain = await comeBack('ada')
  assert.deepEqual([refusedAgain.answer.status, refusedAgain.answer.cookies.has('sid')], [401, false])
  assert.match(refusedAgain.answer.text, /You removed this account/)
  const fields = new URLSearchParams({ usr: user.email, pwd: user.password })
  const now = guest.with({ cookie: `sid=${(await guest.post('/login', fields)).cookies.get('sid')?.value}` })
  const removed = await now.get('/sign-in')
  assert.match(removed.text, /<strong>Google<\/strong><\/p><p class="quiet">Removed/)
  const [, allowed = ''] = /value="allow">\s*<input type="hidden" name="id" value="([\w-]+)"/.exec(removed.text) ?? []
  const csrf = /name="csrf_token" value="([\w-]+)"/.exec(removed.text)?.[1] as string
  const allow = (csrf_token: string) =>
    now.post('/sign-in', new URLSearchParams({ csrf_token, doing: 'allow', id: allowed }))
  assert.equal((await allow('guess')).status, 400)
  assert.equal((await allow(csrf)).status, 303)
  assert.equal((await comeBack('ada')).answer.status, 303, 'the person has asked for it')
})

test('identity providers: unverified, missing and taken addresses link nothing and create no user', async () => {
  await declare()
  const user = await aUser(service, tenant, { email: 'grace.hopper@school.example' })
  accounts.unverified = { email: user.email, email_verified: false }
  accounts.own = { email: user.email }
  accounts.silent = {}
  accounts.stranger = { email: 'nobody@school.example', email_verified: true }
  const texts = {
    unverified: /has not confirmed your e-mail address/,
    silent: /No user here has the e-mail address/,
    stranger: /No user here has the e-mail address/,
  }
  for (const [login, text] of Object.entries(texts)) {
    const { answer: response } = await comeBack(login)
    assert.deepEqual([response.status, response.cookies.has('sid')], [401, false], login)
    assert.match(response.text, text)
  }
  await declare({ trustsAddresses: true, domains: ['school.example'] })
  assert.equal((await comeBack('unverified')).answer.status, 401, 'an issuer that says no is not overruled')
  assert.equal((await comeBack('own')).answer.status, 303)
  accounts.second = { email: user.email, email_verified: true }
  assert.match((await comeBack('second')).answer.text, /A different account at that service/)
  const unlink = () =>
    service.data.transaction(tenant.id, (tx) => unlinkAccounts(tx, { ...operator, tenant }, user.email))
  assert.deepEqual([await unlink(), await unlink()], [1, 0])
  assert.equal((await comeBack('second')).answer.status, 303, 'the account that was made anew')
  assert.match((await comeBack('own')).answer.text, /A different account at that service/)
  assert.deepEqual([await unlink(), (await comeBack('own')).answer.status], [1, 303])
  await service.data.transaction(tenant.id, (tx) => setEnabled(tx, { ...operator, tenant }, user.email, false))
  assert.match((await comeBack('own')).answer.text, /This account has been closed/)
  const reasons = ['issuer_unverified', 'issuer_unknown', 'issuer_otherAccount', 'issuer_disabled']
  const reported = await service.database.inspect<{ reason: string }>(
    `select distinct after->>'reason' as reason from audit_entries where tenant_id = $1 and action = 'user.log_in_failed'`,
    [tenant.id],
  )
  for (const reason of reasons)
    assert.ok(
      reported.some((row) => row.reason === reason),
      reason,
    )
})

test('identity providers: users of configured domains are created with the configured roles', async () => {
  await declare({ createsUsers: true, domains: ['pupils.example'], newUserRoles: ['Student'] })
  accounts.new = { email: 'new@pupils.example', email_verified: true, name: 'Nora New' }
  accounts.foreign = { email: 'new@elsewhere.example', email_verified: true }
  assert.equal((await comeBack('foreign')).answer.status, 401)
  const [one, other] = await Promise.all([comeBack('new'), comeBack('new')])
  assert.deepEqual([one.answer.status, other.answer.status].includes(303), true)
  assert.equal((await comeBack('new')).answer.status, 303)
  const made = await service.database.inspect(
    `select u.full_name, u.password_hash, array_agg(r.role) as roles from users u
       join users_roles r on r.tenant_id = u.tenant_id and r.parent_id = u.id
      where u.tenant_id = $1 and u.name ~ 'new@' group by 1, 2`,
    [tenant.id],
  )
  assert.deepEqual(made, [{ full_name: 'Nora New', password_hash: null, roles: ['Student'] }])
  assert.equal((await guest.post('/login', new URLSearchParams({ usr: 'new@pupils.example', pwd: '' }))).status, 401)
})

test('identity providers: a response with a wrong state, browser, tenant or issuer opens nothing', async () => {
  await declare()
  const other = await service.tenant()
  const elsewhere = new RecordCaller(`${service.address}/t/${other.slug}`)
  accounts.mallory = { email: 'mallory@school.example', email_verified: true }
  await aUser(service, tenant, { email: 'mallory@school.example' })
  /** A log-in at the provider just before the redirect back, whose code can be used once. */
  const aVisit = async () => {
    const begun = await guest.get('/login-with?issuer=google')
    const back = await issuer.passThrough(begun.headers.get('location') as string, 'mallory')
    const changed = (name: string, value: string) => {
      const url = new URL(back)
      url.searchParams.set(name, value)
      return url.href.slice(root.length)
    }
    return {
      cookie: getCookie(begun),
      path: back.href.slice(root.length),
      state: back.searchParams.get('state'),
      changed,
    }
  }
  type Attempt = (visit: Awaited<ReturnType<typeof aVisit>>) => Promise<RecordResponse>
  const attempts: Record<string, Attempt> = {
    'no cookie': ({ path }) => guest.get(path),
    'the cookie of another log-in': async ({ path }) =>
      guest.with({ cookie: getCookie(await guest.get('/login-with?issuer=google')) }).get(path),
    'an altered cookie': ({ cookie, path }) => guest.with({ cookie: altered(cookie) }).get(path),
    'another institution': ({ cookie, path }) => elsewhere.with({ cookie }).get(path),
    'another state': ({ cookie, changed }) => guest.with({ cookie }).get(changed('state', 'x')),
    'another issuer': ({ cookie, changed }) => guest.with({ cookie }).get(changed('iss', 'https://evil.example')),
    'no issuer': ({ cookie, path }) => guest.with({ cookie }).get(path.replace(/&?iss=[^&]*/, '')),
    'another code': ({ cookie, changed }) => guest.with({ cookie }).get(changed('code', 'guess')),
    'two codes': ({ cookie, path }) => guest.with({ cookie }).get(`${path}&code=guess`),
    'a refusal': ({ cookie, state }) => guest.with({ cookie }).get(`/login-back?error=access_denied&state=${state}`),
    nothing: ({ cookie }) => guest.with({ cookie }).get('/login-back'),
  }
  for (const [name, attempt] of Object.entries(attempts)) {
    const { status, cookies } = await attempt(await aVisit())
    assert.deepEqual([status, cookies.has('sid')], [401, false], name)
  }
  const spoilt = await aVisit()
  assert.equal((await attempts['another code']?.(spoilt))?.status, 401)
  const calls = issuer.requests.length
  assert.equal((await guest.with({ cookie: spoilt.cookie }).get(spoilt.path)).status, 401)
  assert.equal(issuer.requests.length, calls, 'the issuer is asked once for each who comes back')
  const unaltered = await aVisit()
  assert.equal((await guest.with({ cookie: unaltered.cookie }).get(unaltered.path)).status, 303, 'unaltered it does')
  for (const [query, location] of [
    ['issuer=none', './login'],
    ['', './login'],
  ] as const) {
    assert.equal((await guest.get(`/login-with?${query}`)).headers.get('location'), location)
  }
  const evil = await comeBack('mallory', '&redirect-to=//evil.example')
  assert.equal(evil.answer.headers.get('location'), './app')
  assert.ok(!service.logged.some((line) => line.includes(issuer.clientSecret) || line.includes('mallory@')))
})

test('identity providers: metadata and keys are cached; unreachable and private ones are reported', async () => {
  await declare()
  const asked = issuer.requests.filter((line) => line.includes('well-known') || line.includes('jwks'))
  await comeBack('ada')
  const later = issuer.requests.filter((line) => line.includes('well-known') || line.includes('jwks'))
  assert.ok(later.length - asked.length <= 2, 'a new secret asks anew, once')
  await comeBack('ada')
  assert.equal(
    issuer.requests.filter((line) => line.includes('well-known') || line.includes('jwks')).length,
    later.length,
  )
  for (const address of ['http://127.0.0.1:9', 'https://169.254.169.254', 'https://issuer.example']) {
    await declare({ issuer: address })
    const { status, text, headers } = await guest.get('/login-with?issuer=google')
    assert.deepEqual([status, headers.get('location')], [503, null], address)
    assert.match(text, /cannot be reached right now/)
  }
})

test('identity providers: a faulty one is reported as such, and logged for the operator', async () => {
  await declare()
  const begun = await guest.get('/login-with?issuer=google')
  const back = await issuer.passThrough(begun.headers.get('location') as string, 'ada')
  issuer.fails(true)
  const response = await guest.with({ cookie: getCookie(begun) }).get(back.href.slice(root.length))
  assert.equal(response.status, 503)
  assert.match(response.text, /That service is not working right now/)
  await declare({ clientId: 'another' })
  assert.match((await guest.get('/login-with?issuer=google')).text, /That service is not working right now/)
  issuer.fails(false)
  await declare()
  const asked = await guest.get('/login-with?issuer=google')
  const state = new URL(asked.headers.get('location') as string).searchParams.get('state')
  const query = new URLSearchParams({ error: 'temporarily_unavailable', state: String(state), iss: issuer.address })
  const reported = await guest.with({ cookie: getCookie(asked) }).get(`/login-back?${query}`)
  assert.match(reported.text, /That service is not working right now/)
  const lines = service.logged.filter((line) => line.includes('a log-in at an identity provider failed'))
  assert.ok(lines.some((line) => line.includes('"issuer":"google"') && line.includes('"reason":"faulty"')))
})

test('sessions of a user: listed and ended, one or all others, never those of another user', async () => {
  const user = await aUser(service, tenant, { email: 'many@school.example' })
  const other = await aPerson(service, tenant)
  const agent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0 Safari/537.36 Edg/149.0'
  const logIn = async () => {
    const fields = new URLSearchParams({ usr: user.email, pwd: user.password })
    const response = await guest.with({ 'user-agent': agent }).post('/login', fields)
    return guest.with({ cookie: `sid=${response.cookies.get('sid')?.value}` })
  }
  const [me, second, third] = [await logIn(), await logIn(), await logIn()]
  const page = await me.get('/sign-in')
  assert.match(page.text, /Edge on Windows/)
  const csrf_token = /name="csrf_token" value="([\w-]+)"/.exec(page.text)?.[1] as string
  const ids = [...page.text.matchAll(/value="end">\s*<input type="hidden" name="id" value="([\w-]+)"/g)].map(
    ([, id]) => id as string,
  )
  assert.equal(ids.length, 2)
  const [foreign] = await service.database.inspect<{ id: string }>('select id from sessions where user_id = $1', [
    other.id,
  ])
  const send = (fields: Record<string, string>) => me.post('/sign-in', new URLSearchParams({ csrf_token, ...fields }))
  for (const id of [foreign?.id as string, 'nonsense']) assert.equal((await send({ doing: 'end', id })).status, 303)
  assert.equal((await other.caller.get('/sign-in')).status, 200)
  assert.equal((await send({ doing: 'end', id: ids[0] as string })).status, 303)
  const stays = async () =>
    (await Promise.all([me, second, third].map((each) => each.get('/sign-in')))).map(({ status }) => status)
  assert.equal((await stays()).filter((status) => status === 200).length, 2)
  assert.equal((await send({ doing: 'end-others' })).status, 303)
  assert.deepEqual(await stays(), [200, 303, 303])
  const back = `./login?redirect-to=${encodeURIComponent(`/t/${tenant.slug}/sign-in`)}`
  assert.equal((await guest.get('/sign-in')).headers.get('location'), back)
  await service.database.inspect(`update sessions set created_at = now() - interval '31 minutes' where user_id = $1`, [
    user.id,
  ])
  assert.match((await me.get('/sign-in')).text, /Log in again to change your sign-in settings/)
})

test('identity providers: a verified address does not replace the one-time code, and links nothing', async () => {
  await declare()
  const user = await aUser(service, tenant, { email: 'coded@school.example' })
  const secret = newCodeSecret()
  const typed = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const actor = { type: 'user', id: user.id, name: user.email } as const
  const context = { tenant, actor, requestId: null, address: null }
  await service.data.transaction(tenant.id, (tx) => setUpCodes(tx, context, seal, { userId: user.id, secret, typed }))
  accounts.coded = { email: user.email, email_verified: true }
  const { answer: response } = await comeBack('coded')
  assert.deepEqual([response.headers.get('location'), response.cookies.has('sid')], ['./login-code', false])
  assert.deepEqual(await audited(user.id), [])
})

test('identity providers: an address links nothing where a passkey is required', async () => {
  await declare()
  await requireFactors(service, tenant, 'Guardian', ['passkey'])
  const user = await aUser(service, tenant, { email: 'parent@school.example', roles: ['Guardian'] })
  await service.database.inspect(
    `insert into passkeys (tenant_id, id, user_id, credential_id, rp_id, public_key, counter, name)
     values ($1, gen_random_uuid(), $2, 'x', '127.0.0.1', 'x', 0, 'Phone')`,
    [tenant.id, user.id],
  )
  accounts.mailbox = { email: user.email, email_verified: true }
  const { answer: response } = await comeBack('mailbox')
  assert.deepEqual([response.headers.get('location'), response.cookies.has('sid')], ['./login-factor', false])
  const half = guest.with({ cookie: `log_in_step=${response.cookies.get('log_in_step')?.value}` })
  assert.match((await half.get('/login-factor')).text, /Log in with a passkey/)
  assert.equal((await half.get('/sign-in-passkey')).headers.get('location'), './sign-in')
  assert.deepEqual(await audited(user.id), [])
})

test('identity providers: an account that is unlinked during a log-in opens nothing', async () => {
  await declare()
  const user = await aUser(service, tenant, { email: 'leaving@school.example' })
  accounts.leaving = { email: user.email, email_verified: true }
  assert.equal((await comeBack('leaving')).answer.status, 303)
  const [{ id } = { id: '' }] = await service.database.inspect<{ id: string }>(
    'select id from issuer_accounts where tenant_id = $1 and user_id = $2',
    [tenant.id, user.id],
  )
  const own = { userId: user.id, sessionId: id }
  const { answer: response } = await besideTransaction(
    service,
    tenant.id,
    (tx) => unlinkAccount(tx, { ...operator, tenant }, own, id),
    () => comeBack('leaving'),
  )
  assert.deepEqual([response.status, response.cookies.has('sid')], [401, false])
})
