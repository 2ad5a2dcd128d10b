import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { aPerson } from '../../../testing/fixtures/factories.ts'
import type { RecordCaller, RecordResponse } from '../../../testing/fixtures/record-caller.ts'
import { type SeededTenant, seedTenant } from '../../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'

const service = await startTestService({
  mail: { smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'school@example.org' },
})
const denied = [403, 'PermissionError']
const client = '/api/method/frappe.client'
const outcome = ({ status, body }: RecordResponse) => [status, body?.exc_type ?? body?.errors?.[0].type]

let seededTenant: SeededTenant
/** An admissions officer, a registrar, and somebody who manages the staff. */
let officer: RecordCaller
let officerEmail: string
let registrar: RecordCaller
let headOfStaff: RecordCaller
let parentEmail: string

before(async () => {
  seededTenant = await seedTenant(service)
  const { tenant } = seededTenant
  const person = await aPerson(service, tenant, ['Admissions Officer'])
  officer = person.caller
  officerEmail = person.email
  registrar = (await aPerson(service, tenant, ['Academics User'])).caller
  headOfStaff = (await aPerson(service, tenant, ['Education Manager'])).caller
  parentEmail = (await aPerson(service, tenant, ['Guardian'])).email
})

const loadMails = async (kind: string) => {
  const rows = await service.database.inspect<{ recipient: string }>(
    'select recipient from outgoing_mails where tenant_id = $1 and kind = $2 order by id',
    [seededTenant.tenant.id, kind],
  )
  return rows.map(({ recipient }) => recipient)
}

/** Every way to write a field of a record. */
async function writeEveryWay(caller: RecordCaller, doctype: string, name: string, fields: Record<string, string>) {
  const path = `/api/resource/${doctype}/${name}`
  const doc = (await seededTenant.resourceClient.read(doctype, name)).data
  const [[fieldname, value]] = Object.entries(fields) as [[string, string]]
  const bulk = await caller.post(`${client}.bulk_update`, { docs: [{ doctype, docname: name, ...fields }] })
  assert.match(bulk.body.message.failed_docs[0].exc, /PermissionError/)
  return [
    await caller.put(path, fields),
    await caller.put(`/api/v2/document/${doctype}/${name}`, fields),
    await caller.post(`${client}.set_value`, { doctype, name, fieldname, value }),
    await caller.post(`${client}.set_value`, { doctype, name, fieldname: fields }),
    await caller.post(`${client}.save`, { doc: { ...doc, ...fields } }),
    await caller.post('/api/method/frappe.client.attach_file', {
      ...{ filename: 'a.txt', filedata: 'x', doctype, docname: name, docfield: fieldname },
    }),
  ]
}

test('whose account a guardian is, is changed by nobody who may not write users, and the account that was it is told', async () => {
  const { resourceClient, students } = seededTenant
  const { name } = await resourceClient.make('Guardian', { guardian_name: 'A Parent', user: parentEmail })
  const guardians = [{ guardian: name, relation: 'Mother' }]
  assert.equal((await resourceClient.update('Student', students[0], { guardians })).error, null)
  const mails = (await loadMails('account_unlinked')).length
  for (const caller of [officer, registrar]) {
    const tries = await writeEveryWay(caller, 'Guardian', name, { user: officerEmail })
    tries.push(
      await caller.put(`/api/resource/Guardian/${name}`, { user: '' }),
      await caller.post('/api/resource/Guardian', { guardian_name: 'Another', user: officerEmail }),
      await caller.post(`${client}.insert`, { doc: { doctype: 'Guardian', guardian_name: 'B', user: officerEmail } }),
    )
    assert.deepEqual(
      tries.map(outcome),
      tries.map(() => denied),
    )
  }
  assert.equal((await resourceClient.read('Guardian', name)).data.user, parentEmail)
  assert.equal((await loadMails('account_unlinked')).length, mails)
  const stored = await officer.put(`/api/resource/Guardian/${name}`, { user: parentEmail, occupation: 'Nurse' })
  assert.equal(stored.status, 200, stored.text)
  assert.equal((await resourceClient.update('Guardian', name, { user: officerEmail })).error, null)
  assert.deepEqual((await loadMails('account_unlinked')).slice(mails), [parentEmail])
  assert.equal((await resourceClient.update('Guardian', name, { user: parentEmail })).error, null)
})

