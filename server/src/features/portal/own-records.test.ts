import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller, aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import {
  anEnrollment,
  aPlan,
  aResult,
  aScale,
  type SeededTenant,
  seedTenant,
} from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const card = '/api/method/education.education.report_card.get_student_report_card'

/** A student of a tenant, logged in by password. */
async function asStudent(
  { tenant, resourceClient }: SeededTenant,
  student: string,
  email: string,
): Promise<RecordCaller> {
  const { password } = await aUser(service, tenant, { email, roles: ['Student'] })
  await resourceClient.update('Student', student, { user: email })
  const guest = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const { cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
  return guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
}

test('students: read their own report card and records in every way, and nobody else’s', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, year } = seededTenant
  const [ada, alan] = students
  await aScale(seededTenant)
  const plan = await aPlan(seededTenant)
  const results = []
  for (const student of students) {
    await anEnrollment(seededTenant, { student, docstatus: 1 })
    results.push((await aResult(seededTenant, plan, { Written: 50, Oral: 30 }, { student, docstatus: 1 })).data.name)
  }
  const me = await asStudent(seededTenant, ada, 'ada@example.org')
  const own = await me.get(`${card}?${new URLSearchParams({ student: ada, academic_year: year })}`)
  assert.equal(own.status, 200, own.text)
  assert.equal(own.body.message.courses[0].assessments[0].total_score, 80)
  const printed = await me.get(`${card}?${new URLSearchParams({ student: ada, academic_year: year, format: 'pdf' })}`)
  assert.deepEqual([printed.status, printed.headers.get('content-type')], [200, 'application/pdf'])
  for (const format of ['', 'pdf']) {
    const other = await me.post(card, { student: alan, academic_year: year, format })
    assert.deepEqual([other.status, other.body.exc_type], [403, 'PermissionError'])
  }
  const names = { Student: [ada, alan], 'Assessment Result': results } as const
  for (const [type, [mine, theirs]] of Object.entries(names)) {
    const path = `/api/resource/${type}`
    const listed = (await me.get(path)).body.data
    assert.deepEqual(listed, [{ name: mine }], type)
    assert.equal((await me.get(`${path}/${mine}`)).status, 200)
    const rejected = await me.get(`${path}/${theirs}`)
    assert.deepEqual([rejected.status, rejected.body.exc_type], [403, 'PermissionError'])
    const asked = { doctype: type, filters: { name: theirs }, fieldname: 'name', fields: ['name'] }
    for (const method of ['get_list', 'get_value', 'get_count']) {
      const { body } = await me.post(`/api/method/frappe.client.${method}`, asked)
      const nothing = { get_list: [], get_value: {}, get_count: 0 }[method]
      assert.deepEqual(body.message, nothing, `${method} of ${type}`)
    }
    const written = await me.put(`${path}/${mine}`, { comment: 'A', first_name: 'A' })
    assert.deepEqual([written.status, written.body.exc_type], [403, 'PermissionError'])
  }
  const enrollments = (await me.get('/api/resource/Program Enrollment?fields=["student"]')).body.data
  assert.deepEqual(enrollments, [{ student: ada }])
  for (const type of ['User', 'Guardian', 'Fees', 'Payment Record', 'Email Group Member', 'Quiz', 'GL Entry']) {
    const { status, body } = await me.get(`/api/resource/${type}`)
    assert.deepEqual([status, body.exc_type], [403, 'PermissionError'], type)
  }
  const other = await asStudent(seededTenant, alan, 'alan@example.org')
  assert.deepEqual((await other.get('/api/resource/Student')).body.data, [{ name: alan }])
  assert.equal((await resourceClient.list('Student', {})).data.length, 2)
})

test('stored secrets: shown to nobody, not even a System Manager', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, tenant, students } = seededTenant
  const settings = 'Education Settings'
  const saved = await resourceClient.update(settings, settings, { razorpay_secret: 'kept apart' })
  assert.equal(saved.data.razorpay_secret, '**********')
  const asked = { doctype: settings, name: settings, fieldname: 'razorpay_secret' }
  const tell = async (caller: RecordCaller) => {
    const { status, body } = await caller.post('/api/method/frappe.client.get_password', asked)
    return [status, body.exc_type ?? body.message]
  }
  const rejected = [403, 'PermissionError']
  for (const role of ['System Manager', 'Education Manager', 'Academics User', 'Instructor', 'Guardian']) {
    assert.deepEqual(await tell(await aRecordCaller(service, tenant, [role])), rejected, role)
  }
  assert.deepEqual(await tell(await asStudent(seededTenant, students[0], 'ada@example.org')), rejected)
  assert.deepEqual(await tell(new RecordCaller(`${service.address}/t/${tenant.slug}`)), rejected)
})
