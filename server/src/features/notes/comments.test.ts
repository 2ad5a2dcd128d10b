import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller, aStudent } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { ask, refusal, someone, told } from './notes.fixture.ts'

const service = await startTestService()
const seededTenant = await seedTenant(service)
const { tenant, resourceClient, students, courses } = seededTenant
const [ada, alan] = students
const manager = await aRecordCaller(service, tenant)
const teacher = await someone(service, tenant, 'grace@school.example', 'Admissions Officer')
const clerk = await someone(service, tenant, 'clerk@school.example', 'Academics User')
const accountant = await someone(service, tenant, 'money@school.example', 'Accounts User')
const about = (name: string, type = 'Student') => ({ reference_doctype: type, reference_name: name })
const say = (caller: typeof clerk, content: string, name = ada) =>
  told(caller, 'add_comment', { ...about(name), content, comment_email: 'boss@school.example', comment_by: 'Boss' })
const list = async (caller: typeof clerk, args: Record<string, string> = {}) =>
  (await caller.get(`/api/resource/Comment?${new URLSearchParams(args)}`)).body.data

test('who may read a record comments on it in one’s own name, with audit and event', async () => {
  const made = await say(clerk, '<p>Called her <b>mother</b>.</p>')
  assert.deepEqual(
    [made.doctype, made.comment_type, made.content, made.comment_email, made.comment_by, made.owner],
    ['Comment', 'Comment', '<p>Called her <b>mother</b>.</p>', 'clerk@school.example', 'clerk', 'clerk@school.example'],
  )
  assert.deepEqual([made.reference_doctype, made.reference_name], ['Student', ada])
  assert.deepEqual(await resourceClient.traces('Comment', made.name), ['comment.created'])
  const posted = await clerk.post('/api/resource/Comment', {
    ...about(ada),
    content: 'By address',
    comment_email: 'boss@school.example',
  })
  assert.deepEqual([posted.status, posted.body.data.comment_email], [200, 'clerk@school.example'])
  const v2 = await clerk.get(`/api/v2/document/Comment/${made.name}`)
  assert.deepEqual([v2.status, v2.body.data.content], [200, made.content])
  assert.equal((await resourceClient.read('Student', ada)).data.modified <= made.creation, true)
})

test('nobody reads, lists, counts, searches or reaches by a link comments on records that they may not read', async () => {
  const { name } = await say(clerk, 'Not for the accounts')
  const filters = JSON.stringify({ name })
  assert.deepEqual(await list(accountant, { filters }), [])
  assert.deepEqual(await list(clerk, { filters }), [{ name }])
  assert.deepEqual(await refusal(accountant.get(`/api/resource/Comment/${name}`)), [403, 'PermissionError'])
  assert.deepEqual(await refusal(ask(accountant, 'add_comment', { ...about(ada), content: 'x' })), [
    403,
    'PermissionError',
  ])
  const silent = accountant.post('/api/resource/Comment', { ...about(ada), content: 'x' })
  assert.deepEqual(await refusal(silent), [403, 'PermissionError'])
  const calls = {
    'client.get_count': 0,
    'client.get_value': {},
    'desk.reportview.get_count': 0,
    'desk.search.search_link': [],
  }
  for (const [method, nothing] of Object.entries(calls)) {
    const asked = { doctype: 'Comment', filters: { name }, fieldname: 'content', txt: '' }
    assert.deepEqual((await accountant.post(`/api/method/frappe.${method}`, asked)).body.message, nothing, method)
  }
  const may = await accountant.post('/api/method/frappe.client.has_permission', { doctype: 'Comment', docname: name })
  assert.deepEqual(may.body.message, { has_permission: false })
})

test('students and guardians see no comment, not even on their own record', async () => {
  const me = await someone(service, tenant, 'ada@example.org', 'Student')
  await resourceClient.update('Student', ada, { user: 'ada@example.org' })
  await say(clerk, 'Speak with the family')
  assert.equal((await me.get(`/api/resource/Student/${ada}`)).status, 200)
  assert.deepEqual(await refusal(me.get('/api/resource/Comment')), [403, 'PermissionError'])
  for (const method of ['add_comment', 'getdoc', 'get_docinfo'] as const) {
    const args = { ...about(ada), content: 'x', doctype: 'Student', name: ada }
    assert.deepEqual(await refusal(ask(me, method, args)), [403, 'PermissionError'], method)
  }
  const listed = await me.get('/api/resource/Student?fields=["name","_comments","_user_tags","_assign"]')
  assert.deepEqual(listed.body.data, [{ name: ada }])
  const filtered = await me.get('/api/resource/Student?filters=[["_comments","like","%family%"]]')
  assert.deepEqual([filtered.status, filtered.body.exc_type], [417, 'DataError'])
})

