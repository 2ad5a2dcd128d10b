import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const seededTenant = await seedTenant(service)
const { tenant, resourceClient, students } = seededTenant
const api = await aRecordCaller(service, tenant)
const link = '/api/method/frappe.desk.search.search_link'
const widget = '/api/method/frappe.desk.search.search_widget'
for (const course_name of ['Art', 'Art History', 'Modern Art', 'Maths', '50% Off']) {
  await resourceClient.make('Course', { course_name })
}
const found = async (args: object, caller = api) => {
  const { status, body, text } = await caller.post(link, args)
  assert.equal(status, 200, text)
  return body.message as { value: string; description: string }[]
}
const values = async (args: object) => (await found(args)).map(({ value }) => value)

test('what is typed is looked for in names, in any case; names that begin with it come first', async () => {
  assert.deepEqual(await values({ doctype: 'Course', txt: 'ART' }), ['Art', 'Art History', 'Modern Art'])
  assert.deepEqual(await values({ doctype: 'Course', txt: ' hist ' }), ['Art History'])
  assert.deepEqual(await values({ doctype: 'Course', txt: 'nothing' }), [])
  assert.ok((await values({ doctype: 'Course', txt: '' })).includes('Maths'))
  const got = await api.get(`${link}?doctype=Course&txt=art`)
  assert.deepEqual(got.body.message[0], { value: 'Art', description: 'Art' })
})

test('it is looked for in the title and the search fields too, which describe what was found', async () => {
  const byName = await found({ doctype: 'Student', txt: 'turing' })
  assert.deepEqual(byName, [{ value: students[1], description: 'Alan Turing' }])
  const rows = (await api.post(widget, { doctype: 'Student', txt: 'turing' })).body.message
  assert.deepEqual(rows, [[students[1], 'Alan Turing']])
  const further = { doctype: 'Student', txt: 'alan@', searchfield: 'student_email_id', filter_fields: '["gender"]' }
  assert.deepEqual(await found(further), [{ value: students[1], description: 'Alan Turing, alan@example.org' }])
})

test('filters in every form narrow it, pages have ten hits or as many as are asked for, and a hundred at most', async () => {
  for (const filters of [
    { name: ['!=', 'Art'] },
    [['name', '!=', 'Art']],
    '{"name":["!=","Art"]}',
    [['Course', 'name', '!=', 'Art']],
  ]) {
    assert.deepEqual(await values({ doctype: 'Course', txt: 'art', filters }), ['Art History', 'Modern Art'])
  }
  const page = { doctype: 'Course', txt: 'art', page_length: 1, start: 1 }
  assert.deepEqual(await values(page), ['Art History'])
  for (const year of Array.from({ length: 12 }, (_, index) => 2030 + index)) {
    await resourceClient.make('School House', { house_name: `House ${year}` })
  }
  assert.equal((await found({ doctype: 'School House', txt: 'house' })).length, 10)
  assert.equal((await found({ doctype: 'School House', txt: 'house', page_length: 1000 })).length, 12)
})

test('what is switched off is not offered', async () => {
  await resourceClient.update('Student', students[0], { enabled: 0 })
  assert.deepEqual(await values({ doctype: 'Student', txt: 'byron' }), [])
  await resourceClient.update('Student', students[0], { enabled: 1 })
  assert.deepEqual(await values({ doctype: 'Student', txt: 'byron' }), [students[0]])
})

test('a query of the service finds the records instead, with its own rights; any other path is refused', async () => {
  const query = 'education.education.doctype.program_enrollment.program_enrollment.get_program_courses'
  const asked = { doctype: 'Course', txt: 'eth', query, filters: { program: seededTenant.program }, page_length: 5 }
  assert.deepEqual(await found(asked), [{ value: 'Ethics', description: 'Ethics' }])
  for (const other of [
    'frappe.client.get_list',
    'frappe.client.insert',
    'nothing',
    'education.education.api.get_user_info',
  ]) {
    const { status, body } = await api.post(link, { ...asked, query: other })
    assert.deepEqual([other, status, body.exc_type], [other, 417, 'ValidationError'])
  }
  const student = await aRecordCaller(service, tenant, ['Student'])
  const rejected = await student.post(link, asked)
  assert.deepEqual([rejected.status, rejected.body.exc_type], [403, 'PermissionError'])
})

test('types that the caller may not read, that there are not, and fields that cannot be searched are refused', async () => {
  const student = await aRecordCaller(service, tenant, ['Student'])
  for (const doctype of ['Fees', 'User', 'GL Entry']) {
    const { status, body } = await student.post(link, { doctype, txt: '' })
    assert.deepEqual([doctype, status, body.exc_type], [doctype, 403, 'PermissionError'])
  }
  const unknown = await api.post(link, { doctype: 'Nonsense', txt: '' })
  assert.deepEqual([unknown.status, unknown.body.exc_type], [404, 'DoesNotExistError'])
  for (const searchfield of ['nope', 'date_of_birth', 'guardians', 'name; drop table students', '__proto__']) {
    const { status, body } = await api.post(link, { doctype: 'Student', txt: 'a', searchfield })
    assert.deepEqual([searchfield, status, body.exc_type], [searchfield, 417, 'DataError'])
  }
  assert.deepEqual((await student.post(link, { doctype: 'Student', txt: '' })).body.message, [])
})

test('types are searched as records are, and only those that the caller may read are found', async () => {
  assert.deepEqual(await values({ doctype: 'DocType', txt: 'course sch' }), [
    'Course Schedule',
    'Course Scheduling Tool',
  ])
  const student = await aRecordCaller(service, tenant, ['Student'])
  const hits = await found({ doctype: 'DocType', txt: 'fee' }, student)
  assert.deepEqual(
    hits.map(({ value }) => value),
    ['Program Fee'],
  )
})

test('hostile texts find nothing and break nothing', async () => {
  for (const txt of [
    "'; drop table courses; --",
    '%'.repeat(100),
    '\\',
    '_',
    '`name`',
    '<script>',
    '💥',
    'a'.repeat(5000),
  ]) {
    const { status, body } = await api.post(link, { doctype: 'Course', txt })
    assert.ok(status === 200 && Array.isArray(body.message), `${txt.slice(0, 20)}: ${status}`)
  }
})
