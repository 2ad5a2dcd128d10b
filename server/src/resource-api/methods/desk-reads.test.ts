import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { anApplication, aRecordCaller, aStudent, aUser } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { xlsxOfRows } from '../exports/xlsx-rows.ts'

const service = await startTestService()
const tenant = await service.tenant()
const api = await aRecordCaller(service, tenant)
for (const start of [2026, 2027, 2028]) {
  const made = await api.post('/api/resource/Academic Year', {
    academic_year_name: `${start}`,
    year_start_date: `${start}-08-01`,
    year_end_date: `${start + 1}-06-30`,
  })
  assert.equal(made.status, 200)
}

const view = (method: string, body: object) =>
  api.post(`/api/method/frappe.desk.reportview.${method}`, { doctype: 'Academic Year', ...body })

test('a desk lists records as rows, or as lists with the names of the fields once, and counts them', async () => {
  const asked = {
    fields: JSON.stringify(['`tabAcademic Year`.`name`', 'year_start_date']),
    filters: [['Academic Year', 'name', '>', '2026']],
    order_by: '`tabAcademic Year`.`name` desc',
    start: 0,
    page_length: 1,
  }
  const rows = await view('get_list', asked)
  assert.deepEqual([rows.status, rows.body.message], [200, [{ name: '2028', year_start_date: '2028-08-01' }]])
  const lists = await view('get', asked)
  const { keys, values } = lists.body.message
  assert.deepEqual([keys, values], [['name', 'year_start_date'], [['2028', '2028-08-01']]])
  assert.equal((await view('get_count', asked)).body.message, 2)
  const others = await aRecordCaller(service, tenant, ['Blogger'])
  const rejected = await others.post('/api/method/frappe.desk.reportview.get_count', { doctype: 'Student' })
  assert.deepEqual([rejected.status, rejected.body.exc_type], [403, 'PermissionError'])
})

test('a count goes no further than its limit, whatever is counted', async () => {
  const school = await service.tenant()
  for (let made = 0; made < 3; made += 1) await aStudent(school.api)
  const resourceClient = await aRecordCaller(service, school)
  const count = (filters: unknown, limit: unknown) =>
    resourceClient.post('/api/method/frappe.desk.reportview.get_count', { doctype: 'Student', filters, limit })
  for (const filters of [[], [['enabled', '=', 1]]]) {
    const counts: unknown[] = []
    for (const limit of [1, '2', 3, 1001, 0, '', undefined]) counts.push((await count(filters, limit)).body.message)
    assert.deepEqual(counts, [1, 2, 3, 3, 3, 3, 3])
    for (const limit of [-1, 'many', {}, 1.5]) {
      const { status, body } = await count(filters, limit)
      assert.deepEqual([status, body.exc_type], [417, 'FrappeTypeError'], String(limit))
    }
  }
})

test('all records of a type whose number is kept are not counted one by one, whatever is made, deleted or merged', async () => {
  const school = await service.tenant()
  const resourceClient = await aRecordCaller(service, school)
  const ask = async (doctype: string, filters: unknown = []) =>
    (await resourceClient.post('/api/method/frappe.desk.reportview.get_count', { doctype, filters })).body.message
  const made = {
    Student: () => aStudent(school.api),
    'Student Applicant': () => anApplication(school.api),
    Program: (name: string) => resourceClient.post('/api/resource/Program', { program_name: name }),
    Course: (name: string) => resourceClient.post('/api/resource/Course', { course_name: name }),
  }
  for (const [doctype, make] of Object.entries(made)) {
    const countings = await statementsLike(/count\(\*\)/, async () => {
      assert.equal(await ask(doctype), 0, doctype)
      for (const number of [1, 2, 3]) {
        await make(`Number ${number}`)
        assert.equal(await ask(doctype), number, doctype)
      }
    })
    assert.deepEqual(countings, [], doctype)
    const listed = (await resourceClient.get(`/api/resource/${doctype}`)).body.data as { name: string }[]
    const [one, other, third] = listed.map(({ name }) => name)
    assert.equal(await ask(doctype, { name: ['!=', one] }), 2, doctype)
    assert.equal((await resourceClient.delete(`/api/resource/${doctype}/${one}`)).status, 202, doctype)
    assert.equal(await ask(doctype), 2, doctype)
    if (doctype.startsWith('Student')) continue
    const into = { doctype, old_name: other, new_name: third, merge: 1 }
    assert.equal((await resourceClient.post('/api/method/frappe.client.rename_doc', into)).status, 200, doctype)
    assert.equal(await ask(doctype), 1, doctype)
  }
})

