import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FrappeApp } from 'frappe-js-sdk'
import { jobsOver } from '../../app/composition.ts'
import { setEnabled } from '../../identity/users/index.ts'
import { Mailer } from '../../mail/index.ts'
import { getHeader, getText, startTestMailServer } from '../../mail/smtp-server.fixture.ts'
import { movedBack } from '../../testing/fixtures/database/test-database.ts'
import { aRecordCaller, aUser, getOperator } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'

const server = await startTestMailServer()
const mail = { smtpUrl: server.url, mailFrom: 'Matricula <office@matricula.example>' }
const service = await startTestService({ mail })
const mailer = new Mailer(mail)
afterFile(async () => {
  mailer.close()
  await server.close()
})

const reset = '/api/method/frappe.core.doctype.user.user.reset_password'
const update = '/api/method/frappe.core.doctype.user.user.update_password'
const whoAmI = '/api/method/frappe.auth.get_logged_user'
const chosen = 'correct horse battery staple'
const at = (tenant: TestTenant) => new RecordCaller(`${service.address}/t/${tenant.slug}`)
const config = {
  mailKeepDays: 90,
  secretKey: service.secretKey,
  publicUrl: 'https://matricula.example',
  cardGatewayUrl: 'http://127.0.0.1:9',
}
const silent = { info: () => {}, warn: () => {} } as unknown as Parameters<typeof jobsOver>[3]

async function sendMails(tenant: TestTenant): Promise<void> {
  const job = jobsOver(service.files, mailer, config, silent).find(({ name }) => name === 'outgoing-mails')
  await job?.run(service.data, tenant)
}

const mailsTo = (email: string) => server.taken.filter(({ to }) => to.includes(email)).map(({ message }) => message)

/** The key of the last mail to somebody. */
async function mailedKey(tenant: TestTenant, email: string): Promise<string> {
  await sendMails(tenant)
  const text = getText(mailsTo(email).at(-1) as string)
  const [, slug, key] = /https:\/\/matricula\.example\/t\/([\w-]+)\/update-password\?key=([\w-]+)/.exec(text) ?? []
  assert.equal(slug, tenant.slug)
  return key as string
}

async function forgetful(email: string, roles: readonly string[] = ['System Manager']) {
  const tenant = await service.tenant({ name: 'Colegio Ñandú' })
  const user = await aUser(service, tenant, { email, roles })
  return { tenant, ...user, guest: at(tenant) }
}

const logIn = async (guest: RecordCaller, usr: string, pwd: string) => {
  const response = await guest.post('/api/method/login', { usr, pwd })
  return { ...response, caller: guest.with({ cookie: `sid=${response.cookies.get('sid')?.value}` }) }
}

test('somebody who forgot the password sets another by the link of a mail; every session ends, one begins, audited', async () => {
  const { tenant, id, email, password, guest } = await forgetful('ada.reset@school.example')
  const { caller: before } = await logIn(guest, email, password)
  await new FrappeApp(`${service.address}/t/${tenant.slug}`).auth().forgetPassword(email.toUpperCase())
  const key = await mailedKey(tenant, email)
  const [message, ...others] = mailsTo(email) as [string]
  assert.equal(others.length, 0)
  assert.equal(getHeader(message, 'subject'), 'Colegio Ñandú: set a new password')
  assert.match(getText(message), /^Hello Ada Byron,/)
  const { status, body, cookies } = await guest.post(update, { new_password: chosen, key, logout_all_sessions: 0 })
  assert.deepEqual([status, body], [200, { message: '/app' }])
  const fresh = guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
  assert.equal((await fresh.get(whoAmI)).body.message, email)
  assert.equal((await before.get(whoAmI)).status, 403)
  assert.equal((await logIn(guest, email, password)).status, 401)
  assert.equal((await logIn(guest, email, chosen)).status, 200)
  const { audit, events, changed } = await tenant.traces(id)
  const done = ['user.password_reset_asked', 'user.updated', 'user.logged_in', 'user.log_in_failed', 'user.logged_in']
  assert.deepEqual([audit.slice(-5), events.at(-1), changed.at(-1)], [done, 'user.updated', ['passwordChangedAt']])
  const stored = await service.database.inspect<{ text: string }>(
    `select to_jsonb(p)::text as text from password_resets p where tenant_id = $1
      union all select to_jsonb(m)::text from outgoing_mails m where tenant_id = $1
      union all select to_jsonb(a)::text from audit_entries a where tenant_id = $1`,
    [tenant.id],
  )
  for (const secret of [key, chosen]) {
    assert.ok(![...stored.map(({ text }) => text), ...service.logged].some((line) => line.includes(secret)))
  }
})

