import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/factories.ts'
import { startTestService } from '../../testing/test-service.ts'

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
  const refused = await others.post('/api/method/frappe.desk.reportview.get_count', { doctype: 'Student' })
  assert.deepEqual([refused.status, refused.body.exc_type], [403, 'PermissionError'])
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
  const unanswered = names.indexOf('_liked_by')
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
  const only = await send('get_list', { doctype, fields: '["_liked_by"]' })
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
