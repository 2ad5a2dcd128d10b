import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docType, recordTypes } from '@matricula/contract/record-types'
import { aRecordCaller } from '../../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const api = await aRecordCaller(service, tenant)
const path = '/api/resource/DocType'
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const listed = async (query = '', caller = api) => (await caller.get(`${path}?${query}`)).body.data as any[]

test('every record type, and every type of rows, is a record of the type DocType', async () => {
  const names = (await listed('limit_page_length=0')).map(({ name }) => name)
  for (const { name } of [...recordTypes, docType]) assert.ok(names.includes(name), name)
  assert.ok(names.includes('Program Course') && names.includes('DocField'))
  assert.deepEqual(names, [...new Set(names)].sort())
  assert.equal((await listed()).length, 20)
})

test('types are listed with fields, filters, orders, pages and counts as all records are', async () => {
  const singles = await listed(
    `fields=["name","issingle"]&filters=[["issingle","=",1]]&order_by=name desc&limit_page_length=2&limit_start=1`,
  )
  assert.equal(singles.length, 2)
  assert.ok(singles.every(({ issingle }) => issingle === 1))
  assert.ok(singles[0].name > singles[1].name)
  const like = await listed('filters=[["name","like","student gr%"]]&fields=["name","istable","module"]')
  assert.deepEqual(like[0], { name: 'Student Group', istable: 0, module: 'Education' })
  const asked = { doctype: 'DocType', filters: { is_submittable: 1 } }
  const submittable = recordTypes.filter(({ kind }) => kind === 'submittable').length
  assert.equal((await api.post('/api/method/frappe.client.get_count', asked)).body.message, submittable)
  const grouped = await listed('fields=["istable","count(name) as n"]&group_by=istable')
  assert.equal(
    grouped.reduce((sum, { n }) => sum + n, 0),
    (await listed('limit_page_length=0')).length,
  )
  const named = { doctype: 'DocType', filters: 'Course', fieldname: '["name","autoname"]' }
  const value = (await api.post('/api/method/frappe.client.get_value', named)).body.message
  assert.deepEqual(value, { name: 'Course', autoname: 'field:course_name' })
})

test('a type has its fields and roles, and so has one of rows', async () => {
  const { data } = (await api.get(`${path}/Program Enrollment`)).body
  assert.deepEqual(
    [data.doctype, data.name, data.is_submittable, data.autoname, data.title_field],
    ['DocType', 'Program Enrollment', 1, 'naming_series:', 'student_name'],
  )
  const student = data.fields.find(({ fieldname }: { fieldname: string }) => fieldname === 'student')
  assert.deepEqual(
    [student.doctype, student.fieldtype, student.options, student.reqd, student.parent, student.parenttype],
    ['DocField', 'Link', 'Student', 1, 'Program Enrollment', 'DocType'],
  )
  const courses = data.fields.find(({ fieldname }: { fieldname: string }) => fieldname === 'courses')
  assert.deepEqual([courses.fieldtype, courses.options], ['Table', 'Program Enrollment Course'])
  const role = data.permissions.find((each: { role: string }) => each.role === 'Student')
  assert.deepEqual([role.doctype, role.read, role.write, role.permlevel], ['DocPerm', 1, 0, 0])
  const rows = (await api.get(`${path}/Program%20Course`)).body.data
  assert.deepEqual([rows.istable, rows.fields[0].fieldname], [1, 'course'])
  const same = await api.post('/api/method/frappe.client.get', { doctype: 'DocType', name: 'Program Course' })
  assert.equal(same.body.message.fields.length, rows.fields.length)
  const meta = (await api.get('/api/v2/doctype/Program Enrollment/meta')).body.data
  assert.equal(meta.fields.length, data.fields.length)
})

test('fields of types are listed as rows, and read by their names', async () => {
  const rows = await api.get(
    '/api/resource/DocField?parent=DocType&filters=[["parent","=","Course"],["fieldtype","=","Table"]]&fields=["fieldname","options","parent"]',
  )
  assert.deepEqual(rows.body.data, [
    { fieldname: 'topics', options: 'Course Topic', parent: 'Course' },
    { fieldname: 'assessment_criteria', options: 'Course Assessment Criteria', parent: 'Course' },
  ])
  const { data } = (await api.get(`${path}/Course`)).body
  const [first] = data.fields
  const read = (await api.get(`/api/resource/DocField/${first.name}`)).body.data
  assert.deepEqual([read.fieldname, read.parent], [first.fieldname, 'Course'])
  assert.equal((await api.get('/api/resource/DocField/none')).status, 404)
  const nested = await listed('fields=["name",{"permissions":["role","read"]}]&filters={"name":"Country"}')
  assert.deepEqual(nested, [{ name: 'Country', permissions: [{ role: 'All', read: 1 }] }])
  const joined = await listed('fields=["name","fields.fieldname"]&filters=[["DocField","fieldname","=","personal"]]')
  assert.deepEqual(joined, [])
})

test('only types that somebody may read are there, in lists, counts, searches, links and by name', async () => {
  const blogger = await aRecordCaller(service, tenant, ['Student'])
  const names = (await listed('limit_page_length=0', blogger)).map(({ name }) => name)
  assert.ok(names.includes('Program') && names.includes('Program Course') && names.includes('DocType'))
  for (const hidden of ['Fees', 'User', 'GL Entry', 'Guardian', 'Fee Component']) {
    assert.ok(!names.includes(hidden), hidden)
    const read = await blogger.get(`${path}/${hidden}`)
    assert.deepEqual([hidden, read.status, read.body.exc_type], [hidden, 404, 'DoesNotExistError'])
    for (const [method, nothing] of [
      ['frappe.client.get_count', 0],
      ['frappe.client.get_list', []],
      ['frappe.client.validate_link', { name: null }],
    ] as const) {
      const asked = { doctype: 'DocType', filters: { name: hidden }, docname: hidden }
      const { body } = await blogger.post(`/api/method/${method}`, asked)
      assert.deepEqual([method, body.message], [method, nothing])
    }
    const rows = await blogger.get(`/api/resource/DocField?parent=DocType&filters=[["parent","=","${hidden}"]]`)
    assert.deepEqual(rows.body.data, [])
  }
})

test('nobody writes, renames or deletes a type, nor a field of one', async () => {
  const resourceClient = new ResourceClient(service, tenant)
  const rejected = [
    await resourceClient.create('DocType', { name: 'Mine' }),
    await resourceClient.update('DocType', 'Course', { custom: 1 }),
    await resourceClient.remove('DocType', 'Course'),
    await resourceClient.rename('DocType', 'Course', 'Mine'),
    await resourceClient.update('DocField', 'Course-fields-topics', { label: 'x' }),
    await resourceClient.remove('DocField', 'Course-fields-topics'),
  ]
  for (const { status, error } of rejected) assert.deepEqual([status, error], [403, 'PermissionError'])
  const doc = { doctype: 'DocType', name: 'Course', custom: 1 }
  for (const method of ['insert', 'save', 'submit']) {
    const { status } = await api.post(`/api/method/frappe.client.${method}`, { doc })
    assert.deepEqual([method, status], [method, 403])
  }
})