test('a link works once, also when it is used twice at once, and not after 20 minutes, another password or an end of the user', async () => {
  const { tenant, email, guest } = await forgetful('grace@school.example')
  const use = async (key: string, password = chosen) => {
    const { status, body } = await guest.post(update, { new_password: password, key })
    return [status, body.exc_type, typeof body.message]
  }
  const over = [410, 'LinkExpired', 'string']
  const ask = async () => {
    assert.equal((await guest.post(reset, { user: email })).status, 200)
    return mailedKey(tenant, email)
  }
  const one = await ask()
  const both = await Promise.all([use(one), use(one, 'another good password')])
  assert.deepEqual(both.map(([status]) => status).sort(), [200, 410])
  assert.deepEqual(await use(one), over)
  assert.deepEqual(await use('x'.repeat(43)), over)
  const [early, late] = [await ask(), await ask()]
  assert.deepEqual((await use(early))[0], 200)
  assert.deepEqual(await use(late), over)
  const old = await ask()
  await service.database.inspect(
    `update password_resets set ${movedBack('expires_at', '20 minutes')} where tenant_id = $1`,
    [tenant.id],
  )
  assert.deepEqual(await use(old), over)
  const last = await ask()
  const enable = (isEnabled: boolean) =>
    service.data.transaction(tenant.id, (tx) => setEnabled(tx, getOperator(tenant), email, isEnabled))
  await enable(false)
  assert.deepEqual(await use(last), over)
  await enable(true)
  assert.deepEqual(await use(last), over)
})

test('a password that is too short leaves the link as it is', async () => {
  const { tenant, email, guest } = await forgetful('short@school.example', ['Student'])
  await guest.post(reset, { user: email })
  const key = await mailedKey(tenant, email)
  const short = await guest.post(update, { new_password: 'short', key })
  assert.deepEqual([short.status, short.body.exc_type], [417, 'ValidationError'])
  const missing = await guest.post(update, { key })
  assert.deepEqual([missing.status, missing.body.exc_type], [417, 'FrappeTypeError'])
  assert.deepEqual((await guest.post(update, { new_password: chosen, key })).body, { message: '/me' })
})

test('a key of another institution opens nothing', async () => {
  const { tenant, email, guest } = await forgetful('ada@one.example')
  const other = await service.tenant()
  await aUser(service, other, { email })
  await guest.post(reset, { user: email })
  const key = await mailedKey(tenant, email)
  const foreign = await at(other).post(update, { new_password: chosen, key })
  assert.deepEqual([foreign.status, foreign.body.exc_type], [410, 'LinkExpired'])
  assert.equal((await guest.post(update, { new_password: chosen, key })).status, 200)
})