test('a desk’s list view asks by a form, for the notes on a record too, but is not answered what there is of no record', async () => {
  const names = [
    'name',
    'owner',
    'modified',
    'docstatus',
    '_user_tags',
    '_comments',
    '_assign',
    '_liked_by',
    '_seen',
    'year_start_date',
  ]
  const asked = {
    doctype: 'Academic Year',
    fields: JSON.stringify(names.map((name) => `\`tabAcademic Year\`.\`${name}\``)),
    filters: '[["Academic Year","year_start_date",">","2027-01-01"]]',
    order_by: '`tabAcademic Year`.`creation` desc',
    start: '0',
    page_length: '20',
    view: 'List',
    group_by: '`tabAcademic Year`.`name`',
    with_comment_count: '1',
  }
  const send = (method: string, fields: Record<string, string>) =>
    api.send('POST', `/api/method/frappe.desk.reportview.${method}`, new URLSearchParams(fields))
  const { status, body, text } = await send('get', asked)
  assert.equal(status, 200, text)
  const unanswered = names.indexOf('_seen')
  assert.deepEqual(body.message.keys, names.toSpliced(unanswered, 1))
  assert.deepEqual(
    body.message.values.map(([name]: string[]) => name),
    ['2028', '2027'],
  )
  const { doctype, filters } = asked
  const count = await send('get_count', { doctype, filters, fields: '[]', distinct: 'false', limit: '1001' })
  assert.equal(count.body.message, 2)
  const none = await send('get', { ...asked, filters: '[["name","=","1900"]]' })
  assert.deepEqual(none.body.message, [])
  const only = await send('get_list', { doctype, fields: '["_seen"]' })
  assert.deepEqual(only.body.message[0], { name: '2026' })
})

test('only a System Manager may ask for a secret, of a field that holds one, and is told that it is told to nobody', async () => {
  const asked = { doctype: 'Academic Year', name: '2026', fieldname: 'year_start_date' }
  const path = '/api/method/frappe.client.get_password'
  const plain = await api.post(path, asked)
  assert.deepEqual([plain.status, plain.body.exc_type], [417, 'ValidationError'])
  const staff = await (await aRecordCaller(service, tenant, ['Academics User'])).post(path, asked)
  assert.deepEqual([staff.status, staff.body.exc_type], [403, 'PermissionError'])
  assert.equal((await api.post(path, { ...asked, name: '1900' })).status, 404)
  const settings = 'Education Settings'
  const secret = await api.post(path, { doctype: settings, name: settings, fieldname: 'razorpay_secret' })
  assert.deepEqual([secret.status, secret.body.exc_type], [403, 'PermissionError'])
  assert.match(secret.body.exception, /kept encrypted and told to nobody/)
})

const exported = (args: object) =>
  api.post('/api/method/frappe.desk.reportview.export_query', { file_format_type: 'CSV', ...args })

