import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FrappeApp } from 'frappe-js-sdk'
import { setEnabled } from '../../identity/users/index.ts'
import { movedBack } from '../../testing/fixtures/database/test-database.ts'
import { aRecordCaller, aUser, getOperator } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const whoAmI = '/api/method/frappe.auth.get_logged_user'
const at = (tenant: TestTenant) => new RecordCaller(`${service.address}/t/${tenant.slug}`)

async function loggedIn(
  tenant: TestTenant,
  roles: readonly string[] = ['System Manager'],
  email = 'ada@school.example',
) {
  const user = await aUser(service, tenant, { roles, email })
  const response = await at(tenant).post('/api/method/login', { usr: user.email, pwd: user.password })
  const sid = response.cookies.get('sid')?.value as string
  return { ...user, answer: response, sid, caller: at(tenant).with({ cookie: `sid=${sid}` }) }
}

test('frappe-js-sdk logs in, asks who it is, reads and writes by its cookie, and logs out', async () => {
  const tenant = await service.tenant()
  const { email, password } = await aUser(service, tenant)
  const app = new FrappeApp(`${service.address}/t/${tenant.slug}`)
  // A browser keeps cookies by itself; here the client's own axios does.
  let cookies: string[] = []
  app.axios.interceptors.response.use((response) => {
    const set = response.headers['set-cookie']
    if (set !== undefined) cookies = set.map((line) => line.split(';')[0] as string)
    return response
  })
  app.axios.interceptors.request.use((config) => {
    config.headers.set('cookie', cookies.join('; '))
    return config
  })
  const auth = app.auth()
  await assert.rejects(auth.getLoggedInUser(), { httpStatus: 403, exception: /PermissionError/ })
  const login = await auth.loginWithUsernamePassword({ username: email, password })
  assert.deepEqual(login, { message: 'Logged In', home_page: '/app', full_name: 'Ada Byron' })
  assert.equal(await auth.getLoggedInUser(), email)
  const year = { academic_year_name: '2030-31', year_start_date: '2030-08-01', year_end_date: '2031-06-30' }
  const made = await app.db().createDoc('Academic Year', year)
  assert.deepEqual([made.name, made.owner], ['2030-31', email])
  await auth.logout()
  await assert.rejects(auth.getLoggedInUser(), { httpStatus: 403 })
  await assert.rejects(auth.loginWithUsernamePassword({ username: email, password: 'wrong' }), {
    httpStatus: 401,
    message: 'Invalid login credentials',
  })
  await auth.forgetPassword(email)
  await auth.forgetPassword('nobody@school.example')
})

test('a log-in sets the five cookies for its tenant’s path; only the session’s is hidden from scripts', async () => {
  const tenant = await service.tenant()
  const { answer: response, email } = await loggedIn(tenant)
  assert.deepEqual(response.body, { message: 'Logged In', home_page: '/app', full_name: 'Ada Byron' })
  const values = [...response.cookies].map(([name, { value }]) => [name, name === 'sid' ? value.length : value])
  assert.deepEqual(Object.fromEntries(values), {
    sid: 43,
    system_user: 'yes',
    full_name: 'Ada Byron',
    user_id: email,
    user_image: '',
  })
  for (const [name, { line }] of response.cookies) {
    assert.ok(line.includes(`Path=/t/${tenant.slug}`) && line.includes('SameSite=Lax') && line.includes('Secure'), line)
    assert.equal(line.includes('HttpOnly'), name === 'sid')
    assert.ok(line.includes('Max-Age=612000'))
  }
  const [row] = await service.database.inspect<{ row: string }>(
    'select to_jsonb(s)::text as row from sessions s where tenant_id = $1',
    [tenant.id],
  )
  assert.ok(!row?.row.includes(response.cookies.get('sid')?.value as string))
})