test('asking for a new password is answered the same for known, unknown, disabled and often asked users; the audit says which', async () => {
  const { tenant, id, email, guest } = await forgetful('known@school.example')
  const { id: goneId } = await aUser(service, tenant, { email: 'gone@school.example' })
  await service.data.transaction(tenant.id, (tx) => setEnabled(tx, getOperator(tenant), 'gone@school.example', false))
  const asked = [email, 'x@school.example', 'gone@school.example', email, email, email]
  const answers = []
  for (const user of asked) {
    const { status, text } = await guest.post(reset, { user })
    answers.push(JSON.stringify([status, text]))
  }
  const [response = '', ...others] = new Set(answers)
  assert.deepEqual(others, [])
  assert.match(response, /^\[200,.*If there is an account with this address/)
  const byCommand = await guest.post('/', {
    cmd: 'frappe.core.doctype.user.user.reset_password',
    user: 'y@school.example',
  })
  assert.deepEqual([byCommand.status, byCommand.text], JSON.parse(response))
  const entries = await service.database.inspect<{ entity: string | null; refused: string | null }>(
    `select entity_id as entity, after ->> 'refused' as refused from audit_entries
      where tenant_id = $1 and action = 'user.password_reset_asked' order by occurred_at, id`,
    [tenant.id],
  )
  assert.deepEqual(
    entries.map(({ entity, refused: rejected }) => [entity, rejected]),
    [
      [id, null],
      [null, 'unknown_user'],
      [goneId, 'disabled'],
      [id, null],
      [id, null],
      [id, 'too_often'],
      [null, 'unknown_user'],
    ],
  )
  await sendMails(tenant)
  assert.deepEqual([mailsTo(email).length, mailsTo('gone@school.example').length], [3, 0])
  const byGet = await guest.get(`${reset}?user=${email}`)
  assert.deepEqual([byGet.status, byGet.body.exc_type], [403, 'PermissionError'])
  const without = await guest.post(reset)
  assert.deepEqual([without.status, without.body.exc_type], [417, 'FrappeTypeError'])
})

test('the mail for a new password is in the language of the page that asked, else in the user’s own, else in the institution’s', async () => {
  const tenant = await service.tenant({ name: 'Colegio Ñandú', language: 'pt' })
  for (const [email, language] of [
    ['french@school.example', 'fr'],
    ['nobodys@school.example', null],
  ] as const) {
    await aUser(service, tenant, { email })
    await service.database.inspect('update users set language = $1 where tenant_id = $2 and name = $3', [
      language,
      tenant.id,
      email,
    ])
    await at(tenant).post(reset, { user: email })
    const page = `${service.address}/t/${tenant.slug}/login?lang=es`
    await fetch(page, { method: 'POST', body: new URLSearchParams({ user: email }) })
  }
  await sendMails(tenant)
  const subjects = (email: string) =>
    mailsTo(email)
      .map((message) => getHeader(message, 'subject'))
      .sort()
  assert.deepEqual(subjects('french@school.example'), [
    'Colegio Ñandú : créez un nouveau mot de passe',
    'Colegio Ñandú: cree una contraseña nueva',
  ])
  assert.deepEqual(subjects('nobodys@school.example'), [
    'Colegio Ñandú: cree una contraseña nueva',
    'Colegio Ñandú: crie uma nova senha',
  ])
})

test('the address that was typed to log in goes along to where a new password is asked for', async () => {
  const { tenant } = await forgetful('typed@school.example')
  const page = `${service.address}/t/${tenant.slug}/login`
  const response = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ usr: 'typed@school.example', forgot: 'yes' }),
  })
  const html = await response.text()
  assert.equal(response.status, 200)
  assert.match(html, /name="user" type="email" autocomplete="username" value="typed@school\.example"/)
  assert.doesNotMatch(html, /There is a problem/)
})

test('one user is mailed three links an hour, and one address asks ten times a minute, whatever else it attempts', async () => {
  const { tenant, email, password, guest } = await forgetful('often@school.example')
  for (let time = 0; time < 4; time += 1) assert.equal((await guest.post(reset, { user: email })).status, 200)
  await sendMails(tenant)
  assert.equal(mailsTo(email).length, 3)
  for (let time = 0; time < 6; time += 1) await guest.post(reset, { user: `nobody${time}@school.example` })
  // Names that are those of kinds of attempts count as any others do.
  for (const usr of ['reset_password', 'password_reset_mail', 'form_draft']) {
    const other = await aUser(service, tenant, { email: `${usr}@school.example` })
    await service.database.inspect('update users set name = $3 where tenant_id = $1 and id = $2', [
      tenant.id,
      other.id,
      usr,
    ])
    assert.equal((await logIn(guest, usr, other.password)).status, 200)
  }
  assert.equal((await logIn(guest, email, password)).status, 200)
  const paused = await guest.post(reset, { user: 'nobody@school.example' })
  assert.deepEqual([paused.status, paused.body.exc_type], [429, 'SecurityException'])
  assert.ok(Number(paused.headers.get('retry-after')) <= 60)
})

