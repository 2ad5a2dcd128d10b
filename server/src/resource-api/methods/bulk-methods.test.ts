import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const resourceClient = new ResourceClient(service, tenant)
const staff = await aRecordCaller(service, tenant)
const aRoom = async (room_name: string) => (await resourceClient.make('Room', { room_name })).name as string

test('POST /api/v2/document/{type}/bulk_update changes each record by itself, and tells what was refused', async () => {
  const name = await aRoom('A')
  const docs = [{ name, seating_capacity: '7' }, { name: 'none', seating_capacity: '3' }, { seating_capacity: '1' }]
  const { status, text, body } = await staff.post('/api/v2/document/Room/bulk_update', { docs })
  assert.equal(status, 200, text)
  const { updated, failed, ...counts } = body.data
  assert.deepEqual([updated, counts], [[name], { total: 3, success_count: 1, failure_count: 2 }])
  assert.deepEqual(
    failed.map((each: { name?: string; error: string }) => [each.name, typeof each.error]),
    [
      ['none', 'string'],
      [undefined, 'string'],
    ],
  )
  assert.deepEqual(
    body.docs.map((each: { name: string; seating_capacity: string }) => [each.name, each.seating_capacity]),
    [[name, '7']],
  )
})

test('POST /api/v2/method/bulk_update and bulk_delete take records of several types, with the rights of each', async () => {
  const name = await aRoom('B')
  await resourceClient.make('School House', { house_name: 'Ravens' })
  const docs = [
    { doctype: 'Room', name, seating_capacity: '9' },
    { doctype: 'School House', name: 'Ravens', description: 'blue' },
  ]
  const updated = await staff.post('/api/v2/method/bulk_update', { docs })
  assert.deepEqual(
    [updated.status, updated.body.data?.success_count, updated.body.data?.updated],
    [200, 2, docs.map(({ doctype, name: of }) => ({ doctype, name: of }))],
    updated.text,
  )
  const teacher = await aRecordCaller(service, tenant, ['Instructor'])
  const refused = await teacher.post('/api/v2/method/bulk_delete', { docs })
  assert.deepEqual([refused.status, refused.body.data?.failure_count], [200, 2], refused.text)
  const deleted = await staff.post('/api/v2/method/bulk_delete', { docs })
  assert.deepEqual([deleted.status, deleted.body.data?.deleted.length], [200, 2], deleted.text)
  assert.equal((await staff.get(`/api/v2/document/Room/${name}`)).status, 404)
  const [first, second] = [await aRoom('C'), await aRoom('D')]
  const some = await staff.post('/api/v2/document/Room/bulk_delete', { names: [first, 'none', second] })
  assert.deepEqual([some.body.data?.deleted, some.body.data?.failure_count], [[first, second], 1], some.text)
  const wrong = await staff.post('/api/v2/document/Room/bulk_delete', { names: {} })
  assert.equal(wrong.status, 417, wrong.text)
  const many = await staff.post('/api/v2/document/Room/bulk_delete', { names: Array.from({ length: 501 }, String) })
  assert.deepEqual([many.status, many.body.errors?.[0]?.type], [417, 'ValidationError'], many.text)
  assert.equal((await staff.get('/api/v2/method/bulk_delete')).status, 405)
})