test('only its author and the System Manager change or remove a comment, and never what it is about', async () => {
  const { name } = await say(clerk, 'First words')
  const path = `/api/resource/Comment/${name}`
  const permission = [403, 'PermissionError']
  assert.deepEqual(await refusal(ask(teacher, 'update_comment', { name, content: 'Others' })), permission)
  assert.deepEqual(await refusal(teacher.put(path, { content: 'Others' })), permission)
  const whole = (await teacher.get(path)).body.data
  assert.deepEqual(await refusal(teacher.post('/api/method/frappe.client.save', { doc: whole })), permission)
  assert.deepEqual(await refusal(teacher.delete(path)), permission)
  const bulk = await teacher.post('/api/method/frappe.client.bulk_update', {
    docs: [{ doctype: 'Comment', docname: name, content: 'Others' }],
  })
  assert.equal(bulk.body.message.failed_docs.length, 1)
  await told(clerk, 'update_comment', { name, content: 'Second words' })
  assert.equal((await clerk.get(path)).body.data.content, 'Second words')
  const moved = await clerk.put(path, { reference_name: alan })
  assert.deepEqual([moved.status, moved.body.exc_type], [417, 'CannotChangeConstantError'])
  assert.equal((await manager.put(path, { content: 'Third words' })).body.data.comment_email, 'clerk@school.example')
  assert.equal((await clerk.delete(path)).status, 202)
  assert.deepEqual(await resourceClient.traces('Comment', name), [
    'comment.created',
    'comment.updated',
    'comment.updated',
    'comment.deleted',
  ])
})

test('a comment goes with its record when that is renamed, merged and removed, whoever wrote it', async () => {
  const course = await resourceClient.make('Course', { course_name: 'Latin' })
  const made = await told(clerk, 'add_comment', { ...about(course.name, 'Course'), content: 'Needs a room' })
  assert.equal((await resourceClient.rename('Course', 'Latin', 'Greek')).error, null)
  assert.equal((await resourceClient.read('Comment', made.name)).data.reference_name, 'Greek')
  assert.equal((await resourceClient.rename('Course', 'Greek', courses[1], 1)).error, null)
  assert.equal((await resourceClient.read('Comment', made.name)).data.reference_name, courses[1])
  const other = await resourceClient.make('Course', { course_name: 'Music' })
  const gone = await told(clerk, 'add_comment', { ...about(other.name, 'Course'), content: 'Too loud' })
  const head = await someone(service, tenant, 'head@school.example', 'Education Manager')
  const removed = await head.delete('/api/resource/Course/Music')
  assert.equal(removed.status, 202, removed.text)
  assert.equal((await resourceClient.read('Comment', gone.name)).status, 404)
  assert.deepEqual(await resourceClient.traces('Comment', gone.name), ['comment.created', 'comment.deleted'])
})

test('a comment on a student follows a code that the Client API changes', async () => {
  const { id, studentCode } = await aStudent(tenant.api, {
    fullName: 'Emmy',
  })
  const { name } = await say(clerk, 'Algebra', studentCode)
  const changed = await tenant.api.patch(`/students/${id}`, { studentCode: 'EMMY-1' })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  assert.equal((await resourceClient.read('Comment', name)).data.reference_name, 'EMMY-1')
})

test('what would run is taken out of a comment, and one that is too long, empty or no text is refused', async () => {
  const hostile =
    '<p onclick="steal()">Hi</p><script>steal()</script><img src="x" onerror="steal()"><a href="javascript:x">y</a>'
  const { content } = await say(clerk, hostile)
  for (const part of ['<script', 'onclick', 'onerror', 'javascript:']) assert.ok(!content.includes(part), content)
  const max = 'ä'.repeat(20_000)
  assert.equal((await say(clerk, max)).content.length, 20_000)
  const bad = { [`${max}x`]: 'CharacterLengthExceededError', '<p> </p>': 'MandatoryError', 'a\0b': 'DataError' }
  for (const [sent, error] of Object.entries(bad)) {
    assert.deepEqual(await refusal(ask(clerk, 'add_comment', { ...about(ada), content: sent })), [417, error])
  }
  assert.deepEqual(await refusal(ask(clerk, 'add_comment', { ...about(ada), content: { a: 1 } })), [
    417,
    'FrappeTypeError',
  ])
  const attributes = `<p ${'a=" '.repeat(6000)}`.slice(0, 19_000)
  assert.equal(typeof (await say(clerk, attributes)).content, 'string')
  const kind = { ...about(ada), content: 'x', comment_type: 'Gossip' }
  assert.deepEqual(await refusal(clerk.post('/api/resource/Comment', kind)), [417, 'ValidationError'])
})

