import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const resourceClient = new ResourceClient(service, tenant)
const api = await aRecordCaller(service, tenant)

test('an empty text in a link means that it is not set, on every way to write a record', async () => {
  await resourceClient.make('Department', { department_name: 'Health' })
  const made = await resourceClient.make('Program', { program_name: 'Nursing', department: '' })
  assert.equal(made.department, null)
  for (const path of ['/api/resource/Program/Nursing', '/api/v2/document/Program/Nursing']) {
    await resourceClient.update('Program', 'Nursing', { department: 'Health' })
    const changed = await api.put(path, { department: '' })
    assert.deepEqual([changed.status, changed.body.data.department], [200, undefined], changed.text)
  }
  await resourceClient.update('Program', 'Nursing', { department: 'Health' })
  const asked = { doctype: 'Program', name: 'Nursing', fieldname: 'department', value: '' }
  const set = await api.post('/api/method/frappe.client.set_value', asked)
  assert.deepEqual([set.status, set.body.message.department], [200, null])
  const unset = await resourceClient.list('Program', { filters: JSON.stringify({ department: ['is', 'not set'] }) })
  assert.deepEqual(unset.data, [{ name: 'Nursing' }])
})

test('an empty text in a link of a row means that it is not set, and where the row needs one that it is missing', async () => {
  const ann = await resourceClient.create('Student', {
    first_name: 'Ann',
    siblings: [{ full_name: 'Ben', studying_in_same_institute: 'NO', student: '' }],
  })
  assert.equal(ann.error, null, ann.told)
  assert.equal(ann.data.siblings[0].student, null)
  const program = await resourceClient.create('Program', { program_name: 'Law', courses: [{ course: '' }] })
  assert.deepEqual([program.status, program.error], [417, 'MandatoryError'])
  const article = { topic_name: 'Bones', topic_content: [{ content_type: 'Article', content: '' }] }
  const topic = await resourceClient.create('Topic', article)
  assert.deepEqual([topic.status, topic.error], [417, 'MandatoryError'])
  const logs = await resourceClient.make('Instructor', {
    instructor_name: 'Grace',
    instructor_log: [],
    employee: '',
    department: '',
  })
  assert.deepEqual([logs.employee, logs.department], [null, null])
})

test('an empty text in a required link is refused as missing', async () => {
  const term = { academic_year: '', term_name: 'T', term_start_date: '2026-08-01', term_end_date: '2026-12-01' }
  const rejected = await resourceClient.create('Academic Term', term)
  assert.deepEqual([rejected.status, rejected.error], [417, 'MandatoryError'])
})
