import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Domain, domains } from '@matricula/contract'
import { recordTypes } from '@matricula/contract/record-types'
import { aCatalogue, anApplication, aPerson, aRecordCaller } from '../../testing/fixtures/factories.ts'
import type { RecordResponse } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

const owned = (body: RecordResponse['body']) => [body.exc_type, body.code, body.domain, body.owner]

test('people only read the records of a domain that another system owns, and are told by name whose it is', async () => {
  const tenant = await service.tenant()
  await tenant.token({ name: 'District SIS', masterDomains: ['students'] })
  await tenant.change({ systemOfRecord: { students: 'integration' } })
  const program = await aRecordCaller(service, tenant)
  const { caller, id: userId } = await aPerson(service, tenant)
  const path = '/api/resource/Student'
  // Programs have their roles alone to mind.
  const made = await program.post(path, { first_name: 'Ada' })
  assert.equal(made.status, 200)
  const { name, modified } = made.body.data
  assert.equal((await caller.get(`${path}/${name}`)).status, 200)
  const reported = ['PermissionError', 'system_of_record_elsewhere', 'students', 'District SIS, everything']
  const doc = { doctype: 'Student', name, first_name: 'Eve', modified }
  const writes: [string, () => Promise<RecordResponse>][] = [
    ['create', () => caller.post(path, { first_name: 'Eve' })],
    ['change', () => caller.put(`${path}/${name}`, { first_name: 'Eve' })],
    ['delete', () => caller.delete(`${path}/${name}`)],
    ['save', () => caller.post('/api/method/frappe.client.save', { doc })],
    [
      'set',
      () =>
        caller.post('/api/method/frappe.client.set_value', {
          doctype: 'Student',
          name,
          fieldname: 'first_name',
          value: 'Eve',
        }),
    ],
    [
      'rename',
      () =>
        caller.post('/api/method/frappe.client.rename_doc', { doctype: 'Student', old_name: name, new_name: 'Eve' }),
    ],
    ['guardian', () => caller.post('/api/resource/Guardian', { guardian_name: 'Eve' })],
  ]
  for (const [what, write] of writes) {
    const { status, body } = await write()
    assert.deepEqual([what, status, ...owned(body)], [what, 403, ...reported])
    assert.match(body._server_messages, /owned by District SIS/)
  }
  const newer = await caller.put(`/api/v2/document/Student/${name}`, { first_name: 'Eve' })
  assert.deepEqual([newer.status, newer.body.errors[0].code], [403, 'system_of_record_elsewhere'])
  assert.equal((await program.get(`${path}/${name}`)).body.data.first_name, 'Ada')
  const rejections = await service.database.inspect<{ actor_id: string; after: { code: string } }>(
    "select actor_id, after from audit_entries where tenant_id = $1 and action = 'write.refused'",
    [tenant.id],
  )
  assert.equal(rejections.length, writes.length + 1)
  assert.deepEqual([rejections[0]?.actor_id, rejections[0]?.after?.code], [userId, 'system_of_record_elsewhere'])
  // Other domains are theirs, and so is this one where it is shared or the institution's own.
  assert.equal(
    (await caller.post('/api/resource/Student Applicant', { first_name: 'Eve', program: 'None' })).body.code,
    undefined,
  )
  for (const [index, value] of (['shared', 'platform'] as const).entries()) {
    await tenant.change({ systemOfRecord: { students: value } })
    let response: RecordResponse
    do response = await caller.put(`${path}/${name}`, { middle_name: String(index) })
    while (response.status === 403)
    assert.equal(response.status, 200)
  }
})

test('what a method would change of such a domain is refused as a whole, whatever it is called for', async () => {
  const tenant = await service.tenant({ systemOfRecord: { students: 'integration' } })
  const { caller } = await aPerson(service, tenant)
  await aCatalogue(service, tenant)
  const { applicationCode: name } = await anApplication(tenant.api, { fullName: 'Ada Byron', email: 'ada@example.org' })
  const enroll = await caller.post('/api/method/education.education.api.enroll_student', { source_name: name })
  assert.deepEqual([enroll.status, enroll.body.code], [403, 'system_of_record_elsewhere'])
  const students = await service.database.inspect('select 1 from students where tenant_id = $1', [tenant.id])
  assert.equal(students.length, 0)
})

test('students, guardians, applications, enrolments and what is owed belong to a domain, and nothing else does', () => {
  const expected: Readonly<Record<Domain, readonly string[]>> = {
    students: ['Guardian', 'Student'],
    enrollment: ['Course Enrollment', 'Program Enrollment', 'Student Applicant'],
    payments: ['Customer', 'Fee Schedule', 'Fees', 'Payment Entry', 'Payment Record', 'Sales Invoice'],
  }
  for (const domain of domains) {
    const ofDomain = recordTypes.filter((type) => type.domain === domain).map(({ name }) => name)
    assert.deepEqual(ofDomain.sort(), expected[domain])
  }
})