test('a guardian with an account is invited at another address by those alone who may write users', async () => {
  const { resourceClient } = seededTenant
  const invite = '/api/method/education.education.doctype.guardian.guardian.invite_guardian'
  const { name } = await resourceClient.make('Guardian', { guardian_name: 'A Parent', user: parentEmail })
  const moved = await officer.put(`/api/resource/Guardian/${name}`, { email_address: 'moved@example.org' })
  assert.equal(moved.status, 200, moved.text)
  assert.deepEqual(outcome(await officer.post(invite, { guardian: name })), denied)
  assert.equal((await resourceClient.read('User', 'moved@example.org')).error, 'DoesNotExistError')
  const mails = (await loadMails('account_unlinked')).length
  const invited = await resourceClient.call('doctype.guardian.guardian.invite_guardian', { guardian: name })
  assert.deepEqual([invited.error, invited.data], [null, 'moved@example.org'])
  assert.equal((await resourceClient.read('Guardian', name)).data.user, 'moved@example.org')
  assert.deepEqual((await loadMails('account_unlinked')).slice(mails), [parentEmail])
  const none = await resourceClient.make('Guardian', { guardian_name: 'New', email_address: 'new@example.org' })
  assert.equal((await officer.post(invite, { guardian: none.name })).status, 200)
  assert.equal((await resourceClient.read('Guardian', none.name)).data.user, null)
})

test('a student keeps the account when the address changes, and gets another by those alone who may write users', async () => {
  const { resourceClient } = seededTenant
  const { name, user } = await resourceClient.make('Student', {
    first_name: 'Eve',
    student_email_id: 'eve@example.org',
  })
  assert.equal(user, 'eve@example.org')
  const changed = await registrar.put(`/api/resource/Student/${name}`, { student_email_id: 'other@example.org' })
  assert.deepEqual([changed.status, changed.body.data.user], [200, 'eve@example.org'])
  assert.equal((await resourceClient.read('User', 'other@example.org')).error, 'DoesNotExistError')
  const tries = await writeEveryWay(registrar, 'Student', name, { user: officerEmail })
  assert.deepEqual(
    tries.map(outcome),
    tries.map(() => denied),
  )
  assert.equal((await resourceClient.update('Student', name, { user: officerEmail })).data.user, officerEmail)
})

test('the address of a person without an account is informed when it is replaced or cleared, with audit, and no other is', async () => {
  const { resourceClient, program, year } = seededTenant
  const people = [
    ['Guardian', 'email_address', { guardian_name: 'A Parent' }],
    ['Student', 'student_email_id', { first_name: 'Nora', enabled: 1 }],
    ['Student Applicant', 'student_email_id', { first_name: 'Nora', program, academic_year: year }],
  ] as const
  const settings = (user_creation_skip: 0 | 1) =>
    resourceClient.update('Education Settings', 'Education Settings', { user_creation_skip })
  assert.equal((await settings(1)).error, null)
  for (const [type, field, fields] of people) {
    const slug = type.toLowerCase().replace(' ', '-')
    const [former, next] = [`${slug}@family.example`, `${slug}@elsewhere.example`]
    const { name } = await resourceClient.make(type, { ...fields, [field]: former })
    const mails = (await loadMails('address_replaced')).length
    const put = async (sent: Record<string, string>) => {
      const { status, text } = await registrar.put(`/api/resource/${type}/${name}`, sent)
      assert.equal(status, 200, text)
      return (await loadMails('address_replaced')).slice(mails)
    }
    assert.deepEqual(await put({ [field]: former.toUpperCase() }), [], `${type}: letters alone`)
    assert.deepEqual(await put({ [field]: next }), [former], type)
    assert.deepEqual(await put({ [field]: next }), [former], `${type}: once`)
    assert.deepEqual(await put({ [field]: '' }), [former, next], `${type}: cleared`)
    assert.deepEqual(await put({ [field]: former }), [former, next], `${type}: set`)
    const changes = await service.database.inspect(
      `select 1 from audit_entries
        where tenant_id = $1 and action like '%.updated'
          and entity_id in (select entity_id from outgoing_mails where kind = 'address_replaced' and recipient = $2)`,
      [seededTenant.tenant.id, former],
    )
    assert.ok(changes.length >= 3, `${type}: ${changes.length} changes in the audit`)
  }
  assert.equal((await settings(0)).error, null)
  // Who has an account keeps it, so that its address learns nothing new.
  const { name } = await resourceClient.make('Guardian', {
    ...{ guardian_name: 'A Parent', email_address: 'with@account.example', user: parentEmail },
  })
  const mails = (await loadMails('address_replaced')).length
  const moved = await registrar.put(`/api/resource/Guardian/${name}`, { email_address: 'else@account.example' })
  assert.equal(moved.status, 200, moved.text)
  const rejected = await headOfStaff.put(`/api/resource/Guardian/${name}`, { email_address: 'x@account.example' })
  assert.deepEqual(outcome(rejected), denied)
  assert.equal((await loadMails('address_replaced')).length, mails)
})

