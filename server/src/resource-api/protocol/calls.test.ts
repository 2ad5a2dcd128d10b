import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const api = await aRecordCaller(service, tenant)

const year = (start: number) => ({
  academic_year_name: `${start}-${start + 1}`,
  year_start_date: `${start}-08-01`,
  year_end_date: `${start + 1}-06-30`,
})

test('a refusal has its class, its text, no traceback, and messages for people, in both versions', async () => {
  const first = await api.get('/api/resource/Academic Year?filters={')
  assert.equal(first.status, 400)
  const { status, body, headers } = await api.post('/api/resource/Academic Year', { academic_year_name: 'x' })
  assert.equal(status, 417)
  assert.equal(body.exc_type, 'MandatoryError')
  assert.match(body.exception, /^frappe\.exceptions\.MandatoryError: /)
  assert.deepEqual(JSON.parse(body.exc), [body.exception])
  const messages = JSON.parse(body._server_messages).map((text: string) => JSON.parse(text))
  assert.ok(messages.length >= 1 && messages.every((each: { message: string }) => each.message !== ''))
  assert.equal(messages[0].raise_exception, 1)
  assert.ok(headers.get('request-id'))
  const second = await api.post('/api/v2/document/Academic Year', { academic_year_name: 'x' })
  assert.deepEqual([second.status, second.body.errors[0].type], [417, 'MandatoryError'])
  assert.ok(second.body.errors[0].message && !('exc_type' in second.body))
})

test('an unknown record or address is 404 and says which, without the exc by which clients raise errors', async () => {
  for (const path of ['/api/resource/Academic Year/none', '/api', '/api/nonsense', '/api/resource', '/api/method']) {
    const { status, body } = await api.get(path)
    assert.deepEqual([path, status, body.exc_type, body.exc], [path, 404, 'DoesNotExistError', undefined])
    assert.ok(body._server_messages.length > 10)
  }
  for (const path of ['/api/v2/document/Academic Year/none', '/api/v2/doctype/Academic Year/nonsense', '/api/v2']) {
    const { status, body } = await api.get(path)
    assert.deepEqual([path, status, body.errors[0].type], [path, 404, 'DoesNotExistError'])
  }
})

test('an unknown type of records is 404 with the exc by which clients raise errors', async () => {
  const asked = { doctype: 'Nonsense', name: 'x', doc: { doctype: 'Nonsense' }, txt: '' }
  const answers = [
    ...[
      '/api/resource/Nonsense',
      '/api/resource/Nonsense/x',
      '/api/v1/resource/academic year',
      '/api/resource/%zz/x',
    ].map((path) => api.get(path)),
    api.post('/api/resource/Nonsense', { title: 'x' }),
    api.put('/api/resource/Nonsense/x', { title: 'x' }),
    api.delete('/api/resource/Nonsense/x'),
    ...['get', 'get_list', 'get_count', 'insert', 'delete'].map((method) =>
      api.post(`/api/method/frappe.client.${method}`, asked),
    ),
  ]
  for (const { status, body } of await Promise.all(answers)) {
    assert.deepEqual([status, body.exc_type], [404, 'DoesNotExistError'])
    assert.deepEqual(JSON.parse(body.exc), [body.exception])
    assert.match(body.exception, /^frappe\.exceptions\.DoesNotExistError: There is no record type /)
  }
  for (const path of ['/api/v2/document/Nonsense', '/api/v2/doctype/Nonsense/meta', '/api/v2/doctype/Nonsense/count']) {
    const { status, body } = await api.get(path)
    assert.deepEqual([path, status, body.errors[0].type], [path, 404, 'DoesNotExistError'])
    assert.match(body.errors[0].exception, /There is no record type/)
  }
})

test('an address whose percent-encoding is broken is answered in the form of this surface', async () => {
  for (const [path, name] of [
    ['/api/resource/%zz', '%zz'],
    ['/api/resource/%ff', '%ff'],
    ['/api/resource/Student%20%', 'Student%20%'],
  ] as const) {
    const { status, body } = await api.get(path)
    assert.deepEqual([path, status, body.exc_type], [path, 404, 'DoesNotExistError'])
    assert.ok(body.exception.includes(JSON.stringify(name)), body.exception)
  }
  const unnamed = await new RecordCaller(service.address).get('/api/method/%zz')
  assert.deepEqual([unnamed.status, unnamed.body.exc_type], [403, 'PermissionError'])
  const record = await api.get('/api/resource/Academic Year/50%')
  assert.deepEqual([record.status, record.body.exc_type], [404, 'DoesNotExistError'])
  const client = await fetch(`${service.address}/v1/students/%zz`)
  assert.deepEqual([client.status, ((await client.json()) as { code: string }).code], [404, 'route_not_found'])
})

