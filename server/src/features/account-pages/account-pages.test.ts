import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecordCaller, type RecordResponse } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aPageUser, aResetKey } from './account-pages.fixture.ts'

const service = await startTestService()
const chosen = 'correct horse battery staple'
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const withCookie = (caller: RecordCaller, { cookies }: RecordResponse) =>
  caller.with({ cookie: `sid=${cookies.get('sid')?.value}` })
const getToken = ({ text }: RecordResponse) => /name="csrf_token" value="([\w-]+)"/.exec(text)?.[1] as string

test('the page /login: logs in without scripts and redirects to the user’s page', async () => {
  const { guest, email, password } = await aPageUser(service)
  const page = await guest.get('/login')
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'/)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.match(page.text, /<h1>Hillside School<\/h1>/)
  assert.doesNotMatch(page.text, /<script/)
  const wrong = await guest.post('/login', form({ usr: email, pwd: 'wrong' }))
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /There is a problem[\s\S]*The e-mail address or the password is wrong\./)
  assert.ok(wrong.text.includes(`value="${email}"`) && !wrong.text.includes('value="wrong"'))
  const right = await guest.post('/login', form({ usr: email, pwd: password }))
  assert.deepEqual([right.status, right.headers.get('location')], [303, './me'])
  const me = withCookie(guest, right)
  const own = await me.get('/me')
  assert.equal(own.status, 200)
  assert.match(own.text, /You are logged in as Ada Byron/)
  assert.equal((await me.get('/login')).headers.get('location'), './me')
  assert.equal((await guest.get('/me')).headers.get('location'), './login')
  assert.match((await guest.get('/login?lang=es')).text, /<html lang="es">[\s\S]*Iniciar sesión/)
})

test('POST /login with cmd: responds to API clients as before', async () => {
  const { guest, email, password } = await aPageUser(service, ['Instructor'])
  const { status, body } = await guest.post('/login', form({ cmd: 'login', usr: email, pwd: password }))
  assert.deepEqual([status, body.message, body.home_page], [200, 'Logged In', '/app'])
})

test('logging out on the page: requires its token and ends the session', async () => {
  const { guest, email, password } = await aPageUser(service)
  const me = withCookie(guest, await guest.post('/login', form({ usr: email, pwd: password })))
  const rejected = await me.post('/me', form({ csrf_token: 'guess' }))
  assert.equal(rejected.status, 400)
  assert.equal((await me.get('/me')).status, 200)
  const out = await me.post('/me', form({ csrf_token: getToken(await me.get('/me')) }))
  assert.deepEqual([out.status, out.headers.get('location'), out.cookies.get('sid')?.value], [303, './login', 'Guest'])
  assert.equal((await me.get('/me')).status, 303)
})

test('the page /update-password: sets the password by a mailed key; without one it redirects', async () => {
  const { tenant, guest, email } = await aPageUser(service)
  const key = await aResetKey(service, tenant, email)
  const page = await guest.get(`/update-password?key=${key}`)
  assert.equal(page.status, 200)
  assert.ok(page.text.includes(`?key=${key}&#38;lang=es`), 'the other languages keep the key')
  const send = (fields: Record<string, string>) => guest.post('/update-password', form({ key, ...fields }))
  const short = await send({ new_password: 'short', again: 'short' })
  assert.equal(short.status, 417)
  assert.match(short.text, /10 to 1024 characters/)
  const different = await send({ new_password: chosen, again: 'something else' })
  assert.match(different.text, /The new passwords do not match/)
  assert.ok(!different.text.includes(chosen))
  const done = await send({ new_password: chosen, again: chosen })
  assert.deepEqual([done.status, done.headers.get('location')], [303, './me?set=1'])
  const me = withCookie(guest, done)
  assert.match((await me.get('/me?set=1')).text, /Your password has been changed/)
  for (const over of [
    await guest.get(`/update-password?key=${key}`),
    await send({ new_password: chosen, again: chosen }),
  ]) {
    assert.equal(over.status, 410)
    assert.match(over.text, /has expired/)
  }
  assert.equal((await guest.get('/update-password')).headers.get('location'), './login')
  assert.ok(!service.logged.some((line) => line.includes(key) || line.includes(chosen)))
})

test('the page /update-password: a logged-in user needs the old password and the token', async () => {
  const { guest, email, password } = await aPageUser(service)
  const me = withCookie(guest, await guest.post('/login', form({ usr: email, pwd: password })))
  const token = getToken(await me.get('/update-password'))
  const fields = { new_password: chosen, again: chosen }
  const forged = await me.post('/update-password', form({ ...fields, old_password: password }))
  assert.equal(forged.status, 400)
  const wrong = await me.post('/update-password', form({ ...fields, old_password: 'not it', csrf_token: token }))
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /The current password is wrong/)
  const done = await me.post('/update-password', form({ ...fields, old_password: password, csrf_token: token }))
  assert.equal(done.status, 303)
  assert.equal((await me.get('/me')).status, 303)
  assert.equal((await guest.post('/login', form({ usr: email, pwd: chosen }))).status, 303)
})

test('account pages: a form posted from another site is rejected', async () => {
  const { guest, email, password } = await aPageUser(service)
  const logIn = (headers: Record<string, string>) =>
    guest.with(headers).post('/login', form({ usr: email, pwd: password }))
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }]) {
    const { status, cookies } = await logIn(headers as Record<string, string>)
    assert.deepEqual([headers, status, cookies.has('sid')], [headers, 403, false])
  }
  // With it browsers send the origin of the page, also without TLS.
  assert.equal((await guest.get('/login')).headers.get('referrer-policy'), 'same-origin')
  const { origin } = new URL(service.address)
  assert.equal((await logIn({ origin })).status, 303)
})

test('account pages without mail: page and method give the same advice for any user', async () => {
  const { guest, email } = await aPageUser(service)
  const asked = await guest.post('/login', form({ usr: email, forgot: 'yes' }))
  assert.match(asked.text, /Contact Hillside School for a new password/)
  const reset = (user: string) => guest.post('/api/method/frappe.core.doctype.user.user.reset_password', { user })
  const known = await reset(email)
  assert.equal(known.status, 200)
  assert.match(known.body._server_messages, /Ask Hillside School for a new password/)
  assert.deepEqual((await reset('nobody@school.example')).body, known.body)
})

test('account pages: none on the service’s own address; a tenant’s host name has them', async () => {
  const own = await new RecordCaller(service.address).get('/login')
  assert.equal(own.status, 404)
  assert.match(own.text, /Log in at your institution’s own address/)
  const { tenant, email, password } = await aPageUser(service)
  await tenant.change({ host: 'localhost' })
  const guest = new RecordCaller(service.address.replace('127.0.0.1', 'localhost'))
  const page = await guest.get('/login')
  assert.equal(page.status, 200)
  const right = await guest.post('/login', form({ usr: email, pwd: password }))
  assert.deepEqual([right.status, right.headers.get('location')], [303, './me'])
})
