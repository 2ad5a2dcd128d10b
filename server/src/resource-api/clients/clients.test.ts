import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FrappeApp } from 'frappe-js-sdk'
import { aRecordCaller, aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

const year = (start: number) => ({
  academic_year_name: `${start}-${start + 1}`,
  year_start_date: `${start}-08-01`,
  year_end_date: `${start + 1}-06-30`,
})

async function loadSdk(tenant: TestTenant, type: 'token' | 'Bearer' = 'token') {
  const { id, secret } = await tenant.token({ kind: 'resource', roles: ['System Manager'] })
  const token = () => (type === 'token' ? `${id}:${secret}` : secret)
  return new FrappeApp(`${service.address}/t/${tenant.slug}`, { useToken: true, token, type })
}

test('frappe-js-sdk makes, reads, lists, counts, changes, renames and deletes records', async () => {
  const tenant = await service.tenant()
  const db = (await loadSdk(tenant)).db()
  for (const start of [2026, 2027, 2028]) await db.createDoc('Academic Year', year(start))
  const read = await db.getDoc('Academic Year', '2027-2028')
  assert.deepEqual(
    [read.name, read.year_start_date, read.docstatus, read.doctype, read.owner],
    ['2027-2028', '2027-08-01', 0, 'Academic Year', 'Administrator'],
  )
  const listed = await db.getDocList('Academic Year', {
    fields: ['name', 'year_end_date'],
    filters: [['year_start_date', '>', '2026-12-31']],
    orderBy: { field: 'name', order: 'desc' },
    limit: 5,
  })
  assert.deepEqual(listed, [
    { name: '2028-2029', year_end_date: '2029-06-30' },
    { name: '2027-2028', year_end_date: '2028-06-30' },
  ])
  assert.deepEqual(await db.getDocList('Academic Year'), [
    { name: '2026-2027' },
    { name: '2027-2028' },
    { name: '2028-2029' },
  ])
  assert.equal(await db.getCount('Academic Year', [['name', 'like', '2026%']]), 1)
  assert.equal((await db.getLastDoc('Academic Year')).name, '2028-2029')
  const changed = await db.updateDoc('Academic Year', '2026-2027', { year_end_date: '2027-07-15' })
  assert.equal(changed.year_end_date, '2027-07-15')
  const set = await db.setValue('Academic Year', '2026-2027', 'year_end_date', '2027-07-20')
  assert.equal(set.message.year_end_date, '2027-07-20')
  const value = await db.getValue('Academic Year', 'year_end_date', [['name', '=', '2026-2027']])
  assert.deepEqual(value, { message: { year_end_date: '2027-07-20' } })
  await db.updateDoc('Education Settings', 'Education Settings', { current_academic_year: '2026-2027' })
  const single = await db.getSingleValue('Education Settings', 'current_academic_year')
  assert.equal(single.message, '2026-2027')
  const term = await db.createDoc('Academic Term', {
    academic_year: '2026-2027',
    term_name: 'Autumn',
    term_start_date: '2026-08-01',
    term_end_date: '2026-12-20',
  })
  const renamed: unknown = await db.renameDoc('Academic Term', term.name, 'Autumn of 2026')
  assert.deepEqual(renamed, { message: 'Autumn of 2026' })
  assert.equal((await db.getDoc('Academic Term', 'Autumn of 2026')).term_name, 'Autumn')
  assert.deepEqual(await db.deleteDoc('Academic Year', '2028-2029'), { data: 'ok' })
  await assert.rejects(db.getDoc('Academic Year', '2028-2029'), { httpStatus: 404, exception: 'DoesNotExistError' })
  await assert.rejects(db.deleteDoc('Academic Year', '2026-2027'), { httpStatus: 417, exc_type: 'LinkExistsError' })
  await assert.rejects(db.createDoc('Academic Year', year(2026)), { httpStatus: 409, exc_type: 'DuplicateEntryError' })
})

test('frappe-js-sdk calls methods with GET, POST, PUT and DELETE', async () => {
  const call = (await loadSdk(await service.tenant(), 'Bearer')).call()
  assert.deepEqual(await call.get('ping'), { message: 'pong' })
  const doc = { doctype: 'Academic Year', ...year(2026) }
  assert.equal((await call.post('frappe.client.insert', { doc })).message.name, '2026-2027')
  const found = await call.get('frappe.client.get_list', {
    doctype: 'Academic Year',
    filters: { name: '2026-2027' },
    fields: ['name'],
  })
  assert.deepEqual(found.message, [{ name: '2026-2027' }])
  const change = { doctype: 'Academic Year', name: '2026-2027', fieldname: { year_end_date: '2027-07-01' } }
  assert.equal((await call.put('frappe.client.set_value', change)).message.year_end_date, '2027-07-01')
  assert.deepEqual(await call.delete('frappe.client.delete', { doctype: 'Academic Year', name: '2026-2027' }), {})
})

/** frappe-ui's transport: POST with JSON, and `message`, or all of the body where records came back with it. */
function frappeRequest(caller: RecordCaller) {
  return async (url: string, parameters: object) => {
    const { status, body, text } = await caller.post(`/api/method/${url}`, parameters)
    assert.equal(status, 200, `${url}: ${text}`)
    return body.docs === undefined ? body.message : body
  }
}

test('frappe-ui’s list and document resources work: list, insert, set, run and delete', async () => {
  const tenant = await service.tenant()
  const request = frappeRequest(await aRecordCaller(service, tenant))
  const doctype = 'Academic Year'
  for (const start of [2026, 2027, 2028]) {
    const made = await request('frappe.client.insert', { doc: { doctype, ...year(start) } })
    assert.equal(made.doctype, doctype)
  }
  const list = (page: object, filters = {}) =>
    request('frappe.client.get_list', {
      doctype,
      fields: ['name', 'year_end_date'],
      filters,
      order_by: 'name desc',
      start: 0,
      limit: 2,
      limit_start: 0,
      limit_page_length: 2,
      debug: 0,
      ...page,
    })
  const names = async (page: object, filters = {}) =>
    (await list(page, filters)).map(({ name }: { name: string }) => name)
  assert.deepEqual(await names({}), ['2028-2029', '2027-2028'])
  assert.deepEqual(await names({ start: 2, limit_start: 2 }), ['2026-2027'])
  assert.deepEqual(await names({}, { name: ['like', '%2026%'] }), ['2026-2027'])
  const one = { doctype, name: '2026-2027' }
  assert.equal((await request('frappe.client.get', one)).year_start_date, '2026-08-01')
  const set = await request('frappe.client.set_value', { ...one, fieldname: { year_end_date: '2027-07-15' } })
  assert.deepEqual([set.name, set.year_end_date], [one.name, '2027-07-15'])
  const program = await request('frappe.client.insert', { doc: { doctype: 'Program', program_name: 'Nursing' } })
  const ada = await request('frappe.client.insert', { doc: { doctype: 'Student', first_name: 'Ada' } })
  const enrolled = await request('frappe.client.insert', {
    doc: {
      doctype: 'Program Enrollment',
      student: ada.name,
      program: program.name,
      academic_year: one.name,
      enrollment_date: '2026-08-03',
    },
  })
  const ran = await request('run_doc_method', {
    dt: 'Program Enrollment',
    dn: enrolled.name,
    method: 'get_courses',
    args: '{}',
  })
  assert.deepEqual([ran.docs[0].name, ran.message], [enrolled.name, []])
  assert.equal(await request('frappe.client.delete', { doctype, name: '2028-2029' }), undefined)
  assert.deepEqual(await names({}), ['2027-2028', '2026-2027'])
})

/** frappe-client of Python: forms, `cmd` at the root, `data` as JSON text, and a result only where `exc` is empty. */
function frappeClient(address: string, headers: Record<string, string> = {}) {
  const caller = new RecordCaller(address, { accept: 'application/json', ...headers })
  const result = ({ body }: { body: Record<string, unknown> | null }) => {
    if (body?.exc) throw new Error(String(body.exc))
    return body?.message ?? body?.data ?? null
  }
  const form = (fields: Record<string, unknown>) =>
    new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
  return {
    result,
    post: async (fields: Record<string, unknown>, path = '/') => result(await caller.send('POST', path, form(fields))),
    put: async (path: string, doc: object) => result(await caller.send('PUT', path, form({ data: doc }))),
    get: async (path: string) => result(await caller.get(path)),
  }
}

test('frappe-client’s forms work: cmd at the root, data as text, trailing slashes, arguments in the query', async () => {
  const tenant = await service.tenant()
  const { secret, id } = await tenant.token({ kind: 'resource', roles: ['System Manager'] })
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  for (const address of [`${service.address}/t/${tenant.slug}`, service.address]) {
    const client = frappeClient(address, { authorization: basic })
    const doc = { doctype: 'Academic Year', ...year(2026) }
    const made = (await client.post({ data: doc }, '/api/resource/Academic%20Year')) as Record<string, unknown>
    assert.equal(made.name, '2026-2027')
    const path = '/api/resource/Academic Year/2026-2027'
    const whole = (await client.get(path)) as Record<string, unknown>
    assert.equal(whole.modified, made.modified)
    const updated = (await client.put(path, { ...whole, year_end_date: '2027-07-01' })) as Record<string, unknown>
    assert.equal(updated.year_end_date, '2027-07-01')
    await assert.rejects(client.put(path, { ...whole, year_end_date: '2027-07-02' }), /TimestampMismatchError/)
    const rows = await client.get(
      `/api/resource/Academic Year?fields=${encodeURIComponent('["*"]')}&filters=${encodeURIComponent('{}')}`,
    )
    assert.equal((rows as unknown[]).length, 1)
    const by = { doctype: 'Academic Year', name: '2026-2027' }
    await client.post({ cmd: 'frappe.client.set_value', ...by, fieldname: 'year_end_date', value: '2027-07-03' })
    const query = new URLSearchParams({
      cmd: 'frappe.client.get_value',
      doctype: 'Academic Year',
      fieldname: 'year_end_date',
      filters: '{"name": "2026-2027"}',
    })
    assert.deepEqual(await client.get(`/?${query}`), { year_end_date: '2027-07-03' })
    const changes = [
      { doctype: 'Academic Year', docname: '2026-2027', year_end_date: '2027-07-04' },
      { doctype: 'Academic Year', docname: 'none', year_end_date: '2027-07-04' },
    ]
    const bulk = (await client.post({ cmd: 'frappe.client.bulk_update', docs: changes })) as { failed_docs: unknown[] }
    assert.equal(bulk.failed_docs.length, 1)
    const name = encodeURIComponent('frappe.client.get_count')
    assert.equal(await client.post({}, `/api/method/${name}/?doctype=Academic%20Year`), 1)
    await assert.rejects(client.post({ cmd: 'frappe.client.insert', doc }), /DuplicateEntryError/)
    await assert.rejects(
      client.post({ data: { doctype: 'Academic Year', academic_year_name: 'x' } }, '/api/resource/Academic Year'),
      /MandatoryError/,
    )
    assert.equal(await client.post({ cmd: 'frappe.client.delete', ...by }), null)
    assert.equal(await client.get('/api/resource/Academic Year/2026-2027'), null)
  }
})

test('frappe-client logs in by a form at the root and out by a query', async () => {
  const tenant = await service.tenant()
  const { email, password } = await aUser(service, tenant)
  const at = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const form = new URLSearchParams({ cmd: 'login', usr: email, pwd: password })
  for (const path of ['/', '', '/login', '/anywhere/at/all']) {
    const login = await at.send('POST', path, form)
    assert.deepEqual([path, login.status, login.body.message], [path, 200, 'Logged In'])
    const caller = at.with({ cookie: `sid=${login.cookies.get('sid')?.value}` })
    assert.equal((await caller.get('/api/method/frappe.auth.get_logged_user')).body.message, email)
    assert.equal((await caller.get('/?cmd=logout')).status, 200)
    assert.equal((await caller.get('/api/method/frappe.auth.get_logged_user')).status, 403)
  }
})

test('what one surface of the client writes is audited with the key or the user who did it', async () => {
  const tenant = await service.tenant()
  const caller = await aRecordCaller(service, tenant)
  await caller.post('/api/resource/Academic Year', year(2026))
  const rows = await service.database.inspect<{ type: string; actor_type: string; actor_name: string }>(
    `select type, actor_type, actor_name from events where tenant_id = $1 and entity_type = 'academic_year'`,
    [tenant.id],
  )
  assert.deepEqual(rows, [{ type: 'academic_year.created', actor_type: 'api_key', actor_name: 'portal' }])
})