test('a student who is there already gets a user at an address by those alone who may write users', async () => {
  const { resourceClient } = seededTenant
  const { name, user } = await resourceClient.make('Student', { first_name: 'Mary' })
  assert.equal(user, null)
  const path = `/api/resource/Student/${name}`
  for (const address of [officerEmail, 'mary@example.org']) {
    const changed = await registrar.put(path, { student_email_id: address })
    assert.deepEqual([changed.status, changed.body.data.user ?? null], [200, null], changed.text)
  }
  assert.equal((await registrar.put(path, { city: 'Whitby' })).body.data.user ?? null, null)
  assert.equal((await resourceClient.read('User', 'mary@example.org')).error, 'DoesNotExistError')
  assert.equal((await resourceClient.update('Student', name, { city: 'York' })).data.user, 'mary@example.org')
  const made = await registrar.post('/api/resource/Student', { first_name: 'Nan', student_email_id: 'nan@example.org' })
  assert.deepEqual([made.status, made.body.data.user], [200, 'nan@example.org'])
})

test('whose account a teacher is, is changed by nobody who may not write users', async () => {
  const { resourceClient, instructor } = seededTenant
  const mine = await resourceClient.make('Employee', { first_name: 'Mine', user_id: officerEmail })
  const blank = await resourceClient.make('Employee', { first_name: 'Blank' })
  const tries = [
    await headOfStaff.put(`/api/resource/Employee/${blank.name}`, { user_id: officerEmail }),
    await headOfStaff.post('/api/resource/Employee', { first_name: 'New', user_id: officerEmail }),
    await headOfStaff.put(`/api/resource/Instructor/${instructor}`, { employee: mine.name }),
    await headOfStaff.post('/api/resource/Instructor', { instructor_name: 'New', employee: mine.name }),
  ]
  assert.deepEqual(
    tries.map(outcome),
    tries.map(() => denied),
  )
  const linked = await headOfStaff.put(`/api/resource/Instructor/${instructor}`, { employee: blank.name })
  assert.equal(linked.status, 200, linked.text)
})

test('a merge takes the right to delete, and the right to write users where another account would be that of a person', async () => {
  const { resourceClient } = seededTenant
  const own = await resourceClient.make('Guardian', { guardian_name: 'Own', user: officerEmail })
  const child = await resourceClient.make('Guardian', { guardian_name: 'Parent', user: parentEmail })
  const twin = await resourceClient.make('Guardian', { guardian_name: 'Parent' })
  const merge = (caller: RecordCaller, old_name: string, new_name: string) =>
    caller.post(`${client}.rename_doc`, { doctype: 'Guardian', old_name, new_name, merge: 1 })
  assert.deepEqual(outcome(await merge(officer, twin.name, own.name)), denied)
  for (const [from, into] of [
    [child.name, own.name],
    [own.name, child.name],
  ] as const) {
    assert.deepEqual(outcome(await merge(registrar, from, into)), denied)
  }
  const run = await registrar.post(`/api/resource/Guardian/${child.name}`, {
    ...{ run_method: 'rename', new_name: own.name, merge: 1 },
  })
  assert.deepEqual(outcome(run), denied)
  const third = await resourceClient.make('Guardian', { guardian_name: 'Parent' })
  const done = await merge(registrar, third.name, twin.name)
  assert.equal(done.status, 200, done.text)
  assert.equal((await resourceClient.read('Guardian', third.name)).error, 'DoesNotExistError')
})

