import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const api = await aRecordCaller(service, tenant)
const client = (method: string, body: object) => api.post(`/api/method/frappe.client.${method}`, body)

async function aCourse(name: string) {
  const made = await client('insert', { doc: { doctype: 'Course', course_name: name, description: 'Old' } })
  assert.equal(made.status, 200, made.text)
  return made.body.message
}

test('save takes a record whole: it needs the modified that was read, and a name that is there', async () => {
  const read = await aCourse('Saved')
  for (const modified of ['2020-01-01 00:00:00.000000', null, 5, undefined]) {
    const stale = await client('save', { doc: { ...read, modified, description: 'New' } })
    assert.deepEqual([modified, stale.status, stale.body.exc_type], [modified, 417, 'TimestampMismatchError'])
  }
  const { name, doctype, modified, course_name } = read
  const saved = await client('save', { doc: { name, doctype, modified, course_name } })
  assert.deepEqual([saved.status, saved.body.message.description], [200, null])
  const unknown = await client('save', { doc: { ...read, name: 'Never made' } })
  assert.deepEqual([unknown.status, unknown.body.exc_type], [404, 'DoesNotExistError'])
  const fresh = await client('save', {
    doc: { doctype, name: 'new-course-1', __islocal: 1, course_name: 'Made by save' },
  })
  assert.deepEqual([fresh.status, fresh.body.message.name], [200, 'Made by save'])
})

test('a PUT that brings a modified brings the stored one', async () => {
  await aCourse('Put')
  for (const modified of ['2020-01-01 00:00:00.000000', '', null, 5]) {
    const { status, body } = await api.put('/api/resource/Course/Put', { modified, description: 'New' })
    assert.deepEqual([modified, status, body.exc_type], [modified, 417, 'TimestampMismatchError'])
  }
  const { data } = (await api.get('/api/resource/Course/Put')).body
  assert.equal(data.description, 'Old')
  assert.equal((await api.put('/api/resource/Course/Put', { ...data, description: 'New' })).status, 200)
})

test('set_value takes a whole record as its fields, and no standard field by itself', async () => {
  const read = await aCourse('Set')
  const asked = { doctype: 'Course', name: 'Set' }
  const whole = await client('set_value', { ...asked, fieldname: { ...read, description: 'New' } })
  assert.deepEqual([whole.status, whole.body.message.description], [200, 'New'])
  for (const fieldname of ['owner', 'modified', 'docstatus', 'parent', 'parenttype', 'doctype']) {
    const { status, body } = await client('set_value', { ...asked, fieldname, value: 'x' })
    assert.deepEqual([fieldname, status, body.exc_type], [fieldname, 417, 'ValidationError'])
  }
  const emptied = await client('set_value', { ...asked, fieldname: 'hero_image', value: 0 })
  assert.equal(emptied.body.message.hero_image, '')
})

test('a link is found in any case of its letters, with the name as it is kept', async () => {
  await aCourse('Linked Course')
  const found = await client('validate_link', {
    doctype: 'Course',
    docname: 'linked COURSE',
    fields: '["course_name"]',
  })
  assert.deepEqual(found.body.message, { name: 'Linked Course', course_name: 'Linked Course' })
  const none = await client('validate_link', { doctype: 'Course', docname: 'Linked' })
  assert.deepEqual(none.body.message, { name: null })
})

test('what somebody may do is told of a record that is there', async () => {
  await aCourse('Allowed')
  const reported = await client('get_doc_permissions', { doctype: 'Course', docname: 'Allowed' })
  assert.deepEqual([reported.body.message.permissions.write, reported.body.message.permissions.submit], [1, 0])
  const none = await client('get_doc_permissions', { doctype: 'Course', docname: 'None' })
  assert.deepEqual([none.status, none.body.exc_type], [404, 'DoesNotExistError'])
  const asked = { doctype: 'Course', docname: 'Allowed', perm_type: 'WRITE' }
  assert.deepEqual((await client('has_permission', asked)).body.message, { has_permission: true })
})