test('cookies are set of a session, which every answer prolongs, and of a guest who sent one that has ended; nobody else gets any', async () => {
  const tenant = await service.tenant()
  const values = ({ cookies }: Awaited<ReturnType<RecordCaller['get']>>) =>
    Object.fromEntries([...cookies].map(([name, { value }]) => [name, value]))
  const guest = { sid: 'Guest', system_user: 'no', full_name: 'Guest', user_id: 'Guest', user_image: '' }
  for (const cookie of ['', 'sid=Guest', 'sid=Guest; user_id=Guest', 'other=1']) {
    const otherTenant = at(tenant).with(cookie === '' ? {} : { cookie })
    for (const [path, status] of [
      ['/api/method/ping', 200],
      ['/api/method/logout', 200],
      ['/api/resource/Student', 403],
      ['/login', 200],
    ] as const) {
      const response = await otherTenant.get(path)
      assert.deepEqual([path, response.status, values(response)], [path, status, {}])
    }
    const wrong = await otherTenant.post('/api/method/login', { usr: 'nobody@school.example', pwd: 'wrong' })
    assert.deepEqual([wrong.status, values(wrong)], [401, {}])
  }
  const ended = at(tenant).with({ cookie: 'sid=ended' })
  assert.deepEqual(values(await ended.get('/api/method/ping')), guest)
  const rejected = await ended.get('/api/resource/Student')
  assert.deepEqual([rejected.status, values(rejected)], [403, guest])
  const { caller, sid, email } = await loggedIn(tenant)
  const known = await caller.get(whoAmI)
  const own = { sid, system_user: 'yes', full_name: 'Ada Byron', user_id: email, user_image: '' }
  assert.deepEqual(values(known), own)
  assert.match(known.cookies.get('sid')?.line ?? '', /Max-Age=612000;.*HttpOnly/)
  assert.deepEqual(values(await caller.get('/api/resource/Student/none')), own)
  const key = await aRecordCaller(service, tenant)
  assert.deepEqual(values(await key.get(whoAmI)), {})
  assert.deepEqual(values(await new RecordCaller(service.address).get('/api/method/ping')), {})
})

test('whoever has no role with a desk is told so', async () => {
  const { answer: response } = await loggedIn(await service.tenant(), ['Student'])
  assert.deepEqual([response.body.message, response.body.home_page], ['No App', '/me'])
  assert.equal(response.cookies.get('system_user')?.value, 'no')
})

test('a wrong password and an unknown user get the same answer; what is missing is told', async () => {
  const tenant = await service.tenant()
  const { email, password } = await aUser(service, tenant)
  const tryWith = async (body: object) => {
    const response = await at(tenant).post('/api/method/login', body)
    return [response.status, response.body.exc_type, response.body.message]
  }
  const wrong = [401, 'AuthenticationError', 'Invalid login credentials']
  assert.deepEqual(await tryWith({ usr: email, pwd: 'wrong' }), wrong)
  assert.deepEqual(await tryWith({ usr: 'nobody@school.example', pwd: password }), wrong)
  for (const body of [{ usr: email }, { pwd: password }, {}, { usr: email, pwd: '' }, { usr: 1, pwd: {} }]) {
    assert.deepEqual(await tryWith(body), [401, 'AuthenticationError', 'Incomplete login details'])
  }
  const other = await service.tenant()
  const elsewhere = await at(other).post('/api/method/login', { usr: email, pwd: password })
  assert.deepEqual([elsewhere.status, elsewhere.body.message], [401, 'Invalid login credentials'])
})

test('a session also comes as an argument, opens nothing at another tenant, and ends with a log-out', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()]
  const { sid, email, caller } = await loggedIn(tenant)
  assert.equal((await at(tenant).get(`${whoAmI}?sid=${sid}`)).body.message, email)
  assert.equal((await at(tenant).post(whoAmI, { sid })).body.message, email)
  const foreign = await at(other)
    .with({ cookie: `sid=${sid}` })
    .get(whoAmI)
  assert.deepEqual([foreign.status, foreign.body.session_expired], [403, 1])
  assert.equal((await new RecordCaller(service.address, { cookie: `sid=${sid}` }).get(whoAmI)).status, 403)
  const out = await caller.post('/api/method/logout')
  assert.deepEqual(out.body, { message: 'No App', home_page: '/login', full_name: 'Guest' })
  assert.equal(out.cookies.get('sid')?.value, 'Guest')
  const after = await caller.get(whoAmI)
  assert.deepEqual([after.status, after.body.exc_type, after.body.session_expired], [403, 'PermissionError', 1])
  const guest = await at(tenant).with({ cookie: 'sid=Guest' }).get(whoAmI)
  assert.deepEqual([guest.status, guest.body.session_expired], [403, undefined])
})

