import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller, type RecordResponse } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { aFolder, buildOfOurOwn } from './portal-build.fixture.ts'
import { PortalBuildError, readPortalBuild } from './portal-build.ts'

const { folder, remove } = await aFolder({ ...buildOfOurOwn, '.env': 'SECRET=1', 'assets/.hidden.js': '1' })
const outside = await aFolder({ 'secret.js': 'outside', 'deep/secret.js': 'outside' })
afterFile(remove)
afterFile(outside.remove)
await symlink(join(outside.folder, 'secret.js'), join(folder, 'assets/linked.js'))
await symlink(join(outside.folder, 'deep'), join(folder, 'deep'))
await symlink(join(folder, '.env'), join(folder, 'env.txt'))
await symlink('nowhere', join(folder, 'assets/broken.js'))
await symlink(folder, join(folder, 'around'))
await symlink(join(folder, 'robots.txt'), join(folder, 'inside.txt'))
const build = await readPortalBuild(folder)
const service = await startTestService({ portal: build })
const host = 'localhost'
const origin = service.address.replace('127.0.0.1', host)
const tenant = await service.tenant({ name: 'Hillside School' })
await tenant.change({ host })
const guest = new RecordCaller(origin)
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const below = new RecordCaller(`${service.address}/t/${tenant.slug}`)
const withCookie = (caller: RecordCaller, { cookies }: RecordResponse) =>
  caller.with({ cookie: `sid=${cookies.get('sid')?.value}` })

async function loggedIn(roles: readonly string[], caller = guest) {
  const { email, password } = await aUser(service, tenant, {
    roles,
    email: `${roles.join('-')}-${Math.random()}@a.example`,
  })
  return withCookie(caller, await caller.post('/api/method/login', { usr: email, pwd: password }))
}

test('the portal page: values of its user, a policy with its nonce, and never cached', async () => {
  const me = await loggedIn(['Student'])
  const first = await me.get('/edu-portal')
  assert.equal(first.status, 200)
  assert.equal(first.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(first.headers.get('cache-control'), 'no-store')
  assert.equal(first.headers.get('x-content-type-options'), 'nosniff')
  const policy = first.headers.get('content-security-policy') ?? ''
  const nonce = /script-src 'nonce-([\w+/=]{20,})' 'strict-dynamic'/.exec(policy)?.[1] ?? assert.fail(policy)
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "object-src 'none'", "form-action 'self'"]) {
    assert.ok(policy.includes(part), part)
  }
  const scripts = [...first.text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
  assert.ok(scripts.length >= 4 && scripts.every((tag) => tag.includes(`nonce="${nonce}"`)), scripts.join())
  assert.ok(!first.text.includes('{{') && !first.text.includes('{%'))
  assert.match(first.text, /<title>Hillside School<\/title>/)
  assert.match(first.text, /window\["site_name"\] = "localhost"/)
  const token = /window.csrf_token = '([\w-]{20,})'/.exec(first.text)?.[1] ?? assert.fail('no token')
  const again = await me.get('/student-portal/grades/2026?page=1')
  assert.equal(again.status, 200)
  assert.ok(
    again.text.includes(token) && !again.text.includes(nonce),
    'one token for the session, one nonce for the page',
  )
  const write = { doc: { doctype: 'Student', first_name: 'A' } }
  const without = await me.post('/api/method/frappe.client.insert', write)
  assert.deepEqual([without.status, without.body.exc_type], [400, 'CSRFTokenError'])
  const withToken = await me.with({ 'x-frappe-csrf-token': token }).post('/api/method/frappe.client.insert', write)
  assert.equal(withToken.body.exc_type, 'PermissionError', 'the token is taken; a student makes no students')
  const head = await me.send('HEAD', '/edu-portal')
  assert.deepEqual([head.status, head.text], [200, ''])
  for (const verb of ['POST', 'PUT', 'DELETE']) {
    const rejected = await me.with({ 'x-frappe-csrf-token': token }).send(verb, '/edu-portal', {})
    assert.equal(rejected.status, 405, verb)
  }
})