test('records of another institution, and those that there are not, take no comment', async () => {
  const other = await service.tenant()
  const { studentCode } = await aStudent(other.api, { fullName: 'Eve', studentCode: 'EVE-1' })
  const rejected = await refusal(ask(manager, 'add_comment', { ...about(studentCode), content: 'x' }))
  assert.deepEqual(rejected, [404, 'DoesNotExistError'])
  assert.deepEqual(await refusal(ask(manager, 'add_comment', { ...about('x', 'No Type'), content: 'x' })), [
    404,
    'DoesNotExistError',
  ])
  const otherTenant = await aRecordCaller(service, other)
  const { name } = await say(clerk, 'Ours')
  assert.deepEqual(await refusal(otherTenant.get(`/api/resource/Comment/${name}`)), [404, 'DoesNotExistError'])
  assert.deepEqual(await refusal(ask(otherTenant, 'update_comment', { name, content: 'x' })), [
    404,
    'DoesNotExistError',
  ])
  assert.deepEqual(await list(otherTenant), [])
})

test('lists tell of the newest hundred comments, in the form in which desks read them, and are filtered by them', async () => {
  const student = (await resourceClient.make('Student', { first_name: 'Sophie' })).name
  for (const content of ['One', `Two ${'x'.repeat(200)}`]) await say(clerk, content, student)
  const fields = JSON.stringify(['name', '_comments'])
  const [row] = (await resourceClient.list('Student', { fields, filters: JSON.stringify({ name: student }) })).data
  const comments = JSON.parse(row._comments)
  assert.deepEqual(
    comments.map(({ comment, by }: Record<string, string>) => [comment?.length, by]),
    [
      [3, 'clerk@school.example'],
      [100, 'clerk@school.example'],
    ],
  )
  const like = JSON.stringify([['_comments', 'like', '%Two xxx%']])
  assert.deepEqual((await resourceClient.list('Student', { filters: like })).data, [{ name: student }])
  const none = JSON.stringify([
    ['_comments', 'is', 'not set'],
    ['name', 'in', [student, alan]],
  ])
  assert.deepEqual((await resourceClient.list('Student', { filters: none })).data, [{ name: alan }])
})

test('a form loads a record and what there is about it', async () => {
  const student = (await resourceClient.make('Student', { first_name: 'Maria' })).name
  await say(clerk, 'One', student)
  await say(teacher, 'Two', student)
  await told(clerk, 'add_tag', { tag: 'Choir', dt: 'Student', dn: student })
  await told(clerk, 'add', { doctype: 'Student', name: student, assign_to: '["grace@school.example"]' })
  const { body, status, text } = await ask(clerk, 'getdoc', { doctype: 'Student', name: student })
  assert.equal(status, 200, text)
  assert.deepEqual([body.docs[0].doctype, body.docs[0].name, 'message' in body], ['Student', student, false])
  const { docinfo } = body
  assert.deepEqual(
    docinfo.comments.map(({ content, owner }: Record<string, string>) => [content, owner]),
    [
      ['Two', 'grace@school.example'],
      ['One', 'clerk@school.example'],
    ],
  )
  assert.deepEqual([docinfo.tags, docinfo.assignments[0].owner], ['Choir', 'grace@school.example'])
  assert.deepEqual(docinfo.user_info['grace@school.example'].fullname, 'grace')
  assert.deepEqual([docinfo.permissions.read, docinfo.permissions.submit, docinfo.attachments], [1, 0, []])
  const again = await ask(clerk, 'get_docinfo', { doctype: 'Student', name: student })
  assert.deepEqual(again.body.docinfo, docinfo)
  assert.deepEqual(await refusal(ask(accountant, 'getdoc', { doctype: 'Student', name: student })), [
    403,
    'PermissionError',
  ])
  assert.deepEqual(await refusal(ask(clerk, 'getdoc', { doctype: 'Student', name: 'none' })), [
    404,
    'DoesNotExistError',
  ])
})

test('a form names the owner and the editor of a record to those alone who may read users, and to themselves', async () => {
  const registrar = await someone(service, tenant, 'emmy@school.example', 'Academics User')
  await resourceClient.update('User', 'emmy@school.example', { first_name: 'Unheardof' })
  const { body } = await registrar.post('/api/resource/Student', { first_name: 'Hypatia' })
  const args = { doctype: 'Student', name: body.data.name }
  const rector = await someone(service, tenant, 'rector@school.example', 'Academics User', 'Education Manager')
  for (const method of ['getdoc', 'get_docinfo'] as const) {
    const named = async (caller: typeof clerk) => {
      const { status, body, text } = await ask(caller, method, args)
      assert.equal(status, 200, text)
      return body.docinfo.user_info['emmy@school.example']?.fullname
    }
    for (const caller of [registrar, rector, manager]) assert.match((await named(caller)) ?? '', /Unheardof/, method)
    assert.equal(await named(clerk), undefined, method)
    assert.doesNotMatch((await ask(clerk, method, args)).text, /Unheardof/, method)
  }
  // Who comments is named by the comment as well.
  await say(registrar, 'Welcome', args.name)
  assert.match((await ask(clerk, 'get_docinfo', args)).text, /Unheardof/)
})