test('a session that comes as an argument is told to no cookie, whatever becomes of the call', async () => {
  const tenant = await service.tenant()
  const { sid, email, password } = await loggedIn(tenant)
  const calls = [
    at(tenant).get(`${whoAmI}?sid=${sid}`),
    at(tenant).post(whoAmI, { sid }),
    at(tenant).send('POST', '/', new URLSearchParams({ cmd: 'frappe.auth.get_logged_user', sid })),
    at(tenant).get(`/api/resource/Student?sid=${sid}`),
    at(tenant).get(`/api/resource/Student/none?sid=${sid}`),
    at(tenant).get(`/api/resource/Nonsense?sid=${sid}`),
    at(tenant).get(`/me?sid=${sid}`),
    at(tenant).get('/api/method/ping?sid=unknown'),
    at(tenant).get(`${whoAmI}?sid=unknown`),
    at(tenant).post('/api/method/login', { sid, usr: email, pwd: 'wrong' }),
  ]
  for (const { text, headers } of await Promise.all(calls)) assert.deepEqual([text, headers.getSetCookie()], [text, []])
  const out = await at(tenant).post('/api/method/logout', { sid })
  assert.deepEqual([out.status, out.headers.getSetCookie()], [200, []])
  assert.equal((await at(tenant).get(`${whoAmI}?sid=${sid}`)).status, 403)
  const again = await at(tenant).post('/api/method/login', { sid, usr: email, pwd: password })
  assert.equal(again.cookies.get('user_id')?.value, email)
  const own = at(tenant).with({ cookie: `sid=${again.cookies.get('sid')?.value}` })
  assert.equal((await own.get(`${whoAmI}?sid=unknown`)).cookies.get('user_id')?.value, email)
})

test('no page of another site leads a browser to log in, by whichever method; programs and own pages do', async () => {
  const tenant = await service.tenant()
  const { email, password } = await aUser(service, tenant)
  const login = new URLSearchParams({ usr: email, pwd: password })
  const { host } = new URL(service.address)
  const rejected: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', referer: `http://${host}/` },
    { 'sec-fetch-site': 'cross-site', referer: `http://${host}/` },
    { origin: 'https://other.example' },
    { origin: 'null' },
    { referer: 'https://other.example/page' },
    { referer: `https://other.example/${host}` },
    { accept: 'text/html,application/xhtml+xml' },
  ]
  for (const headers of rejected) {
    for (const [verb, path] of [
      ['GET', '/api/method/login?'],
      ['HEAD', '/api/method/login?'],
      ['GET', '/?cmd=login&'],
      ['GET', '/api/v2/method/login?'],
    ] as const) {
      const response = await at(tenant)
        .with(headers)
        .send(verb, path + login)
      assert.deepEqual([headers, response.status, response.cookies.size], [headers, 403, 0])
    }
  }
  const [none] = await service.database.inspect('select 1 from sessions where tenant_id = $1', [tenant.id])
  assert.equal(none, undefined)
  const taken: Record<string, string>[] = [
    {},
    { accept: 'application/json' },
    { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    { 'sec-fetch-site': 'none', accept: 'text/html' },
    { origin: `http://${host}` },
    { referer: `http://${host}/somewhere`, accept: 'text/html' },
  ]
  for (const headers of taken) {
    const response = await at(tenant).with(headers).get(`/api/method/login?${login}`)
    assert.deepEqual([headers, response.status, response.body.message], [headers, 200, 'Logged In'])
  }
  for (const headers of fromElsewhere) {
    const posted = await at(tenant).with(headers).post('/api/method/login', { usr: email, pwd: password })
    assert.deepEqual(
      [headers, posted.status, posted.body.exc_type, posted.cookies.size],
      [headers, 403, 'PermissionError', 0],
    )
  }
})

/** What browsers say of a request that a page of another site makes them send. */
const fromElsewhere: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://other.school.example' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'https://other.example' },
  { origin: 'null' },
]