test('the portal page: without a session it redirects to the log-in; stale cookies are cleared', async () => {
  for (const [caller, root, reported] of [
    [guest, '', undefined],
    [guest.with({ cookie: 'sid=of-a-session-that-is-over; user_id=ada%40a.example' }), '', 'Guest'],
    [guest.with({ cookie: 'user_id=ada%40a.example' }), '', 'Guest'],
    [below, `/t/${tenant.slug}`, undefined],
  ] as const) {
    const response = await caller.get('/edu-portal/fees?year=2026')
    const asked = encodeURIComponent(`${root}/edu-portal/fees?year=2026`)
    assert.deepEqual([response.status, response.headers.get('location')], [303, `${root}/login?redirect-to=${asked}`])
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.deepEqual([response.cookies.get('sid')?.value, response.cookies.get('user_id')?.value], [reported, reported])
    const page = await caller.get(`/login?redirect-to=${asked}`)
    const stored = decodeURIComponent(asked).replaceAll('&', '&#38;')
    assert.ok(page.text.includes(`name="redirect-to" value="${stored}"`), 'the form keeps where to go')
    assert.ok(page.text.includes(`redirect-to=${asked}`), 'and so do the other languages')
  }
  const me = await loggedIn(['Student'])
  assert.equal((await me.get('/edu-portal')).status, 200)
  await service.database.inspect("update sessions set expires_at = now() - interval '1 second' where tenant_id = $1", [
    tenant.id,
  ])
  const over = await me.get('/edu-portal')
  assert.deepEqual([over.status, over.cookies.get('user_id')?.value], [303, 'Guest'])
  const suspended = await service.tenant({ status: 'suspended' })
  assert.equal((await new RecordCaller(`${service.address}/t/${suspended.slug}`).get('/edu-portal')).status, 403)
  assert.equal((await new RecordCaller(service.address).get('/edu-portal')).status, 404)
  assert.equal((await new RecordCaller(service.address).get('/t/nobody/edu-portal')).status, 404)
})