test('who may not read a record learns neither from rights, links, rows, notes nor tasks whether there is one', async () => {
  const { resourceClient, tenant, students } = seededTenant
  const clerk = (await aPerson(service, tenant, ['Accounts User'])).caller
  const me = await aPerson(service, tenant, ['Student'])
  assert.equal((await resourceClient.update('Student', students[1], { user: me.email })).error, null)
  const row = (await resourceClient.read('Student Group', seededTenant.group)).data.students[0].name
  const log = await resourceClient.make('Student Log', { student: students[0], log: 'x' })
  const asked = (caller: RecordCaller, doctype: string, name: string) => [
    caller.get(`/api/resource/${doctype}/${name}`),
    caller.get(`/api/v2/document/${doctype}/${name}`),
    caller.post(`${client}.get_doc_permissions`, { doctype, docname: name }),
    caller.post(`${client}.has_permission`, { doctype, docname: name }),
    caller.post(`${client}.validate_link`, { doctype, docname: name }),
    caller.post(`${client}.get`, { doctype, name }),
    caller.post(`${client}.get_value`, { doctype, fieldname: 'name', filters: { name } }),
    caller.post(`${client}.delete`, { doctype, name }),
    caller.post('/api/method/frappe.desk.form.load.getdoc', { doctype, name }),
    caller.post('/api/method/frappe.desk.form.load.get_docinfo', { doctype, name }),
    caller.post('/api/method/frappe.desk.form.utils.add_comment', {
      ...{ reference_doctype: doctype, reference_name: name, content: 'x' },
    }),
    caller.post('/api/method/frappe.desk.doctype.tag.tag.add_tag', { dt: doctype, dn: name, tag: 'x' }),
    caller.post('/api/method/frappe.desk.form.assign_to.get', { doctype, name }),
  ]
  const noted = (caller: RecordCaller, doctype: string, name: string) => [
    caller.post('/api/resource/Comment', { reference_doctype: doctype, reference_name: name, content: 'x' }),
    caller.post('/api/resource/ToDo', { reference_type: doctype, reference_name: name, description: 'x' }),
  ]
  const shape = (name: string) => (response: RecordResponse) =>
    [response.status, JSON.stringify(response.body).replaceAll(name, 'X')] as const
  for (const [caller, doctype, name] of [
    [me.caller, 'Student', students[0]],
    [me.caller, 'Student Log', log.name],
    [clerk, 'Student Log', log.name],
    [me.caller, 'Student Group Student', row],
    [clerk, 'Student Group Student', row],
  ] as const) {
    const isRow = doctype === 'Student Group Student'
    const ways = (named: string) => [...asked(caller, doctype, named), ...(isRow ? [] : noted(caller, doctype, named))]
    const known = (await Promise.all(ways(name))).map(shape(name))
    const unknown = (await Promise.all(ways('no-such-name'))).map(shape('no-such-name'))
    assert.deepEqual(known, unknown, `${doctype} ${name}`)
  }
})

test('a task that is there is not made to be of a record that its writer may not read', async () => {
  const { tenant, resourceClient } = seededTenant
  const log = await resourceClient.make('Student Log', { student: seededTenant.students[0], log: 'x' })
  const { caller, email } = await aPerson(service, tenant, ['Accounts User'])
  assert.equal((await resourceClient.update('User', officerEmail, { first_name: 'Unheardof' })).error, null)
  const made = await caller.post('/api/resource/ToDo', { description: 'x', assigned_by: officerEmail })
  assert.equal(made.status, 200, made.text)
  assert.equal(made.body.data.assigned_by, email)
  const path = `/api/resource/ToDo/${made.body.data.name}`
  const moved = await caller.put(path, { reference_type: 'Student Log', reference_name: log.name })
  assert.deepEqual(outcome(moved), denied)
  const given = await caller.put(path, { assigned_by: officerEmail, status: 'Closed' })
  assert.deepEqual([given.status, given.body.data.assigned_by], [200, email])
  assert.doesNotMatch(given.text, /Unheardof/)
})

test('a refusal names no record and nobody whom the caller may not read', async () => {
  const { tenant, resourceClient, group, year, program } = seededTenant
  const person = await aPerson(service, tenant, ['Instructor'])
  const employee = await resourceClient.make('Employee', { first_name: 'Teacher', user_id: person.email })
  const teacher = await resourceClient.make('Instructor', { instructor_name: 'Teacher', employee: employee.name })
  const own = await resourceClient.make('Student', { first_name: 'Own' })
  const otherTenant = await resourceClient.make('Student', { first_name: 'Unheardof', last_name: 'Stranger' })
  const made = await resourceClient.make('Student Group', {
    ...{ student_group_name: 'Mine', academic_year: year, group_based_on: 'Activity', program },
    students: [{ student: own.name }],
    instructors: [{ instructor: teacher.name }],
  })
  const attend = (student: string, student_group: string) =>
    person.caller.post('/api/resource/Student Attendance', { student, student_group, date: '2026-10-06' })
  const rejected = [
    await attend(otherTenant.name, made.name),
    await attend('no-such-student', made.name),
    await attend(own.name, group),
    await attend(own.name, 'no-such-group'),
  ]
  assert.deepEqual(
    rejected.map(outcome),
    rejected.map(() => denied),
  )
  for (const { text } of rejected) assert.doesNotMatch(text, /Unheardof/)
  assert.equal((await attend(own.name, made.name)).status, 200)
  // A leave of the student that another teacher was asked for.
  const days = { from_date: '2026-11-03', to_date: '2026-11-06' }
  const leave = await resourceClient.make('Student Leave Application', {
    student: own.name,
    ...days,
    student_group: group,
  })
  const again = await person.caller.post('/api/resource/Student Leave Application', {
    ...{ student: own.name, ...days, student_group: made.name },
  })
  assert.equal(again.status, 417)
  assert.ok(!again.text.includes(leave.name), again.text)
})