test('a list is exported as it is seen: its fields, filters, order and all pages, numbered beneath the labels, and the audit tells who took it', async () => {
  const made = await exported({
    doctype: 'Academic Year',
    title: 'Years/of "ours"',
    fields: ['name', '`tabAcademic Year`.`year_start_date`'],
    filters: [['name', '>', '2026']],
    order_by: 'name desc',
  })
  assert.equal(made.status, 200)
  assert.equal(made.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(made.headers.get('content-disposition') ?? '', /^attachment; filename="Years_of _ours_\.csv"/)
  assert.equal(
    made.bytes.toString(),
    '\uFEFF"Sr","ID","Year Start Date"\r\n1,"2028","2028-08-01"\r\n2,"2027","2027-08-01"\r\n',
  )
  const [entry] = await service.database.inspect<{
    actor_type: string
    after: { fields: string[]; filteredBy: string[] }
  }>(
    `select actor_type, after from audit_entries where tenant_id = $1 and action = 'records.exported' and entity_type = 'academic_year'`,
    [tenant.id],
  )
  assert.deepEqual(
    [entry?.actor_type, entry?.after.fields, entry?.after.filteredBy],
    ['api_key', ['name', 'year_start_date'], ['name']],
  )
  // However much the filters say, and of whom: the audit keeps what they were about.
  const names = Array.from({ length: 9_000 }, (_, number) => `Somebody Private ${number}`)
  assert.equal((await exported({ doctype: 'Academic Year', filters: [['name', 'in', names]] })).status, 200)
  const { status, body } = await tenant.api.get('/audit?action=records.exported')
  assert.deepEqual([status, body.data.length], [200, 2])
  assert.ok(JSON.stringify(body.data[0]).length < 2000 && !JSON.stringify(body).includes('Private'))
  const chosen = await exported({
    doctype: 'Academic Year',
    selected_items: '["2026"]',
    csv_delimiter: ';',
    csv_quoting: 0,
  })
  assert.equal(chosen.bytes.toString(), '\uFEFFSr;ID\r\n1;2026\r\n')
})

test('no cell of an exported list is a formula, and a number stays one', async () => {
  const texts = [
    '=1+1',
    '+34 600 1',
    '-2+3',
    '@sum(a1)',
    '  =cmd',
    '\uff1d1',
    '|x',
    'plain',
    'a "quoted", text',
    '-12.5',
  ]
  for (const category of texts) {
    assert.equal((await api.post('/api/resource/Student Category', { category })).status, 200, category)
  }
  const made = await exported({ doctype: 'Student Category', fields: ['category', 'docstatus'], order_by: 'creation' })
  const lines = made.bytes.toString().split('\r\n').slice(1, -1)
  const cells = lines.map((line) => /^\d+,"(.*)",0$/.exec(line)?.[1]?.replaceAll('""', '"'))
  const plain = new Set(['plain', 'a "quoted", text', '-12.5'])
  assert.deepEqual(
    cells,
    texts.map((text) => (plain.has(text) ? text : `'${text.trim() === '=cmd' ? text.trim() : text}`)),
  )
})

const withoutPython =
  spawnSync('python3', ['--version']).status === 0 ? false : 'there is no python3 here to read workbooks'

test('a list is exported as a workbook: texts are texts whatever they begin with, numbers and dates are such', {
  skip: withoutPython,
}, async () => {
  const texts = ['=1+1', 'a & b < "c"', 'a\u0001b', '_x0041_', 'Zoë \u{1f600}', `long ${'x'.repeat(135)}`]
  for (const [index, occupation] of texts.entries()) {
    const guardian = { guardian_name: `Guardian ${index}`, occupation }
    assert.equal((await api.post('/api/resource/Guardian', guardian)).status, 200, String(index))
  }
  const asked = { file_format_type: 'Excel', fields: ['occupation', 'creation', 'docstatus'], order_by: 'creation' }
  const made = await exported({ ...asked, doctype: 'Guardian', title: 'Guardians' })
  assert.equal(made.status, 200)
  assert.match(made.headers.get('content-type') ?? '', /spreadsheetml\.sheet$/)
  assert.match(made.headers.get('content-disposition') ?? '', /filename="Guardians\.xlsx"/)
  const cells = findCells(made.bytes)
  assert.deepEqual(cells[0], ['Sr', 'Occupation', 'Created On', 'Document Status'])
  const rows = cells.slice(1)
  assert.deepEqual(
    rows.map(([, name]) => name),
    texts.map((text) => (text === 'a\u0001b' ? 'ab' : text)),
  )
  for (const [index, [number, , creation, docstatus]] of rows.entries()) {
    assert.deepEqual([number, docstatus], [index + 1, 0])
    // Days since 1899-12-30: this test runs in the present.
    assert.ok(typeof creation === 'number' && Math.abs(creation - (Date.now() / 86_400_000 + 25_569)) < 2)
  }
  const years = findCells(
    (await exported({ file_format_type: 'Excel', doctype: 'Academic Year', fields: ['name', 'year_start_date'] }))
      .bytes,
  )
  assert.deepEqual(years.find(([, name]) => name === '2027')?.[2], Date.UTC(2027, 7, 1) / 86_400_000 + 25_569)
})

test('what a sheet has no room for goes on in the next one, beneath the same headings', {
  skip: withoutPython,
}, async () => {
  async function* batches() {
    yield [['a'], ['b'], ['c']]
    yield [['d'], ['e']]
  }
  const loadBook = async (rows: AsyncIterable<readonly unknown[]>) => {
    const chunks: Buffer[] = []
    for await (const chunk of xlsxOfRows([{ heading: 'Name', type: 'Data' }], rows, { rowsOfSheet: 2 }))
      chunks.push(Buffer.from(chunk as Uint8Array))
    return Buffer.concat(chunks)
  }
  const book = await loadBook(batches())
  const sheets = [1, 2, 3].map((sheet) => findCells(book, sheet))
  const headings = ['Sr', 'Name']
  assert.deepEqual(sheets, [
    [headings, [1, 'a'], [2, 'b']],
    [headings, [3, 'c'], [4, 'd']],
    [headings, [5, 'e']],
  ])
  assert.equal(book.includes('sheet4.xml'), false)
  async function* broken() {
    yield [['a'], ['b'], ['c']]
    throw new Error('gone')
  }
  await assert.rejects(loadBook(broken()), /gone/)
})

/**
 * The cells of a workbook as another program reads them: Python with its own library alone, which knows no
 * spreadsheets.
 */
function findCells(bytes: Uint8Array, sheet = 1): (string | number | null)[][] {
  const script = `
import io, json, sys, zipfile, xml.etree.ElementTree as tree
book = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
assert book.testzip() is None
for name in book.namelist(): tree.fromstring(book.read(name))
main = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
def value(cell):
  text = cell.find(main + 'is/' + main + 't')
  if text is not None: return (text.text or '').replace('_x005F_', '_')
  number = cell.find(main + 'v')
  return None if number is None else float(number.text)
rows = tree.fromstring(book.read('xl/worksheets/sheet${sheet}.xml')).iter(main + 'row')
print(json.dumps([[value(cell) for cell in row] for row in rows]))`
  return JSON.parse(execFileSync('python3', ['-c', script], { input: bytes }).toString())
}

test('a list is exported by whoever may read it, in a format that there is, and by no link', async () => {
  const others = await aRecordCaller(service, tenant, ['Blogger'])
  const rejected = await others.post('/api/method/frappe.desk.reportview.export_query', { doctype: 'Student' })
  assert.deepEqual([rejected.status, rejected.body.exc_type], [403, 'PermissionError'])
  const linked = await api.get('/api/method/frappe.desk.reportview.export_query?doctype=Academic Year')
  assert.deepEqual([linked.status, linked.body.exc_type], [403, 'PermissionError'])
  for (const wrong of [{ file_format_type: 'PDF' }, { csv_delimiter: '"' }]) {
    const response = await exported({ doctype: 'Academic Year', ...wrong })
    assert.deepEqual([response.status, response.body.exc_type], [417, 'ValidationError'], JSON.stringify(wrong))
  }
  assert.equal((await exported({ doctype: 'Academic Year', fields: ['no_such'] })).body.exc_type, 'DataError')
  assert.equal((await exported({ doctype: 'Academic Year', selected_items: '[1]' })).body.exc_type, 'FrappeTypeError')
})

test('the values of a field are counted among the records that meet filters, with the titles of what they name, and so are assignees', async () => {
  for (const [term, year] of [
    ['Fall', '2026'],
    ['Spring', '2026'],
    ['Fall', '2027'],
  ]) {
    const made = await api.post('/api/resource/Academic Term', {
      term_name: term,
      academic_year: year,
      term_start_date: `${year}-09-01`,
      term_end_date: `${year}-12-01`,
    })
    assert.equal(made.status, 200, made.text)
  }
  const counted = (args: object) =>
    api.post('/api/method/frappe.desk.listview.get_group_by_count', { current_filters: '[]', ...args })
  const byYear = await counted({ doctype: 'Academic Term', field: 'academic_year' })
  assert.deepEqual(byYear.body.message, [
    { name: '2026', count: 2 },
    { name: '2027', count: 1 },
  ])
  const filters = JSON.stringify([['Academic Term', 'term_name', '=', 'Fall']])
  const ofFall = await counted({ doctype: 'Academic Term', field: 'academic_year', current_filters: filters })
  assert.deepEqual(
    ofFall.body.message.map(({ count }: { count: number }) => count),
    [1, 1],
  )
  const { email } = await aUser(service, tenant, { roles: ['Academics User'] })
  const given = await api.post('/api/resource/ToDo', {
    allocated_to: email,
    reference_type: 'Academic Year',
    reference_name: '2026',
    description: 'Close it',
  })
  assert.equal(given.status, 200, given.text)
  const assigned = await counted({ doctype: 'Academic Year', field: 'assigned_to' })
  assert.deepEqual(assigned.body.message, [{ name: email, count: 1 }])
  const titled = await counted({ doctype: 'ToDo', field: 'allocated_to' })
  assert.deepEqual(titled.body.message, [{ name: email, count: 1, title: 'Ada Byron' }])
  assert.equal((await counted({ doctype: 'Academic Term', field: 'no_such' })).body.exc_type, 'DataError')
  assert.equal((await counted({ doctype: 'Academic Term', field: 'a; drop' })).body.exc_type, 'DataError')
  const others = await aRecordCaller(service, tenant, ['Blogger'])
  const rejected = await others.post('/api/method/frappe.desk.listview.get_group_by_count', {
    doctype: 'Student',
    field: 'gender',
  })
  assert.equal(rejected.status, 403)
})