test('portal files: hashed ones are cached for ever, others are revalidated', async () => {
  const base = '/assets/education/frontend'
  const script = await guest.get(`${base}/assets/index-DpK3_xYz.js`)
  assert.deepEqual(
    [script.status, script.headers.get('content-type'), script.headers.get('cache-control')],
    [200, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  )
  assert.equal(script.text, buildOfOurOwn['assets/index-DpK3_xYz.js'])
  const packed = await fetch(`${origin}${base}/assets/index-DpK3_xYz.js`, { headers: { 'accept-encoding': 'gzip' } })
  assert.deepEqual([packed.headers.get('content-encoding'), await packed.text()], ['gzip', script.text])
  const icon = await guest.get(`${base}/favicon.png`)
  assert.deepEqual([icon.headers.get('cache-control'), icon.text], ['public, no-cache', 'not quite a picture'])
  const known = await guest.with({ 'if-none-match': icon.headers.get('etag') ?? '' }).get(`${base}/favicon.png`)
  assert.deepEqual([known.status, known.text], [304, ''])
  assert.equal((await guest.get('/edu-portal/robots.txt')).text, 'User-agent: *')
  assert.equal((await below.get('/student-portal/assets/calls-3fa9c1d2.js')).status, 200)
  assert.equal((await guest.get(`${base}/inside.txt`)).text, 'User-agent: *', 'a link within the folder')
})

test('portal files: none outside the folder, and no hidden ones', async () => {
  assert.deepEqual(build.skipped, ['around', 'assets/broken.js', 'assets/linked.js', 'deep', 'env.txt'])
  const paths = [
    'assets/linked.js',
    'deep/secret.js',
    'env.txt',
    '.env',
    'assets/.hidden.js',
    '..%2f..%2fetc/passwd.txt',
    '%2e%2e/%2e%2e/%2e%2e/etc/passwd.txt',
    '..%5c..%5csecret.js',
    'assets/..%2f..%2fsecret.js',
    'assets//index-DpK3_xYz.js',
    'assets/index-DpK3_xYz.js%00.png',
    '%E0%A4%A.js',
    'index.html',
    'INDEX-DpK3_xYz.js',
    'constructor.js',
  ]
  const me = await loggedIn(['Guardian'])
  for (const base of ['/assets/education/frontend', '/edu-portal', '/student-portal']) {
    for (const path of paths) {
      const { status, text } = await me.get(`${base}/${path}`)
      assert.ok([400, 404].includes(status), `${base}/${path}: ${status}`)
      assert.ok(!text.includes('outside') && !text.includes('SECRET'), path)
    }
  }
  assert.equal((await guest.get('/assets/education/frontend/')).status, 404)
})

test('portal builds: an invalid folder is rejected in one line with the reason', async () => {
  const none = await aFolder({ 'readme.txt': 'no page' })
  const strange = await aFolder({ 'index.html': '<html>{% include "templates/base.html" %}</html>' })
  after(none.remove)
  after(strange.remove)
  const asFolder = await aFolder({})
  after(asFolder.remove)
  await mkdir(join(asFolder.folder, 'index.html'))
  await writeFile(join(none.folder, 'a-file'), '')
  for (const [path, reason] of [
    [join(none.folder, 'nowhere'), /the folder does not exist/],
    [join(none.folder, 'a-file'), /the folder does not exist/],
    [none.folder, /has no index\.html/],
    [asFolder.folder, /has no index\.html/],
    [strange.folder, /has \{% include/],
  ] as const) {
    await assert.rejects(readPortalBuild(path), (error: Error) => {
      assert.ok(error instanceof PortalBuildError)
      assert.match(error.message, reason)
      assert.ok(!error.message.includes('\n'))
      return true
    })
  }
})

test('portal builds: an invalid folder stops the start, with the name of the variable', async () => {
  const none = await aFolder({ 'readme.txt': 'no page' })
  after(none.remove)
  const main = fileURLToPath(new URL('../../main.js', import.meta.url))
  for (const [path, reason] of [
    [join(none.folder, 'nowhere'), /the folder does not exist/],
    [none.folder, /it has no index\.html/],
  ] as const) {
    const environment = { ...process.env, STUDENT_PORTAL_DIR: path, DATA_DIR: join(none.folder, 'data'), PORT: '0' }
    const started = spawnSync(process.execPath, [main], { env: environment, encoding: 'utf8', timeout: 120_000 })
    assert.equal(started.status, 1, started.stderr)
    const said = started.stderr.trim()
    assert.match(said, /^matricula: STUDENT_PORTAL_DIR must be the folder of a build of the portal; [^\n]*$/)
    assert.match(said, reason)
  }
})

test('home pages: students and guardians get the portal, also below /t/ when the build allows it', async () => {
  const cases = [
    { roles: ['Student'], host: '/edu-portal' },
    { roles: ['Guardian'], host: '/edu-portal' },
    { roles: ['Student', 'Guardian'], host: '/edu-portal' },
    { roles: ['Student', 'Instructor'], host: '/app' },
    { roles: [], host: '/me' },
  ]
  for (const { roles, host: home } of cases) {
    const { email, password } = await aUser(service, tenant, { roles, email: `home-${Math.random()}@a.example` })
    const logIn = (caller: RecordCaller) => caller.post('/api/method/login', { usr: email, pwd: password })
    assert.equal((await logIn(guest)).body.home_page, home, roles.join())
    const page = await guest.post('/login', form({ usr: email, pwd: password }))
    assert.deepEqual([page.status, page.headers.get('location')], [303, `.${home}`])
    assert.equal((await withCookie(guest, page).get('/login')).headers.get('location'), `.${home}`)
    const path = home === '/edu-portal' ? '/me' : home
    assert.equal((await logIn(below)).body.home_page, path, 'this build knows no path')
  }
  const plain = await startTestService()
  const other = await plain.tenant()
  const { email, password } = await aUser(plain, other, { roles: ['Student'] })
  const without = new RecordCaller(`${plain.address}/t/${other.slug}`)
  assert.equal((await without.post('/api/method/login', { usr: email, pwd: password })).body.home_page, '/me')
  assert.equal((await without.get('/edu-portal')).status, 404)
})