test('after a hundred keys from an address that opened nothing, every key from there waits a minute; log-ins do not', async () => {
  const { tenant, email, password, guest } = await forgetful('guessed@school.example')
  await guest.post(reset, { user: email })
  const key = await mailedKey(tenant, email)
  const guess = (wrong: string) => guest.post(update, { new_password: chosen, key: wrong })
  assert.equal((await guess('wrong')).status, 410)
  assert.equal((await guest.get('/update-password?key=wrong')).status, 410)
  const [{ attempts } = { attempts: 0 }] = await service.database.inspect<{ attempts: number }>(
    `select attempts from attempt_counts where tenant_id = $1 and kind = 'reset_key'`,
    [tenant.id],
  )
  assert.equal(attempts, 2)
  await service.database.inspect(
    `update attempt_counts set attempts = 100, counted_at = now() where tenant_id = $1 and kind = 'reset_key'`,
    [tenant.id],
  )
  const { caller } = await logIn(guest, email, password)
  assert.equal((await caller.get(whoAmI)).body.message, email)
  for (const each of ['wrong', key]) {
    const waits = await guess(each)
    assert.deepEqual([waits.status, waits.body.exc_type], [429, 'SecurityException'])
    const page = await guest.get(`/update-password?key=${each}`)
    assert.equal(page.status, 429)
    assert.ok(Number(page.headers.get('retry-after')) > 0)
  }
  await service.database.inspect(
    `update attempt_counts set ${movedBack('counted_at', '1 minute')} where tenant_id = $1`,
    [tenant.id],
  )
  assert.equal((await guess(key)).status, 200)
})

test('whoever is logged in changes the own password by the old one; wrong ones count like failed log-ins', async () => {
  const { tenant, id, email, password, guest } = await forgetful('own@school.example')
  const [{ caller }, { caller: elsewhere }] = [await logIn(guest, email, password), await logIn(guest, email, password)]
  const change = (old: string, by = caller) => by.post(update, { new_password: chosen, old_password: old })
  const wrong = await change('not the password')
  assert.deepEqual([wrong.status, wrong.body.exc_type], [401, 'AuthenticationError'])
  const { status, body, cookies } = await change(password)
  assert.deepEqual([status, body.message], [200, '/app'])
  for (const ended of [caller, elsewhere]) assert.equal((await ended.get(whoAmI)).status, 403)
  const fresh = guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
  assert.equal((await fresh.get(whoAmI)).body.message, email)
  assert.deepEqual((await tenant.traces(id)).events.at(-1), 'user.updated')
  assert.equal((await change('wrong again', fresh)).status, 401)
  await service.database.inspect('update attempt_counts set attempts = 10 where tenant_id = $1', [tenant.id])
  const paused = await change(chosen, fresh)
  assert.deepEqual([paused.status, paused.body.exc_type], [429, 'SecurityException'])
})

test('nobody sets a password without a key or an old one: neither a guest nor a key', async () => {
  const { tenant, email, password, guest } = await forgetful('nobody.else@school.example')
  const key = await aRecordCaller(service, tenant)
  for (const caller of [guest, key]) {
    const rejected = await caller.post(update, { new_password: chosen, old_password: password })
    assert.deepEqual([rejected.status, rejected.body.exc_type], [403, 'PermissionError'])
  }
  const { caller } = await logIn(guest, email, password)
  const without = await caller.post(update, { new_password: chosen })
  assert.deepEqual([without.status, without.body.exc_type], [417, 'FrappeTypeError'])
  assert.equal((await logIn(at(tenant), email, password)).status, 200)
})

const invite = '/api/method/education.education.doctype.guardian.guardian.invite_guardian'

