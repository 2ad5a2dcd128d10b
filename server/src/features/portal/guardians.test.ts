import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordTypes } from '@matricula/contract/record-types'
import { records as protocol } from '../../testing/fixtures/all-records.ts'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import type { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aFamily, loggedIn, secret } from './family.fixture.ts'

const service = await startTestService()
const family = await aFamily(service)
const { seededTenant, children, otherStudent, mother } = family
const { resourceClient, tenant } = seededTenant
const api = '/api/method/education.education.api'

/** The record types that a guardian reads: of the children, and of the institution. */
const aboutStudents = [
  'Student',
  'Program Enrollment',
  'Assessment Result',
  'Student Attendance',
  'Student Leave Application',
]
const path = (type: string, name?: string) =>
  `/api/resource/${encodeURIComponent(type)}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
const namesIn = async (caller: RecordCaller, type: string): Promise<string[]> => {
  const { body } = await caller.get(`${path(type)}?limit_page_length=0&order_by=name`)
  return (body?.data ?? []).map(({ name }: { name: string }) => name)
}
const isRefused = ({ status, text }: { status: number; text: string }) =>
  status === 403 && text.includes('PermissionError')
/** The number of changes: each leaves an audit row. */
const changes = async () => {
  const [{ count } = { count: '' }] = await service.database.inspect<{ count: string }>(
    'select count(*)::text as count from audit_entries where tenant_id = $1',
    [tenant.id],
  )
  return count
}

test('guardians: may read what a student reads, and nothing else', () => {
  for (const { name, permissions } of recordTypes) {
    const { Student: student = [], Guardian: guardian } = permissions as Record<string, readonly string[] | undefined>
    assert.deepEqual(guardian, student.includes('read') ? ['read'] : undefined, name)
  }
})

test('guardians: see both children in lists, counts, links, searches and records, and no others', async () => {
  for (const type of aboutStudents) {
    const [one, other, foreign] = family.records[type] as readonly [string, string, string]
    const field = type === 'Student' ? 'name' : 'student'
    const theirs = { filters: JSON.stringify([[field, 'in', children]]), limit_page_length: '0', order_by: 'name' }
    const all = (await resourceClient.list(type, theirs)).data.map(({ name }: { name: string }) => name)
    assert.ok(all.includes(one) && all.includes(other) && !all.includes(foreign))
    assert.deepEqual(await namesIn(mother, type), all, type)
    const ask = async (method: string, args: object) =>
      (await mother.post(`/api/method/${method}`, { doctype: type, ...args })).body?.message
    assert.equal(await ask('frappe.client.get_count', {}), all.length, type)
    assert.deepEqual(await ask('frappe.client.get_list', { filters: { name: foreign } }), [])
    assert.deepEqual(await ask('frappe.client.get_value', { fieldname: 'name', filters: { name: foreign } }), {})
    assert.deepEqual(await ask('frappe.client.validate_link', { docname: foreign }), { name: null })
    assert.deepEqual(await ask('frappe.client.validate_link', { docname: other }), { name: other })
    const found = await ask('frappe.desk.search.search_link', { txt: '' })
    assert.deepEqual(found.map(({ value }: { value: string }) => value).sort(), all, type)
    for (const name of [one, other]) {
      assert.equal((await mother.get(path(type, name))).status, 200)
      assert.equal((await mother.get(`/api/v2/document/${encodeURIComponent(type)}/${name}`)).status, 200)
    }
    assert.ok(isRefused(await mother.get(path(type, foreign))), type)
    assert.ok(isRefused(await mother.get(`/api/v2/document/${encodeURIComponent(type)}/${foreign}/copy`)), type)
    assert.ok(isRefused(await mother.post('/api/method/frappe.client.get', { doctype: type, name: foreign })), type)
  }
  const rows = await mother.get(`${path('Student Guardian')}?parent=Student&fields=["parent","guardian_name"]`)
  const parents = new Set(rows.body.data.map(({ parent }: { parent: string }) => parent))
  assert.deepEqual([...parents].sort(), [...children].sort())
  const joined = `${path('Student Attendance')}?fields=["student.student_name as who"]&order_by=name`
  const shown = (await mother.get(joined)).body.data.map(({ who }: { who: string }) => who)
  assert.deepEqual([...new Set(shown)].sort(), ['Ada Byron', 'Alan Turing'])
  assert.deepEqual(await namesIn(mother, 'Course Schedule'), [family.lesson])
})

test('guardians: call portal methods and print fees and report cards for their children only', async () => {
  const fees = family.records.Fees as readonly string[]
  for (const [index, student] of [...children, otherStudent].entries()) {
    const isTheirs = index < 2
    const answers = [
      await mother.post(`${api}.get_student_programs`, { student }),
      await mother.post(`${api}.get_student_invoices`, { student }),
      await mother.post(`${api}.get_student_attendance`, { student, student_group: seededTenant.group }),
      await mother.post(`${api}.get_student_guardians`, { student }),
      await mother.post(`${api}.get_current_enrollment`, { student }),
      await mother.post(`${api}.get_student_profile`, { student }),
      await mother.post(`${api}.get_program_context`, { student, program: seededTenant.program }),
      await mother.get(
        `/api/method/education.education.report_card.get_student_report_card?student=${student}&format=pdf`,
      ),
      await mother.get(
        `/api/method/frappe.utils.print_format.download_pdf?doctype=Sales%20Invoice&name=${fees[index]}&format=Standard`,
      ),
    ]
    for (const [each, response] of answers.entries()) {
      if (isTheirs) assert.equal(response.status, 200, `${each}: ${response.text.slice(0, 300)}`)
      else assert.ok(isRefused(response), `${each}: ${response.status}`)
    }
  }
})

test('guardians: read private files of their children’s records, and no others', async () => {
  const staff = await aRecordCaller(service, tenant)
  for (const [index, docname] of (family.records['Assessment Result'] as readonly string[]).entries()) {
    const form = new FormData()
    form.set('file', new Blob([`scan ${index}`]), `scan-${index}.txt`)
    for (const [name, value] of Object.entries({ doctype: 'Assessment Result', docname, is_private: '1' })) {
      form.set(name, value)
    }
    const { body, text } = await staff.post('/api/method/upload_file', form)
    const { status } = await mother.get(body?.message?.file_url ?? text)
    assert.equal(status, index < 2 ? 200 : 403)
  }
})

/** Guardians of both children, each with its own rate limit, used alternately: one alone would exceed it. */
async function inTurn(count: number): Promise<() => RecordCaller> {
  const callers: RecordCaller[] = []
  for (let index = 0; index < count; index += 1) {
    const email = `guardian-${Math.random()}@example.org`
    const { caller } = await loggedIn(service, seededTenant, email, ['Guardian'])
    const { name } = await resourceClient.make('Guardian', { guardian_name: 'Another', user: email })
    for (const child of children) {
      const { data } = await resourceClient.read('Student', child)
      const guardians = [...data.guardians, { guardian: name, relation: 'Others' }]
      assert.equal((await resourceClient.update('Student', child, { guardians })).error, null)
    }
    callers.push(caller)
  }
  let calls = 0
  return () => callers[calls++ % callers.length] as RecordCaller
}

test('guardians: no record type shows data of another family or guardian', async () => {
  const next = await inTurn(4)
  for (const { name: type } of recordTypes) {
    const everything = `limit_page_length=0&fields=["*"]`
    const answers = [await next().get(`${path(type)}?${everything}`)]
    const listed = (await resourceClient.list(type, { limit_page_length: '0' })).data ?? []
    for (const { name } of Array.isArray(listed) ? listed.slice(0, 20) : []) {
      answers.push(await next().get(path(type, name)))
      answers.push(await next().get(`${path(type, name)}?expand_links=1`))
      answers.push(await next().post('/api/method/frappe.client.get', { doctype: type, name }))
    }
    for (const { status, text } of answers) {
      assert.ok([200, 403, 404, 417].includes(status), `${type}: ${status}`)
      assert.ok(!text.includes(`@${secret}`) && !text.includes(`Eve ${secret}`) && !text.includes(`1 ${secret}`), type)
      if (type !== 'Student') assert.ok(!text.includes('george'), type)
    }
  }
  for (const type of [
    'Guardian',
    'Student Applicant',
    'User',
    'Fees',
    'GL Entry',
    'File',
    'Student Log',
    'Student Group',
  ])
    assert.ok(isRefused(await next().get(path(type))), type)
  for (const field of ['guardians.guardian.email_address', 'guardian.email_address']) {
    const { status } = await next().get(`${path('Student')}?fields=${JSON.stringify([field])}`)
    assert.ok([403, 417].includes(status), field)
  }
})

test('guardians: cannot write a record of any type by any endpoint', async () => {
  const next = await inTurn(4)
  const before = await changes()
  for (const type of recordTypes) {
    const listed = (await resourceClient.list(type.name, { limit_page_length: '3' })).data
    const own = family.records[type.name]?.[0]
    const name = own ?? (Array.isArray(listed) ? listed[0]?.name : undefined) ?? type.name
    const fields = { first_name: 'A', reason: 'B', status: 'Present', student: children[0], docstatus: 1 }
    const attempts = [
      await next().post(path(type.name), fields),
      await next().put(path(type.name, name), fields),
      await next().delete(path(type.name, name)),
      await next().post(`/api/v2/document/${encodeURIComponent(type.name)}`, fields),
      await next().send(
        'PATCH',
        `/api/v2/document/${encodeURIComponent(type.name)}/${encodeURIComponent(name)}`,
        fields,
      ),
      await next().post(path(type.name, name), { run_method: 'submit' }),
      await next().post('/api/method/run_doc_method', { dt: type.name, dn: name, method: 'cancel' }),
      await next().post('/api/method/run_doc_method', {
        dt: type.name,
        dn: name,
        method: 'rename',
        args: { name: 'X' },
      }),
    ]
    for (const [index, { status, text }] of attempts.entries()) {
      assert.ok([403, 404].includes(status), `${type.name} ${index}: ${status} ${text.slice(0, 200)}`)
    }
  }
  assert.equal(await changes(), before)
})

test('guardians: cannot call methods that write or are for staff', async () => {
  const next = await inTurn(1)
  const before = await changes()
  const [student] = children
  const fee = family.records.Fees?.[0]
  const args = {
    ...{ student, doctype: 'Student', name: student, docname: student, dt: 'Student', dn: student, docs: [] },
    ...{ doc: { doctype: 'Student', name: student, first_name: 'A' }, fieldname: 'first_name', value: 'A' },
    ...{ old_name: student, new_name: 'A', method: 'submit', filename: 'a.txt', filedata: 'a', file_url: '/files/a' },
    leave_data: { student, from_date: '2026-10-07', to_date: '2026-10-08', reason: 'A wedding' },
    ...{ program_name: seededTenant.program, against_invoice: fee, response: { error: {} }, billing_details: {} },
    ...{ phone: '+1 555 123 4567', quiz_name: 'A', course: seededTenant.courses[0], quiz_response: {}, content: 'A' },
  }
  for (const [path, method] of protocol.methods) {
    const doctype = path.startsWith('education.education.billing.') ? 'Sales Invoice' : args.doctype
    const docname = path.startsWith('education.education.billing.') ? fee : args.docname
    const { status, text } = await next().post(`/api/method/${path}`, { ...args, doctype, docname })
    assert.ok(status < 500, `${path}: ${status} ${text.slice(0, 200)}`)
    const mayCall = method.isForStudents === true && (method.verbs === undefined || method.verbs.includes('GET'))
    if (!mayCall && method.allowGuest !== true) assert.equal(status, 403, `${path}: ${text.slice(0, 200)}`)
    assert.ok(!text.includes(`@${secret}`) && !text.includes(`Eve ${secret}`), path)
  }
  assert.equal(await changes(), before)
})

test('a student who is a guardian: reads both, and writes for oneself only', async () => {
  const { caller } = await loggedIn(service, seededTenant, 'eve@both.example', ['Student', 'Guardian'])
  assert.equal((await resourceClient.update('Student', otherStudent, { user: 'eve@both.example' })).error, null)
  const self = await resourceClient.make('Guardian', { guardian_name: 'Eve', user: 'eve@both.example' })
  const guardians = [{ guardian: self.name, relation: 'Others' }]
  const third = await resourceClient.make('Student', { first_name: 'Mini', guardians })
  assert.deepEqual(await namesIn(caller, 'Student'), [otherStudent, third.name].sort())
  const leave = { from_date: '2026-10-05', to_date: '2026-10-05', reason: 'A feast' }
  const group = { students: [...children, otherStudent, third.name].map((student) => ({ student, active: 1 })) }
  assert.equal((await resourceClient.update('Student Group', seededTenant.group, group)).error, null)
  const apply = (student: string) =>
    caller.post(`${api}.apply_leave`, { leave_data: { ...leave, student }, program_name: seededTenant.program })
  assert.equal((await apply(otherStudent)).status, 200)
  assert.ok(isRefused(await apply(third.name)))
  const askLeave = (student: string) =>
    caller.post(path('Student Leave Application'), { student, from_date: '2026-10-06', to_date: '2026-10-06' })
  assert.equal((await askLeave(otherStudent)).status, 200)
  assert.ok(isRefused(await askLeave(third.name)))
  const may = async (docname: string, perm_type: string) => {
    const asked = { doctype: 'Student Attendance', docname, perm_type }
    return (await caller.post('/api/method/frappe.client.has_permission', asked)).body.message.has_permission
  }
  const marked = { student_group: seededTenant.group, date: '2026-10-07', status: 'Present' }
  const theirs = await resourceClient.make('Student Attendance', { ...marked, student: third.name })
  assert.deepEqual([await may(theirs.name, 'read'), await may(theirs.name, 'write')], [true, false])
  assert.ok(isRefused(await caller.put(path('Student Attendance', theirs.name), { status: 'Absent' })))
  const { body } = await caller.post(`${api}.get_portal_context`)
  assert.equal(body.message.role, 'Guardian')
  assert.deepEqual(
    body.message.students.map(({ student, relation }: Record<string, string>) => [student, relation]),
    [
      [otherStudent, 'Self'],
      [third.name, 'Others'],
    ],
  )
})

test('guardians: without the link or the role they see nothing at once', async () => {
  const { caller } = await loggedIn(service, seededTenant, 'aunt@example.org', ['Guardian'])
  const aunt = await resourceClient.make('Guardian', { guardian_name: 'Augusta', user: 'aunt@example.org' })
  const sees = async (who: RecordCaller) => {
    const lists = await Promise.all([...aboutStudents, 'Course Schedule'].map((type) => namesIn(who, type)))
    return lists.map(({ length }) => length)
  }
  const nothing = [0, 0, 0, 0, 0, 0]
  assert.deepEqual(await sees(caller), nothing, 'before any link')
  const child = children[1]
  const { data: before } = await resourceClient.read('Student', child)
  const linked = { guardians: [...before.guardians, { guardian: aunt.name, relation: 'Others' }] }
  assert.equal((await resourceClient.update('Student', child, linked)).error, null)
  assert.deepEqual(await sees(caller), [1, 1, 1, 2, 1, 1])
  assert.equal((await resourceClient.update('Student', child, { guardians: before.guardians })).error, null)
  assert.deepEqual(await sees(caller), nothing, 'after the link')
  assert.ok(isRefused(await caller.get(path('Student', child))))
  assert.ok(isRefused(await caller.post(`${api}.get_student_invoices`, { student: child })))
  assert.deepEqual((await caller.post(`${api}.get_portal_context`)).body.message.students, [])
  assert.equal((await resourceClient.update('Student', child, linked)).error, null)
  assert.equal((await sees(caller))[0], 1)
  assert.equal((await resourceClient.update('User', 'aunt@example.org', { roles: [] })).error, null)
  assert.equal((await caller.get(path('Student', child))).status, 403)
})

test('the portal context: a student, a guardian with children to choose from, or nobody', async () => {
  const context = async (caller: RecordCaller) => (await caller.post(`${api}.get_portal_context`)).body.message
  const { role, guardian, students } = await context(mother)
  assert.deepEqual([role, guardian.guardian_name], ['Guardian', 'Annabella Milbanke'])
  assert.deepEqual(students, [
    { student: children[0], student_name: 'Ada Byron', image: null, relation: 'Mother' },
    { student: children[1], student_name: 'Alan Turing', image: null, relation: 'Mother' },
  ])
  const unnamed = await mother.post(`${api}.get_student_profile`)
  assert.deepEqual([unnamed.status, unnamed.body.exc_type], [417, 'ValidationError'])
  const { body } = await mother.post(`${api}.get_student_profile`, { student: children[1] })
  const { student, programs, suggested_program } = body.message
  assert.deepEqual(
    [student.name, student.student_name, student.student_email_id],
    [children[1], 'Alan Turing', 'alan@example.org'],
  )
  assert.ok(!('guardians' in student) && !('user' in student))
  assert.deepEqual(
    [programs.length, programs[0].program, programs[0].name, suggested_program],
    [1, seededTenant.program, family.records['Program Enrollment']?.[1], seededTenant.program],
  )
  const inProgram = (program?: string) =>
    mother
      .post(`${api}.get_program_context`, { student: children[1], program })
      .then((response) => response.body.message)
  const { enrollment, student_groups } = await inProgram(seededTenant.program)
  assert.deepEqual([enrollment.program, student_groups], [seededTenant.program, [{ label: seededTenant.group }]])
  assert.deepEqual((await inProgram()).enrollment, enrollment)
  assert.deepEqual(await inProgram('Law'), { enrollment: null, student_groups: [] })
  const ada = (await loggedIn(service, seededTenant, 'ada.b@example.org', ['Student'])).caller
  assert.equal((await resourceClient.update('Student', children[0], { user: 'ada.b@example.org' })).error, null)
  const self = { student: children[0], student_name: 'Ada Byron', image: null, relation: 'Self' }
  assert.deepEqual(await context(ada), { role: 'Student', student: self })
  assert.equal((await ada.post(`${api}.get_student_profile`)).body.message.student.name, children[0])
  assert.ok(isRefused(await ada.post(`${api}.get_student_profile`, { student: children[1] })))
  const { caller: staff } = await loggedIn(service, seededTenant, 'staff@example.org', ['Academics User'])
  assert.deepEqual(await context(staff), { role: null })
})

test('inviting a guardian: the user has the role Guardian', async () => {
  const invite = 'education.education.doctype.guardian.guardian.invite_guardian'
  const uncle = await resourceClient.make('Guardian', {
    guardian_name: 'Wentworth',
    email_address: 'uncle@example.org',
  })
  assert.equal(
    (await resourceClient.call(invite.slice('education.education.'.length), { guardian: uncle.name })).error,
    null,
  )
  const { data } = await resourceClient.read('User', 'uncle@example.org')
  assert.deepEqual(
    data.roles.map(({ role }: { role: string }) => role),
    ['Guardian'],
  )
})

test('guardians: none at another institution, despite equal names and addresses', async () => {
  const elsewhere = await aFamily(service)
  for (const child of elsewhere.children) {
    assert.equal((await elsewhere.seededTenant.resourceClient.update('Student', child, { guardians: [] })).error, null)
  }
  assert.deepEqual(await namesIn(elsewhere.mother, 'Student'), [])
  assert.equal((await namesIn(mother, 'Student')).length, 2)
})
