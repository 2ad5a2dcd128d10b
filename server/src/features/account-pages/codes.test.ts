import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { forgetCodes } from '../../identity/users/index.ts'
import { RecordCaller, type RecordResponse } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aPageUser, aResetKey } from './account-pages.fixture.ts'

const service = await startTestService()
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const cookie = (response: RecordResponse, name = 'sid') => `${name}=${response.cookies.get(name)?.value}`
const getToken = ({ text }: RecordResponse) => /name="csrf_token" value="([\w-]+)"/.exec(text)?.[1] as string
const getCode = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 })

/** A user who has set up one-time codes. */
async function somebodyWithCodes(roles?: readonly string[]) {
  const who = await aPageUser(service, roles)
  const { guest, email, password, tenant, id } = who
  const me = guest.with({ cookie: cookie(await guest.post('/login', form({ usr: email, pwd: password }))) })
  const page = await me.get('/sign-in-code')
  const secret = /<strong>([A-Z2-7 ]+)<\/strong>/.exec(page.text)?.[1]?.replaceAll(' ', '') as string
  const sealed = /name="sealed" value="([^"]+)"/.exec(page.text)?.[1] as string
  const setUp = (code: string, csrf_token = getToken(page)) =>
    me.post('/sign-in-code', form({ csrf_token, sealed, code }))
  const used = getCode(secret)
  const done = await setUp(used)
  const recovery = [...done.text.matchAll(/<code>([\w-]+)<\/code>/g)].map(([, code]) => code as string)
  /** Moves time on, so that the current code is unused and no wait applies. */
  const later = () =>
    service.database.inspect(
      'update one_time_codes set last_step = 0, failures = 0, failed_at = null where tenant_id = $1 and user_id = $2',
      [tenant.id, id],
    )
  const logIn = () => guest.post('/login', form({ usr: email, pwd: password }))
  const audited = async () => (await tenant.traces(id)).audit
  return { ...who, me, page, secret, setUp, used, done, recovery, later, logIn, audited }
}