test('what a session would change is refused where a browser marks it as coming from another site, with a token and without', async () => {
  const tenant = await service.tenant()
  const { caller } = await loggedIn(tenant)
  const type = '/api/resource/Student Category'
  for (const token of ['without', 'with']) {
    const { body } = token === 'with' ? await caller.get('/api/method/frappe.sessions.get_csrf_token') : { body: {} }
    const own = body.message === undefined ? caller : caller.with({ 'x-frappe-csrf-token': body.message })
    for (const headers of fromElsewhere) {
      for (const [verb, path, sent] of [
        ['POST', type, { category: 'Forged' }],
        ['PUT', `${type}/None`, {}],
        ['DELETE', `${type}/None`, {}],
        ['POST', '/api/method/frappe.client.insert', { doc: { doctype: 'Student Category', category: 'Forged' } }],
        ['POST', '/', { cmd: 'frappe.client.get_count', doctype: 'Student' }],
      ] as const) {
        const response = await own.with(headers).send(verb, path, sent)
        assert.deepEqual(
          [token, headers, path, response.status, response.body.exc_type, response.cookies.size],
          [token, headers, path, 403, 'PermissionError', 0],
        )
      }
      assert.equal((await own.with(headers).get('/api/resource/Student')).status, 200)
    }
    const { host } = new URL(service.address)
    const passing: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'same-origin', origin: `http://${host}` },
      { 'sec-fetch-site': 'none' },
      { origin: `http://${host}` },
    ]
    for (const [index, headers] of passing.entries()) {
      const made = await own.with(headers).post(type, { category: `Own ${token} ${index}` })
      assert.deepEqual([headers, made.status], [headers, 200])
    }
  }
  const forged = await service.database.inspect(
    `select 1 from student_categories where tenant_id = $1 and category = 'Forged'`,
    [tenant.id],
  )
  assert.deepEqual(forged, [])
})

test('another site logs nobody out and changes no cookie; one that was given a key for a password sets none', async () => {
  const tenant = await service.tenant()
  const { caller } = await loggedIn(tenant)
  for (const headers of [...fromElsewhere, { referer: 'https://other.example/' }, { accept: 'text/html' }]) {
    const isPage = 'accept' in headers || 'referer' in headers
    for (const path of ['/api/method/logout', '/api/method/frappe.handler.logout', '/?cmd=logout']) {
      for (const verb of isPage ? (['GET'] as const) : (['GET', 'POST'] as const)) {
        // A browser sends no cookie along with most of these.
        for (const pageClient of [caller, at(tenant)]) {
          const response = await pageClient.with(headers).send(verb, path)
          assert.deepEqual([headers, path, verb, response.status, response.cookies.size], [headers, path, verb, 403, 0])
        }
      }
    }
    const update = '/api/method/frappe.core.doctype.user.user.update_password'
    if (!isPage) {
      const set = await at(tenant).with(headers).post(update, { key: 'mailed', new_password: 'correct horse battery' })
      assert.deepEqual([headers, set.status, set.body.exc_type], [headers, 403, 'PermissionError'])
    }
  }
  assert.equal((await caller.get(whoAmI)).status, 200)
  assert.equal((await caller.with({ 'sec-fetch-site': 'same-origin' }).post('/api/method/logout')).status, 200)
  assert.equal((await caller.get(whoAmI)).status, 403)
})

test('a disabled user is out within a second', async () => {
  const tenant = await service.tenant()
  const { caller, email } = await loggedIn(tenant)
  assert.equal((await caller.get(whoAmI)).status, 200)
  await service.data.transaction(tenant.id, (tx) => setEnabled(tx, getOperator(tenant), email, false))
  assert.equal((await caller.get(whoAmI)).status, 403)
})

test('whoever is disabled by a form is out at once, and stays out when enabled again', async () => {
  const tenant = await service.tenant()
  const manager = await aRecordCaller(service, tenant)
  const set = async (path: string, body: object) => {
    const { status, text } = await manager.post(path, body)
    assert.equal(status, 200, text)
  }
  const name = 'ada@school.example'
  const disable: readonly (readonly [string, object])[] = [
    ['/api/method/frappe.client.set_value', { doctype: 'User', name, fieldname: 'enabled', value: 0 }],
    ['/api/method/frappe.client.bulk_update', { docs: [{ doctype: 'User', docname: name, enabled: 0 }] }],
    ['/api/v2/document/User/bulk_update', { docs: [{ name, enabled: 0 }] }],
  ]
  const { email, password } = await loggedIn(tenant)
  for (const [path, body] of disable) {
    const { cookies } = await at(tenant).post('/api/method/login', { usr: email, pwd: password })
    const caller = at(tenant).with({ cookie: `sid=${cookies.get('sid')?.value}` })
    assert.equal((await caller.get(whoAmI)).status, 200, path)
    await set(path, body)
    assert.equal((await caller.get(whoAmI)).status, 403, path)
    await set('/api/method/frappe.client.set_value', { doctype: 'User', name, fieldname: 'enabled', value: 1 })
    assert.equal((await caller.get(whoAmI)).status, 403, path)
  }
})