test('an unknown method is 417, a verb that a method does not take 403, one that an address does not take 405', async () => {
  const unknown = await api.post('/api/method/frappe.client.nonsense')
  assert.deepEqual([unknown.status, unknown.body.exc_type], [417, 'ValidationError'])
  const wrong = await api.get('/api/method/frappe.client.insert?doc={}')
  assert.deepEqual([wrong.status, wrong.body.exc_type], [403, 'PermissionError'])
  const rejected = await api.send('PATCH', '/api/resource/Academic Year/x', {})
  assert.deepEqual([rejected.status, rejected.body.exc_type], [405, 'MethodNotAllowed'])
  assert.equal(rejected.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS, POST, PUT')
  assert.equal((await api.send('PROPFIND', '/api/resource/Academic Year')).status, 405)
})

test('PATCH is a verb that no method takes, so it is 403 there', async () => {
  for (const method of ['ping', 'frappe.client.get_count']) {
    const rejected = await api.send('PATCH', `/api/method/${method}`, { doctype: 'Academic Year' })
    assert.deepEqual([rejected.status, rejected.body.exc_type], [403, 'PermissionError'])
  }
})

test('a method that a record does not have is 404, one that no client may call 403', async () => {
  await api.post('/api/resource/Academic Year', year(2042))
  const at = '/api/resource/Academic Year/2042-2043'
  const unknown = await api.post(at, { run_method: 'nothing' })
  assert.deepEqual([unknown.status, unknown.body.exc_type], [404, 'DoesNotExistError'])
  for (const method of ['validate', 'delete', 'on_submit']) {
    const closed = await api.post('/api/method/run_doc_method', { dt: 'Academic Year', dn: '2042-2043', method })
    assert.deepEqual([closed.status, closed.body.exc_type], [403, 'PermissionError'])
  }
})

test('a move of the docstatus that there is not has no message, and deleting what is not there only its class', async () => {
  await api.post('/api/resource/Academic Year', year(2043))
  const moved = await api.put('/api/resource/Academic Year/2043-2044', { docstatus: 2 })
  assert.deepEqual(Object.keys(moved.body), ['exc_type', 'exception', 'exc'])
  assert.equal(moved.body.exc_type, 'DocstatusTransitionError')
  const removed = await api.delete('/api/resource/Academic Year/none')
  assert.deepEqual([removed.status, removed.body], [404, { exc_type: 'DoesNotExistError' }])
})

test('debug tells how long a list took, and shows nothing of the database', async () => {
  const first = await api.get('/api/resource/Academic Year?debug=1&limit=1')
  assert.match(first.body._debug_messages, /^\["Execution time: \d+\.\d{3} sec"\]$/)
  const second = await api.get('/api/v2/document/Academic Year?debug=true&limit=1')
  assert.match(second.body.debug[0], /^Execution time: /)
  const counted = await api.get('/api/method/frappe.client.get_count?doctype=Academic Year&debug=1')
  assert.ok(Object.hasOwn(counted.body, '_debug_messages'))
  assert.deepEqual(Object.keys((await api.get('/api/resource/Academic Year?debug=0')).body), ['data'])
})

test('what version 1 does not take of a list is passed over; start is a part of version 2', async () => {
  const all = (await api.get('/api/resource/Academic Year?order_by=creation')).body.data
  assert.ok(all.length > 1)
  const odd = await api.get('/api/resource/Academic Year?start=1&page_length=1&pluck=name&distinct=1&order_by=creation')
  assert.deepEqual(odd.body.data, all)
  assert.deepEqual((await api.get('/api/v2/document/Academic Year?start=1&order_by=creation')).body.data, all.slice(1))
})

test('run_doc_method takes the names that version 2 has for its arguments', async () => {
  const made = (await api.post('/api/resource/Academic Year', year(2044))).body.data
  const term = { term_name: 'T', term_start_date: '2044-08-01', term_end_date: '2044-09-01', academic_year: made.name }
  const { data } = (await api.post('/api/resource/Academic Term', term)).body
  const ran = await api.post('/api/v2/method/run_doc_method', {
    document: JSON.stringify(data),
    method: 'nothing',
    kwargs: { name: 'x' },
  })
  assert.deepEqual([ran.status, ran.body.errors[0].type], [404, 'DoesNotExistError'])
  const stale = await api.post('/api/v2/method/run_doc_method', {
    document: { ...data, modified: '2020-01-01 00:00:00.000000' },
    method: 'nothing',
  })
  assert.deepEqual([stale.status, stale.body.errors[0].type], [417, 'TimestampMismatchError'])
})

test('OPTIONS is an empty 200, and HEAD answers as GET without a body', async () => {
  const options = await new RecordCaller(service.address).send('OPTIONS', '/api/resource/Academic Year')
  assert.deepEqual([options.status, options.text], [200, ''])
  const head = await api.send('HEAD', '/api/resource/Academic Year')
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal((await api.send('HEAD', '/api/resource/Academic Year/none')).status, 404)
})

test('a call with GET never commits what its method does', async () => {
  const doc = { doctype: 'Academic Year', ...year(2040) }
  const made = await api.post('/api/resource/Academic Year', year(2041))
  const path = `/api/method/frappe.client.validate_link?doctype=Academic Year&docname=${made.body.data.name}`
  assert.deepEqual((await api.get(path)).body.message, { name: '2041-2042' })
  // rename is a method of every record, and GET runs methods for readers.
  const renamed = await api.get('/api/resource/Academic Year/2041-2042?run_method=rename&name=elsewhere')
  assert.ok(renamed.status < 500)
  assert.equal((await api.get('/api/resource/Academic Year/2041-2042')).status, 200)
  assert.equal((await api.get('/api/resource/Academic Year/elsewhere')).status, 404)
  assert.equal((await api.post('/api/method/frappe.client.insert', { doc })).status, 200)
})

test('documents leave out what is null, frappe.client gives it, and both begin with the standard fields', async () => {
  const term = {
    academic_year: '2050-2051',
    term_name: 'T',
    term_start_date: '2050-08-01',
    term_end_date: '2050-09-01',
  }
  await api.post('/api/resource/Academic Year', year(2050))
  await api.post('/api/resource/Academic Term', term)
  await api.put('/api/resource/Education Settings/Education Settings', { validate_batch: 1 })
  const document = (await api.get('/api/resource/Education Settings/Education Settings')).body.data
  const standard = ['name', 'owner', 'creation', 'modified', 'modified_by', 'docstatus', 'idx']
  assert.deepEqual(Object.keys(document).slice(0, 7), standard)
  assert.deepEqual([document.validate_batch, document.doctype], [1, 'Education Settings'])
  assert.ok(!Object.hasOwn(document, 'current_academic_year') && !Object.values(document).includes(null))
  const whole = (await api.get('/api/method/frappe.client.get?doctype=Education Settings')).body.message
  assert.equal(whole.current_academic_year, null)
  const second = await api.get('/api/v2/document/Education Settings/Education Settings')
  assert.deepEqual(second.body.data, document)
})

test('a type of rows has its meta, for whoever may read a type that has such rows', async () => {
  const meta = (await api.get('/api/v2/doctype/Program Course/meta')).body.data
  assert.deepEqual([meta.name, meta.istable, meta.fields[0].fieldname], ['Program Course', 1, 'course'])
  const student = await aRecordCaller(service, tenant, ['Student'])
  assert.equal((await student.get('/api/v2/doctype/Program Course/meta')).status, 200)
  const rejected = await student.get('/api/v2/doctype/Fee Schedule Student Group/meta')
  assert.deepEqual([rejected.status, rejected.body.errors[0].type], [403, 'PermissionError'])
})

test('version 2 tells whether there are more records behind a list', async () => {
  for (const start of [2160, 2161, 2162]) await api.post('/api/resource/Academic Year', year(start))
  const path = '/api/v2/document/Academic Year?filters=[["name","between",["2160","2163"]]]'
  const more = async (page: string) => {
    const { body } = await api.get(`${path}&${page}`)
    return [body.data.length, body.has_next_page]
  }
  assert.deepEqual(await more('limit=2'), [2, true])
  assert.deepEqual(await more('limit=3'), [3, false])
  assert.deepEqual(await more('limit=2&start=2'), [1, false])
  assert.deepEqual(await more('limit=1&start=1'), [1, true])
  assert.deepEqual(await more('limit=0'), [3, false])
  assert.deepEqual(await more('start=9'), [0, false])
  const first = await api.get('/api/resource/Academic Year?limit=1')
  assert.deepEqual(Object.keys(first.body), ['data'])
})

test('a copy of a record is a draft of another one, without what tells it from all others', async () => {
  await api.post('/api/resource/Course', { course_name: 'Original/One' })
  const topic = { topic_name: 'Bones', topic_content: [] }
  await api.post('/api/resource/Topic', topic)
  await api.put('/api/resource/Course/Original%2FOne', { description: 'Old', topics: [{ topic: 'Bones' }] })
  const { status, body } = await api.get('/api/v2/document/Course/Original%2FOne/copy')
  assert.equal(status, 200)
  assert.deepEqual(
    [body.data.doctype, body.data.docstatus, body.data.course_name, body.data.description],
    ['Course', 0, 'Original/One', 'Old'],
  )
  assert.deepEqual(body.data.topics, [
    {
      docstatus: 0,
      topic: 'Bones',
      topic_name: 'Bones',
      parentfield: 'topics',
      parenttype: 'Course',
      doctype: 'Course Topic',
    },
  ])
  for (const key of ['name', 'owner', 'creation', 'modified', 'modified_by', 'amended_from']) {
    assert.ok(!Object.hasOwn(body.data, key), key)
  }
  const posted = await api.post('/api/v2/document/Course', { ...body.data, course_name: 'Copied' })
  assert.deepEqual([posted.status, posted.body.data.topics.length], [200, 1], posted.text)
  assert.equal((await api.get('/api/v2/document/Course/none/copy')).status, 404)
  assert.equal((await api.post('/api/v2/document/Course/Copied/copy')).status, 405)
  const otherTenant = await aRecordCaller(service, tenant, ['Guardian'])
  assert.equal((await otherTenant.get('/api/v2/document/Course/Copied/copy')).status, 403)
})

test('links are replaced by the records that they name where a list or a read asks for it', async () => {
  const made = (await api.post('/api/resource/Academic Year', year(2070))).body.data
  const term = { term_name: 'T', term_start_date: '2070-08-01', term_end_date: '2070-09-01', academic_year: made.name }
  const { name } = (await api.post('/api/resource/Academic Term', term)).body.data
  const query = 'fields=["name","academic_year","title"]&filters={"academic_year":"2070-2071"}'
  for (const path of ['/api/resource/Academic Term?', '/api/v2/document/Academic Term?']) {
    const [row] = (await api.get(`${path}${query}&expand=["academic_year"]`)).body.data
    assert.deepEqual(
      [row.name, row.academic_year.name, row.academic_year.year_start_date, row.title],
      [name, '2070-2071', '2070-08-01', name],
    )
  }
  const asked = {
    doctype: 'Academic Term',
    filters: { name },
    fields: ['academic_year'],
    expand: ['academic_year', 'title'],
  }
  const [called] = (await api.post('/api/method/frappe.client.get_list', asked)).body.message
  assert.equal(called.academic_year.name, '2070-2071')
  for (const version of ['resource', 'v2/document']) {
    const read = (await api.get(`/api/${version}/Academic Term/${name}?expand_links=1`)).body.data
    assert.deepEqual(
      [read.name, read.academic_year.doctype, read.academic_year.name],
      [name, 'Academic Year', '2070-2071'],
    )
  }
  await api.post('/api/resource/Course', { course_name: 'Expanded' })
  await api.post('/api/resource/Program', { program_name: 'Expanding', courses: [{ course: 'Expanded' }] })
  const program = (await api.get('/api/resource/Program/Expanding?expand_links=true')).body.data
  assert.deepEqual([program.courses[0].course.name, program.courses[0].course_name], ['Expanded', 'Expanded'])
  for (const page of ['0', '501']) {
    const { status, body } = await api.get(
      `/api/resource/Academic Term?expand=["academic_year"]&limit_page_length=${page}`,
    )
    assert.deepEqual([status, body.exc_type], [417, 'DataError'])
  }
  for (const expand of ['[', '{"a":1}', '[1]']) {
    assert.ok([400, 417].includes((await api.get(`/api/resource/Academic Term?expand=${expand}`)).status))
  }
  const student = await aRecordCaller(service, tenant, ['Student'])
  const [own] = (await student.get('/api/resource/Program?fields=["name","department"]&expand=["department"]')).body
    .data
  assert.equal(typeof own.name, 'string')
})

test('None as the length of a page means all of them, as clients in Python send it', async () => {
  for (const start of Array.from({ length: 22 }, (_, index) => 2100 + index)) {
    await api.post('/api/resource/Academic Year', year(start))
  }
  const all = (await api.get('/api/resource/Academic Year?limit_page_length=0&order_by=creation')).body.data
  assert.ok(all.length > 20)
  for (const path of [
    '/api/resource/Academic Year?limit_page_length=None&order_by=creation',
    '/api/v2/document/Academic Year?limit=None&start=None&order_by=creation',
  ]) {
    assert.deepEqual((await api.get(path)).body.data, all)
  }
  const asked = { doctype: 'Academic Year', limit_page_length: 'None', order_by: 'creation' }
  assert.deepEqual((await api.post('/api/method/frappe.client.get_list', asked)).body.message, all)
  for (const length of ['none', 'null', 'NaN', '-1', '1.5']) {
    const { status } = await api.get(`/api/resource/Academic Year?limit_page_length=${length}`)
    assert.deepEqual([length, status], [length, 417])
  }
})

test('version 2 has meta, count, lists, methods and documents under data', async () => {
  const meta = (await api.get('/api/v2/doctype/Academic Term/meta')).body.data
  assert.deepEqual([meta.name, meta.issingle, meta.allow_rename], ['Academic Term', 0, 1])
  const field = meta.fields.find(({ fieldname }: { fieldname: string }) => fieldname === 'academic_year')
  assert.deepEqual([field.fieldtype, field.options, field.reqd], ['Link', 'Academic Year', 1])
  assert.equal(typeof (await api.get('/api/v2/doctype/Academic Year/count')).body.data, 'number')
  const made = await api.post('/api/v2/document/Academic Year', year(2060))
  assert.equal(made.body.data.name, '2060-2061')
  const changed = await api.send('PATCH', '/api/v2/document/Academic Year/2060-2061', { year_end_date: '2061-07-01' })
  assert.equal(changed.body.data.year_end_date, '2061-07-01')
  assert.ok((await api.get('/api/v2/document/Academic Year')).body.data.length > 0)
  assert.equal((await api.get('/api/v2/method/ping')).body.data, 'pong')
  const removed = await api.delete('/api/v2/document/Academic Year/2060-2061')
  assert.deepEqual([removed.status, removed.body], [202, { data: 'ok' }])
})

test('names have spaces, slashes and any letters, encoded or not; slashes at the end are passed over', async () => {
  for (const name of ['Über & out', 'a/b', '100 %', 'x?y#z', '  inner  space']) {
    const made = await api.post('/api/resource/Academic Year', { ...year(2070), academic_year_name: name })
    assert.equal(made.status, 200, made.text)
    const stored = made.body.data.name
    for (const path of [encodeURIComponent(stored), `${encodeURIComponent(stored)}/`]) {
      const read = await api.get(`/api/resource/Academic%20Year/${path}`)
      assert.deepEqual([name, read.status, read.body.data?.name], [name, 200, stored])
    }
    assert.equal((await api.delete(`/api/resource/Academic Year/${encodeURIComponent(stored)}`)).status, 202)
  }
  await api.post('/api/resource/Academic Year/', { ...year(2070), academic_year_name: 'c/d' })
  assert.equal((await api.get('/api/resource/Academic Year/c/d')).body.data.name, 'c/d')
})

test('arguments come as JSON, query, form or multipart; a JSON body replaces the query', async () => {
  const get = '/api/method/frappe.client.get_count'
  const byQuery = await api.get(`${get}?doctype=Academic Year&filters={"name":"none"}&_=123&unknown=1`)
  assert.equal(byQuery.body.message, 0)
  const form = new URLSearchParams({ doctype: 'Academic Year', filters: '{"name":"none"}' })
  assert.equal((await api.send('POST', get, form)).body.message, 0)
  const multipart = new FormData()
  multipart.set('doctype', 'Academic Year')
  multipart.set('filters', '{"name":"none"}')
  multipart.set('file', new Blob(['x']), 'x.txt')
  assert.equal((await api.send('POST', get, multipart)).body.message, 0)
  const replaced = await api.post(`${get}?doctype=Academic Year`, { filters: {} })
  assert.deepEqual([replaced.status, replaced.body.exc_type], [417, 'FrappeTypeError'])
  assert.match(replaced.body.exception, /argument doctype is missing/)
  const raw = await api.send('POST', '/api/resource/Academic Year', JSON.stringify(year(2080)), {
    'content-type': 'text/plain',
  })
  assert.equal(raw.body.data?.name, '2080-2081')
  const fields = await api.send('POST', '/api/resource/Academic Year', new URLSearchParams(year(2081)))
  assert.equal(fields.body.data?.name, '2081-2082')
})

test('of a name that an address has more than once the first counts, + is a space, and what is encoded wrongly stays as it is', async () => {
  for (const start of [2095, 2096]) await api.post('/api/resource/Academic Year', year(start))
  await api.post('/api/resource/Room', { room_name: 'A + B 100%' })
  const list = async (query: string, type = 'Academic Year') => {
    const { body } = await api.get(`/api/resource/${type}?${query}`)
    return body.data?.map(({ name }: { name: string }) => name)
  }
  const first = '%5B%5B%22name%22%2C%22%3E%22%2C%222095%22%5D%2C%5B%22name%22%2C%22%3C%22%2C%222097%22%5D%5D'
  for (const query of [
    `filters=${first}`,
    `filters=${first}&filters=%7B%7D&filters=`,
    `&&filters=${first}&=&limit_page_length=20&limit_page_length=1`,
    `?filters=${first}&%FF=%FF&%zz`,
  ]) {
    assert.deepEqual(await list(query), ['2095-2096', '2096-2097'], query)
  }
  const byName = (name: string) => list(`filters=[[%22room_name%22,%22=%22,%22${name}%22]]&fields=[%22name%22]`, 'Room')
  const [room] = await byName('A+%2B+B+100%25')
  assert.ok(room)
  assert.deepEqual(await byName('A+%2B+B+100%'), [room])
  assert.deepEqual(await byName('A%20%2B%20B%20100%zz'), [])
  const { body } = await api.get('/api/resource/Academic Year?limit_start=%00')
  assert.equal(body.exc_type, 'DataError')
})

test('a list that one key has asked for is shown to another one as far as its own roles go', async () => {
  const asked = '/api/resource/Student?fields=["name","city"]&limit_page_length=5'
  const leaves = '/api/resource/Student Leave Application?fields=["name"]'
  await api.post('/api/resource/Student', { first_name: 'Ada', city: 'London' })
  const teacher = await aRecordCaller(service, tenant, ['Instructor'])
  const accountant = await aRecordCaller(service, tenant, ['Accounts User'])
  const family = await aRecordCaller(service, tenant, ['Student'])
  for (const _ of ['first', 'again']) {
    assert.equal((await api.get(asked)).body.data[0].city, 'London')
    assert.equal((await teacher.get(asked)).body.exc_type, 'DataError')
    assert.deepEqual((await family.get(asked)).body.data, [])
    assert.equal((await api.get(leaves)).status, 200)
    assert.equal((await accountant.get(leaves)).status, 403)
  }
})

test('a JSON object is read as one whatever media type is said, such as that of a form, which curl says by itself', async () => {
  for (const [position, type] of [
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/octet-stream',
  ].entries()) {
    const send = (path: string, body: object) => api.send('POST', path, JSON.stringify(body), { 'content-type': type })
    const made = await send('/api/resource/Academic Year', year(2082 + position))
    assert.equal(made.body.data?.name, `${2082 + position}-${2083 + position}`, type)
    const count = { doctype: 'Academic Year', filters: { name: made.body.data.name } }
    assert.deepEqual((await send('/api/method/frappe.client.get_count', count)).body, { message: 1 }, type)
  }
})

/** Sends a GET with a body, which fetch refuses to do. */
function getWithBody(path: string, body: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const { hostname, port } = new URL(service.address)
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        hostname,
        port,
        path,
        method: 'GET',
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      },
      async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        resolve({ status: response.statusCode as number, body: JSON.parse(Buffer.concat(chunks).toString()) })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

test('a GET with a JSON body takes its arguments from there', async () => {
  const { status, body } = await getWithBody(`/t/${tenant.slug}/`, '{"cmd":"ping"}')
  assert.deepEqual([status, body], [200, { message: 'pong' }])
})

test('broken JSON is 400 with the reason, a wrong or missing argument 417 with its name', async () => {
  const send = (path: string, body: string | Uint8Array, type = 'application/json') =>
    api.send('POST', path, body, { 'content-type': type })
  const count = '/api/method/frappe.client.get_count'
  for (const [response, said] of [
    [await send(count, '{"doctype": '), /The body cannot be parsed as JSON/],
    [await send(count, '{"doctype": nonsense}'), /The body cannot be parsed as JSON/],
    [await send(count, '7'), /object or an array/],
    [await send(count, Buffer.from([0xff, 0xfe])), /not UTF-8/],
    [await send('/api/resource/Academic Year', 'data={"a":', 'application/x-www-form-urlencoded'), /The argument data/],
    [await send('/api/resource/Academic Year', 'data=[1]', 'application/x-www-form-urlencoded'), /one JSON object/],
    [await send(count, 'no parts', 'multipart/form-data; boundary=x'), /boundary/],
  ] as const) {
    assert.deepEqual([response.status, response.body.exc_type], [400, 'JSONDecodeError'], response.text)
    assert.match(response.body.exception, said)
  }
  for (const [path, body, said] of [
    [count, {}, /argument doctype is missing/],
    [count, { doctype: 7 }, /argument doctype must be a text/],
    ['/api/method/frappe.client.rename_doc', { doctype: 'Academic Year', old_name: 'a' }, /argument new_name/],
    [
      '/api/method/frappe.client.rename_doc',
      { doctype: 'x', old_name: 'a', new_name: 'b', merge: 'maybe' },
      /merge must be true/,
    ],
    ['/api/method/frappe.client.insert', { doc: [1] }, /argument doc must be a JSON object/],
    ['/api/method/frappe.client.insert', { doc: {} }, /names no doctype/],
    ['/api/resource/Academic Year/x', {}, /run_method/],
  ] as const) {
    const response = await api.post(path, body)
    assert.deepEqual([response.status, response.body.exc_type], [417, 'FrappeTypeError'], response.text)
    assert.match(response.body.exception, said)
  }
  const nul = await api.post(count, { doctype: 'Academic Year', filters: { name: '\0' } })
  assert.deepEqual([nul.status, nul.body.exc_type], [417, 'DataError'])
})

test('a body of 25 MiB is read, a larger one is 413 in the form of this API, and a guest’s ends at 1 MiB', async () => {
  const size = 25 * 1024 * 1024
  const body = (bytes: number) =>
    Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(bytes - 8, 'x'), Buffer.from('"}')])
  const json = { 'content-type': 'application/json' }
  assert.equal((await api.send('POST', '/api/method/ping', body(size), json)).status, 200)
  const large = await api.send('POST', '/api/method/ping', body(size + 1), json)
  assert.deepEqual([large.status, large.body.exc_type], [413, 'RequestEntityTooLarge'])
  const guest = await new RecordCaller(api.address).send('POST', '/api/method/ping', body(1024 * 1024 + 1), json)
  assert.deepEqual([guest.status, guest.body.exc_type], [413, 'RequestEntityTooLarge'])
  assert.equal((await api.send('POST', '/api/method/ping', 'x', { 'content-encoding': 'gzip' })).status, 415)
})

test('rights come from roles, and a refusal names the type and the right', async () => {
  const student = await aRecordCaller(service, tenant, ['Student'])
  const { status, body } = await student.post('/api/resource/Academic Year', year(2090))
  assert.deepEqual([status, body.exc_type], [403, 'PermissionError'])
  assert.match(body._error_message, /Academic Year \(create\)/)
  const asked = '/api/method/frappe.client.has_permission?doctype=Academic Year&docname=x&perm_type=create'
  assert.deepEqual((await student.get(asked)).body.message, { has_permission: false })
  assert.deepEqual((await api.get(asked)).body.message, { has_permission: true })
})

test('the service’s own first page still leads to the reference', async () => {
  const { status, headers } = await new RecordCaller(service.address).get('/')
  assert.deepEqual([status, headers.get('location')], [302, 'docs'])
  const { status: posted, body } = await new RecordCaller(service.address).post('/', {})
  assert.deepEqual([posted, body.code], [404, 'route_not_found'])
})
