import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller, aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { anEnrollment, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const seededTenant = await seedTenant(service)
const { tenant, resourceClient, program, year, students } = seededTenant
const api = await aRecordCaller(service, tenant)
const first = { method: '/api/method/run_doc_method', docs: 'docs', result: 'message' } as const
const second = { method: '/api/v2/method/run_doc_method', docs: 'document', result: 'data' } as const

/** Runs a method of a record that is sent, on one version of the API. */
async function run(version: typeof first | typeof second, sent: object, method: string, args: object = {}) {
  const named = version === first ? { args: JSON.stringify(args) } : { kwargs: args }
  const { status, body } = await api.post(version.method, { method, [version.docs]: sent, ...named })
  const error = body.exc_type ?? body.errors?.[0]?.type ?? null
  return { status, error, result: body[version.result], docs: body.docs }
}

const enrolment = { doctype: 'Program Enrollment', student: students[0], program, academic_year: year }

test('a method runs on a record that was never saved, which comes back as it was sent and is not saved', async () => {
  const row = { doctype: 'Program Enrollment Course', name: 'new-row-1', course: 'Ethics' }
  const sent = { ...enrolment, name: 'new-program-enrollment-1', __islocal: 1, courses: [row] }
  for (const version of [first, second]) {
    const { status, result, docs } = await run(version, sent, 'get_courses')
    assert.deepEqual([status, result], [200, [{ course: 'Anatomy' }, { course: 'Ethics' }]])
    const [document] = docs
    assert.deepEqual(
      [document.name, document.__islocal, document.program, document.docstatus, document.courses[0].name],
      [sent.name, 1, program, 0, 'new-row-1'],
    )
  }
  const unnamed = await run(first, enrolment, 'get_courses')
  assert.deepEqual([unnamed.status, unnamed.result.length], [200, 2])
  assert.deepEqual((await resourceClient.list('Program Enrollment', {})).data, [])
})

test('a method runs on a saved record with what was changed in it since, which stays unsaved', async () => {
  const made = await anEnrollment(seededTenant)
  const stored = made.data
  await resourceClient.make('Program', { program_name: 'Law', courses: [{ course: 'Ethics' }] })
  for (const version of [first, second]) {
    const { status, result, docs } = await run(version, { ...stored, program: 'Law' }, 'get_courses')
    assert.deepEqual([status, result], [200, [{ course: 'Ethics' }]])
    assert.deepEqual([docs[0].name, docs[0].program, docs[0].modified], [stored.name, 'Law', stored.modified])
    assert.equal((await resourceClient.read('Program Enrollment', stored.name)).data.program, program)
    const stale = await run(version, { ...stored, modified: '2020-01-01 00:00:00.000000' }, 'get_courses')
    assert.deepEqual([stale.status, stale.error], [417, 'TimestampMismatchError'])
    const nobody = await run(version, { ...stored, name: 'none' }, 'get_courses')
    assert.deepEqual([nobody.status, nobody.error], [404, 'DoesNotExistError'])
  }
  const submitted = await run(first, { ...stored, student_batch_name: null, docstatus: 0 }, 'submit')
  assert.deepEqual([submitted.status, submitted.docs[0].docstatus], [200, 1])
  assert.deepEqual(
    await resourceClient.traces('Program Enrollment', stored.name),
    ['program_enrollment.created', 'program_enrollment.updated', 'program_enrollment.submitted'].filter(
      (type) => type !== 'program_enrollment.updated',
    ),
  )
})

test('a state that is only sent counts for nothing: a method sees the stored one', async () => {
  const schedule = { doctype: 'Fee Schedule', name: 'new-fee-schedule-1', __islocal: 1, docstatus: 1 }
  const { status, error } = await run(first, schedule, 'create_fees')
  assert.deepEqual([status, error], [417, 'ValidationError'])
})

test('a single record that nobody saved needs no modified, neither for a method nor to be saved', async () => {
  const tool = 'Program Enrollment Tool'
  const choice = { get_students_from: 'Program Enrollment', program, academic_year: year }
  const sent = { doctype: tool, name: tool, ...choice }
  for (const version of [first, second]) {
    const { status, result, docs } = await run(version, { ...sent, __islocal: 1, __unsaved: 1 }, 'get_students')
    assert.deepEqual([status, result[0].student], [200, students[0]])
    assert.equal(docs[0].program, program)
  }
  const wrong = await run(first, { ...sent, modified: '2020-01-01 00:00:00.000000' }, 'get_students')
  assert.deepEqual([wrong.status, wrong.error], [417, 'TimestampMismatchError'])
  const saved = await api.post('/api/method/frappe.client.save', { doc: sent })
  assert.deepEqual([saved.status, saved.body.message.program], [200, program], saved.text)
  const again = await api.post('/api/method/frappe.client.save', { doc: sent })
  assert.deepEqual([again.status, again.body.exc_type], [417, 'TimestampMismatchError'])
  const unread = await run(second, sent, 'get_students')
  assert.deepEqual([unread.status, unread.error], [417, 'TimestampMismatchError'])
  const read = (await api.get(`/api/resource/${tool}/${tool}`)).body.data
  assert.equal((await run(second, read, 'get_students')).status, 200)
})

test('rename is a method of every record, and answers the record under its new name', async () => {
  const house = await resourceClient.make('Department', { department_name: 'Red' })
  const { status, result, docs } = await run(first, { ...house }, 'rename', { name: 'Blue' })
  assert.deepEqual([status, result, docs[0].name], [200, 'Blue', 'Blue'])
  const back = await resourceClient.run('Department', 'Blue', 'rename', { name: 'Red' })
  assert.deepEqual([back.error, back.data], [null, 'Red'])
})

test('somebody who sees only what is about oneself runs methods on stored records of one’s own alone', async () => {
  const { email, password } = await aUser(service, tenant, { email: 'ada@example.org', roles: ['Student'] })
  const linked = await resourceClient.update('Student', students[0], { user: email })
  assert.equal(linked.error, null, linked.told)
  const own = (await resourceClient.list('Program Enrollment', { filters: JSON.stringify({ student: students[0] }) }))
    .data[0]
  const address = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const { cookies } = await address.post('/api/method/login', { usr: email, pwd: password })
  const ada = address.with({ cookie: `sid=${cookies.get('sid')?.value}` })
  const ask = (docs: object) => ada.post('/api/method/run_doc_method', { method: 'get_courses', docs })
  const unsaved = await ask({ ...enrolment, student: students[1] })
  assert.deepEqual([unsaved.status, unsaved.body.exc_type], [403, 'PermissionError'])
  const read = await ada.get(`/api/resource/Program Enrollment/${own.name}`)
  assert.equal(read.status, 200, read.text)
  const stored = read.body.data
  const changed = await ask({ ...stored, program: 'Law', student: students[1] })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual([changed.body.docs[0].program, changed.body.docs[0].student], [program, students[0]])
})