test('a session of somebody who is not of the staff ends 170 hours after it was last used, and is prolonged by use', async () => {
  const tenant = await service.tenant()
  const { caller } = await loggedIn(tenant, ['Student'])
  const moved = (hours: number) =>
    service.database.inspect(
      `update sessions set ${movedBack('expires_at', `${hours} hours`)}, ${movedBack('last_seen_at', `${hours} hours`)}
        where tenant_id = $1`,
      [tenant.id],
    )
  await moved(169)
  assert.equal((await caller.get(whoAmI)).status, 200)
  await until(async () => {
    const [row] = await service.database.inspect<{ left: number }>(
      'select extract(epoch from expires_at - now())::float8 / 3600 as left from sessions where tenant_id = $1',
      [tenant.id],
    )
    return (row?.left ?? 0) > 169
  }, 'a prolonged session')
  await moved(171)
  assert.equal((await caller.get(whoAmI)).body.session_expired, 1)
})

test('a session that was given a token writes only with that token, in the header or as an argument; each window gets the same', async () => {
  const tenant = await service.tenant()
  const { caller } = await loggedIn(tenant)
  assert.equal((await caller.post(whoAmI)).status, 200)
  const ask = '/api/method/frappe.sessions.get_csrf_token'
  const [one, other] = [await caller.get(ask), await caller.get(ask)]
  const token = one.body.message
  assert.match(token, /^[\w-]{43}$/)
  assert.equal(other.body.message, token)
  const rejected = await caller.post(whoAmI)
  assert.deepEqual([rejected.status, rejected.body.exc_type], [400, 'CSRFTokenError'])
  const year = { academic_year_name: '2030-31', year_start_date: '2030-08-01', year_end_date: '2031-06-30' }
  const write = await caller.post('/api/resource/Academic Year', year)
  assert.deepEqual([write.status, write.body.exc_type], [400, 'CSRFTokenError'])
  assert.equal((await caller.with({ 'x-frappe-csrf-token': 'other' }).post(whoAmI)).status, 400)
  const holder = caller.with({ 'x-frappe-csrf-token': token })
  assert.equal((await holder.post('/api/resource/Academic Year', year)).status, 200)
  assert.equal((await caller.post(whoAmI, { csrf_token: token })).status, 200)
  assert.equal((await caller.get(whoAmI)).status, 200)
  const { caller: another } = await loggedIn(tenant, ['System Manager'], 'grace@school.example')
  await another.get(ask)
  assert.equal((await another.with({ 'x-frappe-csrf-token': token }).post(whoAmI)).status, 400)
})

test('no page of another site makes the writes of a session need a token', async () => {
  const { caller } = await loggedIn(await service.tenant())
  for (const headers of fromElsewhere) {
    const asked = await caller.with(headers).get('/api/method/frappe.sessions.get_csrf_token')
    assert.deepEqual([headers, asked.status, asked.cookies.size], [headers, 403, 0])
  }
  assert.equal((await caller.post('/api/resource/ToDo', { description: 'Call' })).status, 200)
})

test('a guest is given no token against forged requests, and a key needs none', async () => {
  const tenant = await service.tenant()
  const ask = '/api/method/frappe.sessions.get_csrf_token'
  const guest = await at(tenant).get(ask)
  assert.deepEqual([guest.status, guest.body.exc_type], [403, 'PermissionError'])
  const key = await aRecordCaller(service, tenant)
  const { status, body } = await key.get(ask)
  assert.deepEqual([status, body], [200, {}])
  assert.equal((await key.post(whoAmI)).status, 200)
})

test('the eleventh failed log-in waits a minute, and so does a right one then', async () => {
  const tenant = await service.tenant()
  const { email, password } = await aUser(service, tenant)
  const tryWith = (pwd: string) => at(tenant).post('/api/method/login', { usr: email, pwd })
  const failed = await Promise.all(Array.from({ length: 10 }, () => tryWith('wrong')))
  assert.deepEqual(new Set(failed.map(({ status }) => status)), new Set([401]))
  const { status, body, headers } = await tryWith(password)
  assert.deepEqual([status, body.exc_type], [429, 'SecurityException'])
  assert.ok(Number(headers.get('retry-after')) > 0 && Number(headers.get('retry-after')) <= 60)
})