test('a list of version 2 has what changed last first, counts where it is asked to, and may be asked for by QUERY', async () => {
  const [one, two] = [await aRoom('E'), await aRoom('F')]
  await staff.put(`/api/v2/document/Room/${one}`, { seating_capacity: '4' })
  const filters = [['name', 'in', [one, two]]]
  const query = new URLSearchParams({ filters: JSON.stringify(filters), include: 'count' })
  const listed = await staff.get(`/api/v2/document/Room?${query}`)
  assert.deepEqual(
    [listed.body.data?.map((each: { name: string }) => each.name), listed.body.count, listed.body.count_capped],
    [[one, two], 2, false],
    listed.text,
  )
  const queried = await staff.send('QUERY', '/api/v2/document/Room', { filters, order_by: 'name asc', limit: 1 })
  assert.deepEqual(
    [queried.status, queried.body.data?.map((each: { name: string }) => each.name), queried.body.has_next_page],
    [200, [one < two ? one : two], true],
    queried.text,
  )
  const counted = await staff.send('QUERY', '/api/v2/doctype/Room/count', { filters })
  assert.deepEqual([counted.status, counted.body.data], [200, 2], counted.text)
  const written = await staff.send('QUERY', `/api/v2/document/Room/${one}`, { seating_capacity: '5' })
  assert.equal(written.status, 405)
  for (const [path, status] of [
    ['/api/v2/document/Room', 415],
    ['/api/method/logout', 415],
    ['/ims/oneroster/rostering/v1p2/students', 422],
  ] as const) {
    assert.equal((await staff.send('QUERY', path)).status, status, `${path} without a Content-Type`)
  }
  const unknown = await staff.get('/api/v2/document/Room?include=shares')
  assert.equal(unknown.status, 417, unknown.text)
})

test('GET /api/v2/doctype/{type}/search finds as link fields do; discovery lists what the caller may call', async () => {
  await aRoom('Observatory')
  const found = await staff.get('/api/v2/doctype/Room/search?txt=observ')
  assert.deepEqual(
    [found.status, found.body.data?.length, found.body.data?.[0]?.label],
    [200, 1, 'Observatory'],
    found.text,
  )
  const root = await staff.get('/api/v2/discovery')
  assert.equal(root.body.data?.type, 'discovery', root.text)
  const index = await staff.get('/api/v2/discovery/method')
  const paths = index.body.data.methods.map((each: { path: string }) => each.path)
  assert.equal(paths.length, root.body.data.resources.methods)
  assert.ok(paths.includes('frappe.client.get_list'))
  const one = await staff.get('/api/v2/discovery/method/frappe.client.get_list')
  assert.equal(one.body.data?.endpoint, '/api/v2/method/frappe.client.get_list', one.text)
  const student = await aRecordCaller(service, tenant, ['Student'])
  const own = await student.get('/api/v2/discovery/search?q=bulk%20delete')
  assert.ok(own.body.data.results.length > 0, own.text)
  assert.equal((await staff.get('/api/v2/discovery/method/none')).status, 404)
  const missing = await staff.post('/api/method/none.such')
  assert.match(missing.text, /discovery\/method/)
})

test('the desk saves, cancels and deletes, and says what is linked', async () => {
  const saved = await staff.post('/api/method/frappe.desk.form.save.savedocs', {
    doc: JSON.stringify({ doctype: 'Room', name: 'new-room-1', __islocal: 1, room_name: 'G' }),
    action: 'Save',
  })
  assert.deepEqual([saved.status, saved.body.docs?.[0]?.room_name], [200, 'G'], saved.text)
  const [doc] = saved.body.docs
  const again = await staff.post('/api/method/frappe.desk.form.save.savedocs', {
    doc: JSON.stringify({ ...doc, seating_capacity: '12' }),
    action: 'Save',
  })
  assert.equal(again.body.docs?.[0]?.seating_capacity, '12', again.text)
  await resourceClient.make('Academic Year', {
    academic_year_name: '2030-31',
    year_start_date: '2030-08-01',
    year_end_date: '2031-07-31',
  })
  const term = await resourceClient.make('Academic Term', {
    academic_year: '2030-31',
    term_name: 'Fall',
    term_start_date: '2030-08-01',
    term_end_date: '2030-12-01',
  })
  const linked = await staff.post('/api/method/frappe.desk.form.linked_with.get', {
    doctype: 'Academic Year',
    docname: '2030-31',
  })
  assert.deepEqual(
    linked.body.message?.['Academic Term']?.map((each: { name: string }) => each.name),
    [term.name],
    linked.text,
  )
  const deleted = await staff.post('/api/method/frappe.desk.reportview.delete_items', {
    doctype: 'Room',
    items: JSON.stringify([doc.name, 'none']),
  })
  assert.equal(deleted.status, 200, deleted.text)
  assert.match(deleted.body._server_messages, /none/)
  assert.equal((await staff.get(`/api/resource/Room/${doc.name}`)).status, 404)
})