test('a guardian who is invited is mailed a link to set the first password, once, in its language', async () => {
  const tenant = await service.tenant({ name: 'Colegio Ñandú' })
  const staff = await aRecordCaller(service, tenant)
  const welcomes = [
    ['en', 'Welcome to Colegio Ñandú', /^Hello Annabella,/],
    ['es', 'Le damos la bienvenida a Colegio Ñandú', /^Hola, Annabella:/],
    ['pt', 'Boas-vindas a Colegio Ñandú', /^Olá, Annabella,/],
  ] as const
  for (const [language, subject, greeting] of welcomes) {
    const email = `annabella.${language}@example.org`
    const { body } = await staff.post('/api/resource/Guardian', {
      guardian_name: 'Annabella',
      email_address: email,
    })
    const invited = await staff.post(invite, { guardian: body.data.name })
    assert.equal(invited.body.message, email)
    assert.match(invited.body._server_messages, /is on its way/)
    const queued = 'update outgoing_mails set locale = $2 where tenant_id = $1 and recipient = $3'
    await service.database.inspect(queued, [tenant.id, language, email])
    assert.equal((await staff.post(invite, { guardian: body.data.name })).body.message, email)
    const key = await mailedKey(tenant, email)
    const [message, ...others] = mailsTo(email) as [string]
    assert.equal(others.length, 0)
    assert.equal(getHeader(message, 'subject'), subject)
    assert.match(getText(message), greeting)
    const { status, body: home } = await at(tenant).post(update, { new_password: chosen, key })
    assert.deepEqual([status, home.message], [200, '/me'])
    const [user] = await service.database.inspect<{ id: string }>(
      'select id from users where tenant_id = $1 and name = $2',
      [tenant.id, email],
    )
    const { audit, events } = await tenant.traces(user?.id as string)
    assert.deepEqual(audit, ['user.created', 'user.welcomed', 'user.updated', 'user.logged_in'])
    assert.deepEqual(events, ['user.created', 'user.updated'])
  }
})

test('the link of a welcome works for a day', async () => {
  const tenant = await service.tenant()
  const staff = await aRecordCaller(service, tenant)
  const email = 'late@example.org'
  const { body } = await staff.post('/api/resource/Guardian', { guardian_name: 'Annabella', email_address: email })
  await staff.post(invite, { guardian: body.data.name })
  const key = await mailedKey(tenant, email)
  const pass = (time: string) =>
    service.database.inspect(`update password_resets set ${movedBack('expires_at', time)} where tenant_id = $1`, [
      tenant.id,
    ])
  const open = async () => (await at(tenant).get(`/update-password?key=${key}`)).status
  await pass('23 hours')
  assert.equal(await open(), 200)
  await pass('1 hour')
  const over = await at(tenant).post(update, { new_password: chosen, key })
  assert.deepEqual([over.status, over.body.exc_type], [410, 'LinkExpired'])
})

test('students who are made are mailed only where the institution has set so, and never those who get no user', async () => {
  const tenant = await service.tenant()
  const staff = await aRecordCaller(service, tenant)
  const settings = (fields: object) => staff.put('/api/resource/Education Settings/Education Settings', fields)
  const make = async (email: string) => {
    const { status, body, text } = await staff.post('/api/resource/Student', {
      first_name: 'Ada',
      student_email_id: email,
    })
    assert.equal(status, 200, text)
    await sendMails(tenant)
    return [body.data.user ?? null, mailsTo(email).length]
  }
  assert.deepEqual(await make('silent@example.org'), ['silent@example.org', 0])
  await settings({ welcome_new_students: 1 })
  assert.deepEqual(await make('welcome@example.org'), ['welcome@example.org', 1])
  await settings({ user_creation_skip: 1 })
  assert.deepEqual(await make('nobody@example.org'), [null, 0])
  const forgot = await at(tenant).post(reset, { user: 'silent@example.org' })
  assert.equal(forgot.status, 200)
  assert.match(await mailedKey(tenant, 'silent@example.org'), /./)
})