test('one-time codes: required after the password; without one no session opens', async () => {
  const { guest, setUp, used, done, secret, recovery, later, logIn, audited, tenant, id, page } =
    await somebodyWithCodes()
  assert.match(page.text, /<svg [\s\S]*<path d="M/)
  assert.doesNotMatch(page.text, /<script|style=/)
  assert.deepEqual([done.status, recovery.length, new Set(recovery).size], [200, 10, 10])
  assert.equal((await setUp(getCode(secret), 'guess')).status, 400)
  assert.equal((await setUp('000')).status, 417)
  const asked = await logIn()
  assert.deepEqual(
    [asked.status, asked.headers.get('location'), asked.cookies.has('sid')],
    [303, './login-code', false],
  )
  const half = guest.with({ cookie: cookie(asked, 'log_in_step') })
  const secretOfStep = asked.cookies.get('log_in_step')?.value as string
  for (const sid of ['Guest', secretOfStep]) {
    const caller = guest.with({ cookie: `sid=${sid}; log_in_step=${secretOfStep}` })
    assert.equal((await caller.get('/me')).headers.get('location'), './login')
    assert.equal((await caller.get('/api/resource/Student')).status, 403)
  }
  assert.match((await half.get('/login-code')).text, /autocomplete="one-time-code"/)
  const send = (code: string) => half.post('/login-code', form({ code }))
  const replayed = await send(used)
  assert.deepEqual([replayed.status, replayed.cookies.has('sid')], [401, false], 'the code that set it up is used')
  await later()
  const [one, other] = await Promise.all([send(getCode(secret)), send(getCode(secret))])
  assert.deepEqual([one.cookies.has('sid'), other.cookies.has('sid')].sort(), [false, true], 'a code opens one session')
  const right = one.cookies.has('sid') ? one : other
  assert.match(
    (await guest.with({ cookie: cookie(right) }).get('/sign-in')).text,
    /with the password, and a one-time code/,
  )
  const audit = await audited()
  assert.ok(audit.includes('user.codes_added') && audit.includes('user.log_in_failed'))
  const mails = await service.database.inspect('select kind from outgoing_mails where tenant_id = $1', [tenant.id])
  assert.deepEqual(mails, [{ kind: 'sign_in_added' }])
  const kept = await service.database.inspect<{ text: string }>(
    `select to_jsonb(c)::text as text from one_time_codes c where user_id = $1
      union all select to_jsonb(r)::text from recovery_codes r where user_id = $1
      union all select to_jsonb(s)::text from log_in_steps s where user_id = $1`,
    [id],
  )
  const stored = JSON.stringify([kept, service.logged])
  for (const text of [secret, secretOfStep, ...recovery]) assert.ok(!stored.includes(text))
})

test('recovery codes: each works once in place of a code, in any notation', async () => {
  const { guest, recovery, logIn, later } = await somebodyWithCodes()
  const enter = async (code: string) =>
    (await guest.with({ cookie: cookie(await logIn(), 'log_in_step') }).post('/login-code', form({ code }))).status
  const [first = '', second = ''] = recovery
  assert.equal(await enter(first), 303)
  assert.equal(await enter(first), 401)
  await later()
  assert.equal(await enter(` ${second.toLowerCase().replaceAll('-', ' ')}`), 303)
})

test('one-time codes: five wrong ones end a log-in, then every address must wait', async () => {
  const { guest, secret, logIn, later } = await somebodyWithCodes()
  await later()
  const half = guest.with({ cookie: cookie(await logIn(), 'log_in_step') })
  for (let attempt = 0; attempt < 5; attempt += 1) {
    assert.equal((await half.post('/login-code', form({ code: '000' }))).status, 401)
  }
  assert.equal((await half.post('/login-code', form({ code: getCode(secret) }))).status, 401, 'the step is over')
  const again = guest.with({ cookie: cookie(await logIn(), 'log_in_step') })
  const paused = await again.post('/login-code', form({ code: getCode(secret) }))
  assert.ok(Number(paused.headers.get('retry-after')) > 30, paused.text)
  assert.equal(paused.cookies.has('sid'), false)
  await later()
  assert.equal((await again.post('/login-code', form({ code: getCode(secret) }))).status, 303)
})

test('one-time codes: Frappe clients log in with tmp_id and otp as upstream', async () => {
  const { guest, email, password, secret, later, tenant } = await somebodyWithCodes(['System Manager'])
  const call = (fields: Record<string, string>) => guest.post('/api/method/login', fields)
  const asked = await call({ usr: email, pwd: password })
  const { verification, tmp_id } = asked.body
  assert.deepEqual(
    [asked.status, verification, asked.body.message],
    [200, { method: 'OTP App', setup: true }, undefined],
  )
  assert.notEqual(asked.cookies.get('sid')?.value, tmp_id)
  const wrong = await call({ tmp_id, otp: '000' })
  assert.deepEqual([wrong.status, wrong.body.exc_type], [401, 'AuthenticationError'])
  await later()
  const other = new RecordCaller(`${service.address}/t/${(await service.tenant()).slug}`)
  assert.equal((await other.post('/api/method/login', { tmp_id, otp: getCode(secret) })).status, 401)
  const right = await call({ tmp_id, otp: getCode(secret) })
  assert.deepEqual([right.status, right.body.message], [200, 'Logged In'])
  assert.equal((await call({ tmp_id, otp: getCode(secret, 1) })).status, 401)
  const { secret: key } = await tenant.token({
    kind: 'resource',
    name: 'program',
    scopes: [],
    masterDomains: [],
    roles: [],
  })
  assert.equal((await guest.with({ authorization: key }).get('/api/method/frappe.auth.get_logged_user')).status, 200)
})

test('one-time codes: the operator removes them; the password is enough and sessions end', async () => {
  const { tenant, me, email, logIn, audited } = await somebodyWithCodes()
  const context = {
    tenant,
    actor: { type: 'operator', id: null, name: 'test' },
    requestId: null,
    address: null,
  } as const
  const forget = () => service.data.transaction(tenant.id, (tx) => forgetCodes(tx, context, email))
  assert.deepEqual([await forget(), await forget()], [true, false])
  assert.equal((await me.get('/sign-in')).status, 303)
  assert.ok((await logIn()).cookies.has('sid'))
  assert.equal((await audited()).filter((action) => action === 'user.codes_removed').length, 1)
})

test('one-time codes: required after a password reset, until the user removes them', async () => {
  const { tenant, guest, email, me, page, secret, later, audited } = await somebodyWithCodes()
  const key = await aResetKey(service, tenant, email)
  const chosen = 'correct horse battery staple'
  assert.equal((await me.post('/sign-in', form({ csrf_token: 'guess', doing: 'remove-codes' }))).status, 400)
  const set = await guest.post('/update-password', form({ key, new_password: chosen, again: chosen }))
  assert.deepEqual([set.headers.get('location'), set.cookies.has('sid')], ['./login-code', false])
  await later()
  const half = guest.with({ cookie: cookie(set, 'log_in_step') })
  const typed = getCode(secret)
  const now = guest.with({ cookie: cookie(await half.post('/login-code', form({ code: typed }))) })
  const signIn = await now.get('/sign-in')
  assert.match(signIn.text, /Recovery codes left: 10/)
  assert.equal((await me.get('/sign-in')).status, 303, 'the sessions of before have ended')
  assert.equal((await now.post('/sign-in', form({ csrf_token: getToken(page), doing: 'remove-codes' }))).status, 400)
  const remove = (code: string) =>
    now.post('/sign-in', form({ csrf_token: getToken(signIn), doing: 'remove-codes', code }))
  for (const wrong of ['', '000', typed]) {
    const rejected = await remove(wrong)
    assert.deepEqual(
      [rejected.status, /This code is wrong/.test(rejected.text)],
      [417, true],
      'a recent log-in is not enough',
    )
  }
  assert.equal((await guest.post('/login', form({ usr: email, pwd: chosen }))).cookies.has('sid'), false)
  await later()
  assert.equal((await remove(getCode(secret))).status, 303)
  assert.ok((await guest.post('/login', form({ usr: email, pwd: chosen }))).cookies.has('sid'))
  assert.ok((await audited()).includes('user.codes_removed'))
})

test('one-time codes: changing them requires a code, unless the log-in was by passkey', async () => {
  const { guest, me, id, recovery, later, secret, logIn } = await somebodyWithCodes()
  const page = await me.get('/sign-in-code')
  assert.match(page.text, /Current code or recovery code/)
  const anew = /<strong>([A-Z2-7 ]+)<\/strong>/.exec(page.text)?.[1]?.replaceAll(' ', '') as string
  const sealed = /name="sealed" value="([^"]+)"/.exec(page.text)?.[1] as string
  const replace = (before: string) =>
    me.post('/sign-in-code', form({ csrf_token: getToken(page), sealed, code: getCode(anew), before }))
  for (const before of ['', '123', 'AAAA-AAAA-AAAA-AAAA']) assert.equal((await replace(before)).status, 417)
  const [{ failures } = { failures: 0 }] = await service.database.inspect<{ failures: number }>(
    'select failures from one_time_codes where user_id = $1',
    [id],
  )
  assert.equal(failures, 3)
  await later()
  const slipped = form({ csrf_token: getToken(page), sealed, code: '000', before: recovery[1] as string })
  assert.equal((await me.post('/sign-in-code', slipped)).status, 417)
  const half = guest.with({ cookie: cookie(await logIn(), 'log_in_step') })
  const other = guest.with({ cookie: cookie(await half.post('/login-code', form({ code: recovery[1] as string }))) })
  assert.equal((await other.get('/me')).status, 200, 'a slip uses no recovery code up')
  assert.equal((await replace(getCode(secret))).status, 200)
  assert.deepEqual(
    [(await other.get('/me')).status, (await me.get('/me')).status],
    [303, 200],
    'who came in by what was replaced is put out',
  )
  const signIn = await me.get('/sign-in')
  const remove = (code: string) =>
    me.post('/sign-in', form({ csrf_token: getToken(signIn), doing: 'remove-codes', code }))
  assert.equal((await remove(recovery[0] as string)).status, 417, 'one of before')
  await service.database.inspect(`update sessions set proofs = '{passkey}' where user_id = $1`, [id])
  assert.doesNotMatch((await me.get('/sign-in')).text, /Current code or recovery code/)
  assert.equal((await remove('')).status, 303)
  assert.equal((await guest.get('/sign-in')).status, 303)
})

test('one-time codes: a password reset clears wrong attempts once a day', async () => {
  const { tenant, guest, email, secret, id } = await somebodyWithCodes()
  const chosen = 'correct horse battery staple'
  const afterGuesses = async () => {
    await service.database.inspect(
      'update one_time_codes set last_step = 0, failures = 9, failed_at = now() where user_id = $1',
      [id],
    )
    const key = await aResetKey(service, tenant, email)
    const set = await guest.post('/update-password', form({ key, new_password: chosen, again: chosen }))
    const half = guest.with({ cookie: cookie(set, 'log_in_step') })
    return (await half.post('/login-code', form({ code: getCode(secret) }))).status
  }
  assert.deepEqual([await afterGuesses(), await afterGuesses()], [303, 429])
})
